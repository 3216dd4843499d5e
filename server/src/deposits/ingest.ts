import assert from "node:assert";
import { randomInt, randomUUID } from "node:crypto";
import type { Static } from "typebox";
import { parseUsd } from "../amounts.ts";
import type { Actor, Audit } from "../audit/audit.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { AppError, type ErrorCode, errors } from "../http/errors.ts";
import { readInstant } from "../instants.ts";
import { DEPOSIT_DAY_SHARDS } from "../limits.ts";
import { insertBatch, insertCreations, insertEvents } from "./event-queries.ts";
import { STATUS_OF_STATE } from "./merge.ts";
import { userIdOf } from "./payers.ts";
import {
  addToDays,
  addToUsers,
  findDeposits,
  insertDeposits,
  insertWallets,
  listApprovedMerchants,
  lockDeposits,
  updateDeposits,
} from "./queries.ts";
import type { Deposit, DepositBatch, DepositKey, KeptEvent, StoredDeposit } from "./record.ts";
import {
  type BatchItem,
  findProblem,
  foldNew,
  type IngestResult,
  isAboutDeposit,
  isReadable,
  keyOf,
  type Refusal,
  replay,
} from "./replay.ts";
import { dayDeltas, userDeltas, userWallets } from "./rollups.ts";
import type { DepositEvent } from "./schemas.ts";

/** Who sent a batch, when it came, and how it is taken. */
export interface Delivery {
  readonly actor: Actor;
  readonly date: Date;
  /** Take the good events and refuse the others one by one. Without it, a batch is stored whole or not at all. */
  readonly partial?: boolean;
  /** With it, the batch is one row of the audit log. The hash is that of the request's body as it was received. */
  readonly trail?: { readonly audit: Audit; readonly bodySha256: string };
}

/** Some events cannot be stored, so none is. The message names one of them; the details list all. */
class RefusedDepositsError extends AppError {
  readonly results: readonly IngestResult[];

  constructor(results: readonly IngestResult[]) {
    const details = results.flatMap((result, index) =>
      result.outcome === "refused" ? [{ index, id: result.id, ...result.error }] : [],
    );
    // Order in the catalogue is precedence.
    const first = CODES.map((code) => details.find((detail) => detail.code === code)).find((found) => found);
    assert(first !== undefined);
    const others = details.length === 1 ? "" : ` ${details.length - 1} more items of the batch are refused, too.`;
    super(first.code, `deposits[${first.index}] (id ${first.id}): ${first.message}${others}`, {}, details);
    this.results = results;
  }
}

const CODES = Object.keys(errors) as ErrorCode[];

/**
 * The deposit that an event reports, after every check that needs no database. The payer reference goes no further than
 * this: from here on there is only the user id made from it. `path` is the event's place in the request, for messages.
 */
export function readEvent(payersKey: Buffer, event: Static<typeof DepositEvent>, path = ""): Deposit {
  const merchantId = event.merchantId.toLowerCase();
  return {
    merchantId,
    id: event.id,
    userId: userIdOf(payersKey, merchantId, event.payerId),
    status: STATUS_OF_STATE[event.state],
    amountMicros: parseUsd(event.amount.value, `${path}amount.value`),
    chainId: event.chainId,
    tokenSymbol: event.token.symbol,
    tokenAddress: event.token.address,
    walletAddress: event.embeddedWalletAddress,
    createDate: readInstant(event.createDate, `${path}createDate`),
    updateDate: readInstant(event.updateDate, `${path}updateDate`),
  };
}

/**
 * Stores a batch of events, in order. It also updates the users' figures and wallets, and the days, and keeps every event.
 * Repeating a batch changes no deposit. The number of statements depends neither on the batch's size nor on its merchants or
 * their campaigns.
 */
export async function ingest(
  db: Database,
  items: readonly BatchItem[],
  delivery: Delivery,
): Promise<readonly IngestResult[]> {
  if (items.length === 0) return [];
  try {
    return await db.transaction((transaction) => store(transaction, items, delivery));
  } catch (error) {
    if (error instanceof RefusedDepositsError) await keepRefused(db, items, error.results, delivery);
    throw error;
  }
}

async function store(
  transaction: Queryable,
  items: readonly BatchItem[],
  delivery: Delivery,
): Promise<readonly IngestResult[]> {
  const approved = await readApproved(transaction, items);
  const problems = new Map<number, Refusal>();
  for (const [index, item] of items.entries()) {
    const problem = isReadable(item) ? findProblem(item, approved, delivery.date) : null;
    if (problem !== null) problems.set(index, problem);
  }
  const events = items.filter((item, index) => isReadable(item) && !problems.has(index)) as Deposit[];
  const others = items.filter((item, index) => !isReadable(item) || problems.has(index)).filter(isAboutDeposit);
  const batch = batchOf(delivery);
  const stored = await storeNew(transaction, events, others, batch.id);
  const { results, changes } = replay(items, problems, stored);
  if (delivery.partial !== true && results.some(({ outcome }) => outcome === "refused")) {
    throw new RefusedDepositsError(results);
  }

  const updated = changes.filter(({ before }) => before !== null).map(({ after }) => after);
  const created = changes.filter(({ before }) => before === null).map(({ after }) => after);
  if (updated.length > 0) await insertCreations(transaction, updated);
  if (updated.length > 0) await updateDeposits(transaction, updated);
  const newWallets = created.length > 0 ? await insertWallets(transaction, userWallets(created)) : [];
  if (changes.length > 0)
    assert(await addToUsers(transaction, userDeltas(changes, newWallets)), "a user's figures fell below zero");
  if (changes.length > 0) await addToDays(transaction, dayDeltas(changes), randomInt(DEPOSIT_DAY_SHARDS));
  await insertBatch(transaction, batch);
  const known = new Set([...stored].flatMap(([key, before]) => (before === null ? [] : [key])));
  const kept = eventsOf(items, results, approved, known, delivery.date);
  if (kept.length > 0) await insertEvents(transaction, batch.id, kept);
  // This comes last: it locks the end of the log, which every other audit row waits for.
  await recordBatch(transaction, results, delivery);
  return results;
}

