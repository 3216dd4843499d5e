-- One row per merchant that ever took a deposit or had a campaign. Ingest holds it `for share`; whoever creates a campaign
-- or moves its window holds it `for update`, so that neither misses the other.
create table merchant_guards (
  merchant_id uuid not null,
  constraint merchant_guards_pkey primary key (merchant_id)
);

alter table merchant_guards add constraint merchant_guards_merchant_fkey
  foreign key (merchant_id) references merchants (id);

-- A deposit reaches its merchant through the guard, which ingest locks first; a foreign key would look it up again for
-- every row. Who paid is known only as `user_id`, a keyed hash of merchant and payer reference.
create table deposits (
  merchant_id uuid not null,
  id text collate "C" not null,
  user_id uuid not null,
  status text not null,
  amount_micros numeric(21, 0) not null,
  chain_id bigint not null,
  token_symbol text not null,
  token_address text not null,
  -- As first reported; `wallet_key` is what wallets are compared by.
  wallet_address text not null,
  wallet_key text not null,
  create_date timestamptz(3) not null,
  update_date timestamptz(3) not null,
  constraint deposits_pkey primary key (merchant_id, id),
  constraint deposits_status_check check (status in ('pending', 'completed', 'failed')),
  constraint deposits_amount_check check (amount_micros >= 0),
  constraint deposits_chain_check check (chain_id between 1 and 9007199254740991)
);

-- Lists are read newest first. There are three statuses, so a list of all of them merges three scans of one index, and no
-- index without the status is needed.
create index deposits_by_status on deposits (merchant_id, status, create_date, id);
create index deposits_by_chain on deposits (merchant_id, chain_id, status, create_date, id);
create index deposits_by_user on deposits (merchant_id, user_id, create_date, id);
-- For operators, who may look at all merchants at once. The date is an expression so that only their list, which sorts by
-- the same expression, can use it: by the plain column it would give a single merchant's list the right order, too, and the
-- planner would sometimes walk over everyone's deposits to find those of one.
create index deposits_of_everyone on deposits (status, (create_date at time zone 'UTC'), id, merchant_id);
-- For qualification, whose order ends with the id: without it here, the planner of a table it knows little about would take
-- the order from deposits_by_chain and look for the wallet row by row.
create index deposits_completed_by_wallet on deposits (merchant_id, wallet_key, chain_id, create_date, id)
  where status = 'completed';

-- What the users list shows, kept by the transaction that stores a deposit. Its figures cannot be checked to be positive
-- here: PostgreSQL would check the change that an upsert proposes, which may be negative. Ingest checks the result.
create table deposit_users (
  merchant_id uuid not null,
  user_id uuid not null,
  pending_count bigint not null,
  pending_micros numeric(38, 0) not null,
  completed_count bigint not null,
  completed_micros numeric(38, 0) not null,
  failed_count bigint not null,
  failed_micros numeric(38, 0) not null,
  first_deposit_date timestamptz(3) not null,
  last_deposit_date timestamptz(3) not null,
  constraint deposit_users_pkey primary key (merchant_id, user_id)
) with (fillfactor = 80);

-- For operators, who may ask for a user without naming the merchant.
create index deposit_users_by_id on deposit_users (user_id);

create table deposit_wallets (
  merchant_id uuid not null,
  user_id uuid not null,
  wallet_key text not null,
  chain_id bigint not null,
  -- As first reported by this user.
  wallet_address text not null,
  constraint deposit_wallets_pkey primary key (merchant_id, user_id, wallet_key, chain_id)
);

-- The reporting lookup ignores case for every kind of address.
create index deposit_wallets_by_address on deposit_wallets
  (merchant_id, lower(wallet_address collate "C"), user_id, chain_id);
