import { sql } from "../../db/compose.ts";
import { group, hasCompletedDeposit } from "./check-queries.ts";

// Rows up to `chained_after` are older than the terms history. Caps and budgets only rise, so the first terms limit them.
const IS_OLD = sql`j.position <= c.chained_after`;
const MULTIPLE = sql`div(j.trade_profit * t.match_multiplier * 1000000 * ('1e' || t.decimal_places)::numeric, 1000000000000)`;
const AFFORDABLE = sql`coalesce(own.match_after, 0) + j.max_amount_total - coalesce(before.committed_after, 0)`;

/** Each submission against the row before it, the participant's row before it, and the terms of its time. */
export const journalSteps = group(
  [
    "journal: every position and sum follows from the row before it",
    "I2: every match is what the terms of its time and the submissions before it say, and none is lower",
    "I2: every cap is that of the terms of its time, or the participant's higher one from before, and no match is above it",
    "I1: every submission counted with the budget of the terms of its time, and kept it",
  ],
  sql`select j.campaign_id::text || ' position ' || j.position as example,
      j.position <> coalesce(before.position, 0) + 1
        or j.created <> (own.position is null)
        or j.delta <> j.match_after - coalesce(own.match_after, 0)
        or j.committed_after <> coalesce(before.committed_after, 0) + j.delta as w1,
      j.match_after <> greatest(coalesce(own.match_after, 0), least(${MULTIPLE}, j.max_match, ${AFFORDABLE}))
        or j.clamped_by is distinct from case
          when ${MULTIPLE} <= j.match_after then null
          when j.max_match <= ${AFFORDABLE} then 'MAX_AMOUNT_PER_USER'
          else 'CAMPAIGN_BUDGET'
        end as w2,
      case when ${IS_OLD} then j.max_match < coalesce(own.max_match, 0) or j.max_match > t.max_amount_per_user
        else j.max_match <> greatest(coalesce(own.max_match, 0), t.max_amount_per_user)
      end or j.match_after > j.max_match as w3,
      case when ${IS_OLD} then j.max_amount_total > t.max_amount_total else j.max_amount_total <> t.max_amount_total end
        or j.committed_after > j.max_amount_total as w4
    from submission_journal j
    join campaigns c on c.merchant_id = j.merchant_id and c.id = j.campaign_id
    left join lateral (
      select b.position, b.committed_after
      from submission_journal b
      where b.merchant_id = j.merchant_id and b.campaign_id = j.campaign_id and b.position < j.position
      order by b.position desc
      limit 1
    ) before on true
    left join lateral (
      select b.position, b.match_after, b.max_match
      from submission_journal b
      where b.merchant_id = j.merchant_id and b.campaign_id = j.campaign_id and b.participant_id = j.participant_id
        and b.position < j.position and b.position > 0
      order by b.position desc
      limit 1
    ) own on true
    left join lateral (
      select t.*
      from campaign_terms t
      where t.merchant_id = j.merchant_id and t.campaign_id = j.campaign_id and t.after_position < j.position
      order by t.ordinal desc
      limit 1
    ) t on true
    where (j.merchant_id, j.campaign_id, j.position) > ($afterMerchant::uuid, $afterId::uuid, $afterPosition::bigint)
      and (j.merchant_id, j.campaign_id, j.position) <= ($lastMerchant::uuid, $lastId::uuid, $lastPosition::bigint)`,
);

// The deposit may have failed since: then it is no longer completed, but it is still there. The two conditions use two indexes.
const HAS_DEPOSIT = sql`(${hasCompletedDeposit(sql`j.merchant_id`, sql`j.qualified_date`)} or exists (
      select 1
      from deposits d
      where d.merchant_id = j.merchant_id and d.chain_id = w.chain_id and d.status in ('pending', 'failed')
        and d.create_date = j.qualified_date and d.wallet_key = w.address_key
    ))`;

/** Rows from before the chain have no evidence of their own; their participants are checked. */
export const journalEvidence = group(
  [
    "I3: every submission came while its campaign was active, and named a wallet with a deposit in the window of that time",
    "receivers: every receiver that a submission set is still the participant's, unless an operator changed it",
    "I3: no submission claimed a wallet that had as many participants as the terms of that time allow",
  ],
  sql`select j.campaign_id::text || ' position ' || j.position as example,
      t.status <> 'ACTIVE'
        or not exists (
          select 1
          from generate_series(1, length(j.wallets), 2) as place
          where substring(j.wallets from place for 2) = int2send(j.qualified_wallet)
        )
        or j.qualified_date < t.start_date or j.qualified_date > t.end_date
        or not coalesce(w.has_deposit, false) as w1,
      j.receiver_wallet is not null and p.receiver_set_by is distinct from 'OPERATOR' and p.receiver_address is distinct from (
        select w.address_key
        from participant_wallets w
        where w.merchant_id = j.merchant_id and w.participant_id = j.participant_id and w.ordinal = j.receiver_wallet
      ) as w2,
      t.participants_per_wallet_max is not null and exists (
        select 1
        from participant_wallets w
        where w.merchant_id = j.merchant_id and w.participant_id = j.participant_id and w.claim_position = j.position
          and t.participants_per_wallet_max < (
            select count(*)
            from participant_wallets claim
            where claim.merchant_id = j.merchant_id and claim.campaign_id = j.campaign_id
              and claim.address_key = w.address_key and claim.chain_id = w.chain_id
              and claim.claim_position between 1 and j.position
          )
      ) as w3
    from submission_journal j
    join campaigns c on c.merchant_id = j.merchant_id and c.id = j.campaign_id and j.position > c.chained_after
    left join lateral (
      select t.*
      from campaign_terms t
      where t.merchant_id = j.merchant_id and t.campaign_id = j.campaign_id and t.after_position < j.position
      order by t.ordinal desc
      limit 1
    ) t on true
    left join participants p on p.merchant_id = j.merchant_id and p.id = j.participant_id
    left join lateral (
      select ${HAS_DEPOSIT} as has_deposit
      from participant_wallets w
      where w.merchant_id = j.merchant_id and w.participant_id = j.participant_id and w.ordinal = j.qualified_wallet
    ) w on true
    where (j.merchant_id, j.campaign_id, j.position) > ($afterMerchant::uuid, $afterId::uuid, $afterPosition::bigint)
      and (j.merchant_id, j.campaign_id, j.position) <= ($lastMerchant::uuid, $lastId::uuid, $lastPosition::bigint)`,
);
