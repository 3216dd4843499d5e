-- Made by `npm run schema` from the migrations; do not edit.

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
  proven boolean not null default false,
  constraint applications_pkey PRIMARY KEY (id),
  constraint applications_decided_check CHECK (((status = 'PENDING'::text) = (decide_date IS NULL))),
  constraint applications_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text]))),
  constraint applications_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint applications_merchant_key UNIQUE (merchant_id)
);
CREATE INDEX applications_by_date ON public.applications USING btree (create_date DESC, id DESC);
CREATE INDEX applications_by_status ON public.applications USING btree (status, create_date DESC, id DESC);
CREATE UNIQUE INDEX applications_pending_key ON public.applications USING btree (public_key_point) WHERE (status = 'PENDING'::text);

create table approvals (
  id uuid not null,
  action text not null,
  status text not null,
  subject text not null,
  merchant_id uuid,
  change json not null,
  input json not null,
  request_hash bytea not null,
  requested_by text not null,
  requested_by_token_id uuid,
  decided_by text,
  decided_by_token_id uuid,
  reason text,
  create_date timestamp(3) with time zone not null,
  expire_date timestamp(3) with time zone not null,
  decide_date timestamp(3) with time zone,
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_decision_check CHECK ((((status = 'PENDING'::text) = (decide_date IS NULL)) AND ((status = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text])) = (decided_by IS NOT NULL)))),
  constraint approvals_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'EXPIRED'::text]))),
  constraint approvals_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX approvals_by_date ON public.approvals USING btree (create_date DESC, id DESC);
CREATE INDEX approvals_by_request ON public.approvals USING btree (request_hash, create_date DESC);
CREATE INDEX approvals_by_status ON public.approvals USING btree (status, create_date DESC, id DESC);
CREATE INDEX approvals_overdue ON public.approvals USING btree (expire_date) WHERE (status = 'PENDING'::text);
CREATE UNIQUE INDEX approvals_waiting ON public.approvals USING btree (request_hash) WHERE (status = 'PENDING'::text);

create table audit_figures (
  check_name text not null,
  checked bigint not null,
  update_date timestamp(3) with time zone not null,
  constraint audit_figures_pkey PRIMARY KEY (check_name)
);

create table audit_findings (
  check_name text not null,
  subject text not null,
  scope jsonb,
  detail text not null,
  create_date timestamp(3) with time zone not null,
  update_date timestamp(3) with time zone not null,
  constraint audit_findings_pkey PRIMARY KEY (check_name, subject)
);

create table audit_head (
  id boolean not null,
  position bigint not null,
  mac bytea not null,
  key_version integer not null default 1,
  key_check bytea,
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
  key_version integer not null default 1,
  constraint audit_log_pkey PRIMARY KEY ("position")
);
CREATE INDEX audit_log_bootstrap ON public.audit_log USING btree ("position") WHERE (action = ANY (ARRAY['bootstrap.close'::text, 'bootstrap.open'::text]));
CREATE INDEX audit_log_by_action ON public.audit_log USING btree (action, date, "position");
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor, date, "position");
CREATE INDEX audit_log_by_actor_and_action ON public.audit_log USING btree (actor, action, date, "position");
CREATE INDEX audit_log_by_date ON public.audit_log USING btree (date, "position");
CREATE INDEX audit_log_by_merchant ON public.audit_log USING btree (merchant_id, "position") WHERE (merchant_id IS NOT NULL);
CREATE INDEX audit_log_by_merchant_and_date ON public.audit_log USING btree (merchant_id, date, "position") WHERE (merchant_id IS NOT NULL);
CREATE INDEX audit_log_by_subject ON public.audit_log USING btree (subject, date, "position");

create table audit_walks (
  name text not null,
  merchant_id uuid not null,
  id uuid not null,
  position bigint not null,
  old_digest bytea not null,
  begin_date timestamp(3) with time zone not null,
  done_begin_date timestamp(3) with time zone,
  next_date timestamp(3) with time zone not null,
  constraint audit_walks_pkey PRIMARY KEY (name)
);

