import { chainOf } from "../chains.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";

interface QualifiedWalletRow {
  readonly address: string;
  readonly address_key: string;
  readonly chain_id: number;
  readonly qualified_date: Date;
  readonly participant_id: string | null;
}

export type QualifiedWallet = ReturnType<typeof toQualifiedWallet>;

function toQualifiedWallet(row: QualifiedWalletRow) {
  const chain = chainOf(row.chain_id);
  return {
    address: row.address,
    chainId: chain.isEvm ? row.chain_id : null,
    chainName: chain.name,
    qualified: true,
    qualifiedDate: row.qualified_date.toISOString(),
    participant: row.participant_id === null ? null : { id: row.participant_id },
    position: [row.address_key, String(row.chain_id)],
  };
}

export interface WalletFilter {
  /** Address keys; null for every wallet. */
  readonly addressKeys: readonly string[] | null;
  readonly chainId: number | null;
}

// No address is empty and no chain is 0, so this stands before every row.
const FIRST: Position = ["", "0"];

// The wallet's first claimant is the one whose submission comes first in the journal.
const SELECT = `select q.address, q.address_key, q.chain_id, q.qualified_date, (
    select w.participant_id
    from participant_wallets w
    where w.merchant_id = q.merchant_id and w.campaign_id = q.campaign_id and w.address_key = q.address_key
      and w.chain_id = q.chain_id and w.claim_position > 0
    order by w.claim_position
    limit 1
  ) as participant_id`;

// One statement per filter, each with the index it needs. Given addresses are looked up one by one: a plan made while the
// campaign was small would otherwise read all of its wallets and compare. Seen through a subquery, their array has no length
// for the planner, which would otherwise plan anew for each length.
const LIST = `${SELECT}
  from qualified_wallets q
  where q.merchant_id = $1 and q.campaign_id = $2 and (q.address_key, q.chain_id) > ($3::text, $4::bigint)
  order by q.address_key, q.chain_id
  limit $5`;

const LIST_OF_CHAIN = `${SELECT}
  from qualified_wallets q
  where q.merchant_id = $1 and q.campaign_id = $2 and q.chain_id = $3 and q.chain_id > 0 and q.address_key > $4::text
  order by q.address_key
  limit $5`;

const LIST_OF_ADDRESSES = `${SELECT}
  from unnest((select $6::text[])) as given (address_key)
  cross join lateral (
    select q.*
    from qualified_wallets q
    where q.merchant_id = $1 and q.campaign_id = $2 and q.address_key = given.address_key
      and (q.address_key, q.chain_id) > ($3::text, $4::bigint)
    order by q.chain_id
    limit $5
  ) q
  order by q.address_key, q.chain_id
  limit $5`;

const LIST_OF_ADDRESSES_AND_CHAIN = `${SELECT}
  from unnest((select $6::text[])) as given (address_key)
  cross join lateral (
    select q.*
    from qualified_wallets q
    where q.merchant_id = $1 and q.campaign_id = $2 and q.address_key = given.address_key and q.chain_id = $7
      and (q.address_key, q.chain_id) > ($3::text, $4::bigint)
    limit 1
  ) q
  order by q.address_key, q.chain_id
  limit $5`;

/** In the order of (address key, chain). */
export async function listQualifiedWallets(
  db: Queryable,
  merchantId: string,
  campaignId: string,
  { addressKeys, chainId }: WalletFilter,
  after: Position | null,
  count: number,
): Promise<QualifiedWallet[]> {
  const [addressKey = "", chain = ""] = after ?? FIRST;
  const page = [merchantId, campaignId, addressKey, chain, count];
  const rows = await (addressKeys === null
    ? chainId === null
      ? db.query<QualifiedWalletRow>(LIST, page)
      : db.query<QualifiedWalletRow>(LIST_OF_CHAIN, [merchantId, campaignId, chainId, addressKey, count])
    : chainId === null
      ? db.query<QualifiedWalletRow>(LIST_OF_ADDRESSES, [...page, addressKeys])
      : db.query<QualifiedWalletRow>(LIST_OF_ADDRESSES_AND_CHAIN, [...page, addressKeys, chainId]));
  return rows.map(toQualifiedWallet);
}

/** The merchant's own ids of these participants. */
export async function listMerchantUserIds(
  db: Queryable,
  merchantId: string,
  participantIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; merchant_user_id: string }>(
    "select p.id, p.merchant_user_id from participants p where p.merchant_id = $1 and p.id = any($2::uuid[])",
    [merchantId, participantIds],
  );
  return new Map(rows.map((row) => [row.id, row.merchant_user_id]));
}
