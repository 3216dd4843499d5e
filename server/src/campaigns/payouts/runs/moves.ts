// DRAFT → APPROVED → EXPORTED → SUBMITTED → SETTLED, or CANCELLED. Every move locks the run's campaigns, then the run.
import { problemWithTransactionHash } from "@matchbook/addresses";
import { chainOf } from "@matchbook/addresses/chains";
import type { Actor, ChangeDependencies, Proposal } from "../../../audit/audit.ts";
import type { Queryable } from "../../../db/pool.ts";
import { AppError, fail } from "../../../http/errors.ts";
import { presentAmount } from "../../present.ts";
import { hasNamedTransactions, nameTransactions } from "../proofs/queries.ts";
import { type ExportedFile, isForSafe, renderExport } from "./exports.ts";
import { type Judged, judgeResults, judgeSubmitted } from "./lines.ts";
import { lockCampaigns } from "./payable-queries.ts";
import { findMerchantOfRun, findRun, lockRun, recountRun, updateApproved, updateRunStatus } from "./queries.ts";
import type { ExportFormat, PayoutRun, RunRow, RunStatus } from "./record.ts";
import { countOutdated, listCampaignsOfRun, listPayments, listRows, moveRows } from "./row-queries.ts";
import type { CancelRunRequest, ResultsRequest, SubmitRunRequest } from "./schemas.ts";

export async function readRun(db: Queryable, runId: string): Promise<PayoutRun> {
  const merchantId = (await findMerchantOfRun(db, runId)) ?? fail("PAYOUT_RUN_NOT_FOUND");
  return (await findRun(db, merchantId, runId)) ?? fail("PAYOUT_RUN_NOT_FOUND");
}

export function approveRun(
  dependencies: ChangeDependencies,
  runId: string,
  actor: Actor,
  reason?: string,
): Promise<PayoutRun> {
  return change(dependencies, runId, actor, "approve", async ({ transaction, run, now }) => {
    allow(run, "approve", ["DRAFT"]);
    await checkCurrent(transaction, run);
    await actor.review?.(transaction, proposeApproval(run, reason));
    await updateApproved(transaction, run, { id: actor.tokenId ?? null, name: actor.name }, now);
    return { from: run.status, to: "APPROVED", reason };
  });
}

/** What a second person is shown. What a run pays never changes, so its id and these figures say all. */
function proposeApproval(run: PayoutRun, reason: string | undefined): Proposal {
  const { id, merchantId, campaignId, status, chainId, tokenAddress, reserved, note, createdBy } = run;
  const change = {
    status: { from: status, to: "APPROVED" },
    payouts: run.pendingCount,
    total: presentAmount(reserved, run),
    chainId,
    tokenAddress,
    campaignId,
    note,
    createdBy: createdBy.name,
    reason,
  };
  return { subject: id, merchantId, change, amount: { chainId, tokenAddress, value: reserved } };
}

/** Releases what the run reserved. Once it was exported somebody may have sent it, so that needs a person's word. */
export function cancelRun(
  dependencies: ChangeDependencies,
  runId: string,
  { confirmNotSent = false, reason }: CancelRunRequest,
  actor: Actor,
): Promise<PayoutRun> {
  return change(dependencies, runId, actor, "cancel", async ({ transaction, run, now }) => {
    allow(run, "cancel", ["DRAFT", "APPROVED", "EXPORTED"]);
    if (run.status === "EXPORTED" && (!confirmNotSent || reason === undefined)) {
      fail(
        "PAYOUT_RUN_TRANSITION_INVALID",
        "The run was exported, so it may have been sent. Cancel it with confirmNotSent: true and a reason if it was not.",
      );
    }
    const moves = (await listRows(transaction, run.merchantId, run.id)).map(({ payoutId }) => ({
      payoutId,
      status: "FAILED" as const,
      cancelled: true,
      transactionHash: null,
      reason: reason ?? null,
    }));
    await moveRows(transaction, run.merchantId, moves, now);
    await recountRun(transaction, run.merchantId, run.id, now);
    await updateRunStatus(transaction, run, "CANCELLED", now);
    return { from: run.status, to: "CANCELLED", confirmNotSent, reason };
  });
}