create table campaign_terms (
  merchant_id uuid not null,
  campaign_id uuid not null,
  ordinal integer not null,
  after_position bigint not null,
  status text not null,
  start_date timestamp(3) with time zone not null,
  end_date timestamp(3) with time zone not null,
  match_multiplier numeric(13,6) not null,
  currency text not null,
  decimal_places integer not null,
  max_amount_per_user numeric(78,0) not null,
  max_amount_total numeric(78,0) not null,
  payout_chain_id bigint not null,
  payout_token_address text not null,
  date timestamp(3) with time zone not null,
  participants_per_wallet_max integer,
  minimum_deposit_micros numeric(21,0),
  constraint campaign_terms_pkey PRIMARY KEY (merchant_id, campaign_id, ordinal),
  constraint campaign_terms_campaign_fkey FOREIGN KEY (merchant_id, campaign_id) REFERENCES campaigns(merchant_id, id)
);

create table campaigns (
  merchant_id uuid not null,
  id uuid not null,
  type text not null,
  status text not null,
  display_name text not null,
  start_date timestamp(3) with time zone not null,
  end_date timestamp(3) with time zone not null,
  match_multiplier numeric(13,6) not null,
  currency text not null,
  decimal_places integer not null,
  max_amount_per_user numeric(78,0) not null,
  max_amount_total numeric(78,0) not null,
  committed numeric(78,0) not null,
  payout_chain_id bigint not null,
  payout_token_address text not null,
  journal_length bigint not null,
  create_date timestamp(3) with time zone not null,
  update_date timestamp(3) with time zone not null,
  request_hash bytea,
  journal_key_version smallint not null default 0,
  journal_digest bytea not null default '\x'::bytea,
  chained_after bigint not null default 0,
  participants_per_wallet_max integer,
  minimum_deposit_micros numeric(21,0),
  payouts_open numeric(78,0) not null default 0,
  payouts_confirmed numeric(78,0) not null default 0,
  constraint campaigns_pkey PRIMARY KEY (merchant_id, id),
  constraint campaigns_budget_check CHECK (((committed >= (0)::numeric) AND (committed <= max_amount_total))),
  constraint campaigns_cap_check CHECK ((max_amount_per_user >= (0)::numeric)),
  constraint campaigns_chain_check CHECK (((payout_chain_id >= 1) AND (payout_chain_id <= '9007199254740991'::bigint))),
  constraint campaigns_decimal_places_check CHECK (((decimal_places >= 0) AND (decimal_places <= 36))),
  constraint campaigns_minimum_deposit_check CHECK ((minimum_deposit_micros > (0)::numeric)),
  constraint campaigns_multiplier_check CHECK (((match_multiplier > (0)::numeric) AND (match_multiplier <= (1000000)::numeric))),
  constraint campaigns_participants_per_wallet_check CHECK (((participants_per_wallet_max >= 1) AND (participants_per_wallet_max <= 1000))),
  constraint campaigns_payouts_check CHECK (((payouts_open >= (0)::numeric) AND (payouts_confirmed >= (0)::numeric))),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'ACTIVE'::text, 'PAUSED'::text, 'ENDED'::text]))),
  constraint campaigns_type_check CHECK ((type = 'PER_TRADE_PROFIT_MATCH'::text)),
  constraint campaigns_window_check CHECK ((start_date < end_date)),
  constraint campaigns_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX campaigns_by_date ON public.campaigns USING btree (merchant_id, create_date DESC, id DESC);
CREATE INDEX campaigns_by_id ON public.campaigns USING btree (id);
CREATE INDEX campaigns_by_status ON public.campaigns USING btree (merchant_id, status, create_date DESC, id DESC);
CREATE INDEX campaigns_of_all_by_date ON public.campaigns USING btree (create_date DESC, id DESC);
CREATE INDEX campaigns_of_all_by_status ON public.campaigns USING btree (status, create_date DESC, id DESC);

create table chain_transactions (
  chain_id bigint not null,
  hash text not null,
  next_look_date timestamp(3) with time zone,
  block_number bigint,
  block_hash text,
  confirmations integer not null,
  create_date timestamp(3) with time zone not null,
  constraint chain_transactions_pkey PRIMARY KEY (chain_id, hash),
  constraint chain_transactions_block_check CHECK (((block_number IS NULL) = (block_hash IS NULL)))
);
CREATE INDEX chain_transactions_due ON public.chain_transactions USING btree (chain_id, next_look_date) WHERE (next_look_date IS NOT NULL);

create table deposit_batches (
  id uuid not null,
  date timestamp(3) with time zone not null,
  actor text not null,
  constraint deposit_batches_pkey PRIMARY KEY (id)
);

