import type { JournalChain } from "../campaigns/journal/chain.ts";
import type { Clock } from "../clock.ts";
import { LOCK_KEYS, tryLock } from "../db/locks.ts";
import { useIndexes } from "../db/plans.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { CHAIN_PAGE_ROWS, INVARIANTS_TIMEOUT_MS } from "../limits.ts";
import { listOldDigests } from "./background/checkpoint-queries.ts";
import { CHAIN_CHECK, FULL_GROUPS, FULL_ONLY } from "./checks/checks.ts";
import { checkChainPage, startChain } from "./checks/journal-chain.ts";
import { type CheckRange, rangeOf } from "./checks/record.ts";
import { type CheckResult, runGroup } from "./checks/run-queries.ts";

export interface Verdict {
  readonly ok: boolean;
  readonly checks: { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  readonly date: string;
}

export interface VerifyOptions {
  /** Before each of FULL_STEPS steps: how many are done, and the name of the next. */
  readonly onProgress?: (done: number, name: string) => void;
  /** The chain of a long journal takes longer than a caller waits. */
  readonly chainMaxMs?: number;
}

/** The statements, and the chains. */
export const FULL_STEPS = FULL_GROUPS.length + 1;

/** Recomputes every rule in one snapshot, of one merchant or of all. */
export async function verifyInvariants(
  { db, clock, chain }: { db: Database; clock: Clock; chain: JournalChain },
  merchantId: string | null,
  { onProgress = () => {}, chainMaxMs = Number.POSITIVE_INFINITY }: VerifyOptions = {},
): Promise<Verdict> {
  return db.transaction(
    async (transaction) => {
      // Two runs at the same time would load the database too much.
      if (!(await tryLock(transaction, LOCK_KEYS.invariants))) {
        fail("OVERLOADED", "The invariants are being checked already. Retry when that run is done.");
      }
      const date = clock().toISOString();
      const range = rangeOf(merchantId);
      const results: CheckResult[] = [];
      for (const [index, checkGroup] of FULL_GROUPS.entries()) {
        // A connection keeps its plans, so these statements need the same ones as in the background.
        if (index === FULL_ONLY.length) await useIndexes(transaction);
        onProgress(index, checkGroup.names[0] ?? "");
        results.push(...(await runGroup(transaction, checkGroup, { ...range })));
      }
      onProgress(FULL_GROUPS.length, CHAIN_CHECK);
      results.push(await verifyChains(transaction, chain, range, performance.now() + chainMaxMs));
      const checks = results.map((result) => ({ name: result.name, ok: result.wrong === 0, detail: detailOf(result) }));
      return { ok: checks.every(({ ok }) => ok), checks, date };
    },
    { isolation: "repeatable read", statementTimeoutMs: INVARIANTS_TIMEOUT_MS },
  );
}

export function detailOf({ checked, wrong, example }: CheckResult): string {
  return wrong === 0 ? `${checked} checked` : `${wrong} of ${checked} wrong, for example ${example}`;
}

/** The chains of all journals, in one snapshot. */
export function verifyJournalChains(db: Database, chain: JournalChain): Promise<CheckResult> {
  return db.transaction(
    async (transaction) => {
      await useIndexes(transaction);
      return verifyChains(transaction, chain, rangeOf(null), Number.POSITIVE_INFINITY);
    },
    { isolation: "repeatable read" },
  );
}

/** Every row of the journals in the range, and what the rows from before the chain were when they were first checked. */
async function verifyChains(
  transaction: Queryable,
  chain: JournalChain,
  range: CheckRange,
  endMs: number,
): Promise<CheckResult> {
  const known = await listOldDigests(transaction, range);
  const start = { merchantId: range.afterMerchant, id: range.afterId, position: 0 };
  let state = await startChain(transaction, start);
  let [checked, wrong]: [number, number] = [0, 0];
  let example: string | null = null;
  const note = (subject: string) => {
    wrong++;
    example ??= subject;
  };
  for (;;) {
    const page = await checkChainPage(transaction, chain, state, range, CHAIN_PAGE_ROWS);
    for (const { place, problem } of page.problems) note(`${place.id} position ${place.position} ${problem}`);
    for (const { place, digest } of page.oldDigests) {
      const before = known.get(place.id);
      if (before !== undefined && before.position === place.position && !before.digest.equals(digest)) {
        note(`${place.id} rows up to position ${place.position}, which are from before the chain, were changed`);
      }
    }
    checked += page.entries.length;
    state = page.state;
    if (page.entries.length < CHAIN_PAGE_ROWS) return { name: CHAIN_CHECK, checked, wrong, example };
    if (performance.now() >= endMs) {
      fail("OVERLOADED", "The journals are too long to be checked while you wait. Use npx @matchbook/server verify.");
    }
  }
}
