import { allOf, sql, statement } from "../db/compose.ts";
import { type IdRange, inIdRange, rangeValues } from "../db/id-range.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { NESTED_WALLETS_MAX } from "../limits.ts";
import type { DepositUser, EmbeddedWallet } from "./record.ts";

interface UserRow {
  readonly userId: string;
  readonly pendingCount: number;
  readonly pendingMicros: string;
  readonly completedCount: number;
  readonly completedMicros: string;
  readonly failedCount: number;
  readonly failedMicros: string;
  readonly firstDepositDate: Date;
  readonly lastDepositDate: Date;
  readonly walletCount: number;
  readonly wallets: readonly EmbeddedWallet[];
}

const COLUMNS = sql`u.user_id as "userId", u.pending_count as "pendingCount", u.pending_micros as "pendingMicros",
  u.completed_count as "completedCount", u.completed_micros as "completedMicros", u.failed_count as "failedCount",
  u.failed_micros as "failedMicros", u.first_deposit_date as "firstDepositDate", u.last_deposit_date as "lastDepositDate",
  u.wallet_count as "walletCount", array(
    select json_build_object('address', w.wallet_address, 'chainId', w.chain_id)
    from (
      select w.*
      from deposit_wallets w
      where w.merchant_id = u.merchant_id and w.user_id::text = u.user_id::text
      order by w.first_deposit_date, w.wallet_key, w.chain_id
      limit $walletsMax
    ) w
    order by w.wallet_key, w.chain_id
  ) as wallets`;

export interface UserFilters {
  /** Upper and lower case are alike. */
  readonly walletAddress: string | null;
  /** Narrows the wallet address to one chain. */
  readonly chainId: number | null;
}

/**
 * A merchant's users, in the order of their ids, which never changes. With a wallet address, only those who deposited into
 * that wallet: an embedded wallet has one owner, so there is one or none.
 */
export async function listUsers(
  db: Queryable,
  merchantId: string,
  { walletAddress, chainId }: UserFilters,
  after: Position | null,
  count: number,
): Promise<DepositUser[]> {
  const [lastId = null] = after ?? [];
  // Users are chosen first, in a subquery. Next to the cost of their wallets, the planner would see no difference between the
  // indexes that lead to them.
  const list =
    walletAddress === null
      ? sql`select ${COLUMNS}
          from (
            select u.*
            from deposit_users u
            where ${allOf(sql`u.merchant_id = $merchantId`, after === null ? null : sql`u.user_id > $lastId`)}
            order by u.user_id
            limit $count
          ) u
          order by u.user_id`
      : sql`select ${COLUMNS}
          from (
            select distinct w.user_id
            from deposit_wallets w
            where ${allOf(
              sql`w.merchant_id = $merchantId`,
              sql`lower(w.wallet_address collate "C") = lower($walletAddress::text collate "C")`,
              chainId === null ? null : sql`w.chain_id = $chainId`,
              after === null ? null : sql`w.user_id > $lastId`,
            )}
            order by w.user_id
            limit $count
          ) owner
          join deposit_users u on u.merchant_id = $merchantId and u.user_id = owner.user_id
          order by owner.user_id`;
  const values = { merchantId, walletAddress, chainId, lastId, count, walletsMax: NESTED_WALLETS_MAX };
  const rows = await db.query<UserRow>(...statement(list, values));
  return rows.map((row) => ({
    userId: row.userId,
    pending: { count: row.pendingCount, micros: BigInt(row.pendingMicros) },
    completed: { count: row.completedCount, micros: BigInt(row.completedMicros) },
    failed: { count: row.failedCount, micros: BigInt(row.failedMicros) },
    firstDepositDate: row.firstDepositDate,
    lastDepositDate: row.lastDepositDate,
    walletCount: row.walletCount,
    wallets: row.wallets,
  }));
}

/** A wallet's place in the list. No address is empty and no chain is 0, so this sorts before every wallet. */
const FIRST_WALLET: Position = ["", "0"];

export interface ListedWallet extends EmbeddedWallet {
  readonly addressKey: string;
}

/** Every wallet that the user deposited into, in the order of (address key, chain), which never changes. */
export async function listWalletsOfUser(
  db: Queryable,
  merchantId: string,
  userId: string,
  after: Position | null,
  count: number,
): Promise<ListedWallet[]> {
  const [addressKey = "", chainId = ""] = after ?? FIRST_WALLET;
  return db.query<ListedWallet>(...statement(LIST_WALLETS, { merchantId, userId, addressKey, chainId, count }));
}

const LIST_WALLETS = sql`select w.wallet_address as address, w.wallet_key as "addressKey", w.chain_id as "chainId"
  from deposit_wallets w
  where w.merchant_id = $merchantId and w.user_id = $userId
    and (w.wallet_key, w.chain_id) > ($addressKey::text, $chainId::bigint)
  order by w.wallet_key, w.chain_id
  limit $count`;

/** The users whose id is in the range, in the order of their ids; of one merchant, or all. */
export async function listUsersInRange(
  db: Queryable,
  ids: IdRange,
  merchantId: string | null,
  count: number,
): Promise<{ merchantId: string; userId: string }[]> {
  const conditions = allOf(inIdRange(sql`u.user_id`), merchantId === null ? null : sql`u.merchant_id = $merchantId`);
  const list = sql`select u.merchant_id as "merchantId", u.user_id as "userId"
    from deposit_users u
    where ${conditions}
    order by u.user_id, u.merchant_id
    limit $count`;
  return db.query(...statement(list, { ...rangeValues(ids), merchantId, count }));
}
