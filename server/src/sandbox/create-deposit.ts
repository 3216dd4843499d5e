import assert from "node:assert";
import { randomUUID } from "node:crypto";
import type { Actor } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { findDeposit } from "../deposits/deposit-queries.ts";
import { ingest, readEvent } from "../deposits/ingest.ts";
import type { ShownDeposit } from "../deposits/record.ts";
import { fail } from "../http/errors.ts";
import type { TestDepositRequest } from "./schemas.ts";

export const TEST_CHAIN_ID = 84_532;
export const TEST_TOKEN = { symbol: "USDC", address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" };

export interface TestDepositDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly payersKey: Buffer;
}

/** Stores a deposit by the same rules as the hosted flow's reports. */
export async function createTestDeposit(
  { db, clock, payersKey }: TestDepositDependencies,
  merchantId: string,
  request: TestDepositRequest,
  actor: Actor,
): Promise<ShownDeposit> {
  const id = request.id ?? `dep_${randomUUID()}`;
  const date = clock();
  const now = date.toISOString();
  // A deposit's createDate never changes, so a repeated call keeps the first one.
  const known = request.id === undefined ? null : await findDeposit(db, merchantId, id);
  const createDate = request.createDate ?? known?.createDate ?? now;
  const event = readEvent(payersKey, {
    state: "COMPLETED",
    amount: { value: "100.00", currency: "USD" },
    chainId: TEST_CHAIN_ID,
    token: TEST_TOKEN,
    // One wallet is one user unless the caller gives a payerId.
    payerId: `test payer of ${request.embeddedWalletAddress.toLowerCase()}`,
    // A back-dated deposit settles at its createDate. A later state is dated now.
    updateDate: known === null ? createDate : now,
    ...request,
    id,
    merchantId,
    createDate,
  });
  const [result] = await ingest(db, [event], { actor, date, partial: true });
  // The message of a batch would name the event's position. Here there is only one event.
  if (result?.outcome === "refused") fail(result.error.code, result.error.message);
  const deposit = await findDeposit(db, merchantId, id);
  assert(deposit !== null, "the deposit was stored");
  return deposit;
}
