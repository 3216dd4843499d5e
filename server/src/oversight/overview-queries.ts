// What waits for an operator, and what happened recently. Each statement looks at a bounded number of rows. The figures of a
// day are kept with each change: a few rows of deposits, and one row of rewards for each campaign.
import { formatUsd } from "../amounts.ts";
import { sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";

export interface Counts {
  readonly applicationsPending: number;
  readonly merchants: { readonly active: number; readonly suspended: number };
  readonly campaigns: { readonly active: number; readonly paused: number };
}

interface CountsRow {
  readonly applications_pending: number;
  readonly merchants_active: number;
  readonly merchants_suspended: number;
  readonly campaigns_active: number;
  readonly campaigns_paused: number;
}

/** Each is counted up to `max`. */
export async function countOverview(db: Queryable, max: number): Promise<Counts> {
  const [row] = await db.query<CountsRow>(
    `select (select count(*) from (select from applications where status = 'PENDING' limit $1) a) as applications_pending,
            (select count(*) from (select from merchants where status = 'ACTIVE' limit $1) m) as merchants_active,
            (select count(*) from (select from merchants where status = 'SUSPENDED' limit $1) m) as merchants_suspended,
            (select count(*) from (select from campaigns where status = 'ACTIVE' limit $1) c) as campaigns_active,
            (select count(*) from (select from campaigns where status = 'PAUSED' limit $1) c) as campaigns_paused`,
    [max],
  );
  const counts = row as CountsRow;
  return {
    applicationsPending: counts.applications_pending,
    merchants: { active: counts.merchants_active, suspended: counts.merchants_suspended },
    campaigns: { active: counts.campaigns_active, paused: counts.campaigns_paused },
  };
}

interface FailedRow {
  readonly merchant_id: string;
  readonly campaign_id: string;
  readonly campaign_name: string;
  readonly participant_id: string;
  readonly merchant_user_id: string;
  readonly amount_owed: string;
  readonly currency: string;
  readonly decimal_places: number;
  readonly update_date: Date;
}

const FAILED_COLUMNS = sql`p.merchant_id, p.campaign_id, c.display_name as campaign_name, p.id as participant_id,
  p.merchant_user_id, p.amount_matched - p.payouts_open - p.payouts_confirmed as amount_owed, c.currency,
  c.decimal_places, p.update_date`;

const ITS_CAMPAIGN = sql`cross join lateral (
    select c.display_name, c.currency, c.decimal_places
    from campaigns c
    where c.merchant_id = p.merchant_id and c.id = p.campaign_id
    limit 1
  ) c`;

const LIST_FAILED = sql`select p.count, ${FAILED_COLUMNS}
  from (
    select p.*, count(*) over () as count
    from (
      select p.merchant_id, p.id, p.campaign_id, p.merchant_user_id, p.amount_matched, p.payouts_open,
             p.payouts_confirmed, p.update_date
      from participants p
      where p.status = 'FAILED'
      order by p.create_date desc, p.merchant_id, p.id
      limit $countMax
    ) p
    order by p.update_date desc, p.merchant_id, p.id
    limit $shown
  ) p
  ${ITS_CAMPAIGN}
  order by p.update_date desc, p.merchant_id, p.id`;

/**
 * Participants whose last payout failed, those that changed last first. Cancelled payouts do not count. The date of change is in
 * no index, because every submission changes it. So at most `countMax` are looked at, those of the newest participants, and sorted.
 */
export async function listFailedPayouts(db: Queryable, countMax: number, shown: number) {
  const rows = await db.query<FailedRow & { readonly count: number }>(...statement(LIST_FAILED, { countMax, shown }));
  return { count: rows[0]?.count ?? 0, participants: rows.map(toFailedPayout) };
}

function toFailedPayout(row: FailedRow) {
  return {
    merchantId: row.merchant_id,
    campaignId: row.campaign_id,
    campaignName: row.campaign_name,
    participantId: row.participant_id,
    merchantUserId: row.merchant_user_id,
    amountOwed: { amount: row.amount_owed, currency: row.currency, decimalPlaces: row.decimal_places },
    updateDate: row.update_date.toISOString(),
  };
}

// The page is cut before the campaigns are looked up: without statistics, PostgreSQL would look up those of all participants.
const LIST_ALL_FAILED = sql`select ${FAILED_COLUMNS}, p.create_date
  from (
    select p.*
    from participants p
    where p.status = 'FAILED' and p.create_date <= $createDate::timestamptz
      and (p.create_date < $createDate::timestamptz or (p.merchant_id, p.id) > ($merchantId::uuid, $id::uuid))
    order by p.create_date desc, p.merchant_id, p.id
    limit $count
  ) p
  ${ITS_CAMPAIGN}
  order by p.create_date desc, p.merchant_id, p.id`;

const NEWEST: Position = ["infinity", "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"];

/** All of them, page by page: those of the newest participants first, in the order of the index. */
export async function listAllFailedPayouts(db: Queryable, after: Position | null, count: number) {
  const [createDate = "", merchantId = "", id = ""] = after ?? NEWEST;
  const rows = await db.query<FailedRow & { readonly create_date: Date }>(
    ...statement(LIST_ALL_FAILED, { createDate, merchantId, id, count }),
  );
  return rows.map((row) => ({
    ...toFailedPayout(row),
    position: [row.create_date.toISOString(), row.merchant_id, row.participant_id],
  }));
}

interface BudgetRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly display_name: string;
  readonly committed: string;
  readonly max_amount_total: string;
  readonly currency: string;
  readonly decimal_places: number;
}

