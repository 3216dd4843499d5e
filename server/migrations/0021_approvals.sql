-- Four eyes (docs/decisions/0030-four-eyes.md). A change that waits for a second person, with exactly what that person is shown.
create table approvals (
  id uuid not null,
  action text not null,
  status text not null,
  -- What is changed: an id, or a name where there is no id.
  subject text not null,
  merchant_id uuid,
  -- What is shown. Approving applies this change or nothing. `json` keeps the order of the fields.
  change json not null,
  -- What was asked, to run the change with.
  input json not null,
  -- Who asked what, and what it would change: the same call again finds the request that waits.
  request_hash bytea not null,
  requested_by text not null,
  requested_by_token_id uuid,
  decided_by text,
  decided_by_token_id uuid,
  reason text,
  create_date timestamptz(3) not null,
  expire_date timestamptz(3) not null,
  decide_date timestamptz(3),
  constraint approvals_pkey primary key (id),
  constraint approvals_status_check check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED')),
  constraint approvals_decision_check check (
    (status = 'PENDING') = (decide_date is null)
    and (status in ('APPROVED', 'REJECTED')) = (decided_by is not null))
);

alter table approvals add constraint approvals_merchant_fkey foreign key (merchant_id) references merchants (id);

create unique index approvals_waiting on approvals (request_hash) where status = 'PENDING';
create index approvals_overdue on approvals (expire_date) where status = 'PENDING';
create index approvals_by_request on approvals (request_hash, create_date desc);
create index approvals_by_date on approvals (create_date desc, id desc);
create index approvals_by_status on approvals (status, create_date desc, id desc);

-- Whether the holder of a token is a person of its own: the token was made on the host, or a second person approved it. Null: it is
-- the person that made it, which is the bootstrap token where created_by is null. Tokens from before this cannot be told apart.
alter table operator_tokens add column own_person text;
alter table operator_tokens add constraint operator_tokens_own_person_check check (own_person in ('HOST', 'APPROVAL'));