create table deposit_days (
  day date not null,
  shard smallint not null,
  pending_count bigint not null,
  completed_count bigint not null,
  failed_count bigint not null,
  completed_micros numeric(38,0) not null,
  constraint deposit_days_pkey PRIMARY KEY (day, shard)
);

create table deposit_events (
  merchant_id uuid not null,
  deposit_id text not null,
  ordinal bigint not null,
  batch_id uuid not null,
  outcome text not null,
  status text,
  amount_micros numeric(21,0),
  update_date timestamp(3) with time zone,
  code text,
  reason text,
  constraint deposit_events_pkey PRIMARY KEY (merchant_id, deposit_id, ordinal, batch_id),
  constraint deposit_events_code_check CHECK (((outcome = 'refused'::text) = (code IS NOT NULL))),
  constraint deposit_events_outcome_check CHECK ((outcome = ANY (ARRAY['created'::text, 'updated'::text, 'unchanged'::text, 'stale'::text, 'refused'::text, 'overruled'::text, 'released'::text]))),
  constraint deposit_events_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
);

create table deposit_users (
  merchant_id uuid not null,
  user_id uuid not null,
  pending_count bigint not null,
  pending_micros numeric(38,0) not null,
  completed_count bigint not null,
  completed_micros numeric(38,0) not null,
  failed_count bigint not null,
  failed_micros numeric(38,0) not null,
  first_deposit_date timestamp(3) with time zone not null,
  last_deposit_date timestamp(3) with time zone not null,
  wallet_count bigint not null,
  constraint deposit_users_pkey PRIMARY KEY (merchant_id, user_id)
);
CREATE INDEX deposit_users_by_id ON public.deposit_users USING btree (user_id, merchant_id);

create table deposit_wallets (
  merchant_id uuid not null,
  user_id uuid not null,
  wallet_key text not null,
  chain_id bigint not null,
  wallet_address text not null,
  first_deposit_date timestamp(3) with time zone not null,
  constraint deposit_wallets_pkey PRIMARY KEY (merchant_id, user_id, wallet_key, chain_id)
);
CREATE INDEX deposit_wallets_by_address ON public.deposit_wallets USING btree (merchant_id, lower((wallet_address COLLATE "C")), user_id, chain_id);
CREATE INDEX deposit_wallets_by_date ON public.deposit_wallets USING btree (merchant_id, ((user_id)::text), first_deposit_date, wallet_key, chain_id);

create table deposits (
  merchant_id uuid not null,
  id text not null,
  user_id uuid not null,
  status text not null,
  amount_micros numeric(21,0) not null,
  chain_id bigint not null,
  token_symbol text not null,
  token_address text not null,
  wallet_address text not null,
  wallet_key text not null,
  create_date timestamp(3) with time zone not null,
  update_date timestamp(3) with time zone not null,
  batch_id uuid,
  reported_status text,
  constraint deposits_pkey PRIMARY KEY (merchant_id, id),
  constraint deposits_amount_check CHECK ((amount_micros >= (0)::numeric)),
  constraint deposits_chain_check CHECK (((chain_id >= 1) AND (chain_id <= '9007199254740991'::bigint))),
  constraint deposits_reported_status_check CHECK ((reported_status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text]))) NOT VALID,
  constraint deposits_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX deposits_by_chain ON public.deposits USING btree (merchant_id, chain_id, status, create_date, id);
CREATE INDEX deposits_by_status ON public.deposits USING btree (merchant_id, status, create_date, id);
CREATE INDEX deposits_by_user ON public.deposits USING btree (merchant_id, user_id, create_date, id);
CREATE INDEX deposits_completed_by_wallet ON public.deposits USING btree (merchant_id, wallet_key, chain_id, create_date, id) WHERE (status = 'completed'::text);
CREATE INDEX deposits_of_everyone ON public.deposits USING btree (status, (create_date AT TIME ZONE 'UTC'::text), id, merchant_id);

