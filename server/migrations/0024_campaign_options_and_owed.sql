-- Two optional terms of a campaign. Null: there is no such rule.
-- How many participants may name the same wallet.
alter table campaigns add column participants_per_wallet_max integer;
-- A wallet qualifies by one completed deposit of at least so much.
alter table campaigns add column minimum_deposit_micros numeric(21, 0);
alter table campaigns add constraint campaigns_participants_per_wallet_check check (
  participants_per_wallet_max between 1 and 1000);
alter table campaigns add constraint campaigns_minimum_deposit_check check (minimum_deposit_micros > 0);

-- The history of the terms has them, too.
alter table campaign_terms
  add column participants_per_wallet_max integer,
  add column minimum_deposit_micros numeric(21, 0);

-- What the payouts of all participants add up to: what is owed is committed less these two, without reading a participant. They
-- change with a participant's own figures, in the same statement, under the lock on the campaign's row. No index has them.
alter table campaigns add column payouts_open numeric(78, 0) not null default 0;
alter table campaigns add column payouts_confirmed numeric(78, 0) not null default 0;

-- No payout may move between the count and the first change that adds to it.
lock table participants in share mode;
update campaigns c
set payouts_open = p.open, payouts_confirmed = p.confirmed
from (
  select p.merchant_id, p.campaign_id, sum(p.payouts_open) as open, sum(p.payouts_confirmed) as confirmed
  from participants p
  where p.payouts_count > 0
  group by p.merchant_id, p.campaign_id
) p
where c.merchant_id = p.merchant_id and c.id = p.campaign_id;

alter table campaigns add constraint campaigns_payouts_check check (payouts_open >= 0 and payouts_confirmed >= 0);

-- The list of all payouts, newest first. A list of every status reads the first rows of each of the four: so one index for each
-- of these filters is enough. A run and a hash have at most the 10,000 rows of a run. Every row meets the conditions, and each
-- list names its own: without statistics the indexes would look equally good.
create index payouts_of_everyone on payouts (status, create_date desc, id desc) where create_date < 'infinity';
create index payouts_of_merchant on payouts (merchant_id, status, create_date desc, id desc)
  where create_date > '-infinity';
create index payouts_of_campaign on payouts (merchant_id, campaign_id, status, create_date desc, id desc);

-- What was done to one thing, and by whom.
create index audit_log_by_subject on audit_log (subject, date, position);
