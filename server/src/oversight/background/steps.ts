// The background audit, one short transaction at a time. A step that is lost is done again: how far the audit has come is written
// in the same transaction.
//
// `auditNews` goes through all campaigns and checks the rows of their journals that are new, and the participants they name. Its
// work grows with what is new. `auditAgain` reads a table from its start to its end, a few rows at a time, so that damage to old
// rows is found, too.
import type { JournalChain } from "../../campaigns/journal/chain.ts";
import type { Clock } from "../../clock.ts";
import { LOCK_KEYS, tryLock } from "../../db/locks.ts";
import { useIndexes } from "../../db/plans.ts";
import type { Database, Queryable, Value } from "../../db/pool.ts";
import {
  AUDIT_AGAIN_INTERVAL_MS,
  AUDIT_CAMPAIGN_ROWS,
  AUDIT_CAMPAIGNS_PER_STEP,
  AUDIT_FINDINGS_MAX,
  AUDIT_NEWS_INTERVAL_MS,
  AUDIT_ROUND_INTERVAL_MS,
  AUDIT_ROWS_PER_STEP,
  AUDIT_STATEMENT_TIMEOUT_MS,
} from "../../limits.ts";
import { CHAIN_CHECK, NEWS, WALKED } from "../checks/checks.ts";
import { type ChainPage, checkChainPage, startChain } from "../checks/journal-chain.ts";
import { type CheckRange, FIRST_ID, LAST_ID } from "../checks/record.ts";
import { type CheckResult, runGroup } from "../checks/run-queries.ts";
import { detailOf } from "../invariants.ts";
import { listJournalEnds, listOldDigests, writeCheckpoint } from "./checkpoint-queries.ts";
import {
  addChecked,
  deleteFinding,
  findKeyBehind,
  findWalk,
  type KeyedTable,
  listFindings,
  writeFinding,
  writeWalk,
} from "./queries.ts";
import type { Finding, FindingScope, JournalEnd, Walk } from "./record.ts";

export interface AuditDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly chain: JournalChain;
}

/** `more`: there is more to do now. `idle`: nothing is due, or another process is at it. */
export type StepOutcome = "more" | "done" | "idle";

type Values = Readonly<Record<string, Value>>;

export const NEWS_WALK = "news";
const EMPTY = Buffer.alloc(0);

/** The results of a step, with what each was asked about. */
type Judged = readonly { readonly result: CheckResult; readonly scope: FindingScope | null }[];

async function step(
  { db, clock }: AuditDependencies,
  name: string,
  work: (transaction: Queryable, walk: Walk, now: Date) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  return db.transaction(
    async (transaction) => {
      if (!(await tryLock(transaction, LOCK_KEYS.backgroundAudit))) return "idle";
      await useIndexes(transaction);
      const now = clock();
      const walk = (await findWalk(transaction, name)) ?? newWalk(name, now);
      return now < walk.nextDate
        ? "idle"
        : work(transaction, isAtStart(walk) ? { ...walk, beginDate: now } : walk, now);
    },
    { isolation: "repeatable read", statementTimeoutMs: AUDIT_STATEMENT_TIMEOUT_MS },
  );
}

function newWalk(name: string, now: Date): Walk {
  return { name, ...START, oldDigest: EMPTY, beginDate: now, doneBeginDate: null, nextDate: now };
}

const START = { merchantId: FIRST_ID, id: FIRST_ID, position: 0 };

const isAtStart = ({ id, position }: Walk) => id === FIRST_ID && position === 0;

const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

/** The next campaigns that have something new: at most a page of rows of their journals. */
export function auditNews(dependencies: AuditDependencies): Promise<StepOutcome> {
  return step(dependencies, NEWS_WALK, async (transaction, walk, now) => {
    if (isAtStart(walk)) await lookAgain(transaction, dependencies.chain, now);
    const ends = await listJournalEnds(transaction, walk, AUDIT_CAMPAIGNS_PER_STEP);
    let rowsLeft = AUDIT_ROWS_PER_STEP;
    let reached = { merchantId: walk.merchantId, id: walk.id };
    for (const end of ends) {
      if (rowsLeft <= 0) break;
      const { rows, isDone } = await checkJournalEnd(transaction, dependencies.chain, end, rowsLeft, now);
      rowsLeft -= rows;
      if (!isDone) break;
      reached = { merchantId: end.merchantId, id: end.id };
    }
    const isLast = ends.length < AUDIT_CAMPAIGNS_PER_STEP && (ends.at(-1)?.id ?? reached.id) === reached.id;
    if (!isLast) {
      await writeWalk(transaction, { ...walk, ...reached });
      return "more";
    }
    const nextDate = later(walk.beginDate, AUDIT_NEWS_INTERVAL_MS);
    await writeWalk(transaction, { ...walk, ...START, doneBeginDate: walk.beginDate, nextDate });
    return "done";
  });
}