create table domain_mails (
  merchant_id uuid not null,
  job_id uuid not null,
  due_date timestamp(3) with time zone not null,
  domains text[] not null,
  constraint domain_mails_pkey PRIMARY KEY (merchant_id),
  constraint domain_mails_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table journal_checkpoints (
  merchant_id uuid not null,
  campaign_id uuid not null,
  position bigint not null,
  digest bytea not null,
  old_position bigint not null,
  old_digest bytea not null,
  date timestamp(3) with time zone not null,
  constraint journal_checkpoints_pkey PRIMARY KEY (merchant_id, campaign_id),
  constraint journal_checkpoints_campaign_fkey FOREIGN KEY (merchant_id, campaign_id) REFERENCES campaigns(merchant_id, id)
);

create table merchant_domains (
  merchant_id uuid not null,
  domain text not null,
  slot smallint not null,
  create_date timestamp(3) with time zone not null,
  constraint merchant_domains_pkey PRIMARY KEY (merchant_id, domain),
  constraint merchant_domains_slot_check CHECK (((slot >= 0) AND (slot <= 10))),
  constraint merchant_domains_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint merchant_domains_slot_key UNIQUE (merchant_id, slot)
);
CREATE INDEX merchant_domains_by_domain ON public.merchant_domains USING btree (domain, merchant_id) WHERE (slot > 0);

create table merchant_origins (
  merchant_id uuid not null,
  origin text not null,
  domain text not null,
  create_date timestamp(3) with time zone not null,
  constraint merchant_origins_pkey PRIMARY KEY (merchant_id, origin, domain),
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
  require_bound_signatures boolean not null default false,
  rate_limit jsonb,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_algorithm_check CHECK ((algorithm = 'ECDSA_P256_SHA256'::text)),
  constraint merchants_public_key_point_check CHECK ((length(public_key_point) = 33)),
  constraint merchants_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'SUSPENDED'::text, 'REJECTED'::text])))
);
CREATE UNIQUE INDEX merchants_active_key ON public.merchants USING btree (public_key_point) WHERE (status = 'ACTIVE'::text);
CREATE INDEX merchants_by_date ON public.merchants USING btree (create_date DESC, id DESC);
CREATE INDEX merchants_by_domain ON public.merchants USING btree (domain, status, create_date DESC, id DESC);
CREATE INDEX merchants_by_key ON public.merchants USING btree (public_key_point, status, create_date DESC, id DESC);
CREATE INDEX merchants_by_status ON public.merchants USING btree (status, create_date DESC, id DESC);

create table operator_sessions (
  id_hash bytea not null,
  key_version integer not null,
  token_id uuid,
  seal bytea not null,
  create_date timestamp(3) with time zone not null,
  expire_date timestamp(3) with time zone not null,
  constraint operator_sessions_pkey PRIMARY KEY (id_hash),
  constraint operator_sessions_token_fkey FOREIGN KEY (token_id) REFERENCES operator_tokens(id)
);
CREATE INDEX operator_sessions_by_end ON public.operator_sessions USING btree (expire_date);

create table operator_tokens (
  id uuid not null,
  name text not null,
  role text not null,
  token_hash bytea not null,
  create_date timestamp(3) with time zone not null,
  expire_date timestamp(3) with time zone not null,
  revoke_date timestamp(3) with time zone,
  key_version integer not null default 0,
  seal bytea not null default '\x'::bytea,
  created_by uuid,
  own_person text,
  constraint operator_tokens_pkey PRIMARY KEY (id),
  constraint operator_tokens_own_person_check CHECK ((own_person = ANY (ARRAY['HOST'::text, 'APPROVAL'::text]))),
  constraint operator_tokens_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'viewer'::text, 'ingest'::text]))),
  constraint operator_tokens_creator_fkey FOREIGN KEY (created_by) REFERENCES operator_tokens(id),
  constraint operator_tokens_hash_key UNIQUE (token_hash)
);
CREATE INDEX operator_tokens_by_creator ON public.operator_tokens USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX operator_tokens_by_date ON public.operator_tokens USING btree (create_date DESC, id DESC);

