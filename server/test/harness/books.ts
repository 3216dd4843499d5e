// Breaks the books of a service as a bug or a stranger in the database would, and repairs them.
import { listLinks } from "../../src/campaigns/journal/queries.ts";
import type { JournalHead } from "../../src/campaigns/journal/record.ts";
import type { Database, Queryable } from "../../src/db/pool.ts";
import { FIRST_ID, LAST_ID } from "../../src/oversight/checks/record.ts";
import { TEST_CHAIN } from "./service.ts";

const TABLES = [
  "payout_proofs",
  "payout_run_transactions",
  "payout_events",
  "payouts",
  "payout_runs",
  "submission_journal",
  "participant_wallets",
  "participants",
  "reward_days",
  "campaign_terms",
  "journal_checkpoints",
  "campaigns",
  "deposits",
  "deposit_users",
  "deposit_wallets",
  "deposit_days",
];

/** What the program would have written, had it had this bug: the damage with digests that fit. */
export async function rechain(db: Database): Promise<void> {
  const links = await listLinks(
    db,
    { merchantId: FIRST_ID, id: FIRST_ID, position: 0 },
    { merchantId: LAST_ID, id: LAST_ID, position: Number.MAX_SAFE_INTEGER },
    10_000,
  );
  let head: JournalHead = { keyVersion: 0, digest: Buffer.alloc(0) };
  let campaignId = "";
  for (const { campaign, entry } of links) {
    if (entry.position <= campaign.chainedAfter) continue;
    if (campaign.id !== campaignId) head = { keyVersion: 0, digest: Buffer.alloc(0) };
    campaignId = campaign.id;
    [head = head] = TEST_CHAIN.extend(campaign, head, [entry]);
    await db.query("update submission_journal set digest = $2 where submission_id = $1", [
      entry.submissionId,
      head.digest,
    ]);
    await db.query("update campaigns set journal_digest = $2 where id = $1", [campaign.id, head.digest]);
  }
}

class RolledBack extends Error {}

/** Works in a transaction that has damaged the tables, as a superuser can, and that is rolled back. */
export async function whileDamaged<Result>(
  db: Database,
  damage: string | readonly string[],
  work: (damaged: Database) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | null = null;
  const damaged = db.transaction(async (transaction) => {
    for (const text of [damage].flat()) await transaction.query(text);
    const inside = {
      ...db,
      query: transaction.query,
      transaction: (inner: (one: Queryable) => Promise<never>) => inner(transaction),
    };
    result = { value: await work(inside) };
    throw new RolledBack();
  });
  await damaged.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  if (result === null) throw new Error("The work did not run.");
  return (result as { value: Result }).value;
}

/** Works on damaged tables that everybody sees, and puts them back as they were. It takes longer. */
export async function withDamage<Result>(
  db: Database,
  damage: string | readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  await db.query("create schema if not exists copies");
  for (const table of TABLES) await db.query(`create table copies.${table} as table ${table}`);
  try {
    // As a superuser, who also gets around the constraints.
    for (const text of [damage].flat()) await db.query(text);
    return await work();
  } finally {
    await db.query(`truncate ${TABLES.join(", ")}`);
    for (const table of [...TABLES].reverse()) {
      await db.query(`insert into ${table} table copies.${table}`);
      await db.query(`drop table copies.${table}`);
    }
  }
}