async function checkJournalEnd(
  transaction: Queryable,
  chain: JournalChain,
  end: JournalEnd,
  rowsMax: number,
  now: Date,
): Promise<{ rows: number; isDone: boolean }> {
  const { merchantId, id, journalLength, checkedPosition, chainedAfter } = end;
  const isChained = journalLength > chainedAfter;
  if (journalLength === checkedPosition && (!isChained || end.digest.equals(end.checkedDigest))) {
    return { rows: 0, isDone: true };
  }
  const lastPosition = Math.max(checkedPosition, Math.min(journalLength, checkedPosition + rowsMax));
  const range: CheckRange = {
    afterMerchant: merchantId,
    afterId: id,
    afterPosition: checkedPosition,
    lastMerchant: merchantId,
    lastId: id,
    lastPosition,
  };
  // The chain goes on from what was checked, not from what is stored now.
  const place = { merchantId, id, position: checkedPosition };
  const start = { ...(await startChain(transaction, place, end.oldDigest)), digest: end.checkedDigest };
  const page = await checkChainPage(transaction, chain, start, range, rowsMax);
  const ids = [...new Set(page.entries.map(({ entry }) => entry.participantId))];
  const isDone = lastPosition >= journalLength;
  const judged: Judged = [
    { result: chainResult(page), scope: { ...range } },
    ...(await judge(transaction, WALKED.journal, { ...range })),
    ...(ids.length === 0 ? [] : await judge(transaction, NEWS.participants, { merchantId, ids })),
    ...(isDone ? await judge(transaction, WALKED.campaigns, { ...range, ...keyBefore(merchantId, id) }) : []),
  ];
  await record(transaction, judged, now);
  // A journal that is not what was checked keeps its checkpoint: otherwise the next rows would make the break look repaired.
  if (page.problems.length > 0) return { rows: Math.max(page.entries.length, AUDIT_CAMPAIGN_ROWS), isDone: true };
  await writeCheckpoint(
    transaction,
    {
      merchantId,
      campaignId: id,
      position: lastPosition,
      digest: page.state.digest,
      oldPosition: Math.min(lastPosition, chainedAfter),
      oldDigest: page.state.oldDigest,
    },
    now,
  );
  // A campaign takes several statements, also for one row.
  return { rows: Math.max(page.entries.length, AUDIT_CAMPAIGN_ROWS), isDone };
}