create table outbox (
  id uuid not null,
  kind text not null,
  payload jsonb not null,
  attempts integer not null,
  next_attempt_date timestamp(3) with time zone,
  last_error text,
  create_date timestamp(3) with time zone not null,
  under_way boolean not null default false,
  constraint outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_due_by_kind ON public.outbox USING btree (kind, next_attempt_date) WHERE (next_attempt_date IS NOT NULL);
CREATE INDEX outbox_stuck ON public.outbox USING btree (kind, create_date, id) WHERE ((attempts >= 3) OR (next_attempt_date IS NULL));

create table participant_wallets (
  merchant_id uuid not null,
  participant_id uuid not null,
  address_key text not null,
  chain_id bigint not null,
  campaign_id uuid not null,
  address text not null,
  ordinal integer not null,
  claim_position bigint not null,
  constraint participant_wallets_pkey PRIMARY KEY (merchant_id, participant_id, address_key, chain_id),
  constraint participant_wallets_ordinal_check CHECK (((ordinal >= 0) AND (ordinal <= 999))),
  constraint participant_wallets_participant_fkey FOREIGN KEY (merchant_id, participant_id) REFERENCES participants(merchant_id, id)
);
CREATE INDEX participant_wallets_by_claim ON public.participant_wallets USING btree (merchant_id, campaign_id, address_key, chain_id, claim_position, participant_id) WHERE (claim_position > 0);

create table participants (
  merchant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  merchant_user_id text not null,
  status text not null,
  qualified_date timestamp(3) with time zone not null,
  trade_profit numeric(78,0) not null,
  amount_matched numeric(78,0) not null,
  max_match numeric(78,0) not null,
  payouts_open numeric(78,0) not null,
  payouts_confirmed numeric(78,0) not null,
  payouts_count integer not null,
  last_payout_failed boolean not null,
  create_date timestamp(3) with time zone not null,
  update_date timestamp(3) with time zone not null,
  receiver_address text,
  receiver_set_by text,
  held boolean not null default false,
  constraint participants_pkey PRIMARY KEY (merchant_id, id),
  constraint participants_match_check CHECK (((amount_matched >= (0)::numeric) AND (amount_matched <= max_match))),
  constraint participants_payouts_check CHECK (((payouts_open >= (0)::numeric) AND (payouts_confirmed >= (0)::numeric) AND ((payouts_open + payouts_confirmed) <= amount_matched))),
  constraint participants_profit_check CHECK ((trade_profit >= (0)::numeric)),
  constraint participants_qualified_check CHECK (((status = 'QUALIFIED'::text) = (amount_matched = (0)::numeric))),
  constraint participants_receiver_check CHECK ((((receiver_address IS NULL) = (receiver_set_by IS NULL)) AND (receiver_set_by = ANY (ARRAY['SUBMISSION'::text, 'OPERATOR'::text])))),
  constraint participants_status_check CHECK ((status = ANY (ARRAY['QUALIFIED'::text, 'MATCHED'::text, 'PAID'::text, 'FAILED'::text]))),
  constraint participants_campaign_fkey FOREIGN KEY (merchant_id, campaign_id) REFERENCES campaigns(merchant_id, id),
  constraint participants_user_key UNIQUE (merchant_id, campaign_id, merchant_user_id)
);
CREATE INDEX participants_by_date ON public.participants USING btree (merchant_id, campaign_id, create_date, id) WHERE (create_date > '-infinity'::timestamp with time zone);
CREATE INDEX participants_by_id ON public.participants USING btree (id);
CREATE INDEX participants_by_status ON public.participants USING btree (merchant_id, campaign_id, status, create_date, id) WHERE (create_date > '-infinity'::timestamp with time zone);
CREATE INDEX participants_failed ON public.participants USING btree (create_date DESC, merchant_id, id) WHERE (status = 'FAILED'::text);

create table payout_events (
  merchant_id uuid not null,
  payout_id uuid not null,
  ordinal integer not null,
  status text not null,
  reason text,
  date timestamp(3) with time zone not null,
  constraint payout_events_pkey PRIMARY KEY (merchant_id, payout_id, ordinal),
  constraint payout_events_payout_fkey FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id, id)
);

create table payout_proofs (
  chain_id bigint not null,
  transaction_hash text not null,
  log_index bigint not null,
  merchant_id uuid not null,
  payout_id uuid not null,
  block_number bigint not null,
  block_hash text not null,
  date timestamp(3) with time zone not null,
  constraint payout_proofs_pkey PRIMARY KEY (chain_id, transaction_hash, log_index),
  constraint payout_proofs_payout_fkey FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id, id),
  constraint payout_proofs_payout_key UNIQUE (merchant_id, payout_id)
);

create table payout_run_transactions (
  merchant_id uuid not null,
  run_id uuid not null,
  chain_id bigint not null,
  hash text not null,
  constraint payout_run_transactions_pkey PRIMARY KEY (merchant_id, run_id, hash),
  constraint payout_run_transactions_run_fkey FOREIGN KEY (merchant_id, run_id) REFERENCES payout_runs(merchant_id, id)
);
CREATE INDEX payout_run_transactions_by_hash ON public.payout_run_transactions USING btree (chain_id, hash);

