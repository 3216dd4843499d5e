import { type Sql, sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";

/** An address or hash that was stored. */
export interface StoredText {
  readonly merchantId: string;
  readonly id: string;
  readonly chainId: number;
  readonly tokenAddress: string;
  /** Of a participant or a payout: where it is paid. */
  readonly recipientAddress: string | null;
  /** Of a payout. */
  readonly transactionHash: string | null;
}

// Each list goes along the primary key, a page at a time, so that a check of everything holds nothing up.
const LIST_CAMPAIGNS = sql`select c.merchant_id as "merchantId", c.id, c.payout_chain_id as "chainId",
    c.payout_token_address as "tokenAddress", null as "recipientAddress", null as "transactionHash"
  from campaigns c
  where (c.merchant_id, c.id) > ($merchantId::uuid, $id::uuid)
  order by c.merchant_id, c.id
  limit $count`;

const LIST_PARTICIPANTS = sql`select p.merchant_id as "merchantId", p.id, c.payout_chain_id as "chainId",
    c.payout_token_address as "tokenAddress", p.receiver_address as "recipientAddress", null as "transactionHash"
  from (
    select p.merchant_id, p.id, p.campaign_id, p.receiver_address
    from participants p
    where (p.merchant_id, p.id) > ($merchantId::uuid, $id::uuid)
    order by p.merchant_id, p.id
    limit $count
  ) p
  cross join lateral (
    select c.payout_chain_id, c.payout_token_address
    from campaigns c
    where c.merchant_id = p.merchant_id and c.id = p.campaign_id
    limit 1
  ) c
  order by p.merchant_id, p.id`;

const LIST_PAYOUTS = sql`select o.merchant_id as "merchantId", o.id, o.chain_id as "chainId", o.token_address as "tokenAddress",
    o.recipient_address as "recipientAddress", o.transaction_hash as "transactionHash"
  from payouts o
  where (o.merchant_id, o.id) > ($merchantId::uuid, $id::uuid)
  order by o.merchant_id, o.id
  limit $count`;

const LISTS = { campaign: LIST_CAMPAIGNS, participant: LIST_PARTICIPANTS, payout: LIST_PAYOUTS } satisfies Record<
  string,
  Sql
>;

export type StoredKind = keyof typeof LISTS;
export const STORED_KINDS: readonly StoredKind[] = ["campaign", "participant", "payout"];

export async function listStored(
  db: Queryable,
  kind: StoredKind,
  after: Pick<StoredText, "merchantId" | "id">,
  count: number,
): Promise<StoredText[]> {
  const { merchantId, id } = after;
  return db.query<StoredText>(...statement(LISTS[kind], { merchantId, id, count }));
}
