// The rules of the money, written a second time, in SQL, from the base tables, independent of the code that applies them.
// Each statement returns how many rows it checked, how many break the rule, and one of those.

export interface Check {
  readonly name: string;
  readonly sql: string;
}

// $1 and $2 are the first and the last merchant looked at: one merchant, or all.
export const checks: readonly Check[] = [
  {
    name: "I1: the matches of a campaign add up to its committed amount, which is within the budget",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(id::text) filter (where wrong) as example
      from (
        select c.id, c.committed <> coalesce(p.matched, 0) or c.committed > c.max_amount_total as wrong
        from campaigns c
        left join (
          select p.merchant_id, p.campaign_id, sum(p.amount_matched) as matched
          from participants p
          where p.merchant_id between $1 and $2
          group by p.merchant_id, p.campaign_id
        ) p on p.merchant_id = c.merchant_id and p.campaign_id = c.id
        where c.merchant_id between $1 and $2
      ) campaign`,
  },
  {
    name: "I2: every match in the journal is what the submission before it and the formula say, and none is lower",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong,
             min(campaign_id::text || ' position ' || position) filter (where wrong) as example
      from (
        select campaign_id, position,
               position <> position_before + 1
               or created <> is_first
               or max_match < cap_before
               or match_after > max_match
               or match_after <> greatest(match_before, least(multiple, max_match, match_before + max_amount_total - committed_before))
               or delta <> match_after - match_before
               or delta < 0
               or committed_after <> committed_before + delta
               or committed_after > max_amount_total as wrong
        from (
          select j.campaign_id, j.position, j.created, j.max_match, j.max_amount_total, j.delta, j.match_after, j.committed_after,
                 div(j.trade_profit * c.match_multiplier * 1000000 * ('1e' || c.decimal_places)::numeric, 1000000000000) as multiple,
                 lag(j.position, 1, 0::bigint) over campaign as position_before,
                 lag(j.committed_after, 1, 0::numeric) over campaign as committed_before,
                 lag(j.match_after, 1, 0::numeric) over participant as match_before,
                 lag(j.max_match, 1, 0::numeric) over participant as cap_before,
                 lag(j.position) over participant is null as is_first
          from submission_journal j
          join campaigns c on c.merchant_id = j.merchant_id and c.id = j.campaign_id
          where j.merchant_id between $1 and $2
          window campaign as (partition by j.merchant_id, j.campaign_id order by j.position),
                 participant as (partition by j.merchant_id, j.participant_id order by j.position)
        ) step
      ) row`,
  },
  {
    name: "I2: every participant is what the last of its journal says, within its cap",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(id::text) filter (where wrong) as example
      from (
        select p.id, (p.amount_matched, p.trade_profit, p.max_match) is distinct from (j.match_after, j.trade_profit, j.max_match)
                     or p.amount_matched > p.max_match as wrong
        from participants p
        left join (
          select distinct on (j.merchant_id, j.participant_id)
                 j.merchant_id, j.participant_id, j.match_after, j.trade_profit, j.max_match
          from submission_journal j
          where j.merchant_id between $1 and $2
          order by j.merchant_id, j.participant_id, j.position desc
        ) j on j.merchant_id = p.merchant_id and j.participant_id = p.id
        where p.merchant_id between $1 and $2
      ) participant`,
  },
  {
    name: "I2: every campaign's committed amount and journal length are those of its journal's end",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(id::text) filter (where wrong) as example
      from (
        select c.id, (c.journal_length, c.committed) is distinct from (coalesce(j.position, 0), coalesce(j.committed_after, 0)) as wrong
        from campaigns c
        left join (
          select distinct on (j.merchant_id, j.campaign_id) j.merchant_id, j.campaign_id, j.position, j.committed_after
          from submission_journal j
          where j.merchant_id between $1 and $2
          order by j.merchant_id, j.campaign_id, j.position desc
        ) j on j.merchant_id = c.merchant_id and j.campaign_id = c.id
        where c.merchant_id between $1 and $2
      ) campaign`,
  },
  {
    name: "I3: one participant per user of a campaign, created by exactly one submission",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(campaign_id::text) filter (where wrong) as example
      from (
        select p.campaign_id, count(*) <> 1 or coalesce(sum(j.created), 0) <> 1 as wrong
        from participants p
        left join (
          select j.merchant_id, j.participant_id, count(*) filter (where j.created) as created
          from submission_journal j
          where j.merchant_id between $1 and $2
          group by j.merchant_id, j.participant_id
        ) j on j.merchant_id = p.merchant_id and j.participant_id = p.id
        where p.merchant_id between $1 and $2
        group by p.merchant_id, p.campaign_id, p.merchant_user_id
      ) participant`,
  },
  {
    name: "I5: the figures of every reported user are those of its deposits",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(user_id::text) filter (where wrong) as example
      from (
        select coalesce(u.user_id, d.user_id) as user_id,
               (u.pending_count, u.pending_micros, u.completed_count, u.completed_micros, u.failed_count, u.failed_micros,
                u.first_deposit_date, u.last_deposit_date, u.wallet_count)
               is distinct from
               (d.pending_count, d.pending_micros, d.completed_count, d.completed_micros, d.failed_count, d.failed_micros,
                d.first_deposit_date, d.last_deposit_date, d.wallet_count) as wrong
        from (select * from deposit_users where merchant_id between $1 and $2) u
        full join (
          select d.merchant_id, d.user_id,
                 count(*) filter (where d.status = 'pending') as pending_count,
                 coalesce(sum(d.amount_micros) filter (where d.status = 'pending'), 0) as pending_micros,
                 count(*) filter (where d.status = 'completed') as completed_count,
                 coalesce(sum(d.amount_micros) filter (where d.status = 'completed'), 0) as completed_micros,
                 count(*) filter (where d.status = 'failed') as failed_count,
                 coalesce(sum(d.amount_micros) filter (where d.status = 'failed'), 0) as failed_micros,
                 min(d.create_date) as first_deposit_date, max(d.create_date) as last_deposit_date,
                 count(distinct (d.wallet_key, d.chain_id)) as wallet_count
          from deposits d
          where d.merchant_id between $1 and $2
          group by d.merchant_id, d.user_id
        ) d on d.merchant_id = u.merchant_id and d.user_id = u.user_id
      ) reported`,
  },
  {
    name: "I5: the wallets of every reported user are those of its deposits",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(wallet) filter (where wrong) as example
      from (
        select coalesce(w.wallet_key, d.wallet_key) as wallet, w.first_deposit_date is distinct from d.first_deposit_date as wrong
        from (select * from deposit_wallets where merchant_id between $1 and $2) w
        full join (
          select d.merchant_id, d.user_id, d.wallet_key, d.chain_id, min(d.create_date) as first_deposit_date
          from deposits d
          where d.merchant_id between $1 and $2
          group by d.merchant_id, d.user_id, d.wallet_key, d.chain_id
        ) d on d.merchant_id = w.merchant_id and d.user_id = w.user_id and d.wallet_key = w.wallet_key and d.chain_id = w.chain_id
      ) wallet`,
  },
  {
    // The days are of all merchants, so a check of one merchant leaves them out.
    name: "I5: the figures of every day are those of its deposits",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(day::text) filter (where wrong) as example
      from (
        select coalesce(k.day, d.day) as day,
               (k.pending, k.completed, k.failed, k.micros) is distinct from (d.pending, d.completed, d.failed, d.micros) as wrong
        from (
          select k.day, sum(k.pending_count) as pending, sum(k.completed_count) as completed, sum(k.failed_count) as failed,
                 sum(k.completed_micros) as micros
          from deposit_days k
          where $1::uuid < $2::uuid
          group by k.day
        ) k
        full join (
          select (d.create_date at time zone 'UTC')::date as day,
                 count(*) filter (where d.status = 'pending') as pending,
                 count(*) filter (where d.status = 'completed') as completed,
                 count(*) filter (where d.status = 'failed') as failed,
                 coalesce(sum(d.amount_micros) filter (where d.status = 'completed'), 0) as micros
          from deposits d
          where d.merchant_id between $1 and $2 and $1::uuid < $2::uuid
          group by 1
        ) d on d.day = k.day
      ) day`,
  },
  {
    name: "I5: the rewards of every campaign and day are those of its journal",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong,
             min(campaign_id::text || ' ' || day) filter (where wrong) as example
      from (
        select coalesce(r.campaign_id, j.campaign_id) as campaign_id, coalesce(r.day, j.day) as day,
               r.amount is distinct from j.amount as wrong
        from (select * from reward_days where merchant_id between $1 and $2) r
        full join (
          select j.merchant_id, j.campaign_id, (j.date at time zone 'UTC')::date as day, sum(j.delta) as amount
          from submission_journal j
          where j.merchant_id between $1 and $2 and j.delta > 0
          group by 1, 2, 3
        ) j on j.merchant_id = r.merchant_id and j.campaign_id = r.campaign_id and j.day = r.day
      ) reward`,
  },
  {
    name: "I9: no merchant has more than 10 additional domains",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(merchant_id::text) filter (where wrong) as example
      from (
        select m.merchant_id, count(*) filter (where m.slot <> 0) > 10 as wrong
        from merchant_domains m
        where m.merchant_id between $1 and $2
        group by m.merchant_id
      ) merchant`,
  },
  {
    name: "payouts: open and confirmed ones are what the participant says, and never more than its match",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(id::text) filter (where wrong) as example
      from (
        select p.id,
               (p.payouts_count, p.payouts_open, p.payouts_confirmed, p.last_payout_failed)
               is distinct from
               (coalesce(o.count, 0), coalesce(o.open, 0), coalesce(o.confirmed, 0), coalesce(o.last_failed, false))
               or coalesce(o.open, 0) + coalesce(o.confirmed, 0) > p.amount_matched
               or p.status <> case
                 when p.amount_matched = 0 then 'QUALIFIED'
                 when coalesce(o.confirmed, 0) >= p.amount_matched then 'PAID'
                 when o.last_failed and o.open = 0 then 'FAILED'
                 else 'MATCHED'
               end as wrong
        from participants p
        left join (
          select o.merchant_id, o.participant_id, count(*) as count,
                 coalesce(sum(o.amount) filter (where o.status in ('PENDING', 'SUBMITTED')), 0) as open,
                 coalesce(sum(o.amount) filter (where o.status = 'CONFIRMED'), 0) as confirmed,
                 (array_agg(o.status order by o.ordinal desc) filter (where not o.cancelled))[1] = 'FAILED' as last_failed
          from payouts o
          where o.merchant_id between $1 and $2
          group by o.merchant_id, o.participant_id
        ) o on o.merchant_id = p.merchant_id and o.participant_id = p.id
        where p.merchant_id between $1 and $2
      ) participant`,
  },
  {
    name: "payouts: the open and confirmed amounts of every campaign are those of its participants",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(id::text) filter (where wrong) as example
      from (
        select c.id, (c.payouts_open, c.payouts_confirmed) <> (coalesce(p.open, 0), coalesce(p.confirmed, 0)) as wrong
        from campaigns c
        left join (
          select p.merchant_id, p.campaign_id, sum(p.payouts_open) as open, sum(p.payouts_confirmed) as confirmed
          from participants p
          where p.merchant_id between $1 and $2
          group by p.merchant_id, p.campaign_id
        ) p on p.merchant_id = c.merchant_id and p.campaign_id = c.id
        where c.merchant_id between $1 and $2
      ) campaign`,
  },
  {
    name: "payouts: the status of every payout is the last of its trail",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(id::text) filter (where wrong) as example
      from (
        select o.id, o.status is distinct from e.status as wrong
        from payouts o
        left join (
          select distinct on (e.merchant_id, e.payout_id) e.merchant_id, e.payout_id, e.status
          from payout_events e
          where e.merchant_id between $1 and $2
          order by e.merchant_id, e.payout_id, e.ordinal desc
        ) e on e.merchant_id = o.merchant_id and e.payout_id = o.id
        where o.merchant_id between $1 and $2
      ) payout`,
  },
  {
    name: "payout runs: the counts and totals of every run are those of its payouts, and a closed run has none open",
    sql: `
      select count(*) as checked, count(*) filter (where wrong) as wrong, min(id::text) filter (where wrong) as example
      from (
        select r.id,
               (r.pending_count, r.submitted_count, r.confirmed_count, r.failed_count, r.reserved, r.confirmed, r.failed)
               is distinct from
               (o.pending, o.submitted, o.confirmed, o.failed, o.reserved, o.confirmed_sum, o.failed_sum)
               or o.participants <> o.payouts
               or (r.status in ('DRAFT', 'APPROVED', 'EXPORTED') and o.pending <> o.payouts)
               or (r.status in ('SETTLED', 'CANCELLED') and o.pending + o.submitted > 0)
               or (r.status = 'CANCELLED' and o.cancelled <> o.payouts) as wrong
        from payout_runs r
        left join (
          select o.merchant_id, o.run_id, count(*) as payouts, count(distinct o.participant_id) as participants,
                 count(*) filter (where o.status = 'PENDING') as pending,
                 count(*) filter (where o.status = 'SUBMITTED') as submitted,
                 count(*) filter (where o.status = 'CONFIRMED') as confirmed,
                 count(*) filter (where o.status = 'FAILED') as failed,
                 count(*) filter (where o.cancelled) as cancelled,
                 sum(o.amount) as reserved,
                 coalesce(sum(o.amount) filter (where o.status = 'CONFIRMED'), 0) as confirmed_sum,
                 coalesce(sum(o.amount) filter (where o.status = 'FAILED'), 0) as failed_sum
          from payouts o
          where o.merchant_id between $1 and $2 and o.run_id is not null
          group by o.merchant_id, o.run_id
        ) o on o.merchant_id = r.merchant_id and o.run_id = r.id
        where r.merchant_id between $1 and $2
      ) run`,
  },
];
