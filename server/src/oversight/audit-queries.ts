import { sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { CheckRange } from "./checks/record.ts";

export interface OldDigest {
  readonly campaignId: string;
  readonly position: number;
  readonly keyVersion: number;
  readonly digest: Buffer;
}

const LIST_OLD_DIGESTS = sql`select k.campaign_id as "campaignId", k.old_position as position, k.old_key_version as "keyVersion",
    k.old_digest as digest
  from journal_checkpoints k
  where k.merchant_id between $afterMerchant and $lastMerchant and k.old_position > 0`;

/** What the rows from before the chains were when they were first checked, by campaign. */
export async function listOldDigests(db: Queryable, range: CheckRange): Promise<Map<string, OldDigest>> {
  const rows = await db.query<OldDigest>(...statement(LIST_OLD_DIGESTS, { ...range }));
  return new Map(rows.map((row) => [row.campaignId, row]));
}