create table payout_runs (
  merchant_id uuid not null,
  id uuid not null,
  campaign_id uuid,
  status text not null,
  chain_id bigint not null,
  token_address text not null,
  currency text not null,
  decimal_places integer not null,
  note text,
  request_hash bytea not null,
  pending_count integer not null,
  submitted_count integer not null,
  confirmed_count integer not null,
  failed_count integer not null,
  reserved numeric not null,
  confirmed numeric not null,
  failed numeric not null,
  left_out_count integer not null,
  left_out jsonb not null,
  created_by text not null,
  created_by_token_id uuid,
  approved_by text,
  approved_by_token_id uuid,
  create_date timestamp(3) with time zone not null,
  update_date timestamp(3) with time zone not null,
  constraint payout_runs_pkey PRIMARY KEY (merchant_id, id),
  constraint payout_runs_open_check CHECK (((status <> ALL (ARRAY['SETTLED'::text, 'CANCELLED'::text])) OR ((pending_count + submitted_count) = 0))),
  constraint payout_runs_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'APPROVED'::text, 'EXPORTED'::text, 'SUBMITTED'::text, 'SETTLED'::text, 'CANCELLED'::text]))),
  constraint payout_runs_sums_check CHECK (((reserved > (0)::numeric) AND ((confirmed + failed) <= reserved))),
  constraint payout_runs_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX payout_runs_by_date ON public.payout_runs USING btree (create_date DESC, id DESC);
CREATE INDEX payout_runs_by_id ON public.payout_runs USING btree (id);
CREATE INDEX payout_runs_by_status ON public.payout_runs USING btree (status, create_date DESC, id DESC);
CREATE INDEX payout_runs_of_campaign ON public.payout_runs USING btree (campaign_id, create_date DESC, id DESC);
CREATE INDEX payout_runs_of_merchant ON public.payout_runs USING btree (merchant_id, create_date DESC, id DESC);

create table payouts (
  merchant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  participant_id uuid not null,
  ordinal integer not null,
  status text not null,
  amount numeric(78,0) not null,
  chain_id bigint not null,
  token_address text not null,
  recipient_address text not null,
  transaction_hash text,
  failure_reason text,
  idempotency_key text,
  create_date timestamp(3) with time zone not null,
  update_date timestamp(3) with time zone not null,
  cancelled boolean not null default false,
  run_id uuid,
  run_position integer,
  flags text[] not null default '{}'::text[],
  proof_status text,
  proof_found jsonb,
  constraint payouts_pkey PRIMARY KEY (merchant_id, id),
  constraint payouts_amount_check CHECK ((amount > (0)::numeric)),
  constraint payouts_cancelled_check CHECK (((NOT cancelled) OR (status = 'FAILED'::text))),
  constraint payouts_proof_check CHECK ((proof_status = ANY (ARRAY['PROVEN'::text, 'PENDING'::text, 'MISMATCH'::text, 'REVERTED'::text]))),
  constraint payouts_run_check CHECK (((run_id IS NULL) = (run_position IS NULL))),
  constraint payouts_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUBMITTED'::text, 'CONFIRMED'::text, 'FAILED'::text]))),
  constraint payouts_participant_fkey FOREIGN KEY (merchant_id, participant_id) REFERENCES participants(merchant_id, id),
  constraint payouts_run_fkey FOREIGN KEY (merchant_id, run_id) REFERENCES payout_runs(merchant_id, id),
  constraint payouts_idempotency_key UNIQUE (merchant_id, participant_id, idempotency_key),
  constraint payouts_ordinal_key UNIQUE (merchant_id, participant_id, ordinal)
);
CREATE INDEX payouts_by_hash ON public.payouts USING btree (lower(transaction_hash)) WHERE (transaction_hash IS NOT NULL);
CREATE INDEX payouts_by_id ON public.payouts USING btree (id);
CREATE INDEX payouts_by_proof ON public.payouts USING btree (proof_status, create_date DESC, id DESC) WHERE (proof_status IS NOT NULL);
CREATE UNIQUE INDEX payouts_by_run ON public.payouts USING btree (merchant_id, run_id, run_position) WHERE (run_id IS NOT NULL);
CREATE INDEX payouts_of_campaign ON public.payouts USING btree (merchant_id, campaign_id, status, create_date DESC, id DESC);
CREATE INDEX payouts_of_everyone ON public.payouts USING btree (status, create_date DESC, id DESC) WHERE (create_date < 'infinity'::timestamp with time zone);
CREATE INDEX payouts_of_merchant ON public.payouts USING btree (merchant_id, status, create_date DESC, id DESC) WHERE (create_date > '-infinity'::timestamp with time zone);
CREATE INDEX payouts_to_prove ON public.payouts USING btree (chain_id, status, update_date) WHERE ((proof_status IS NULL) AND (transaction_hash IS NOT NULL));

