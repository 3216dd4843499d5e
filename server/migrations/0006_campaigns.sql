-- Some indexes below have a condition that every row meets. PostgreSQL uses such an index only for a statement that repeats
-- the condition. Without it, while a table is too young to have statistics, any index that begins with the merchant looks as
-- good as the right one, and a look-up by key would read all rows of the merchant. The lists name the condition.

-- A campaign and its budget: one row, because everything that spends the budget must queue for it anyway.
create table campaigns (
  merchant_id uuid not null,
  id uuid not null,
  type text not null,
  status text not null,
  display_name text not null,
  start_date timestamptz(3) not null,
  end_date timestamptz(3) not null,
  match_multiplier numeric(13, 6) not null,
  currency text not null,
  decimal_places integer not null,
  max_amount_per_user numeric(78, 0) not null,
  max_amount_total numeric(78, 0) not null,
  committed numeric(78, 0) not null,
  payout_chain_id bigint not null,
  payout_token_address text not null,
  -- How many submissions were accepted: the position of the journal's last row.
  journal_length bigint not null,
  create_date timestamptz(3) not null,
  update_date timestamptz(3) not null,
  constraint campaigns_pkey primary key (merchant_id, id),
  constraint campaigns_type_check check (type = 'PER_TRADE_PROFIT_MATCH'),
  constraint campaigns_status_check check (status in ('DRAFT', 'ACTIVE', 'PAUSED', 'ENDED')),
  constraint campaigns_window_check check (start_date < end_date),
  constraint campaigns_multiplier_check check (match_multiplier > 0 and match_multiplier <= 1000000),
  constraint campaigns_decimal_places_check check (decimal_places between 0 and 36),
  constraint campaigns_cap_check check (max_amount_per_user >= 0),
  -- I1: the budget is never overspent, whatever the program believes.
  constraint campaigns_budget_check check (committed >= 0 and committed <= max_amount_total),
  constraint campaigns_chain_check check (payout_chain_id between 1 and 9007199254740991)
) with (fillfactor = 50);

alter table campaigns add constraint campaigns_merchant_fkey foreign key (merchant_id) references merchants (id);

create index campaigns_by_date on campaigns (merchant_id, create_date desc, id desc);
create index campaigns_by_status on campaigns (merchant_id, status, create_date desc, id desc);
-- For operators, who see every merchant's campaigns and name one by its id alone.
create index campaigns_of_all_by_date on campaigns (create_date desc, id desc);
create index campaigns_of_all_by_status on campaigns (status, create_date desc, id desc);
create index campaigns_by_id on campaigns (id);

-- Derived from deposits and nothing else: the earliest completed deposit of each wallet in the campaign's window.
-- Without a foreign key: campaigns are never deleted, and each check would lock the campaign's row, which is busy.
create table qualified_wallets (
  merchant_id uuid not null,
  campaign_id uuid not null,
  address_key text not null,
  chain_id bigint not null,
  address text not null,
  qualified_date timestamptz(3) not null,
  constraint qualified_wallets_pkey primary key (merchant_id, campaign_id, address_key, chain_id)
);

create index qualified_wallets_by_chain on qualified_wallets (merchant_id, campaign_id, chain_id, address_key)
  where chain_id > 0;

create table participants (
  merchant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  merchant_user_id text not null,
  status text not null,
  qualified_date timestamptz(3) not null,
  trade_profit numeric(78, 0) not null,
  amount_matched numeric(78, 0) not null,
  max_match numeric(78, 0) not null,
  payouts_open numeric(78, 0) not null,
  payouts_confirmed numeric(78, 0) not null,
  payouts_count integer not null,
  last_payout_failed boolean not null,
  create_date timestamptz(3) not null,
  update_date timestamptz(3) not null,
  constraint participants_pkey primary key (merchant_id, id),
  -- I3: one participant per user, and so one 201.
  constraint participants_user_key unique (merchant_id, campaign_id, merchant_user_id),
  constraint participants_status_check check (status in ('QUALIFIED', 'MATCHED', 'PAID', 'FAILED')),
  constraint participants_qualified_check check ((status = 'QUALIFIED') = (amount_matched = 0)),
  constraint participants_profit_check check (trade_profit >= 0),
  -- I2: a match never exceeds the user's cap.
  constraint participants_match_check check (amount_matched >= 0 and amount_matched <= max_match),
  constraint participants_payouts_check check (
    payouts_open >= 0 and payouts_confirmed >= 0 and payouts_open + payouts_confirmed <= amount_matched)
) with (fillfactor = 80);

