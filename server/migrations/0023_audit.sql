-- What a submission named, and the chain of the journal (docs/decisions/0032-an-audit-that-can-fail.md). Rows from before have
-- none of these columns.
alter table submission_journal
  -- The wallets it named, in its order: places among the participant's wallets, two bytes each.
  add column wallets bytea,
  -- The first of them that qualified, and the createDate of the deposit that it qualified by.
  add column qualified_wallet smallint,
  add column qualified_date timestamptz(3),
  -- The wallet that this submission made the receiver.
  add column receiver_wallet smallint,
  -- Covers the row and the digest of the row before it, with the key of this version.
  add column key_version smallint,
  add column digest bytea;

-- The end of the campaign's chain, and the position after which the chain begins: what was there before has no digests.
alter table campaigns
  add column journal_key_version smallint not null default 0,
  add column journal_digest bytea not null default '',
  add column chained_after bigint not null default 0;
update campaigns set chained_after = journal_length where journal_length > 0;

-- Append-only: the terms and the status of a campaign, from the journal's position after `after_position` on. Every change holds the
-- campaign's row, so the position says exactly which submissions were decided by which terms; clocks of several hosts could not.
-- Rows up to `chained_after` are older than the first terms here. Caps and budgets only rise, so these are upper limits for them.
create table campaign_terms (
  merchant_id uuid not null,
  campaign_id uuid not null,
  ordinal integer not null,
  after_position bigint not null,
  status text not null,
  start_date timestamptz(3) not null,
  end_date timestamptz(3) not null,
  match_multiplier numeric(13, 6) not null,
  currency text not null,
  decimal_places integer not null,
  max_amount_per_user numeric(78, 0) not null,
  max_amount_total numeric(78, 0) not null,
  payout_chain_id bigint not null,
  payout_token_address text not null,
  date timestamptz(3) not null,
  constraint campaign_terms_pkey primary key (merchant_id, campaign_id, ordinal)
);
alter table campaign_terms add constraint campaign_terms_campaign_fkey
  foreign key (merchant_id, campaign_id) references campaigns (merchant_id, id);
insert into campaign_terms
  select c.merchant_id, c.id, 1, 0, c.status, c.start_date, c.end_date, c.match_multiplier, c.currency, c.decimal_places,
         c.max_amount_per_user, c.max_amount_total, c.payout_chain_id, c.payout_token_address, c.update_date
  from campaigns c;

-- How far the background audit has come. `news` goes through all campaigns and checks what is new. The others read everything
-- again, slowly, each through one table in the order of its key.
create table audit_walks (
  name text not null,
  merchant_id uuid not null,
  id uuid not null,
  position bigint not null,
  -- Over the rows from before the chain that this round has read of the journal it is in.
  old_digest bytea not null,
  -- When this round began. Of the last round that is done, everything that was there when it began is checked.
  begin_date timestamptz(3) not null,
  done_begin_date timestamptz(3),
  -- No process goes on before this, so the pace does not depend on the number of processes.
  next_date timestamptz(3) not null,
  constraint audit_walks_pkey primary key (name)
);

-- Up to where each journal was checked, with its digest there. `old_digest` covers the rows from before the chain, up to
-- `old_position`: a later change of them is found, although they have no digests of their own.
create table journal_checkpoints (
  merchant_id uuid not null,
  campaign_id uuid not null,
  position bigint not null,
  digest bytea not null,
  old_position bigint not null,
  old_digest bytea not null,
  date timestamptz(3) not null,
  constraint journal_checkpoints_pkey primary key (merchant_id, campaign_id)
);
alter table journal_checkpoints add constraint journal_checkpoints_campaign_fkey
  foreign key (merchant_id, campaign_id) references campaigns (merchant_id, id);

-- What the background audit found wrong and still finds wrong. `scope` has the values of the statement that looks at it again;
-- null: only the next round through the table does.
create table audit_findings (
  check_name text not null,
  subject text not null,
  scope jsonb,
  detail text not null,
  create_date timestamptz(3) not null,
  update_date timestamptz(3) not null,
  constraint audit_findings_pkey primary key (check_name, subject)
);

-- How many rows each check of the background audit has looked at in all.
create table audit_figures (
  check_name text not null,
  checked bigint not null,
  update_date timestamptz(3) not null,
  constraint audit_figures_pkey primary key (check_name)
);
