import { allOf, sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import type { QualifiedWallet } from "./record.ts";

export interface WalletFilter {
  /** Address keys; null for every wallet. */
  readonly addressKeys: readonly string[] | null;
  readonly chainId: number | null;
}

// No address is empty and no chain is 0, so this sorts before every row.
const FIRST: Position = ["", "0"];

// The wallet's first claimant is the one whose submission comes first in the journal.
const COLUMNS = sql`q.address, q.address_key as "addressKey", q.chain_id as "chainId", q.qualified_date as "qualifiedDate", (
    select w.participant_id
    from participant_wallets w
    where w.merchant_id = q.merchant_id and w.campaign_id = q.campaign_id and w.address_key = q.address_key
      and w.chain_id = q.chain_id and w.claim_position > 0
    order by w.claim_position
    limit 1
  ) as "participantId"`;

/** In the order of (address key, chain). Each combination of filters is a statement with the index it needs. */
export async function listQualifiedWallets(
  db: Queryable,
  merchantId: string,
  campaignId: string,
  { addressKeys, chainId }: WalletFilter,
  after: Position | null,
  count: number,
): Promise<QualifiedWallet[]> {
  const [addressKey = "", chain = ""] = after ?? FIRST;
  const ofCampaign = sql`q.merchant_id = $merchantId and q.campaign_id = $campaignId`;
  const isAfter = sql`(q.address_key, q.chain_id) > ($addressKey::text, $chain::bigint)`;
  // `chain_id > 0` is the condition of the index by chain.
  const ofAll = sql`qualified_wallets q
    where ${allOf(
      ofCampaign,
      chainId === null ? isAfter : sql`q.chain_id = $chainId and q.chain_id > 0 and q.address_key > $addressKey::text`,
    )}`;
  // Given addresses are looked up one by one: a plan made while the campaign was small would read all of its wallets and
  // compare. Inside a subquery, their array has no length for the planner, which would make a new plan for each length.
  const ofAddresses = sql`unnest((select $addressKeys::text[])) as given (address_key)
    cross join lateral (
      select q.*
      from qualified_wallets q
      where ${allOf(
        ofCampaign,
        sql`q.address_key = given.address_key`,
        chainId === null ? null : sql`q.chain_id = $chainId`,
        isAfter,
      )}
      order by q.chain_id
      limit $count
    ) q`;
  const list = sql`select ${COLUMNS}
    from ${addressKeys === null ? ofAll : ofAddresses}
    order by q.address_key, q.chain_id
    limit $count`;
  return db.query<QualifiedWallet>(
    ...statement(list, { merchantId, campaignId, addressKey, chain, chainId, addressKeys, count }),
  );
}

const LIST_USER_IDS = sql`select p.id, p.merchant_user_id as "merchantUserId"
  from participants p
  where p.merchant_id = $merchantId and p.id = any($participantIds::uuid[])`;

/** The merchant's own ids of these participants. */
export async function listMerchantUserIds(
  db: Queryable,
  merchantId: string,
  participantIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; merchantUserId: string }>(
    ...statement(LIST_USER_IDS, { merchantId, participantIds }),
  );
  return new Map(rows.map((row) => [row.id, row.merchantUserId]));
}
