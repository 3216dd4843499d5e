-- Each kind of job is a lane that claims its own jobs. The same index counts the jobs that wait.
create index outbox_due_by_kind on outbox (kind, next_attempt_date) where next_attempt_date is not null;
drop index outbox_due;
drop index outbox_waiting;

-- The number of the last call to the domain registry about each merchant's origins.
create table registry_versions (
  merchant_id uuid not null,
  version bigint not null,
  constraint registry_versions_pkey primary key (merchant_id)
);
alter table registry_versions add constraint registry_versions_merchant_fkey
  foreign key (merchant_id) references merchants (id);
