create table operator_tokens (
  id uuid not null,
  name text not null,
  role text not null,
  token_hash bytea not null,
  create_date timestamptz(3) not null,
  expire_date timestamptz(3) not null,
  revoke_date timestamptz(3),
  constraint operator_tokens_pkey primary key (id),
  constraint operator_tokens_hash_key unique (token_hash),
  constraint operator_tokens_role_check check (role in ('operator', 'viewer', 'ingest'))
);

create index operator_tokens_by_date on operator_tokens (create_date desc, id desc);

-- Append-only. Each row's MAC covers the row and the MAC before it, under a key the database does not have.
create table audit_log (
  position bigint not null,
  date timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  merchant_id uuid,
  detail text not null,
  request_id text,
  mac bytea not null,
  constraint audit_log_pkey primary key (position)
);

-- The end of the chain: one row, taken last in a transaction so that operators wait for each other only briefly.
create table audit_head (
  id boolean not null,
  position bigint not null,
  mac bytea not null,
  constraint audit_head_pkey primary key (id),
  constraint audit_head_one_row check (id)
);

insert into audit_head (id, position, mac) values (true, 0, '\x');
