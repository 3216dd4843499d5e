-- A user in a list shows at most 100 wallets, and how many there are (docs/decisions/0023-bounded-answers.md). Ingest keeps
-- the count. Most users have one wallet, so only the others are written here.
alter table deposit_users add column wallet_count bigint not null default 1;
update deposit_users u
set wallet_count = w.count
from (
  select merchant_id, user_id, count(*) as count from deposit_wallets group by merchant_id, user_id having count(*) <> 1
) w
where u.merchant_id = w.merchant_id and u.user_id = w.user_id;
alter table deposit_users alter column wallet_count drop default;

-- Every wallet gets a date, so the table is written anew: that is quicker than an update, which writes to each index row by row.
alter table deposit_wallets rename to undated_wallets;
create table deposit_wallets (
  merchant_id uuid not null,
  user_id uuid not null,
  wallet_key text not null,
  chain_id bigint not null,
  -- As first reported by this user.
  wallet_address text not null,
  -- The createDate of the user's earliest deposit into the wallet, whatever its status.
  first_deposit_date timestamptz(3) not null
);
insert into deposit_wallets
select w.merchant_id, w.user_id, w.wallet_key, w.chain_id, w.wallet_address, d.date
from undated_wallets w
join (
  select merchant_id, user_id, wallet_key, chain_id, min(create_date) as date
  from deposits
  group by merchant_id, user_id, wallet_key, chain_id
) d on d.merchant_id = w.merchant_id and d.user_id = w.user_id and d.wallet_key = w.wallet_key and d.chain_id = w.chain_id;
drop table undated_wallets;
alter table deposit_wallets add constraint deposit_wallets_pkey primary key (merchant_id, user_id, wallet_key, chain_id);

-- The reporting lookup ignores case for every kind of address.
create index deposit_wallets_by_address on deposit_wallets
  (merchant_id, lower(wallet_address collate "C"), user_id, chain_id);
-- The first 100 are read from this index. The user is an expression, which the primary key does not match: by the plain column
-- the planner could take the primary key instead, and read and sort all wallets of the user.
create index deposit_wallets_by_date on deposit_wallets
  (merchant_id, (user_id::text), first_deposit_date, wallet_key, chain_id);