const SHARE_SCALE = 10_000n;

/**
 * Active campaigns that have committed four fifths of their budget or more, the fullest first. The committed amount is in
 * no index, because every submission changes it. So the `countMax` newest active campaigns are read: operators create each
 * by hand, so there are fewer.
 */
export async function listFullBudgets(db: Queryable, countMax: number, shown: number) {
  const rows = await db.query<BudgetRow>(
    `select c.merchant_id, c.id, c.display_name, c.committed, c.max_amount_total, c.currency, c.decimal_places
     from (
       select c.merchant_id, c.id, c.display_name, c.committed, c.max_amount_total, c.currency, c.decimal_places
       from campaigns c
       where c.status = 'ACTIVE'
       order by c.create_date desc, c.id desc
       limit $1
     ) c
     where c.max_amount_total > 0 and c.committed * 5 >= c.max_amount_total * 4
     order by c.committed / nullif(c.max_amount_total, 0) desc, c.id
     limit $2`,
    [countMax, shown],
  );
  return rows.map((row) => {
    const token = { currency: row.currency, decimalPlaces: row.decimal_places };
    return {
      merchantId: row.merchant_id,
      campaignId: row.id,
      displayName: row.display_name,
      committed: { amount: row.committed, ...token },
      maxAmountTotal: { amount: row.max_amount_total, ...token },
      // Cut off, not rounded: 1 means that nothing is left.
      share: Number((BigInt(row.committed) * SHARE_SCALE) / BigInt(row.max_amount_total)) / Number(SHARE_SCALE),
    };
  });
}

interface DepositDayRow {
  readonly date: string;
  readonly pending: number;
  readonly completed: number;
  readonly failed: number;
  readonly micros: string;
}

/** For every day, in order: how many deposits of each status were created, and what the completed ones are worth. */
export async function listDepositDays(db: Queryable, days: readonly string[]) {
  const rows = await db.query<DepositDayRow>(
    `select given.day::text as date, coalesce(sum(d.pending_count), 0)::bigint as pending,
            coalesce(sum(d.completed_count), 0)::bigint as completed, coalesce(sum(d.failed_count), 0)::bigint as failed,
            coalesce(sum(d.completed_micros), 0) as micros
     from unnest($1::date[]) as given (day)
     left join deposit_days d on d.day = given.day
     group by given.day
     order by given.day`,
    [days],
  );
  return rows.map(({ date, pending, completed, failed, micros }) => ({
    date,
    deposits: { completed, pending, failed },
    completedUsd: { value: formatUsd(BigInt(micros)), currency: "USD" as const },
  }));
}

interface RewardDayRow {
  readonly date: string;
  readonly amount: string;
  readonly currency: string;
  readonly decimal_places: number;
}

/** What was newly matched on each day from the first to the last, one amount for each token. Days without are left out. */
export async function listRewardDays(db: Queryable, first: string, last: string) {
  const rows = await db.query<RewardDayRow>(
    `select r.day::text as date, sum(r.amount) as amount, r.currency, r.decimal_places
     from reward_days r
     where r.day between $1::date and $2::date
     group by r.day, r.currency, r.decimal_places
     order by r.day, r.currency, r.decimal_places`,
    [first, last],
  );
  return rows.map((row) => ({
    date: row.date,
    reward: { amount: row.amount, currency: row.currency, decimalPlaces: row.decimal_places },
  }));
}
