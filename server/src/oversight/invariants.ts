import type { JournalChain } from "../campaigns/journal/chain.ts";
import type { Clock } from "../clock.ts";
import { LOCK_KEYS, tryLock } from "../db/locks.ts";
import { useIndexes } from "../db/plans.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { CHAIN_PAGE_ROWS, FULL_PART_ROWS, INVARIANTS_TIMEOUT_MS } from "../limits.ts";
import { listOldDigests } from "./background/checkpoint-queries.ts";
import { findKeyBehind, type KeyedTable } from "./background/queries.ts";
import { CHAIN_CHECK, FULL_NAMES, FULL_ONLY, WALKED } from "./checks/checks.ts";
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

const KEYED_TABLES = Object.keys(WALKED).filter((table): table is KeyedTable => table !== "journal");

/** The sums, the tables, and the journal with its chains. */
export const FULL_STEPS = FULL_ONLY.length + KEYED_TABLES.length + 1;

const nothing = (name: string): CheckResult => ({ name, checked: 0, wrong: 0, example: null });

function sumOf(before: CheckResult | undefined, { name, checked, wrong, example }: CheckResult): CheckResult {
  const { checked: rows, wrong: bad, example: first } = before ?? nothing(name);
  return { name, checked: rows + checked, wrong: bad + wrong, example: first ?? example };
}

/** The range in parts of a few thousand rows. */
async function* partsOf(transaction: Queryable, table: KeyedTable, range: CheckRange): AsyncGenerator<CheckRange> {
  let after = { merchantId: range.afterMerchant, id: range.afterId };
  for (;;) {
    const next = await findKeyBehind(transaction, table, after, FULL_PART_ROWS);
    const isLast = next === null || next.merchantId > range.lastMerchant;
    const last = isLast ? { merchantId: range.lastMerchant, id: range.lastId } : next;
    yield {
      ...range,
      afterMerchant: after.merchantId,
      afterId: after.id,
      lastMerchant: last.merchantId,
      lastId: last.id,
    };
    if (isLast) return;
    after = last;
  }
}

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
      const sums = new Map<string, CheckResult>();
      const add = (results: readonly CheckResult[]) => {
        for (const result of results) sums.set(result.name, sumOf(sums.get(result.name), result));
      };
      for (const [index, checkGroup] of FULL_ONLY.entries()) {
        onProgress(index, checkGroup.names[0] ?? "");
        add(await runGroup(transaction, checkGroup, { ...range }));
      }
      // A connection keeps its plans, so the other statements need the same ones as in the background. They get a part of the rows
      // each, so that none of them takes longer than a statement may.
      await useIndexes(transaction);
      for (const [index, table] of KEYED_TABLES.entries()) {
        for await (const part of partsOf(transaction, table, range)) {
          onProgress(
            FULL_ONLY.length + index,
            `${table}, ${sums.get(WALKED[table][0].names[0] ?? "")?.checked ?? 0} rows`,
          );
          for (const checkGroup of WALKED[table]) add(await runGroup(transaction, checkGroup, { ...part }));
        }
      }
      const endMs = performance.now() + chainMaxMs;
      const chains = await verifyChains(transaction, chain, range, endMs, async (part) => {
        onProgress(FULL_STEPS - 1, `journal, ${sums.get(WALKED.journal[0].names[0] ?? "")?.checked ?? 0} rows`);
        for (const checkGroup of WALKED.journal) add(await runGroup(transaction, checkGroup, { ...part }));
      });
      const results = [...FULL_NAMES.map((name) => sums.get(name) ?? nothing(name)), chains];
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
  onPage: (part: CheckRange) => Promise<void> = async () => {},
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
    const { merchantId, id, position } = page.state.place;
    if (page.entries.length > 0) {
      await onPage({
        afterMerchant: state.place.merchantId,
        afterId: state.place.id,
        afterPosition: state.place.position,
        lastMerchant: merchantId,
        lastId: id,
        lastPosition: position,
      });
    }
    checked += page.entries.length;
    state = page.state;
    if (page.entries.length < CHAIN_PAGE_ROWS) return { name: CHAIN_CHECK, checked, wrong, example };
    if (performance.now() >= endMs) {
      fail("OVERLOADED", "The journals are too long to be checked while you wait. Use npx @matchbook/server verify.");
    }
  }
}
