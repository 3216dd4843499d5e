-- What was found on the chain about a payout. Null: nothing was looked up.
alter table payouts add column proof_status text;
-- The transfer that proves it, or the one that comes closest.
alter table payouts add column proof_found jsonb;
alter table payouts add constraint payouts_proof_check check (
  proof_status in ('PROVEN', 'PENDING', 'MISMATCH', 'REVERTED'));

create index payouts_by_proof on payouts (proof_status, create_date desc, id desc) where proof_status is not null;
create index payouts_by_hash on payouts (lower(transaction_hash)) where transaction_hash is not null;
-- What the next look at the chain begins with: those that are submitted, and those confirmed lately.
create index payouts_to_prove on payouts (chain_id, status, update_date)
  where proof_status is null and transaction_hash is not null;

-- The transactions that payouts name. A date to look at it again: it is not final yet.
create table chain_transactions (
  chain_id bigint not null,
  -- In lower case.
  hash text not null,
  next_look_date timestamptz(3),
  -- The block that it was in at the last look.
  block_number bigint,
  block_hash text,
  confirmations integer not null,
  create_date timestamptz(3) not null,
  constraint chain_transactions_pkey primary key (chain_id, hash),
  constraint chain_transactions_block_check check ((block_number is null) = (block_hash is null))
);

create index chain_transactions_due on chain_transactions (chain_id, next_look_date) where next_look_date is not null;

-- The transactions of a run that was submitted with several. The proof says which of them paid a row.
create table payout_run_transactions (
  merchant_id uuid not null,
  run_id uuid not null,
  chain_id bigint not null,
  hash text not null,
  constraint payout_run_transactions_pkey primary key (merchant_id, run_id, hash)
);

alter table payout_run_transactions add constraint payout_run_transactions_run_fkey
  foreign key (merchant_id, run_id) references payout_runs (merchant_id, id);
create index payout_run_transactions_by_hash on payout_run_transactions (chain_id, hash);

-- Which event proved which payout. The keys hold that an event proves one payout, and a payout is proven once, over all
-- merchants. Rows are only added.
create table payout_proofs (
  chain_id bigint not null,
  transaction_hash text not null,
  log_index bigint not null,
  merchant_id uuid not null,
  payout_id uuid not null,
  block_number bigint not null,
  block_hash text not null,
  date timestamptz(3) not null,
  constraint payout_proofs_pkey primary key (chain_id, transaction_hash, log_index),
  constraint payout_proofs_payout_key unique (merchant_id, payout_id)
);

alter table payout_proofs add constraint payout_proofs_payout_fkey
  foreign key (merchant_id, payout_id) references payouts (merchant_id, id);
