import { type Sql, sql } from "../../db/compose.ts";
import { group, hasCompletedDeposit, inRange } from "./check-queries.ts";

const NAMES = [
  "I2: every participant is what the last of its journal says",
  "I3: every participant has a deposit of its qualifiedDate, into one of its wallets and in the campaign's window",
  "receivers: every receiver is one of the participant's wallets on the payout chain, or the address of an operator's last change",
  "payouts: open and confirmed ones are what the participant says, and never more than its match",
];

const KEY_OF_CHANGE = sql`case when a.address ~ '^0x[0-9a-fA-F]{40}$' then lower(a.address) else a.address end`;

// Windows only grow once a campaign is active, so the window of today contains those of all submissions.
const HAS_DEPOSIT = sql`exists (
    select 1
    from participant_wallets w
    where w.merchant_id = p.merchant_id and w.participant_id = p.id and (${hasCompletedDeposit(
      sql`p.merchant_id`,
      sql`p.qualified_date`,
    )} or exists (
      select 1
      from deposits d
      where d.merchant_id = p.merchant_id and d.chain_id = w.chain_id and d.status in ('pending', 'failed')
        and d.create_date = p.qualified_date and d.wallet_key = w.address_key
    ))
  )`;

const SUBMITTED_RECEIVER = sql`exists (
    select 1
    from participant_wallets w
    where w.merchant_id = p.merchant_id and w.participant_id = p.id and w.address_key = p.receiver_address
      and w.chain_id = c.payout_chain_id
  )`;

const CHANGED_RECEIVER = sql`p.receiver_address = (
    select ${KEY_OF_CHANGE}
    from (
      select l.detail::jsonb ->> 'to' as address
      from audit_log l
      where l.merchant_id = p.merchant_id and l.action = 'participant.receiver' and l.subject = p.id::text
      order by l.position desc
      limit 1
    ) a
  )`;

const participants = (scope: Sql) =>
  group(
    NAMES,
    sql`select p.id::text as example,
        (p.amount_matched, p.trade_profit, p.max_match) is distinct from (j.match_after, j.trade_profit, j.max_match) as w1,
        p.qualified_date < c.start_date or p.qualified_date > c.end_date or not ${HAS_DEPOSIT} as w2,
        case coalesce(p.receiver_set_by, 'NONE')
          when 'SUBMISSION' then not ${SUBMITTED_RECEIVER}
          when 'OPERATOR' then not coalesce(${CHANGED_RECEIVER}, false)
          else false
        end as w3,
        (p.payouts_count, p.payouts_open, p.payouts_confirmed, p.last_payout_failed)
          is distinct from
          (coalesce(o.count, 0), coalesce(o.open, 0), coalesce(o.confirmed, 0), coalesce(o.last_failed, false))
          or coalesce(o.open, 0) + coalesce(o.confirmed, 0) > p.amount_matched
          or p.status <> case
            when p.amount_matched = 0 then 'QUALIFIED'
            when coalesce(o.confirmed, 0) >= p.amount_matched then 'PAID'
            when o.last_failed and o.open = 0 then 'FAILED'
            else 'MATCHED'
          end as w4
      from participants p
      join campaigns c on c.merchant_id = p.merchant_id and c.id = p.campaign_id
      left join lateral (
        select j.match_after, j.trade_profit, j.max_match
        from submission_journal j
        where j.merchant_id = p.merchant_id and j.campaign_id = p.campaign_id and j.participant_id = p.id and j.position > 0
        order by j.position desc
        limit 1
      ) j on true
      left join lateral (
        select count(*) as count,
               coalesce(sum(o.amount) filter (where o.status in ('PENDING', 'SUBMITTED')), 0) as open,
               coalesce(sum(o.amount) filter (where o.status = 'CONFIRMED'), 0) as confirmed,
               (array_agg(o.status order by o.ordinal desc) filter (where not o.cancelled))[1] = 'FAILED' as last_failed
        from payouts o
        where o.merchant_id = p.merchant_id and o.participant_id = p.id
      ) o on true
      where ${scope}`,
  );

export const participantsInRange = participants(inRange(sql`p.merchant_id`, sql`p.id`));

/** Those whose submissions are new. */
export const participantsOfNews = participants(sql`p.merchant_id = $merchantId and p.id = any($ids::uuid[])`);
