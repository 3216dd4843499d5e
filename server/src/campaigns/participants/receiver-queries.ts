import { type Sql, sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Campaign } from "../record.ts";
import type { Receiver } from "./receiver.ts";

/** The key by which addresses are compared, as `addressKey` makes it. */
export const addressKeyOf = (address: Sql): Sql =>
  sql`case when ${address} ~ '^0x[0-9a-fA-F]{40}$' then lower(${address}) else ${address} end`;

/** Whether another participant of the campaign submitted the wallet that `p` is paid to: one look-up by key. */
export const IS_SHARED = sql`exists (
    select
    from participant_wallets w
    where w.merchant_id = $merchantId and w.campaign_id = p.campaign_id and w.address_key = ${addressKeyOf(sql`p.receiver_address`)}
      and w.chain_id = $payoutChainId and w.claim_position > 0 and w.participant_id <> p.id
  )`;

const LIST_SHARED = sql`select p.id
  from participants p
  where p.merchant_id = $merchantId and p.id = any($ids::uuid[]) and ${IS_SHARED}`;

/** Those of these participants that are paid to a wallet which another participant submitted, too. */
export async function listShared(
  db: Queryable,
  { merchantId, payoutChainId }: Pick<Campaign, "merchantId" | "payoutChainId">,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(...statement(LIST_SHARED, { merchantId, payoutChainId, ids }));
  return new Set(rows.map(({ id }) => id));
}

const UPDATE_RECEIVER = sql`update participants
  set receiver_address = $address, receiver_set_by = $setBy, update_date = $now
  where merchant_id = $merchantId and id = $id`;

export async function updateReceiver(
  transaction: Queryable,
  merchantId: string,
  id: string,
  { address, setBy }: Receiver,
  now: Date,
): Promise<void> {
  await transaction.query(...statement(UPDATE_RECEIVER, { merchantId, id, address, setBy, now }));
}

const UPDATE_HELD = sql`update participants
  set held = $held, update_date = $now
  where merchant_id = $merchantId and id = $id`;

export async function updateHeld(
  transaction: Queryable,
  merchantId: string,
  id: string,
  held: boolean,
  now: Date,
): Promise<void> {
  await transaction.query(...statement(UPDATE_HELD, { merchantId, id, held, now }));
}
