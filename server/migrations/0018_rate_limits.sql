-- A merchant's own limits of requests in progress (docs/decisions/0025-a-share-for-every-merchant.md). Null: those of everybody.
alter table merchants add column rate_limit jsonb;
