// Operators overrule the hosted flow: they set the status of a deposit, and it stays until an operator changes it. Events are
// still merged and kept. Matches never fall; qualification follows the deposits.
import assert from "node:assert";
import { randomInt, randomUUID } from "node:crypto";
import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import { fail } from "../http/errors.ts";
import { DEPOSIT_DAY_SHARDS } from "../limits.ts";
import { findDeposit } from "./deposit-queries.ts";
import { insertBatch, insertCreations, insertEvents } from "./event-queries.ts";
import { overrule, STATUS_OF_STATE } from "./merge.ts";
import { presentUsd } from "./present.ts";
import { addToDays, addToUsers, findDeposits, lockDeposits, updateDeposits } from "./queries.ts";
import type { DepositKey, ShownDeposit } from "./record.ts";
import { dayDeltas, userDeltas } from "./rollups.ts";
import type { OverruleRequest } from "./schemas.ts";

/** The same state again changes nothing and writes nothing. */
export async function overruleDeposit(
  { db, clock, audit }: ChangeDependencies,
  key: DepositKey,
  { state, reason }: OverruleRequest,
  actor: Actor,
): Promise<ShownDeposit> {
  return db.transaction(async (transaction) => {
    await lockDeposits(transaction, [key]);
    const [before] = await findDeposits(transaction, [key]);
    if (before === undefined) fail("DEPOSIT_NOT_FOUND");
    const after = overrule(before, state === null ? null : STATUS_OF_STATE[state]);
    const read = async () => (await findDeposit(transaction, key.merchantId, key.id)) ?? fail("DEPOSIT_NOT_FOUND");
    if (after === before) return read();
    const { amountMicros, chainId, walletAddress, reportedStatus: reported } = before;
    const change = {
      status: { from: before.status, to: after.status },
      state,
      amount: presentUsd(amountMicros),
      chainId,
      walletAddress,
      reportedStatus: reported ?? before.status,
      reason,
    };
    await actor.review?.(transaction, { subject: key.id, merchantId: key.merchantId, change });
    const date = clock();
    const changes = [{ before, after }];
    await insertCreations(transaction, [key]);
    await updateDeposits(transaction, [after]);
    assert(await addToUsers(transaction, userDeltas(changes)), "a user's figures fell below zero");
    await addToDays(transaction, dayDeltas(changes), randomInt(DEPOSIT_DAY_SHARDS));
    const { merchantId, id, status, reportedStatus } = after;
    const batch = { id: actor.requestId ?? randomUUID(), date, actor: actor.name };
    await insertBatch(transaction, batch);
    await insertEvents(transaction, batch.id, [
      {
        merchantId,
        depositId: id,
        ordinal: null,
        outcome: state === null ? "released" : "overruled",
        status,
        amountMicros: null,
        updateDate: null,
        code: null,
        reason,
      },
    ]);
    const changed = await read();
    await audit.record(transaction, {
      actor,
      action: "deposit.overrule",
      subject: id,
      merchantId,
      detail: { from: before.status, to: status, reported: reportedStatus ?? status, state, reason },
      date,
    });
    return changed;
  });
}
