import { sql } from "../../db/compose.ts";
import { group, inRange } from "./check-queries.ts";

export const payouts = group(
  [
    "payouts: the status of every payout is the last of its trail",
    "payouts: every payout is of its participant's campaign, in the token of the campaign and of its run",
    "payouts: every proof is an event of the payout's token, receiver and amount",
  ],
  sql`select o.id::text as example,
      o.status is distinct from e.status as w1,
      (o.campaign_id, o.chain_id, lower(o.token_address))
        is distinct from (p.campaign_id, c.payout_chain_id, lower(c.payout_token_address))
        or (o.run_id is not null and (
          (o.chain_id, lower(o.token_address)) is distinct from (r.chain_id, lower(r.token_address))
          or coalesce(r.campaign_id, o.campaign_id) <> o.campaign_id
        )) as w2,
      (o.proof_status is not distinct from 'PROVEN') <> (proof.payout_id is not null)
        or (o.proof_status = 'PROVEN' and (
          o.status not in ('CONFIRMED', 'FAILED')
          or (lower(o.proof_found ->> 'tokenAddress'), lower(o.proof_found ->> 'recipientAddress'),
              (o.proof_found ->> 'amount')::numeric, (o.proof_found ->> 'logIndex')::bigint, lower(o.transaction_hash))
            is distinct from
            (lower(o.token_address), lower(o.recipient_address), o.amount, proof.log_index, proof.transaction_hash)
        )) is true as w3
    from payouts o
    left join payout_proofs proof on proof.merchant_id = o.merchant_id and proof.payout_id = o.id
    left join participants p on p.merchant_id = o.merchant_id and p.id = o.participant_id
    left join campaigns c on c.merchant_id = o.merchant_id and c.id = p.campaign_id
    left join payout_runs r on r.merchant_id = o.merchant_id and r.id = o.run_id
    left join lateral (
      select e.status
      from payout_events e
      where e.merchant_id = o.merchant_id and e.payout_id = o.id
      order by e.ordinal desc
      limit 1
    ) e on true
    where ${inRange(sql`o.merchant_id`, sql`o.id`)}`,
);

/** A run has at most 10,000 payouts. */
export const payoutRuns = group(
  ["payout runs: the counts and totals of every run are those of its payouts, and a closed run has none open"],
  sql`select r.id::text as example,
      (r.pending_count, r.submitted_count, r.confirmed_count, r.failed_count, r.reserved, r.confirmed, r.failed)
      is distinct from
      (o.pending, o.submitted, o.confirmed, o.failed, o.reserved, o.confirmed_sum, o.failed_sum)
      or o.participants <> o.payouts
      or (r.status in ('DRAFT', 'APPROVED', 'EXPORTED') and o.pending <> o.payouts)
      or (r.status in ('SETTLED', 'CANCELLED') and o.pending + o.submitted > 0)
      or (r.status = 'CANCELLED' and o.cancelled <> o.payouts) as w1
    from payout_runs r
    left join lateral (
      select count(*) as payouts, count(distinct o.participant_id) as participants,
             count(*) filter (where o.status = 'PENDING') as pending,
             count(*) filter (where o.status = 'SUBMITTED') as submitted,
             count(*) filter (where o.status = 'CONFIRMED') as confirmed,
             count(*) filter (where o.status = 'FAILED') as failed,
             count(*) filter (where o.cancelled) as cancelled,
             sum(o.amount) as reserved,
             coalesce(sum(o.amount) filter (where o.status = 'CONFIRMED'), 0) as confirmed_sum,
             coalesce(sum(o.amount) filter (where o.status = 'FAILED'), 0) as failed_sum
      from payouts o
      where o.merchant_id = r.merchant_id and o.run_id = r.id
    ) o on true
    where ${inRange(sql`r.merchant_id`, sql`r.id`)}`,
);
