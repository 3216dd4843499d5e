import { allOf, type Sql, sql, statement } from "../db/compose.ts";
import type { Queryable, Value } from "../db/pool.ts";
import { ISO_DATES } from "../db/row-types.ts";
import type { Position } from "../http/pagination.ts";
import { DEPOSIT_COLUMNS } from "./queries.ts";
import { DEPOSIT_STATUSES, type DepositStatus, type ShownDeposit } from "./record.ts";

// Each list walks an index from where the previous page ended, so a page costs the same however many rows there are. Each
// combination of filters is a text of its own with a plan of its own. None asks whether a parameter is null: a prepared
// statement is planned once for all values.

export interface DepositFilters {
  readonly userId: string | null;
  readonly status: DepositStatus | null;
  readonly chainId: number | null;
  /** Both are inclusive. */
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

export async function findDeposit(db: Queryable, merchantId: string, id: string): Promise<ShownDeposit | null> {
  const find = sql`select ${DEPOSIT_COLUMNS} from deposits d where d.merchant_id = $merchantId and d.id = $id`;
  const [deposit] = await db.query<ShownDeposit>(...statement(find, { merchantId, id }), ISO_DATES);
  return deposit ?? null;
}

/** One merchant's deposits, newest first. */
export function listDeposits(
  db: Queryable,
  merchantId: string,
  filters: DepositFilters,
  after: Position | null,
  count: number,
): Promise<ShownDeposit[]> {
  const { userId, status, chainId } = filters;
  const merchant = sql`d.merchant_id = $merchantId`;
  const range = rangeOf(BY_DATE, filters, after);
  const list =
    userId === null
      ? newestFirst(BY_DATE, status, allOf(merchant, chainId === null ? null : sql`d.chain_id = $chainId`, range))
      : pageOf(BY_DATE, DEPOSIT_COLUMNS, allOf(merchant, ofUser(filters), range));
  return db.query<ShownDeposit>(
    ...statement(list, { merchantId, userId, status, chainId, ...valuesOf(filters, after), count }),
    ISO_DATES,
  );
}

// One user's deposits are few, so the other filters are checked row by row. `coalesce` keeps the planner from using an index
// for them, or it might look for a user's deposits among all deposits on a chain.
function ofUser({ status, chainId }: DepositFilters): Sql {
  return allOf(
    sql`d.user_id = $userId`,
    status === null ? null : sql`coalesce(d.status = $status, false)`,
    chainId === null ? null : sql`coalesce(d.chain_id = $chainId, false)`,
  );
}

/** The deposits of all merchants, newest first, for operators. */
export function listDepositsOfAllMerchants(
  db: Queryable,
  filters: Omit<DepositFilters, "userId">,
  after: Position | null,
  count: number,
): Promise<ShownDeposit[]> {
  const { status, chainId } = filters;
  const list =
    chainId === null
      ? newestFirst(BY_UTC_DATE, status, rangeOf(BY_UTC_DATE, filters, after))
      : newestOnChain(rangeOf(BY_DATE_AND_MERCHANT, filters, after));
  const statuses = status === null ? DEPOSIT_STATUSES : [status];
  return db.query<ShownDeposit>(
    ...statement(list, { status, statuses, chainId, ...valuesOf(filters, after), count }),
    ISO_DATES,
  );
}

// A chain may be rare, and no index leads to it across merchants. So each merchant's index gives a page, and these pages are
// sorted: the cost grows with the number of merchants, not of deposits.
function newestOnChain(range: Sql): Sql {
  return sql`select ${DEPOSIT_COLUMNS}
    from merchants m
    cross join unnest($statuses::text[]) as wanted (status)
    cross join lateral (
      select d.*
      from deposits d
      where d.merchant_id = m.id and d.chain_id = $chainId and d.status = wanted.status and ${range}
      order by d.create_date desc, d.id desc
      limit $count
    ) d
    where m.status in ('ACTIVE', 'SUSPENDED')
    order by d.create_date desc, d.id desc, d.merchant_id desc
    limit $count`;
}

/** How a list is ordered, written exactly as its index is. */
interface ListOrder {
  /** The date that leads the order, and how a parameter becomes comparable with it. */
  readonly date: Sql;
  readonly zone: Sql;
  /** The order of deposits with the same date. */
  readonly ties: Sql;
  /** The rows behind the last one of the previous page. */
  readonly next: Sql;
}

const BY_DATE: ListOrder = {
  date: sql`d.create_date`,
  zone: sql``,
  ties: sql`d.id desc`,
  next: sql`(d.create_date, d.id) < ($lastDate::timestamptz, $lastId::text)`,
};

// The first condition says less than the second, but only the first fits a merchant's index.
const BY_DATE_AND_MERCHANT: ListOrder = {
  ...BY_DATE,
  next: sql`(d.create_date, d.id) <= ($lastDate::timestamptz, $lastId::text)
    and (d.create_date, d.id, d.merchant_id) < ($lastDate::timestamptz, $lastId::text, $lastMerchantId::uuid)`,
};

// For deposits_of_everyone, an index on this expression: no list of a single merchant can use it by mistake.
const BY_UTC_DATE: ListOrder = {
  date: sql`d.create_date at time zone 'UTC'`,
  zone: sql` at time zone 'UTC'`,
  ties: sql`d.id desc, d.merchant_id desc`,
  next: sql`(d.create_date at time zone 'UTC', d.id, d.merchant_id)
    < ($lastDate::timestamptz at time zone 'UTC', $lastId::text, $lastMerchantId::uuid)`,
};

// A cursor is bound to its filters, so it lies before `createdBefore`. With both, PostgreSQL would start at `createdBefore` and
// read every row up to the cursor.
function rangeOf({ date, zone, next }: ListOrder, filters: Dates, after: Position | null): Sql {
  const before = filters.createdBefore === null ? null : sql`${date} <= $createdBefore::timestamptz${zone}`;
  return allOf(
    filters.createdAfter === null ? null : sql`${date} >= $createdAfter::timestamptz${zone}`,
    after === null ? before : next,
  );
}

type Dates = Pick<DepositFilters, "createdAfter" | "createdBefore">;

function valuesOf({ createdAfter, createdBefore }: Dates, after: Position | null): Record<string, Value> {
  const [lastDate = null, lastId = null, lastMerchantId = null] = after ?? [];
  return {
    createdAfter: createdAfter?.toISOString() ?? null,
    createdBefore: createdBefore?.toISOString() ?? null,
    lastDate,
    lastId,
    lastMerchantId,
  };
}

/** Every index has the status before the date, so a list of all statuses merges the pages of the three. */
function newestFirst(order: ListOrder, status: DepositStatus | null, condition: Sql): Sql {
  if (status !== null) return pageOf(order, DEPOSIT_COLUMNS, allOf(sql`d.status = $status`, condition));
  const page = (ofStatus: Sql) => pageOf(order, sql`d.*, ${order.date} as created`, allOf(ofStatus, condition));
  return sql`select ${DEPOSIT_COLUMNS}
    from (
      (${page(sql`d.status = 'pending'`)})
      union all
      (${page(sql`d.status = 'completed'`)})
      union all
      (${page(sql`d.status = 'failed'`)})
    ) d
    order by d.created desc, ${order.ties}
    limit $count`;
}

function pageOf({ date, ties }: ListOrder, columns: Sql, condition: Sql): Sql {
  return sql`select ${columns} from deposits d where ${condition} order by ${date} desc, ${ties} limit $count`;
}
