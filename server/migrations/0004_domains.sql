-- A domain is what a merchant asked for; its origins are what browsers compare with.
create table merchant_domains (
  merchant_id uuid not null,
  domain text not null,
  is_primary boolean not null,
  create_date timestamptz(3) not null,
  constraint merchant_domains_pkey primary key (merchant_id, domain)
);

create table merchant_origins (
  merchant_id uuid not null,
  origin text not null,
  domain text not null,
  create_date timestamptz(3) not null,
  constraint merchant_origins_pkey primary key (merchant_id, origin)
);

alter table merchant_domains add constraint merchant_domains_merchant_fkey
  foreign key (merchant_id) references merchants (id);
alter table merchant_origins add constraint merchant_origins_domain_fkey
  foreign key (merchant_id, domain) references merchant_domains (merchant_id, domain) on delete cascade;
