-- What the operators' console reads. None of these indexes has a column that a submission changes: an index that did would
-- make every update of a campaign or a participant write to all of its indexes, which the hot rows cannot afford.

-- Merchants by their status, for the list and its counts.
create index merchants_by_status on merchants (status, create_date desc, id desc);
-- Who else has the key or the domain of an application, those of one status together: however many were rejected, the
-- active one is found at once.
create index merchants_by_key on merchants (public_key_point, status, create_date desc, id desc);
create index merchants_by_domain on merchants (domain, status, create_date desc, id desc);
create index merchant_domains_by_domain on merchant_domains (domain, merchant_id) where slot > 0;

-- The log of one merchant's changes.
create index audit_log_by_merchant on audit_log (merchant_id, position) where merchant_id is not null;

-- Whether somebody is doing the job right now. Only then is its next attempt the end of a lease, which an operator must not
-- bring forward, or the job would be done twice.
alter table outbox add column under_way boolean not null default false;
create index outbox_waiting on outbox (kind) where next_attempt_date is not null;
create index outbox_stuck on outbox (kind, create_date, id) where attempts >= 3 or next_attempt_date is null;

-- The days of all merchants are summed up from the index alone. For that, PostgreSQL wants the date itself in it, too: it
-- does not see that the expression would do. As an included column it gives no list its order.
drop index deposits_of_everyone;
create index deposits_of_everyone on deposits (status, (create_date at time zone 'UTC'), id, merchant_id)
  include (create_date, amount_micros);

-- Rows are written in the order of their dates, so a few bytes per block range lead to those of some days.
create index submission_journal_by_day on submission_journal using brin (date) with (autosummarize = on);
create index submission_journal_by_participant on submission_journal (merchant_id, campaign_id, participant_id, position)
  where position > 0;

create index participants_failed on participants (create_date desc, merchant_id, id) where status = 'FAILED';
