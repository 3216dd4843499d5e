import { formatUsd } from "../amounts.ts";
import { chainOf } from "../chains.ts";
import type { Queryable, Value } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import type { DepositStatus } from "./merge.ts";
import { DEPOSIT_COLUMNS, type DepositRow } from "./queries.ts";

// Every list walks an index from where the page before ended, so a page costs the same however many rows there are. Each
// combination of filters that needs another index is a text of its own, and no text asks whether a parameter is null: a
// prepared statement is planned once for all values. Where there is no bound, the bound is infinite.

export type ReportedDeposit = ReturnType<typeof toDeposit>;

export function toDeposit(row: DepositRow) {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    userId: row.user_id,
    status: row.status,
    amount: toUsd(BigInt(row.amount_micros)),
    chain: toChain(row.chain_id),
    token: { symbol: row.token_symbol, address: row.token_address },
    embeddedWalletAddress: row.wallet_address,
    createDate: row.create_date.toISOString(),
    updateDate: row.update_date.toISOString(),
  };
}

export function toUsd(micros: bigint) {
  return { value: formatUsd(micros), currency: "USD" as const };
}

/** Reporting shows the numeric id of every chain; only campaign resources hide those of non-EVM chains. */
export function toChain(chainId: number) {
  return { chainId, name: chainOf(chainId).name };
}

export interface DepositFilters {
  readonly userId: string | null;
  readonly status: DepositStatus | null;
  readonly chainId: number | null;
  /** Both are inclusive. */
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

const FIND = `select ${DEPOSIT_COLUMNS}
  from deposits d
  where d.merchant_id = $1 and d.id = $2`;

const LIST = `select ${DEPOSIT_COLUMNS}
  from (
    (select * from deposits p
     where p.merchant_id = $1 and p.status = 'pending' and p.create_date >= $2::timestamptz
       and (p.create_date, p.id) < ($3::timestamptz, $4::text)
     order by p.create_date desc, p.id desc limit $5)
    union all
    (select * from deposits c
     where c.merchant_id = $1 and c.status = 'completed' and c.create_date >= $2::timestamptz
       and (c.create_date, c.id) < ($3::timestamptz, $4::text)
     order by c.create_date desc, c.id desc limit $5)
    union all
    (select * from deposits f
     where f.merchant_id = $1 and f.status = 'failed' and f.create_date >= $2::timestamptz
       and (f.create_date, f.id) < ($3::timestamptz, $4::text)
     order by f.create_date desc, f.id desc limit $5)
  ) d
  order by d.create_date desc, d.id desc
  limit $5`;

const LIST_BY_STATUS = `select ${DEPOSIT_COLUMNS}
  from deposits d
  where d.merchant_id = $1 and d.status = $6 and d.create_date >= $2::timestamptz
    and (d.create_date, d.id) < ($3::timestamptz, $4::text)
  order by d.create_date desc, d.id desc
  limit $5`;

const LIST_ON_CHAIN = `select ${DEPOSIT_COLUMNS}
  from (
    (select * from deposits p
     where p.merchant_id = $1 and p.chain_id = $6 and p.status = 'pending' and p.create_date >= $2::timestamptz
       and (p.create_date, p.id) < ($3::timestamptz, $4::text)
     order by p.create_date desc, p.id desc limit $5)
    union all
    (select * from deposits c
     where c.merchant_id = $1 and c.chain_id = $6 and c.status = 'completed' and c.create_date >= $2::timestamptz
       and (c.create_date, c.id) < ($3::timestamptz, $4::text)
     order by c.create_date desc, c.id desc limit $5)
    union all
    (select * from deposits f
     where f.merchant_id = $1 and f.chain_id = $6 and f.status = 'failed' and f.create_date >= $2::timestamptz
       and (f.create_date, f.id) < ($3::timestamptz, $4::text)
     order by f.create_date desc, f.id desc limit $5)
  ) d
  order by d.create_date desc, d.id desc
  limit $5`;

const LIST_ON_CHAIN_BY_STATUS = `select ${DEPOSIT_COLUMNS}
  from deposits d
  where d.merchant_id = $1 and d.chain_id = $6 and d.status = $7 and d.create_date >= $2::timestamptz
    and (d.create_date, d.id) < ($3::timestamptz, $4::text)
  order by d.create_date desc, d.id desc
  limit $5`;

// Here the other filters are looked up in the rows: one user's deposits are few. They are written so that no other index
// fits them, or the planner might look for a user's deposits among all those of a chain. One that is not set is null, and
// whatever is compared with null is let through.
const LIST_OF_USER = `select ${DEPOSIT_COLUMNS}
  from deposits d
  where d.merchant_id = $1 and d.user_id = $6 and d.create_date >= $2::timestamptz
    and (d.create_date, d.id) < ($3::timestamptz, $4::text)
    and coalesce(d.status = $7::text, true) and coalesce(d.chain_id = $8::bigint, true)
  order by d.create_date desc, d.id desc
  limit $5`;

export async function findDeposit(db: Queryable, merchantId: string, id: string): Promise<ReportedDeposit | null> {
  const [row] = await db.query<DepositRow>(FIND, [merchantId, id]);
  return row === undefined ? null : toDeposit(row);
}

/** One merchant's deposits, newest first. */
export async function listDeposits(
  db: Queryable,
  merchantId: string,
  filters: DepositFilters,
  after: Position | null,
  count: number,
): Promise<ReportedDeposit[]> {
  const { userId, status, chainId } = filters;
  const bounds = [merchantId, ...boundsOf(filters, after).slice(0, 3), count];
  const list = async (text: string, ...more: readonly Value[]) =>
    (await db.query<DepositRow>(text, [...bounds, ...more])).map(toDeposit);
  if (userId !== null) return list(LIST_OF_USER, userId, status, chainId);
  if (chainId !== null) {
    return status === null ? list(LIST_ON_CHAIN, chainId) : list(LIST_ON_CHAIN_BY_STATUS, chainId, status);
  }
  return status === null ? list(LIST) : list(LIST_BY_STATUS, status);
}

export const LOWEST_UUID = "00000000-0000-0000-0000-000000000000";
const LATEST_MS = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

/**
 * From the earliest date, inclusive, to a position, exclusive. No id is empty, so the position before every id of the next
 * millisecond stands behind the last row of the millisecond asked for.
 */
export function boundsOf(
  filters: Pick<DepositFilters, "createdAfter" | "createdBefore">,
  after: Position | null,
): string[] {
  const { createdAfter, createdBefore } = filters;
  const earliest = createdAfter?.toISOString() ?? "-infinity";
  if (after !== null) return [earliest, after[0] ?? "", after[1] ?? "", after[2] ?? LOWEST_UUID];
  const isBounded = createdBefore !== null && createdBefore.getTime() < LATEST_MS;
  const end = isBounded ? new Date(createdBefore.getTime() + 1).toISOString() : "infinity";
  return [earliest, end, "", LOWEST_UUID];
}