alter table participants add constraint participants_campaign_fkey
  foreign key (merchant_id, campaign_id) references campaigns (merchant_id, id);

create index participants_by_date on participants (merchant_id, campaign_id, create_date, id)
  where create_date > '-infinity';
create index participants_by_status on participants (merchant_id, campaign_id, status, create_date, id)
  where create_date > '-infinity';
create index participants_by_id on participants (id);

-- The wallets of all of a participant's submissions, as first spelled. Several participants may claim one wallet.
create table participant_wallets (
  merchant_id uuid not null,
  participant_id uuid not null,
  address_key text not null,
  chain_id bigint not null,
  campaign_id uuid not null,
  address text not null,
  -- Its place among the participant's wallets.
  ordinal integer not null,
  -- The journal's position of the submission that brought it: the lowest is the wallet's first claimant.
  claim_position bigint not null,
  constraint participant_wallets_pkey primary key (merchant_id, participant_id, address_key, chain_id),
  constraint participant_wallets_ordinal_check check (ordinal between 0 and 999)
);

alter table participant_wallets add constraint participant_wallets_participant_fkey
  foreign key (merchant_id, participant_id) references participants (merchant_id, id);

create index participant_wallets_by_claim on participant_wallets
  (merchant_id, campaign_id, address_key, chain_id, claim_position, participant_id) where claim_position > 0;

-- Append-only: one row per accepted submission, in the order in which they took effect. With the campaign's multiplier and
-- decimals, which never change once it has been active, each match can be computed again from the rows before it.
create table submission_journal (
  merchant_id uuid not null,
  campaign_id uuid not null,
  position bigint not null,
  submission_id uuid not null,
  participant_id uuid not null,
  created boolean not null,
  trade_profit numeric(78, 0) not null,
  -- The cap and the budget that counted for this submission; operators may raise both later.
  max_match numeric(78, 0) not null,
  max_amount_total numeric(78, 0) not null,
  delta numeric(78, 0) not null,
  match_after numeric(78, 0) not null,
  committed_after numeric(78, 0) not null,
  date timestamptz(3) not null,
  constraint submission_journal_pkey primary key (merchant_id, campaign_id, position),
  constraint submission_journal_submission_key unique (merchant_id, campaign_id, submission_id),
  constraint submission_journal_delta_check check (delta >= 0 and delta <= match_after and delta <= committed_after),
  constraint submission_journal_match_check check (match_after <= max_match),
  constraint submission_journal_budget_check check (committed_after <= max_amount_total)
);

alter table submission_journal add constraint submission_journal_participant_fkey
  foreign key (merchant_id, participant_id) references participants (merchant_id, id);

-- What operators recorded of disbursements made elsewhere.
create table payouts (
  merchant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  participant_id uuid not null,
  -- Its place among the participant's payouts, from 1.
  ordinal integer not null,
  status text not null,
  amount numeric(78, 0) not null,
  chain_id bigint not null,
  token_address text not null,
  recipient_address text not null,
  transaction_hash text,
  failure_reason text,
  idempotency_key text,
  create_date timestamptz(3) not null,
  update_date timestamptz(3) not null,
  constraint payouts_pkey primary key (merchant_id, id),
  constraint payouts_ordinal_key unique (merchant_id, participant_id, ordinal),
  constraint payouts_idempotency_key unique (merchant_id, participant_id, idempotency_key),
  constraint payouts_status_check check (status in ('PENDING', 'SUBMITTED', 'CONFIRMED', 'FAILED')),
  constraint payouts_amount_check check (amount > 0)
);

alter table payouts add constraint payouts_participant_fkey
  foreign key (merchant_id, participant_id) references participants (merchant_id, id);

create index payouts_by_id on payouts (id);

-- Append-only: each payout's status trail.
create table payout_events (
  merchant_id uuid not null,
  payout_id uuid not null,
  ordinal integer not null,
  status text not null,
  reason text,
  date timestamptz(3) not null,
  constraint payout_events_pkey primary key (merchant_id, payout_id, ordinal)
);

alter table payout_events add constraint payout_events_payout_fkey
  foreign key (merchant_id, payout_id) references payouts (merchant_id, id);
