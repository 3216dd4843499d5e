import { sql } from "../../db/compose.ts";
import { group, inRange } from "./check-queries.ts";

export const campaignEnds = group(
  [
    "I2: every campaign's committed amount, journal length and digest are those of its journal's end",
    "terms: the terms and the status of every campaign are the last of its history",
    "journal: every journal still has what was checked before",
  ],
  sql`select c.id::text as example,
      (c.journal_length, c.committed, c.journal_digest) is distinct from
        (coalesce(j.position, 0), coalesce(j.committed_after, 0), coalesce(j.digest, '')) as w1,
      (c.status, c.start_date, c.end_date, c.match_multiplier, c.currency, c.decimal_places, c.max_amount_per_user,
       c.max_amount_total, c.payout_chain_id, c.payout_token_address, c.participants_per_wallet_max,
       c.minimum_deposit_micros, c.journal_length >= t.after_position)
        is distinct from
        (t.status, t.start_date, t.end_date, t.match_multiplier, t.currency, t.decimal_places, t.max_amount_per_user,
         t.max_amount_total, t.payout_chain_id, t.payout_token_address, t.participants_per_wallet_max,
         t.minimum_deposit_micros, true) as w2,
      (k.old_position > c.chained_after or (k.position > c.chained_after and k.digest is distinct from (
        select b.digest
        from submission_journal b
        where b.merchant_id = c.merchant_id and b.campaign_id = c.id and b.position = k.position
      ))) is true as w3
    from campaigns c
    left join lateral (
      select j.position, j.committed_after, j.digest
      from submission_journal j
      where j.merchant_id = c.merchant_id and j.campaign_id = c.id
      order by j.position desc
      limit 1
    ) j on true
    left join lateral (
      select t.*
      from campaign_terms t
      where t.merchant_id = c.merchant_id and t.campaign_id = c.id
      order by t.ordinal desc
      limit 1
    ) t on true
    left join journal_checkpoints k on k.merchant_id = c.merchant_id and k.campaign_id = c.id
    where ${inRange(sql`c.merchant_id`, sql`c.id`)}`,
);

/** Reads all participants of each campaign. */
export const campaignSums = group(
  [
    "I1: the matches of a campaign add up to its committed amount, which is within the budget",
    "payouts: the open and confirmed amounts of every campaign are those of its participants",
  ],
  sql`select c.id::text as example, c.committed <> coalesce(p.matched, 0) or c.committed > c.max_amount_total as w1,
      (c.payouts_open, c.payouts_confirmed) <> (coalesce(p.open, 0), coalesce(p.confirmed, 0)) as w2
    from campaigns c
    left join (
      select p.merchant_id, p.campaign_id, sum(p.amount_matched) as matched, sum(p.payouts_open) as open,
             sum(p.payouts_confirmed) as confirmed
      from participants p
      where p.merchant_id between $afterMerchant and $lastMerchant
      group by p.merchant_id, p.campaign_id
    ) p on p.merchant_id = c.merchant_id and p.campaign_id = c.id
    where ${inRange(sql`c.merchant_id`, sql`c.id`)}`,
);

/** Reads all journals. */
export const rewardDays = group(
  ["I5: the rewards of every campaign and day are those of its journal"],
  sql`select coalesce(r.campaign_id, j.campaign_id)::text || ' ' || coalesce(r.day, j.day) as example,
      r.amount is distinct from j.amount as w1
    from (select * from reward_days r where r.merchant_id between $afterMerchant and $lastMerchant) r
    full join (
      select j.merchant_id, j.campaign_id, (j.date at time zone 'UTC')::date as day, sum(j.delta) as amount
      from submission_journal j
      where j.merchant_id between $afterMerchant and $lastMerchant and j.delta > 0
      group by 1, 2, 3
    ) j on j.merchant_id = r.merchant_id and j.campaign_id = r.campaign_id and j.day = r.day`,
);
