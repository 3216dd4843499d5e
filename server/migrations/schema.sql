-- Made by `npm run schema` from the migrations; do not edit.

create table application_throttle (
  client text not null,
  outcome text not null,
  count integer not null,
  window_end_date timestamp(3) with time zone not null,
  constraint application_throttle_pkey PRIMARY KEY (client, outcome)
);
CREATE INDEX application_throttle_by_end ON public.application_throttle USING btree (window_end_date);

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
  create_date timestamp(3) with time zone not null,
  decide_date timestamp(3) with time zone,
  constraint applications_pkey PRIMARY KEY (id),
  constraint applications_decided_check CHECK (((status = 'PENDING'::text) = (decide_date IS NULL))),
  constraint applications_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text]))),
  constraint applications_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint applications_merchant_key UNIQUE (merchant_id)
);
CREATE INDEX applications_by_date ON public.applications USING btree (create_date DESC, id DESC);
CREATE INDEX applications_by_status ON public.applications USING btree (status, create_date DESC, id DESC);
CREATE UNIQUE INDEX applications_pending_key ON public.applications USING btree (public_key_point) WHERE (status = 'PENDING'::text);

create table audit_head (
  id boolean not null,
  position bigint not null,
  mac bytea not null,
  constraint audit_head_pkey PRIMARY KEY (id),
  constraint audit_head_one_row CHECK (id)
);

create table audit_log (
  position bigint not null,
  date timestamp(3) with time zone not null,
  actor text not null,
  action text not null,
  subject text not null,
  merchant_id uuid,
  detail text not null,
  request_id text,
  mac bytea not null,
  constraint audit_log_pkey PRIMARY KEY ("position")
);

create table merchant_domains (
  merchant_id uuid not null,
  domain text not null,
  is_primary boolean not null,
  create_date timestamp(3) with time zone not null,
  constraint merchant_domains_pkey PRIMARY KEY (merchant_id, domain),
  constraint merchant_domains_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table merchant_origins (
  merchant_id uuid not null,
  origin text not null,
  domain text not null,
  create_date timestamp(3) with time zone not null,
  constraint merchant_origins_pkey PRIMARY KEY (merchant_id, origin),
  constraint merchant_origins_domain_fkey FOREIGN KEY (merchant_id, domain) REFERENCES merchant_domains(merchant_id, domain) ON DELETE CASCADE
);

create table merchants (
  id uuid not null,
  display_name text not null,
  status text not null,
  algorithm text not null,
  public_key text not null,
  public_key_point bytea not null,
  email text not null,
  domain text not null,
  create_date timestamp(3) with time zone not null,
  update_date timestamp(3) with time zone not null,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_algorithm_check CHECK ((algorithm = 'ECDSA_P256_SHA256'::text)),
  constraint merchants_public_key_point_check CHECK ((length(public_key_point) = 33)),
  constraint merchants_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'SUSPENDED'::text, 'REJECTED'::text])))
);
CREATE UNIQUE INDEX merchants_active_key ON public.merchants USING btree (public_key_point) WHERE (status = 'ACTIVE'::text);
CREATE INDEX merchants_by_date ON public.merchants USING btree (create_date DESC, id DESC);

create table operator_tokens (
  id uuid not null,
  name text not null,
  role text not null,
  token_hash bytea not null,
  create_date timestamp(3) with time zone not null,
  expire_date timestamp(3) with time zone not null,
  revoke_date timestamp(3) with time zone,
  constraint operator_tokens_pkey PRIMARY KEY (id),
  constraint operator_tokens_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'viewer'::text, 'ingest'::text]))),
  constraint operator_tokens_hash_key UNIQUE (token_hash)
);
CREATE INDEX operator_tokens_by_date ON public.operator_tokens USING btree (create_date DESC, id DESC);

create table outbox (
  id uuid not null,
  kind text not null,
  payload jsonb not null,
  attempts integer not null,
  next_attempt_date timestamp(3) with time zone,
  last_error text,
  create_date timestamp(3) with time zone not null,
  constraint outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_due ON public.outbox USING btree (next_attempt_date) WHERE (next_attempt_date IS NOT NULL);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_date timestamp(3) with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);