/** The same bytes every time. The first export moves the run: from then on it may have been sent. */
export async function exportRun(
  dependencies: ChangeDependencies,
  runId: string,
  format: ExportFormat,
  actor: Actor,
): Promise<ExportedFile> {
  const exported = await change(dependencies, runId, actor, "export", async ({ transaction, run, now }) => {
    allow(run, "export", ["APPROVED", "EXPORTED", "SUBMITTED", "SETTLED"]);
    if (isForSafe(format) && !chainOf(run.chainId).isEvm) {
      fail("VALIDATION_ERROR", "format must be csv or json: Safe's tools know EVM chains alone.");
    }
    if (run.status === "APPROVED") {
      await checkCurrent(transaction, run);
      await updateRunStatus(transaction, run, "EXPORTED", now);
    }
    return { format };
  });
  // What is rendered never changes, so no lock is held for it.
  const payments = await listPayments(dependencies.db, exported.merchantId, runId);
  return renderExport(exported, payments, format);
}

/** Changes of a run need to know which chains are looked at. */
export interface SubmitDependencies extends ChangeDependencies {
  readonly provenChains: ReadonlySet<number>;
}

/**
 * Records the transactions that were sent: one for every row, or one for each of the rows that are named. With several for all
 * rows, the proof on the chain says which of them paid a row. More of them can be added later.
 */
export function submitRun(
  dependencies: SubmitDependencies,
  runId: string,
  { transactionHashes, payouts }: SubmitRunRequest,
  actor: Actor,
): Promise<PayoutRun> {
  if ((transactionHashes === undefined) === (payouts === undefined)) {
    fail("VALIDATION_ERROR", "Send either transactionHashes or payouts.");
  }
  const [transactionHash = "", ...more] = transactionHashes ?? [];
  return change(dependencies, runId, actor, "submit", async ({ transaction, run, now }) => {
    allow(run, "submit", ["EXPORTED", "SUBMITTED"]);
    const rows = await listRows(transaction, run.merchantId, run.id);
    const isAnyOf =
      transactionHashes !== undefined &&
      (more.length > 0 || (await hasNamedTransactions(transaction, run.merchantId, run.id)));
    if (isAnyOf) return submitAnyOf(dependencies, { transaction, run, now }, rows, transactionHashes);
    const lines = payouts ?? rows.map(({ payoutId }) => ({ payoutId, transactionHash }));
    const { moves } = accept(judgeSubmitted(run, rows, lines));
    if (moves.length === 0) return null;
    await updateRunStatus(transaction, run, "SUBMITTED", now);
    await moveRows(transaction, run.merchantId, moves, now);
    await recountRun(transaction, run.merchantId, run.id, now);
    const hashes = [...new Set(moves.map((move) => move.transactionHash))];
    return { submitted: moves.length, transactions: hashes.length, transactionHash: hashes[0] };
  });
}

/** Rows that were submitted before with a transaction of their own keep it. */
async function submitAnyOf(
  { provenChains }: SubmitDependencies,
  { transaction, run, now }: Change,
  rows: readonly RunRow[],
  hashes: readonly string[],
) {
  const { merchantId, id: runId, chainId } = run;
  if (!provenChains.has(chainId)) {
    fail(
      "VALIDATION_ERROR",
      `transactionHashes must have one hash: chain ${chainId} is not in CHAIN_RPC_URLS, so nothing tells which of them paid a ` +
        "payout. Name the hash of each payout in payouts.",
    );
  }
  for (const [index, hash] of hashes.entries()) {
    const problem = problemWithTransactionHash(hash, chainId);
    if (problem !== null) fail("VALIDATION_ERROR", `transactionHashes[${index}] ${problem}.`);
  }
  const moves = rows
    .filter(({ status }) => status === "PENDING")
    .map(({ payoutId }) => ({
      payoutId,
      status: "SUBMITTED" as const,
      cancelled: false,
      transactionHash: null,
      reason: null,
    }));
  await updateRunStatus(transaction, run, "SUBMITTED", now);
  await moveRows(transaction, merchantId, moves, now);
  const added = await nameTransactions(transaction, { merchantId, runId, chainId }, hashes, now);
  if (moves.length + added === 0) return null;
  const isOpen = rows.some((row) => row.status === "PENDING" || (row.status === "SUBMITTED" && !row.transactionHash));
  if (!isOpen) {
    fail(
      "PAYOUT_RUN_TRANSITION_INVALID",
      "Every payout of the run names its transaction already. Import the result of a payout with the hash that paid it.",
    );
  }
  await recountRun(transaction, merchantId, runId, now);
  return { submitted: moves.length, transactions: added, transactionHash: hashes[0] };
}