create table rate_limits (
  client text not null,
  scope text not null,
  count integer not null,
  window_end_date timestamp(3) with time zone not null,
  constraint rate_limits_pkey PRIMARY KEY (client, scope)
);
CREATE INDEX rate_limits_by_end ON public.rate_limits USING btree (window_end_date);

create table registry_versions (
  merchant_id uuid not null,
  version bigint not null,
  constraint registry_versions_pkey PRIMARY KEY (merchant_id),
  constraint registry_versions_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table retired_public_keys (
  public_key_point bytea not null,
  merchant_id uuid not null,
  retire_date timestamp(3) with time zone not null,
  constraint retired_public_keys_pkey PRIMARY KEY (public_key_point),
  constraint retired_public_keys_point_check CHECK ((length(public_key_point) = 33)),
  constraint retired_public_keys_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table reward_days (
  merchant_id uuid not null,
  campaign_id uuid not null,
  day date not null,
  currency text not null,
  decimal_places integer not null,
  amount numeric(78,0) not null,
  constraint reward_days_pkey PRIMARY KEY (merchant_id, campaign_id, day),
  constraint reward_days_campaign_fkey FOREIGN KEY (merchant_id, campaign_id) REFERENCES campaigns(merchant_id, id)
);
CREATE INDEX reward_days_by_day ON public.reward_days USING btree (day);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_date timestamp(3) with time zone not null,
  compatible_from integer,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table submission_journal (
  merchant_id uuid not null,
  campaign_id uuid not null,
  position bigint not null,
  submission_id uuid not null,
  participant_id uuid not null,
  created boolean not null,
  trade_profit numeric(78,0) not null,
  max_match numeric(78,0) not null,
  max_amount_total numeric(78,0) not null,
  delta numeric(78,0) not null,
  match_after numeric(78,0) not null,
  committed_after numeric(78,0) not null,
  date timestamp(3) with time zone not null,
  clamped_by text,
  wallets bytea,
  qualified_wallet smallint,
  qualified_date timestamp(3) with time zone,
  receiver_wallet smallint,
  key_version smallint,
  digest bytea,
  constraint submission_journal_pkey PRIMARY KEY (merchant_id, campaign_id, "position"),
  constraint submission_journal_budget_check CHECK ((committed_after <= max_amount_total)),
  constraint submission_journal_clamp_check CHECK ((clamped_by = ANY (ARRAY['MAX_AMOUNT_PER_USER'::text, 'CAMPAIGN_BUDGET'::text]))),
  constraint submission_journal_delta_check CHECK (((delta >= (0)::numeric) AND (delta <= match_after) AND (delta <= committed_after))),
  constraint submission_journal_match_check CHECK ((match_after <= max_match)),
  constraint submission_journal_participant_fkey FOREIGN KEY (merchant_id, participant_id) REFERENCES participants(merchant_id, id),
  constraint submission_journal_submission_key UNIQUE (merchant_id, campaign_id, submission_id)
);
CREATE INDEX submission_journal_by_participant ON public.submission_journal USING btree (merchant_id, campaign_id, participant_id, "position") WHERE ("position" > 0);

create table unsettled_origins (
  merchant_id uuid not null,
  origin text not null,
  job_id uuid not null,
  holder uuid,
  lease_end_date timestamp(3) with time zone,
  reserved_domain text,
  constraint unsettled_origins_pkey PRIMARY KEY (merchant_id, origin),
  constraint unsettled_origins_lease_check CHECK (((holder IS NULL) = (lease_end_date IS NULL))),
  constraint unsettled_origins_reserved_check CHECK (((reserved_domain IS NULL) OR (holder IS NOT NULL))),
  constraint unsettled_origins_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
