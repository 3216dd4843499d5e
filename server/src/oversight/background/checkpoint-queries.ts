import { sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { CheckRange } from "../checks/record.ts";
import type { JournalCheckpoint, JournalEnd } from "./record.ts";

const LIST_OLD_DIGESTS = sql`select k.campaign_id as "campaignId", k.old_position as position, k.old_digest as digest
  from journal_checkpoints k
  where k.merchant_id between $afterMerchant and $lastMerchant and k.old_position > 0`;

interface OldDigest {
  readonly campaignId: string;
  readonly position: number;
  readonly digest: Buffer;
}

/** What the rows from before the chains were when they were first checked, by campaign. */
export async function listOldDigests(
  db: Queryable,
  { afterMerchant, lastMerchant }: Pick<CheckRange, "afterMerchant" | "lastMerchant">,
): Promise<Map<string, OldDigest>> {
  const rows = await db.query<OldDigest>(...statement(LIST_OLD_DIGESTS, { afterMerchant, lastMerchant }));
  return new Map(rows.map((row) => [row.campaignId, row]));
}

// The campaigns are read with their key first, and the checkpoints looked up for those of the page alone.
const LIST_ENDS = sql`select c.merchant_id as "merchantId", c.id, c.journal_length as "journalLength",
    c.chained_after as "chainedAfter", c.journal_digest as digest, coalesce(k.position, 0) as "checkedPosition",
    coalesce(k.digest, '') as "checkedDigest", coalesce(k.old_position, 0) as "oldPosition",
    coalesce(k.old_digest, '') as "oldDigest"
  from (
    select c.merchant_id, c.id, c.journal_length, c.chained_after, c.journal_digest
    from campaigns c
    where (c.merchant_id, c.id) > ($merchantId::uuid, $id::uuid)
    order by c.merchant_id, c.id
    limit $count
  ) c
  left join lateral (
    select k.*
    from journal_checkpoints k
    where k.merchant_id = c.merchant_id and k.campaign_id = c.id
    limit 1
  ) k on true
  order by c.merchant_id, c.id`;

/** The next campaigns in the order of their keys. */
export async function listJournalEnds(
  db: Queryable,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  count: number,
): Promise<JournalEnd[]> {
  return db.query<JournalEnd>(...statement(LIST_ENDS, { merchantId, id, count }));
}

const WRITE_CHECKPOINT = sql`insert into journal_checkpoints
    (merchant_id, campaign_id, position, digest, old_position, old_digest, date)
  values ($merchantId, $campaignId, $position, $digest, $oldPosition, $oldDigest, $now)
  on conflict (merchant_id, campaign_id) do update
  set position = excluded.position, digest = excluded.digest, old_position = excluded.old_position,
      old_digest = excluded.old_digest, date = excluded.date`;

export async function writeCheckpoint(transaction: Queryable, checkpoint: JournalCheckpoint, now: Date): Promise<void> {
  await transaction.query(...statement(WRITE_CHECKPOINT, { ...checkpoint, now }));
}
