// What a batch of events does to the deposits it is about, event by event. An event that is refused changes nothing, and those
// after it are applied as if it had not come.
import assert from "node:assert";
import type { ErrorCode } from "../http/errors.ts";
import { EVENT_AHEAD_MAX_MS, HOUR_MS } from "../limits.ts";
import { applyEvent, type EventOutcome, findConflict } from "./merge.ts";
import type { Deposit, DepositKey, DepositStatus, StoredDeposit } from "./record.ts";
import type { DepositChange } from "./rollups.ts";

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** An item of a batch that is no event. */
export interface Unreadable {
  /** What it calls its id and its merchant, if these can be. */
  readonly id: string | null;
  readonly merchantId: string | null;
  readonly refusal: Refusal;
}

export type BatchItem = Deposit | Unreadable;

export interface AcceptedEvent {
  readonly id: string;
  readonly userId: string;
  /** The deposit's status after this event. */
  readonly status: DepositStatus;
  readonly outcome: EventOutcome;
}

export interface RefusedEvent {
  readonly id: string | null;
  readonly outcome: "refused";
  readonly error: Refusal;
}

export type IngestResult = AcceptedEvent | RefusedEvent;

export function isReadable(item: BatchItem): item is Deposit {
  return !("refusal" in item);
}

/** Whether it says which deposit it is about. */
export function isAboutDeposit(item: BatchItem): item is BatchItem & DepositKey {
  return item.id !== null && item.merchantId !== null;
}

/** What is wrong with an event, as far as that does not depend on its deposit, or null. */
export function findProblem(event: Deposit, approved: ReadonlySet<string>, now: Date): Refusal | null {
  if (!approved.has(event.merchantId)) {
    return { code: "MERCHANT_NOT_FOUND", message: "no approved merchant has this merchantId." };
  }
  const latestMs = now.getTime() + EVENT_AHEAD_MAX_MS;
  const field = (["createDate", "updateDate"] as const).find((name) => event[name].getTime() > latestMs);
  if (field === undefined) return null;
  const hours = EVENT_AHEAD_MAX_MS / HOUR_MS;
  const message = `${field} must be at most ${hours} hours ahead. The time here is ${now.toISOString()}.`;
  return { code: "VALIDATION_ERROR", message };
}

function refuseConflict(before: StoredDeposit | null, event: Deposit): Refusal | null {
  const field = before === null ? null : findConflict(before, event);
  if (field === null) return null;
  return {
    code: "DEPOSIT_CONFLICT",
    message: `${field} differs from what was reported before. A deposit's payer, chain, wallet, token and createDate never change.`,
  };
}

/** Every deposit of these events as it is stored if none of them is known yet. */
export function foldNew(events: readonly Deposit[]): Map<string, StoredDeposit> {
  const folded = new Map<string, StoredDeposit>();
  for (const event of events) {
    const before = folded.get(keyOf(event)) ?? null;
    if (refuseConflict(before, event) === null) folded.set(keyOf(event), applyEvent(before, event).deposit);
  }
  return folded;
}

/**
 * The result of each item, and the deposits that changed. `problems` are those of `findProblem`, by index. `stored` has the deposit
 * of every other event: null for one that this batch creates.
 */
export function replay(
  items: readonly BatchItem[],
  problems: ReadonlyMap<number, Refusal>,
  stored: ReadonlyMap<string, StoredDeposit | null>,
): { results: IngestResult[]; changes: DepositChange[] } {
  const current = new Map(stored);
  const results = items.map((item, index): IngestResult => {
    const { id } = item;
    const problem = isReadable(item) ? problems.get(index) : item.refusal;
    if (problem !== undefined || !isReadable(item)) return { id, outcome: "refused", error: problem as Refusal };
    const key = keyOf(item);
    const before = current.get(key);
    assert(before !== undefined, "every deposit of the batch was stored or found");
    const conflict = refuseConflict(before, item);
    if (conflict !== null) return { id, outcome: "refused", error: conflict };
    const { deposit, outcome } = applyEvent(before, item);
    current.set(key, deposit);
    return { id: item.id, userId: deposit.userId, status: deposit.status, outcome };
  });
  const changes: DepositChange[] = [];
  for (const [key, before] of stored) {
    const after = current.get(key);
    assert(after !== undefined && after !== null);
    if (after !== before) changes.push({ before, after });
  }
  return { results, changes };
}

export function keyOf({ merchantId, id }: { merchantId: string; id: string }): string {
  return `${merchantId}/${id}`;
}
