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

-- The createDate of the user's earliest deposit into the wallet, whatever its status.
alter table deposit_wallets add column first_deposit_date timestamptz(3);
update deposit_wallets w
set first_deposit_date = d.date
from (
  select merchant_id, user_id, wallet_key, chain_id, min(create_date) as date
  from deposits
  group by merchant_id, user_id, wallet_key, chain_id
) d
where w.merchant_id = d.merchant_id and w.user_id = d.user_id and w.wallet_key = d.wallet_key and w.chain_id = d.chain_id;
alter table deposit_wallets alter column first_deposit_date set not null;

-- The first 100 are read from this index. The user is an expression, which the primary key does not match: by the plain column
-- the planner could take the primary key instead, and read and sort all wallets of the user.
create index deposit_wallets_by_date on deposit_wallets
  (merchant_id, (user_id::text), first_deposit_date, wallet_key, chain_id);
