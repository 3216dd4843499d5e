-- Merchants and their applications are few and global: reference tables on a distributed PostgreSQL.

create table merchants (
  id uuid not null,
  display_name text not null,
  status text not null,
  algorithm text not null,
  public_key text not null,
  -- The compressed point: two texts of one key are one key.
  public_key_point bytea not null,
  email text not null,
  domain text not null,
  create_date timestamptz(3) not null,
  update_date timestamptz(3) not null,
  constraint merchants_pkey primary key (id),
  constraint merchants_status_check check (status in ('PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED')),
  constraint merchants_algorithm_check check (algorithm = 'ECDSA_P256_SHA256'),
  constraint merchants_public_key_point_check check (length(public_key_point) = 33)
);

-- The merchant id is outside the signature, so a key must name its merchant by itself.
create unique index merchants_active_key on merchants (public_key_point) where status = 'ACTIVE';
create index merchants_by_date on merchants (create_date desc, id desc);

create table applications (
  id uuid not null,
  merchant_id uuid not null,
  status text not null,
  email text not null,
  domain text not null,
  public_key text not null,
  public_key_point bytea not null,
  telegram text,
  description text not null,
  reason text,
  create_date timestamptz(3) not null,
  decide_date timestamptz(3),
  constraint applications_pkey primary key (id),
  constraint applications_merchant_key unique (merchant_id),
  constraint applications_status_check check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  constraint applications_decided_check check ((status = 'PENDING') = (decide_date is null))
);

alter table applications add constraint applications_merchant_fkey foreign key (merchant_id) references merchants (id);

create unique index applications_pending_key on applications (public_key_point) where status = 'PENDING';
create index applications_by_date on applications (create_date desc, id desc);
create index applications_by_status on applications (status, create_date desc, id desc);

-- How often a client address applied in its current window; rows past their window are swept.
create table application_throttle (
  client text not null,
  outcome text not null,
  count integer not null,
  window_end_date timestamptz(3) not null,
  constraint application_throttle_pkey primary key (client, outcome)
);

create index application_throttle_by_end on application_throttle (window_end_date);
