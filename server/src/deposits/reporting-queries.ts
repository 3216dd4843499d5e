import { formatUsd } from "../amounts.ts";
import { chainOf } from "../chains.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { DEPOSIT_STATUSES, type DepositStatus } from "./merge.ts";

// Every list walks an index from where the page before ended, so a page costs the same however many rows there are. Each
// combination of filters that needs another index is a text of its own, and no text asks whether a parameter is null: a
// prepared statement is planned once for all values. Where there is no bound, the bound is infinite.

interface DepositRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly user_id: string;
  readonly status: DepositStatus;
  readonly amount_micros: string;
  readonly chain_id: number;
  readonly token_symbol: string;
  readonly token_address: string;
  readonly wallet_address: string;
  readonly create_date: Date;
  readonly update_date: Date;
}

export type ReportedDeposit = ReturnType<typeof toDeposit>;

function toDeposit(row: DepositRow) {
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

function toUsd(micros: bigint) {
  return { value: formatUsd(micros), currency: "USD" as const };
}

// Reporting shows the numeric id of every chain; only campaign resources hide those of non-EVM chains.
function toChain(chainId: number) {
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

export async function findDeposit(db: Queryable, merchantId: string, id: string): Promise<ReportedDeposit | null> {
  const [row] = await db.query<DepositRow>(
    `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
            d.wallet_address, d.create_date, d.update_date
     from deposits d
     where d.merchant_id = $1 and d.id = $2`,
    [merchantId, id],
  );
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
  if (userId !== null) return listDepositsOfUser(db, bounds, userId, status, chainId);
  if (chainId !== null) return listDepositsOnChain(db, bounds, chainId, status);
  const rows =
    status === null
      ? await db.query<DepositRow>(
          `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
                  d.wallet_address, d.create_date, d.update_date
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
           limit $5`,
          bounds,
        )
      : await db.query<DepositRow>(
          `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
                  d.wallet_address, d.create_date, d.update_date
           from deposits d
           where d.merchant_id = $1 and d.status = $6 and d.create_date >= $2::timestamptz
             and (d.create_date, d.id) < ($3::timestamptz, $4::text)
           order by d.create_date desc, d.id desc
           limit $5`,
          [...bounds, status],
        );
  return rows.map(toDeposit);
}

type Bounds = readonly (string | number)[];

async function listDepositsOnChain(
  db: Queryable,
  bounds: Bounds,
  chainId: number,
  status: DepositStatus | null,
): Promise<ReportedDeposit[]> {
  const rows =
    status === null
      ? await db.query<DepositRow>(
          `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
                  d.wallet_address, d.create_date, d.update_date
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
           limit $5`,
          [...bounds, chainId],
        )
      : await db.query<DepositRow>(
          `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
                  d.wallet_address, d.create_date, d.update_date
           from deposits d
           where d.merchant_id = $1 and d.chain_id = $6 and d.status = $7 and d.create_date >= $2::timestamptz
             and (d.create_date, d.id) < ($3::timestamptz, $4::text)
           order by d.create_date desc, d.id desc
           limit $5`,
          [...bounds, chainId, status],
        );
  return rows.map(toDeposit);
}

// Here the other filters are looked up in the rows: one user's deposits are few. They are written so that no other index
// fits them, or the planner might look for a user's deposits among all those of a chain. One that is not set is null, and
// whatever is compared with null is let through.
async function listDepositsOfUser(
  db: Queryable,
  bounds: Bounds,
  userId: string,
  status: DepositStatus | null,
  chainId: number | null,
): Promise<ReportedDeposit[]> {
  const rows = await db.query<DepositRow>(
    `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
            d.wallet_address, d.create_date, d.update_date
     from deposits d
     where d.merchant_id = $1 and d.user_id = $6 and d.create_date >= $2::timestamptz
       and (d.create_date, d.id) < ($3::timestamptz, $4::text)
       and coalesce(d.status = $7::text, true) and coalesce(d.chain_id = $8::bigint, true)
     order by d.create_date desc, d.id desc
     limit $5`,
    [...bounds, userId, status, chainId],
  );
  return rows.map(toDeposit);
}

/** The deposits of all merchants, newest first, for operators. */
export async function listDepositsOfEveryone(
  db: Queryable,
  filters: Omit<DepositFilters, "userId">,
  after: Position | null,
  count: number,
): Promise<ReportedDeposit[]> {
  const { status, chainId } = filters;
  const bounds = [...boundsOf(filters, after), count];
  if (chainId !== null) return listDepositsOfEveryoneOnChain(db, bounds, chainId, status);
  const rows =
    status === null
      ? await db.query<DepositRow>(
          `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
                  d.wallet_address, d.create_date, d.update_date
           from (
             (select p.*, p.create_date at time zone 'UTC' as created from deposits p
              where p.status = 'pending' and p.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
                and (p.create_date at time zone 'UTC', p.id, p.merchant_id)
                    < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
              order by p.create_date at time zone 'UTC' desc, p.id desc, p.merchant_id desc limit $5)
             union all
             (select c.*, c.create_date at time zone 'UTC' as created from deposits c
              where c.status = 'completed' and c.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
                and (c.create_date at time zone 'UTC', c.id, c.merchant_id)
                    < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
              order by c.create_date at time zone 'UTC' desc, c.id desc, c.merchant_id desc limit $5)
             union all
             (select f.*, f.create_date at time zone 'UTC' as created from deposits f
              where f.status = 'failed' and f.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
                and (f.create_date at time zone 'UTC', f.id, f.merchant_id)
                    < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
              order by f.create_date at time zone 'UTC' desc, f.id desc, f.merchant_id desc limit $5)
           ) d
           order by d.created desc, d.id desc, d.merchant_id desc
           limit $5`,
          bounds,
        )
      : await db.query<DepositRow>(
          `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
                  d.wallet_address, d.create_date, d.update_date
           from deposits d
           where d.status = $6 and d.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
             and (d.create_date at time zone 'UTC', d.id, d.merchant_id)
                    < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
           order by d.create_date at time zone 'UTC' desc, d.id desc, d.merchant_id desc
           limit $5`,
          [...bounds, status],
        );
  return rows.map(toDeposit);
}

// A chain may be rare, and no index leads to it across merchants. So each merchant's own index gives a page, and the newest
// of these are sorted out: the cost grows with the number of merchants, not of deposits.
async function listDepositsOfEveryoneOnChain(
  db: Queryable,
  bounds: Bounds,
  chainId: number,
  status: DepositStatus | null,
): Promise<ReportedDeposit[]> {
  const rows = await db.query<DepositRow>(
    `select d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol, d.token_address,
            d.wallet_address, d.create_date, d.update_date
     from merchant_guards g
     cross join unnest($7::text[]) as wanted (status)
     cross join lateral (
       select *
       from deposits m
       where m.merchant_id = g.merchant_id and m.chain_id = $6 and m.status = wanted.status
         and m.create_date >= $1::timestamptz and (m.create_date, m.id) <= ($2::timestamptz, $3::text)
         and (m.create_date, m.id, m.merchant_id) < ($2::timestamptz, $3::text, $4::uuid)
       order by m.create_date desc, m.id desc
       limit $5
     ) d
     order by d.create_date desc, d.id desc, d.merchant_id desc
     limit $5`,
    [...bounds, chainId, status === null ? DEPOSIT_STATUSES : [status]],
  );
  return rows.map(toDeposit);
}

/** The merchant whose user this is. */
export async function findMerchantOfUser(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await db.query<{ merchant_id: string }>("select merchant_id from deposit_users where user_id = $1", [
    userId,
  ]);
  return row?.merchant_id ?? null;
}

const LOWEST_UUID = "00000000-0000-0000-0000-000000000000";
const LATEST_MS = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

// From the earliest date, inclusive, to a position, exclusive. No id is empty, so the position before every id of the next
// millisecond stands behind the last row of the millisecond asked for.
function boundsOf(filters: Pick<DepositFilters, "createdAfter" | "createdBefore">, after: Position | null): string[] {
  const { createdAfter, createdBefore } = filters;
  const earliest = createdAfter?.toISOString() ?? "-infinity";
  if (after !== null) return [earliest, after[0] ?? "", after[1] ?? "", after[2] ?? LOWEST_UUID];
  const isBounded = createdBefore !== null && createdBefore.getTime() < LATEST_MS;
  const end = isBounded ? new Date(createdBefore.getTime() + 1).toISOString() : "infinity";
  return [earliest, end, "", LOWEST_UUID];
}

interface UserRow {
  readonly user_id: string;
  readonly pending_count: number;
  readonly pending_micros: string;
  readonly completed_count: number;
  readonly completed_micros: string;
  readonly failed_count: number;
  readonly failed_micros: string;
  readonly first_deposit_date: Date;
  readonly last_deposit_date: Date;
  readonly wallets: readonly { address: string; chainId: number }[];
}

export type ReportedUser = ReturnType<typeof toUser>;

function toUser(row: UserRow) {
  const pending = { count: row.pending_count, micros: BigInt(row.pending_micros) };
  const completed = { count: row.completed_count, micros: BigInt(row.completed_micros) };
  const failed = { count: row.failed_count, micros: BigInt(row.failed_micros) };
  const total = {
    count: pending.count + completed.count + failed.count,
    micros: pending.micros + completed.micros + failed.micros,
  };
  const toBucket = ({ count, micros }: { count: number; micros: bigint }) => ({ amount: toUsd(micros), count });
  return {
    userId: row.user_id,
    amounts: {
      total: toBucket(total),
      completed: toBucket(completed),
      pending: toBucket(pending),
      failed: toBucket(failed),
    },
    firstDepositAt: row.first_deposit_date.toISOString(),
    lastDepositAt: row.last_deposit_date.toISOString(),
    embeddedWallets: row.wallets.map(({ address, chainId }) => ({
      embeddedWalletAddress: address,
      chain: toChain(chainId),
    })),
  };
}

/** A merchant's users by id, which says nothing and so never moves. Figures and wallets are of one moment. */
export async function listUsers(
  db: Queryable,
  merchantId: string,
  after: Position | null,
  count: number,
): Promise<ReportedUser[]> {
  const rows = await db.query<UserRow>(
    `select u.user_id, u.pending_count, u.pending_micros, u.completed_count, u.completed_micros, u.failed_count,
            u.failed_micros, u.first_deposit_date, u.last_deposit_date,
            array(
              select json_build_object('address', w.wallet_address, 'chainId', w.chain_id)
              from deposit_wallets w
              where w.merchant_id = u.merchant_id and w.user_id = u.user_id
              order by w.wallet_key, w.chain_id
            ) as wallets
     from deposit_users u
     where u.merchant_id = $1 and u.user_id > $2
     order by u.user_id
     limit $3`,
    [merchantId, after?.[0] ?? LOWEST_UUID, count],
  );
  return rows.map(toUser);
}

/** Those who deposited into a wallet; an embedded wallet has one owner, so there is one or none. */
export async function listUsersOfWallet(
  db: Queryable,
  merchantId: string,
  wallet: { address: string; chainId: number | null },
  after: Position | null,
  count: number,
): Promise<ReportedUser[]> {
  const rows = await db.query<UserRow>(
    `select u.user_id, u.pending_count, u.pending_micros, u.completed_count, u.completed_micros, u.failed_count,
            u.failed_micros, u.first_deposit_date, u.last_deposit_date,
            array(
              select json_build_object('address', w.wallet_address, 'chainId', w.chain_id)
              from deposit_wallets w
              where w.merchant_id = u.merchant_id and w.user_id = u.user_id
              order by w.wallet_key, w.chain_id
            ) as wallets
     from (
       select distinct w.user_id
       from deposit_wallets w
       where w.merchant_id = $1 and lower(w.wallet_address collate "C") = lower($4::text collate "C") and w.user_id > $2
         and ($5::bigint is null or w.chain_id = $5)
       order by w.user_id
       limit $3
     ) owner
     join deposit_users u on u.merchant_id = $1 and u.user_id = owner.user_id
     order by owner.user_id`,
    [merchantId, after?.[0] ?? LOWEST_UUID, count, wallet.address, wallet.chainId],
  );
  return rows.map(toUser);
}
