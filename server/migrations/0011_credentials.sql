-- Unbound headers of such a merchant are refused.
alter table merchants add column require_bound_signatures boolean not null default false;

-- Whether the applicant showed that it holds the private key.
alter table applications add column proven boolean not null default false;

-- Keys that were swapped out. Whoever still has the private key must not become a merchant's credential again.
create table retired_public_keys (
  public_key_point bytea not null,
  -- The merchant that last had it.
  merchant_id uuid not null,
  retire_date timestamptz(3) not null,
  constraint retired_public_keys_pkey primary key (public_key_point),
  constraint retired_public_keys_point_check check (length(public_key_point) = 33)
);

alter table retired_public_keys add constraint retired_public_keys_merchant_fkey
  foreign key (merchant_id) references merchants (id);

-- The last mail to a merchant about added domains, so that the next one waits until an hour after it.
create table domain_mails (
  merchant_id uuid not null,
  -- The outbox job of that mail. It is gone once the mail was sent.
  job_id uuid not null,
  due_date timestamptz(3) not null,
  domains text[] not null,
  constraint domain_mails_pkey primary key (merchant_id)
);

alter table domain_mails add constraint domain_mails_merchant_fkey foreign key (merchant_id) references merchants (id);