/** The key right in front of this one, since a range begins behind its first key. */
function keyBefore(merchantId: string, id: string) {
  const before = (BigInt(`0x${id.replaceAll("-", "")}`) - 1n).toString(16).padStart(32, "0");
  return { afterMerchant: merchantId, afterId: before.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") };
}

/** The next rows of a table, from where the last step stopped. */
export function auditAgain(dependencies: AuditDependencies, table: keyof typeof WALKED): Promise<StepOutcome> {
  return step(dependencies, table, async (transaction, walk, now) => {
    const next =
      table === "journal"
        ? await readJournalAgain(transaction, dependencies.chain, walk, now)
        : await readAgain(transaction, table, walk, now);
    if (next !== null) {
      await writeWalk(transaction, { ...walk, ...next, nextDate: later(now, AUDIT_AGAIN_INTERVAL_MS) });
      return "more";
    }
    const round = { ...START, oldDigest: EMPTY, doneBeginDate: walk.beginDate };
    await writeWalk(transaction, { ...walk, ...round, nextDate: later(now, AUDIT_ROUND_INTERVAL_MS) });
    return "done";
  });
}

/** Null at the end of the table. */
async function readAgain(transaction: Queryable, table: KeyedTable, walk: Walk, now: Date) {
  const next = await findKeyBehind(transaction, table, walk, AUDIT_ROWS_PER_STEP);
  const last = next ?? { merchantId: LAST_ID, id: LAST_ID };
  const range = { ...rangeAfter(walk), lastMerchant: last.merchantId, lastId: last.id };
  await record(transaction, await judge(transaction, WALKED[table], range), now);
  return next;
}

function rangeAfter({ merchantId, id, position }: Pick<Walk, "merchantId" | "id" | "position">): CheckRange {
  return {
    afterMerchant: merchantId,
    afterId: id,
    afterPosition: position,
    lastMerchant: LAST_ID,
    lastId: LAST_ID,
    lastPosition: Number.MAX_SAFE_INTEGER,
  };
}

async function readJournalAgain(transaction: Queryable, chain: JournalChain, walk: Walk, now: Date) {
  const start = await startChain(transaction, walk, walk.oldDigest);
  const page = await checkChainPage(transaction, chain, start, rangeAfter(walk), AUDIT_ROWS_PER_STEP);
  const { place, oldDigest } = page.state;
  const range = {
    ...rangeAfter(walk),
    lastMerchant: place.merchantId,
    lastId: place.id,
    lastPosition: place.position,
  };
  if (page.entries.length > 0) {
    const judged = await judge(transaction, WALKED.journal, range);
    await record(transaction, [{ result: chainResult(page), scope: range }, ...judged], now);
    await compareOldRows(transaction, page, now);
  }
  return page.entries.length < AUDIT_ROWS_PER_STEP ? null : { ...place, oldDigest };
}

/** Rows from before the chain have no digests. They must be what they were when they were first checked. */
async function compareOldRows(transaction: Queryable, page: ChainPage, now: Date): Promise<void> {
  for (const { place, digest } of page.oldDigests) {
    const { merchantId, id, position } = place;
    const known = await listOldDigests(transaction, { afterMerchant: merchantId, lastMerchant: merchantId });
    const before = known.get(id);
    if (before === undefined || before.position !== position) continue;
    const finding = { checkName: CHAIN_CHECK, subject: `${id} up to position ${position}` };
    const detail = `The rows of ${id} up to position ${position}, from before the chain, were changed`;
    if (before.digest.equals(digest)) await deleteFinding(transaction, finding);
    else await writeFinding(transaction, { ...finding, scope: null, detail }, now);
  }
}

function chainResult({ entries, problems }: ChainPage): CheckResult {
  const [first] = problems;
  const example = first === undefined ? null : `${first.place.id} position ${first.place.position} ${first.problem}`;
  return { name: CHAIN_CHECK, checked: entries.length, wrong: problems.length, example };
}

async function judge(
  transaction: Queryable,
  groups: readonly Parameters<typeof runGroup>[1][],
  values: Values,
): Promise<Judged> {
  const judged: { result: CheckResult; scope: FindingScope }[] = [];
  for (const checkGroup of groups) {
    const results = await runGroup(transaction, checkGroup, values);
    judged.push(...results.map((result) => ({ result, scope: values })));
  }
  return judged;
}

async function record(transaction: Queryable, judged: Judged, now: Date): Promise<void> {
  await addChecked(
    transaction,
    judged.map(({ result }) => result),
    now,
  );
  for (const { result, scope } of judged) {
    if (result.wrong === 0) continue;
    const subject = result.example ?? "";
    await writeFinding(transaction, { checkName: result.name, subject, scope, detail: detailOf(result) }, now);
  }
}

/** Looks again at what was wrong, and forgets what has been repaired. */
async function lookAgain(transaction: Queryable, chain: JournalChain, now: Date): Promise<void> {
  for (const finding of await listFindings(transaction, AUDIT_FINDINGS_MAX)) {
    if (finding.scope === null) continue;
    const result = await judgeFinding(transaction, chain, finding.checkName, finding.scope);
    if (result === null || result.wrong === 0) await deleteFinding(transaction, finding);
    else await writeFinding(transaction, { ...finding, detail: detailOf(result) }, now);
  }
}

async function judgeFinding(
  transaction: Queryable,
  chain: JournalChain,
  checkName: Finding["checkName"],
  scope: FindingScope,
): Promise<CheckResult | null> {
  if (checkName === CHAIN_CHECK) {
    const { afterMerchant, afterId, afterPosition } = scope;
    const place = { merchantId: String(afterMerchant), id: String(afterId), position: Number(afterPosition) };
    const start = await startChain(transaction, place);
    const range = { ...rangeAfter(place), ...scope } as CheckRange;
    return chainResult(await checkChainPage(transaction, chain, start, range, AUDIT_ROWS_PER_STEP));
  }
  const groups = "ids" in scope ? NEWS.participants : Object.values(WALKED).flat();
  const checkGroup = groups.find(({ names }) => names.includes(checkName));
  if (checkGroup === undefined) return null; // The check of an older version of the program.
  const results = await runGroup(transaction, checkGroup, scope);
  return results.find(({ name }) => name === checkName) ?? null;
}
