import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { LOWEST_UUID, toChain, toUsd } from "./deposit-queries.ts";

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

const COLUMNS = `u.user_id, u.pending_count, u.pending_micros, u.completed_count, u.completed_micros, u.failed_count,
  u.failed_micros, u.first_deposit_date, u.last_deposit_date, array(
    select json_build_object('address', w.wallet_address, 'chainId', w.chain_id)
    from deposit_wallets w
    where w.merchant_id = u.merchant_id and w.user_id = u.user_id
    order by w.wallet_key, w.chain_id
  ) as wallets`;

const LIST = `select ${COLUMNS}
  from deposit_users u
  where u.merchant_id = $1 and u.user_id > $2
  order by u.user_id
  limit $3`;

const LIST_OF_WALLET = `select ${COLUMNS}
  from (
    select distinct w.user_id
    from deposit_wallets w
    where w.merchant_id = $1 and lower(w.wallet_address collate "C") = lower($4::text collate "C") and w.user_id > $2
    order by w.user_id
    limit $3
  ) owner
  join deposit_users u on u.merchant_id = $1 and u.user_id = owner.user_id
  order by owner.user_id`;

const LIST_OF_WALLET_ON_CHAIN = `select ${COLUMNS}
  from (
    select distinct w.user_id
    from deposit_wallets w
    where w.merchant_id = $1 and lower(w.wallet_address collate "C") = lower($4::text collate "C") and w.user_id > $2
      and w.chain_id = $5
    order by w.user_id
    limit $3
  ) owner
  join deposit_users u on u.merchant_id = $1 and u.user_id = owner.user_id
  order by owner.user_id`;

/** A merchant's users by id, which says nothing and so never moves. Figures and wallets are of one moment. */
export async function listUsers(
  db: Queryable,
  merchantId: string,
  after: Position | null,
  count: number,
): Promise<ReportedUser[]> {
  const rows = await db.query<UserRow>(LIST, [merchantId, after?.[0] ?? LOWEST_UUID, count]);
  return rows.map(toUser);
}

/** Those who deposited into a wallet; an embedded wallet has one owner, so there is one or none. */
export async function listUsersOfWallet(
  db: Queryable,
  merchantId: string,
  { address, chainId }: { address: string; chainId: number | null },
  after: Position | null,
  count: number,
): Promise<ReportedUser[]> {
  const wallet = [merchantId, after?.[0] ?? LOWEST_UUID, count, address];
  const rows =
    chainId === null
      ? await db.query<UserRow>(LIST_OF_WALLET, wallet)
      : await db.query<UserRow>(LIST_OF_WALLET_ON_CHAIN, [...wallet, chainId]);
  return rows.map(toUser);
}

/** The merchant whose user this is. */
export async function findMerchantOfUser(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await db.query<{ merchant_id: string }>("select merchant_id from deposit_users where user_id = $1", [
    userId,
  ]);
  return row?.merchant_id ?? null;
}
