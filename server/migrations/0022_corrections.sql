-- Who sent deposits, and when they came. The id is that of the request; a batch that came another way has an id of its own.
create table deposit_batches (
  id uuid not null,
  date timestamptz(3) not null,
  actor text not null,
  constraint deposit_batches_pkey primary key (id)
);

-- Every event about a deposit that was received, and every word of an operator about one. Rows are only added. A row says what the
-- deposit became, or what a late or refused event wanted; one that changed nothing says only that. The event that created a deposit
-- has no row until the deposit changes: until then the deposit says the same. Nothing here is about the payer.
create table deposit_events (
  merchant_id uuid not null,
  deposit_id text not null,
  -- The order in which the deposit got them. 1: the event that created it. Those from before that are below zero, by the clock.
  ordinal bigint not null,
  batch_id uuid not null,
  outcome text not null,
  status text,
  amount_micros numeric(21, 0),
  update_date timestamptz(3),
  -- Why it was refused.
  code text,
  -- Why it was refused, or why an operator changed the state.
  reason text,
  constraint deposit_events_pkey primary key (merchant_id, deposit_id, ordinal, batch_id),
  constraint deposit_events_outcome_check check (
    outcome in ('created', 'updated', 'unchanged', 'stale', 'refused', 'overruled', 'released')),
  constraint deposit_events_status_check check (status in ('pending', 'completed', 'failed')),
  constraint deposit_events_code_check check ((outcome = 'refused') = (code is not null))
);

-- The batch that created the deposit. Null: it was stored before batches were kept.
alter table deposits add column batch_id uuid;
-- What the hosted flow reports about a deposit whose status an operator set. Null: the status is the flow's. Not validated, to
-- leave a large table alone: no row has a value yet.
alter table deposits add column reported_status text;
alter table deposits add constraint deposits_reported_status_check check (
  reported_status in ('pending', 'completed', 'failed')) not valid;
