import assert from "node:assert";
import { randomInt } from "node:crypto";
import type { Static } from "typebox";
import { parseUsd } from "../amounts.ts";
import type { Actor, Audit } from "../audit/audit.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { AppError, type ErrorCode } from "../http/errors.ts";
import { readInstant } from "../instants.ts";
import { DEPOSIT_DAY_SHARDS } from "../limits.ts";
import { applyEvent, type EventOutcome, findConflict, STATUS_OF_STATE } from "./merge.ts";
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
import type { Deposit, DepositStatus } from "./record.ts";
import { type DepositChange, dayDeltas, userDeltas, userWallets } from "./rollups.ts";
import type { DepositEvent } from "./schemas.ts";

export interface IngestResult {
  readonly id: string;
  readonly userId: string;
  /** The deposit's status after this event. */
  readonly status: DepositStatus;
  readonly outcome: EventOutcome;
}

export interface RefusedDeposit {
  /** The event's place in the batch. */
  readonly index: number;
  readonly code: ErrorCode;
  readonly reason: string;
}

/** What a batch leaves in the audit log. */
export interface BatchTrail {
  readonly audit: Audit;
  readonly actor: Actor;
  readonly date: Date;
  /** The hash of the request's body as it was received. */
  readonly bodySha256: string;
}

/** Some events cannot be stored, so none is. The message names the first one; `problems` lists all of them. */
export class RefusedDepositsError extends AppError {
  readonly problems: readonly RefusedDeposit[];

  constructor(problems: readonly RefusedDeposit[], deposits: readonly Deposit[]) {
    const [first] = problems;
    assert(first !== undefined);
    const others = problems.length === 1 ? "" : ` ${problems.length - 1} more items of the batch are refused, too.`;
    super(first.code, `deposits[${first.index}] (id ${deposits[first.index]?.id}): ${first.reason}${others}`);
    this.problems = problems;
  }
}

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
 * Stores a whole batch of events, in order, or nothing of it. It also updates the users' figures and wallets, and the days.
 * Repeating a batch changes nothing. The number of statements depends neither on the batch's size nor on its merchants or
 * their campaigns. With a trail, it also writes one row to the audit log, in the same transaction.
 */
export async function ingest(db: Database, events: readonly Deposit[], trail?: BatchTrail): Promise<IngestResult[]> {
  if (events.length === 0) return [];
  return db.transaction(async (transaction) => {
    await checkMerchants(transaction, events);
    const stored = await storeNew(transaction, events);
    const { results, changes, problems } = replay(events, stored);
    if (problems.length > 0) throw new RefusedDepositsError(problems, events);

    const updated = changes.filter(({ before }) => before !== null).map(({ after }) => after);
    const created = changes.filter(({ before }) => before === null).map(({ after }) => after);
    if (updated.length > 0) await updateDeposits(transaction, updated);
    const newWallets = created.length > 0 ? await insertWallets(transaction, userWallets(created)) : [];
    if (changes.length > 0)
      assert(await addToUsers(transaction, userDeltas(changes, newWallets)), "a user's figures fell below zero");
    if (changes.length > 0) await addToDays(transaction, dayDeltas(changes), randomInt(DEPOSIT_DAY_SHARDS));
    // This comes last: it locks the end of the log, which every other audit row waits for.
    if (trail !== undefined) await recordBatch(transaction, results, trail);
    return results;
  });
}

async function recordBatch(
  transaction: Queryable,
  results: readonly IngestResult[],
  { audit, actor, date, bodySha256 }: BatchTrail,
): Promise<void> {
  const countOf = (outcome: EventOutcome) => results.filter((result) => result.outcome === outcome).length;
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
      // A batch with an event that is refused is not stored at all.
      refused: 0,
      bodySha256,
    },
    date,
  });
}

async function checkMerchants(transaction: Queryable, events: readonly Deposit[]): Promise<void> {
  const merchantIds = [...new Set(events.map((event) => event.merchantId))];
  const approved = new Set(await listApprovedMerchants(transaction, merchantIds));
  const problems = events.flatMap(({ merchantId }, index): RefusedDeposit[] =>
    approved.has(merchantId)
      ? []
      : [{ index, code: "MERCHANT_NOT_FOUND", reason: "no approved merchant has this merchantId." }],
  );
  if (problems.length > 0) throw new RefusedDepositsError(problems, events);
}

/** Every deposit of the batch as it was before: null for one that this call has just stored. */
async function storeNew(transaction: Queryable, events: readonly Deposit[]): Promise<Map<string, Deposit | null>> {
  const folded = new Map<string, Deposit>();
  for (const event of events) {
    folded.set(keyOf(event), applyEvent(folded.get(keyOf(event)) ?? null, event).deposit);
  }
  const inserted = new Set((await insertDeposits(transaction, [...folded.values()])).map(keyOf));
  // In the order of the batch, so that a wallet keeps the spelling that was reported first.
  const stored = new Map<string, Deposit | null>(
    [...folded.keys()].filter((key) => inserted.has(key)).map((key) => [key, null]),
  );
  const existing = [...folded.values()].filter((deposit) => !inserted.has(keyOf(deposit)));
  if (existing.length > 0) {
    await lockDeposits(transaction, existing);
    for (const deposit of await findDeposits(transaction, existing)) stored.set(keyOf(deposit), deposit);
  }
  return stored;
}

function replay(events: readonly Deposit[], stored: ReadonlyMap<string, Deposit | null>) {
  const current = new Map(stored);
  const problems: RefusedDeposit[] = [];
  const results = events.map((event, index): IngestResult => {
    const key = keyOf(event);
    const before = current.get(key);
    assert(before !== undefined, "every deposit of the batch was stored or found");
    const conflict = before === null ? null : findConflict(before, event);
    if (conflict !== null) {
      const reason = `${conflict} differs from what was reported before. A deposit's payer, chain, wallet, token and createDate never change.`;
      problems.push({ index, code: "DEPOSIT_CONFLICT", reason });
    }
    const { deposit, outcome } = applyEvent(before, event);
    current.set(key, deposit);
    return { id: event.id, userId: deposit.userId, status: deposit.status, outcome };
  });
  const changes: DepositChange[] = [];
  for (const [key, before] of stored) {
    const after = current.get(key);
    assert(after !== undefined && after !== null);
    if (after !== before) changes.push({ before, after });
  }
  return { results, changes, problems };
}

function keyOf({ merchantId, id }: { merchantId: string; id: string }): string {
  return `${merchantId}/${id}`;
}
