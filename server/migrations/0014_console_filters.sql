-- A payout that was cancelled before it was sent. It did not fail, so it decides nothing about its participant.
alter table payouts add column cancelled boolean not null default false;
update payouts o
set cancelled = true
where o.status = 'FAILED' and o.transaction_hash is null and not exists (
  select from payout_events e
  where e.merchant_id = o.merchant_id and e.payout_id = o.id and e.status = 'SUBMITTED'
);
alter table payouts add constraint payouts_cancelled_check check (not cancelled or status = 'FAILED');

-- `last_payout_failed` is about the last payout that was not cancelled.
update participants p
set last_payout_failed = false, status = case when p.status = 'FAILED' then 'MATCHED' else p.status end
where p.last_payout_failed and not coalesce((
  select o.status = 'FAILED'
  from payouts o
  where o.merchant_id = p.merchant_id and o.participant_id = p.id and not o.cancelled
  order by o.ordinal desc
  limit 1
), false);

-- The filters of the audit log, each in the order of its pages. A merchant's own entries are few: deposit batches are under no
-- merchant. So that index serves every filter beside the merchant.
create index audit_log_by_date on audit_log (date, position);
create index audit_log_by_actor on audit_log (actor, date, position);
create index audit_log_by_action on audit_log (action, date, position);
create index audit_log_by_actor_and_action on audit_log (actor, action, date, position);
create index audit_log_by_merchant_and_date on audit_log (merchant_id, date, position) where merchant_id is not null;

-- A user is searched by the start of its id, over all merchants. With both columns the index alone answers.
drop index deposit_users_by_id;
create index deposit_users_by_id on deposit_users (user_id, merchant_id);
