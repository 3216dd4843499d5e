-- Where a participant is paid. Set once, by the first submission that matches it and names a wallet that can receive on the
-- payout chain; after that only operators change it. A held participant gets no new payout.
alter table participants add column receiver_address text;
alter table participants add column receiver_set_by text;
alter table participants add column held boolean not null default false;

-- For those matched before this: the wallet that owed.csv would have named, the earliest-qualified one on the payout chain. EVM
-- addresses are stored in lower case here, which carries no checksum; the deposit's spelling may have a wrong one.
update participants p
set receiver_address = r.address, receiver_set_by = 'SUBMISSION'
from (
  select p.merchant_id, p.id, (
    select case when q.address ~ '^0x[0-9a-fA-F]{40}$' then lower(q.address) else q.address end
    from participant_wallets w
    cross join lateral (
      select d.create_date, d.wallet_address as address
      from deposits d
      where d.merchant_id = c.merchant_id and d.wallet_key = w.address_key and d.chain_id = w.chain_id
        and d.status = 'completed' and d.create_date >= c.start_date and d.create_date <= c.end_date
      order by d.create_date, d.wallet_address
      limit 1
    ) q
    where w.merchant_id = p.merchant_id and w.participant_id = p.id and w.chain_id = c.payout_chain_id
      and lower(q.address) <> lower(c.payout_token_address) and q.address !~ '^0x0{40}$'
      and (q.address ~ '^0x[0-9a-fA-F]{40}$'
           or c.payout_chain_id in (792703809, 9286185, 9286186, 728126428, 8253038))
    order by q.create_date, w.ordinal
    limit 1
  ) as address
  from participants p
  join campaigns c on c.merchant_id = p.merchant_id and c.id = p.campaign_id
  where p.amount_matched > 0
) r
where p.merchant_id = r.merchant_id and p.id = r.id and r.address is not null;

alter table participants add constraint participants_receiver_check check (
  (receiver_address is null) = (receiver_set_by is null) and receiver_set_by in ('SUBMISSION', 'OPERATOR'));

-- One payment to many participants. It reserves what they are owed as PENDING payouts. The counts and sums are those of its
-- payouts; every change of a payout counts them again.
create table payout_runs (
  merchant_id uuid not null,
  id uuid not null,
  -- Null: all campaigns of the merchant that pay this token.
  campaign_id uuid,
  status text not null,
  chain_id bigint not null,
  token_address text not null,
  currency text not null,
  decimal_places integer not null,
  note text,
  -- What was asked: only the same request may repeat the key that the id is made of.
  request_hash bytea not null,
  pending_count integer not null,
  submitted_count integer not null,
  confirmed_count integer not null,
  failed_count integer not null,
  -- Without a precision: the campaigns of a merchant may together owe more than one of them can.
  reserved numeric not null,
  confirmed numeric not null,
  failed numeric not null,
  left_out_count integer not null,
  -- The first of those who were left out, each with the amount and the reason.
  left_out jsonb not null,
  created_by text not null,
  created_by_token_id uuid,
  approved_by text,
  approved_by_token_id uuid,
  create_date timestamptz(3) not null,
  update_date timestamptz(3) not null,
  constraint payout_runs_pkey primary key (merchant_id, id),
  constraint payout_runs_status_check check (
    status in ('DRAFT', 'APPROVED', 'EXPORTED', 'SUBMITTED', 'SETTLED', 'CANCELLED')),
  constraint payout_runs_open_check check (
    status not in ('SETTLED', 'CANCELLED') or pending_count + submitted_count = 0),
  constraint payout_runs_sums_check check (reserved > 0 and confirmed + failed <= reserved)
);

alter table payout_runs add constraint payout_runs_merchant_fkey foreign key (merchant_id) references merchants (id);

create index payout_runs_by_id on payout_runs (id);
create index payout_runs_by_date on payout_runs (create_date desc, id desc);
create index payout_runs_by_status on payout_runs (status, create_date desc, id desc);
create index payout_runs_of_merchant on payout_runs (merchant_id, create_date desc, id desc);
create index payout_runs_of_campaign on payout_runs (campaign_id, create_date desc, id desc);

alter table payouts add column run_id uuid;
-- Its place in the run, from 1. Exports keep this order.
alter table payouts add column run_position integer;
-- What a reviewer should look at, as it was when the run was made.
alter table payouts add column flags text[] not null default '{}';
alter table payouts add constraint payouts_run_fkey
  foreign key (merchant_id, run_id) references payout_runs (merchant_id, id);
alter table payouts add constraint payouts_run_check check ((run_id is null) = (run_position is null));
create unique index payouts_by_run on payouts (merchant_id, run_id, run_position) where run_id is not null;
