-- A domain is what a merchant asked for; its origins are what browsers compare with.
create table merchant_domains (
  merchant_id uuid not null,
  domain text not null,
  -- 0 is the primary domain, which every approved merchant has; the others are its ten slots. The key below makes an
  -- eleventh additional domain impossible, and the primary domain's row is the lock for all changes of the merchant.
  slot smallint not null,
  create_date timestamptz(3) not null,
  constraint merchant_domains_pkey primary key (merchant_id, domain),
  constraint merchant_domains_slot_key unique (merchant_id, slot),
  constraint merchant_domains_slot_check check (slot between 0 and 10)
);

-- An origin is whitelisted as long as any domain stands for it.
create table merchant_origins (
  merchant_id uuid not null,
  origin text not null,
  domain text not null,
  create_date timestamptz(3) not null,
  constraint merchant_origins_pkey primary key (merchant_id, origin, domain)
);

-- Origins of which the registry may know something else than we do, each with the outbox job that will settle it.
-- Whoever calls the registry about an origin holds it until the lease ends, so no two calls about one origin overlap.
create table unsettled_origins (
  merchant_id uuid not null,
  origin text not null,
  job_id uuid not null,
  holder uuid,
  lease_end_date timestamptz(3),
  -- The additional domain that a call under way has reserved a slot for.
  reserved_domain text,
  constraint unsettled_origins_pkey primary key (merchant_id, origin),
  constraint unsettled_origins_lease_check check ((holder is null) = (lease_end_date is null)),
  constraint unsettled_origins_reserved_check check (reserved_domain is null or holder is not null)
);

alter table merchant_domains add constraint merchant_domains_merchant_fkey
  foreign key (merchant_id) references merchants (id);
alter table merchant_origins add constraint merchant_origins_domain_fkey
  foreign key (merchant_id, domain) references merchant_domains (merchant_id, domain) on delete cascade;
alter table unsettled_origins add constraint unsettled_origins_merchant_fkey
  foreign key (merchant_id) references merchants (id);