/** Records what became of the rows. The amount of a failed one is owed again. */
export function importResults(
  dependencies: ChangeDependencies,
  runId: string,
  { results }: ResultsRequest,
  actor: Actor,
): Promise<PayoutRun> {
  return change(dependencies, runId, actor, "results", async ({ transaction, run, now }) => {
    allow(run, "results", ["SUBMITTED", "SETTLED"]);
    const { moves } = accept(judgeResults(run, await listRows(transaction, run.merchantId, run.id), results));
    if (moves.length === 0) return null;
    await moveRows(transaction, run.merchantId, moves, now);
    await recountRun(transaction, run.merchantId, run.id, now);
    return countOf({ moves });
  });
}

/** What the results would do now, with every line that is wrong. Nothing is stored. */
export async function previewResults(db: Queryable, runId: string, { results }: ResultsRequest) {
  const run = await readRun(db, runId);
  allow(run, "results", ["SUBMITTED", "SETTLED"]);
  const judged = judgeResults(run, await listRows(db, run.merchantId, run.id), results);
  return { dryRun: true as const, ...countOf(judged), errors: [...judged.errors] };
}

function countOf({ moves }: Pick<Judged, "moves">) {
  const confirmed = moves.filter(({ status }) => status === "CONFIRMED").length;
  return { confirmed, failed: moves.length - confirmed };
}

/** Either every line is right, or nothing is applied. */
function accept(judged: Judged): Judged {
  const { errors } = judged;
  if (errors.length === 0) return judged;
  const message = `${errors.length} of the lines are wrong, so nothing was applied. See error.details.`;
  throw new AppError("PAYOUT_RESULTS_INVALID", message, {}, errors);
}

interface Change {
  readonly transaction: Queryable;
  readonly run: PayoutRun;
  readonly now: Date;
}

/** Locks the run, applies the change, and audits it with the detail it returns. Null: nothing was changed. */
async function change(
  { db, clock, audit }: ChangeDependencies,
  runId: string,
  actor: Actor,
  verb: string,
  apply: (change: Change) => Promise<Record<string, unknown> | null>,
): Promise<PayoutRun> {
  const merchantId = (await findMerchantOfRun(db, runId)) ?? fail("PAYOUT_RUN_NOT_FOUND");
  return db.transaction(async (transaction) => {
    await lockCampaigns(transaction, merchantId, await listCampaignsOfRun(transaction, merchantId, runId));
    const run = (await lockRun(transaction, merchantId, runId)) ?? fail("PAYOUT_RUN_NOT_FOUND");
    const now = clock();
    const detail = await apply({ transaction, run, now });
    if (detail === null) return run;
    const changed = (await findRun(transaction, merchantId, runId)) ?? fail("PAYOUT_RUN_NOT_FOUND");
    await audit.record(transaction, {
      actor,
      action: `payout-run.${verb}`,
      subject: runId,
      merchantId,
      detail,
      date: now,
    });
    return changed;
  });
}

function allow({ status }: PayoutRun, verb: string, from: readonly RunStatus[]): void {
  if (from.includes(status)) return;
  fail("PAYOUT_RUN_TRANSITION_INVALID", `The run is ${status}; ${verb} needs ${from.join(" or ")}.`);
}

/** A participant that was held, or moved to another receiver, after the run was made is not paid by it. */
async function checkCurrent(transaction: Queryable, { merchantId, id }: PayoutRun): Promise<void> {
  const { held, redirected } = await countOutdated(transaction, merchantId, id);
  if (held + redirected === 0) return;
  fail(
    "PAYOUT_RUN_TRANSITION_INVALID",
    `Since the run was made, ${held} of its participants were held and ${redirected} got another receiver. ` +
      "Cancel it and make a new one.",
  );
}