/** The merchants of the batch that were ever approved. */
async function readApproved(db: Queryable, items: readonly BatchItem[]): Promise<ReadonlySet<string>> {
  const merchantIds = new Set(items.filter(isAboutDeposit).map(({ merchantId }) => merchantId));
  return new Set(merchantIds.size === 0 ? [] : await listApprovedMerchants(db, [...merchantIds]));
}

/** Every deposit of the batch as it was before: null for one that this call has just stored. `others` are about deposits, too. */
async function storeNew(
  transaction: Queryable,
  events: readonly Deposit[],
  others: readonly DepositKey[],
  batchId: string,
): Promise<Map<string, StoredDeposit | null>> {
  const folded = foldNew(events);
  const created = events.length === 0 ? [] : await insertDeposits(transaction, [...folded.values()], batchId);
  const inserted = new Set(created.map(keyOf));
  // In the order of the batch, so that a wallet keeps the spelling that was reported first.
  const stored = new Map<string, StoredDeposit | null>(
    [...folded.keys()].filter((key) => inserted.has(key)).map((key) => [key, null]),
  );
  const existing = [...folded.values(), ...others].filter((deposit) => !inserted.has(keyOf(deposit)));
  if (existing.length > 0) {
    await lockDeposits(transaction, existing);
    for (const deposit of await findDeposits(transaction, existing)) stored.set(keyOf(deposit), deposit);
  }
  return stored;
}

function batchOf({ actor, date }: Delivery): DepositBatch {
  return { id: actor.requestId ?? randomUUID(), date, actor: actor.name };
}

const SAYS_NOTHING = { status: null, amountMicros: null, updateDate: null };

// Far below every number of an event that a stored deposit has, and within the exact integers.
const BEFORE_STORED = -9_000_000_000_000_000;

/**
 * The events as they are kept; `known` are the deposits that were there before. The event that created a deposit is kept when the
 * deposit changes. An item that does not say which deposit of which merchant of ours it is about belongs nowhere.
 */
function eventsOf(
  items: readonly BatchItem[],
  results: readonly IngestResult[],
  approved: ReadonlySet<string>,
  known: ReadonlySet<string>,
  date: Date,
): KeptEvent[] {
  const exists = new Set(known);
  const updated = new Set(
    items.flatMap((item, index) => (isReadable(item) && results[index]?.outcome === "updated" ? [keyOf(item)] : [])),
  );
  return items.flatMap((item, index): KeptEvent[] => {
    const result = results[index];
    if (result === undefined || !isAboutDeposit(item) || !approved.has(item.merchantId)) return [];
    const { merchantId, id: depositId } = item;
    const { outcome } = result;
    const key = keyOf(item);
    if (outcome === "created") exists.add(key);
    if (outcome === "created" && !updated.has(key)) return [];
    const { code, message } = outcome === "refused" ? result.error : { code: null, message: null };
    const { status, amountMicros, updateDate } = outcome === "unchanged" || !isReadable(item) ? SAYS_NOTHING : item;
    const before = exists.has(key) ? null : BEFORE_STORED + date.getTime() * 1_000 + index;
    const ordinal = outcome === "created" ? 1 : before;
    return [{ merchantId, depositId, ordinal, outcome, status, amountMicros, updateDate, code, reason: message }];
  });
}

/**
 * Keeps the refused events of a batch that was not stored, in a transaction of its own. The others were not judged, and come
 * again. The answer does not depend on this, so a failure is left alone.
 */
async function keepRefused(
  db: Database,
  items: readonly BatchItem[],
  results: readonly IngestResult[],
  delivery: Delivery,
): Promise<void> {
  const isRefused = (_: unknown, index: number) => results[index]?.outcome === "refused";
  const refused = items.filter(isRefused);
  try {
    await db.transaction(async (transaction) => {
      const approved = await readApproved(transaction, refused);
      const about = refused.filter(isAboutDeposit).filter(({ merchantId }) => approved.has(merchantId));
      if (about.length === 0) return;
      const known = new Set((await lockDeposits(transaction, about)).map(keyOf));
      const batch = batchOf(delivery);
      await insertBatch(transaction, batch);
      const kept = eventsOf(refused, results.filter(isRefused), approved, known, delivery.date);
      await insertEvents(transaction, batch.id, kept);
    });
  } catch {}
}

async function recordBatch(
  transaction: Queryable,
  results: readonly IngestResult[],
  { actor, date, trail }: Delivery,
): Promise<void> {
  if (trail === undefined) return;
  const { audit, bodySha256 } = trail;
  const countOf = (outcome: IngestResult["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  await audit.record(transaction, {
    actor,
    action: "deposits.ingest",
    subject: bodySha256,
    merchantId: null,
    detail: {
      received: results.length,
      created: countOf("created"),
      updated: countOf("updated"),
      unchanged: countOf("unchanged"),
      stale: countOf("stale"),
      refused: countOf("refused"),
      bodySha256,
    },
    date,
  });
}
