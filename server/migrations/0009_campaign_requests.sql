-- What was asked when a campaign was created under an Idempotency-Key: a draft may be edited later, and a repeat of the
-- request is still the same request. Null without a key.
alter table campaigns add column request_hash bytea;
