// Checkpoints: where the audit log and every journal ended at some moment. Kept outside the database, they show a history that was
// rewritten with the key, and one that was cut short.
import type { Audit } from "../audit/audit.ts";
import type { JournalChain } from "../campaigns/journal/chain.ts";
import { findLink } from "../campaigns/journal/queries.ts";
import type { Clock } from "../clock.ts";
import { useIndexes } from "../db/plans.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { CHAIN_PAGE_ROWS } from "../limits.ts";
import { listJournalEnds } from "./background/checkpoint-queries.ts";
import { checkChainPage, startChain } from "./checks/journal-chain.ts";
import { FIRST_ID } from "./checks/record.ts";

interface Dependencies {
  readonly db: Database;
  readonly audit: Audit;
  readonly chain: JournalChain;
}

export interface Checkpoints {
  readonly environment: string;
  readonly date: string;
  readonly auditLog: { readonly position: number; readonly mac: string };
  readonly journals: readonly JournalLine[];
}

interface JournalLine {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly position: number;
  readonly digest: string;
  /** The rows from before the chain, and a digest over them. */
  readonly oldPosition: number;
  readonly oldDigest: string;
}

const KIND = "matchbook-checkpoints";

/** One snapshot of all ends, as lines of JSON. */
export function exportCheckpoints(
  { db, audit, chain }: Dependencies,
  clock: Clock,
  environment: string,
): Promise<string[]> {
  return db.transaction(
    async (transaction) => {
      await useIndexes(transaction);
      const header = { kind: KIND, environment, date: clock().toISOString(), auditLog: await audit.end(transaction) };
      const lines = [JSON.stringify(header)];
      for (let after = { merchantId: FIRST_ID, id: FIRST_ID }; ; ) {
        const ends = await listJournalEnds(transaction, after, CHAIN_PAGE_ROWS);
        for (const { merchantId, id, journalLength, chainedAfter, digest } of ends) {
          if (journalLength === 0) continue;
          const line: JournalLine = {
            merchantId,
            campaignId: id,
            position: journalLength,
            digest: digest.toString("hex"),
            oldPosition: chainedAfter,
            oldDigest: await digestOldRows(transaction, chain, {
              merchantId,
              campaignId: id,
              oldPosition: chainedAfter,
            }),
          };
          lines.push(JSON.stringify(line));
        }
        const last = ends.at(-1);
        if (last === undefined) return lines;
        after = last;
      }
    },
    { isolation: "repeatable read" },
  );
}

async function digestOldRows(
  transaction: Queryable,
  chain: JournalChain,
  { merchantId, campaignId: id, oldPosition }: Pick<JournalLine, "merchantId" | "campaignId" | "oldPosition">,
): Promise<string> {
  const range = {
    afterMerchant: merchantId,
    afterId: id,
    afterPosition: 0,
    lastMerchant: merchantId,
    lastId: id,
    lastPosition: oldPosition,
  };
  let state = await startChain(transaction, { merchantId, id, position: 0 });
  for (;;) {
    const page = await checkChainPage(transaction, chain, state, range, CHAIN_PAGE_ROWS);
    state = page.state;
    if (page.entries.length < CHAIN_PAGE_ROWS) return state.oldDigest.toString("hex");
  }
}

/** Null when this is not a file of checkpoints. */
export function readCheckpoints(text: string): Checkpoints | null {
  try {
    const [header, ...journals] = text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line));
    return header?.kind === KIND ? { ...header, journals } : null;
  } catch {
    return null;
  }
}

/** What is no longer as the checkpoints say. The chains themselves are verified elsewhere. */
export function compareCheckpoints(
  { db, audit, chain }: Dependencies,
  { auditLog, journals }: Checkpoints,
): Promise<string[]> {
  return db.transaction(
    async (transaction) => {
      await useIndexes(transaction);
      const problems: string[] = [];
      if ((await audit.macAt(transaction, auditLog.position)) !== auditLog.mac) {
        problems.push(`The audit log up to row ${auditLog.position} is not what it was.`);
      }
      for (const line of journals) {
        if (!(await isSame(transaction, chain, line))) {
          problems.push(`The journal of campaign ${line.campaignId} up to row ${line.position} is not what it was.`);
        }
      }
      return problems;
    },
    { isolation: "repeatable read" },
  );
}

async function isSame(transaction: Queryable, chain: JournalChain, line: JournalLine): Promise<boolean> {
  const { merchantId, campaignId: id, position, oldPosition } = line;
  const link = position > oldPosition ? await findLink(transaction, { merchantId, id, position }) : null;
  if ((link?.digest?.toString("hex") ?? "") !== line.digest) return false;
  return oldPosition === 0 || (await digestOldRows(transaction, chain, line)) === line.oldDigest;
}
