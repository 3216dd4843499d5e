-- Work that must happen after a commit, at least once, whoever crashes. A finished job is deleted.
create table outbox (
  id uuid not null,
  kind text not null,
  payload jsonb not null,
  attempts integer not null,
  next_attempt_date timestamptz(3),
  last_error text,
  create_date timestamptz(3) not null,
  constraint outbox_pkey primary key (id)
);

-- A job without a next attempt has been given up and waits for an operator.
create index outbox_due on outbox (next_attempt_date) where next_attempt_date is not null;
