// Moves the payouts of a final transaction, in one database transaction with their trails, their proofs and the audit rows.
import type { Actor, ChangeDependencies } from "../../../audit/audit.ts";
import type { Queryable } from "../../../db/pool.ts";
import { recountRun } from "../runs/queries.ts";
import { moveRows } from "../runs/row-queries.ts";
import { matchTransfers } from "./match.ts";
import {
  listClaims,
  listUsedEvents,
  lockCampaignsOf,
  markUnpaidRows,
  storeVerdicts,
  updateLook,
  type Verdict,
} from "./queries.ts";
import type { ChainTransaction, Claim, Receipt } from "./record.ts";

/** A transaction in a block that will not change any more. */
export interface FinalTransaction {
  readonly chainId: number;
  readonly transaction: ChainTransaction;
  readonly receipt: Receipt;
  readonly confirmations: number;
  /** If it was reverted, why. */
  readonly reason: string | null;
}

interface Judged extends Verdict {
  readonly claim: Claim;
  /** Null: the payout stays as it is. People decide about what does not match, and what they decided stays. */
  readonly status: "CONFIRMED" | "FAILED" | null;
}

const ACTOR: Actor = { name: "matchbook-server (proof on chain)", requestId: null };

/** After a crash this may run again. What was settled then has no claims left, so nothing moves twice. */
export async function settle({ db, clock, audit }: ChangeDependencies, final: FinalTransaction): Promise<void> {
  const { chainId, transaction: seen, receipt, confirmations, reason } = final;
  const { blockNumber, blockHash } = receipt;
  const known = await listClaims(db, chainId, seen.hash, receipt);
  await db.transaction(async (transaction) => {
    await lockCampaignsOf(transaction, known);
    // Read again now that nothing moves. A payout of another campaign that was added meanwhile is left for the next look.
    const locked = new Set(known.map(({ campaignId }) => campaignId));
    const claims = await listClaims(transaction, chainId, seen.hash, receipt);
    const judged = judge(
      claims.filter(({ campaignId }) => locked.has(campaignId)),
      receipt,
      await listUsedEvents(transaction, chainId, seen.hash),
    );
    const now = clock();
    await storeVerdicts(transaction, chainId, seen.hash, receipt, judged, now);
    await move(transaction, judged, reason, now);
    await updateLook(transaction, chainId, seen, { blockNumber, blockHash, confirmations, nextLookDate: null });
    await markUnpaidRows(transaction, chainId, seen.hash);
    await record(transaction, audit, judged, seen.hash, reason, now);
  });
}

/** What the transaction says about each payout. Those about which it says nothing new are left out. */
function judge(claims: readonly Claim[], receipt: Receipt, used: ReadonlySet<number>): Judged[] {
  const open = (claim: Claim, status: Judged["status"]) => (claim.status === "SUBMITTED" ? status : null);
  const judged = matchTransfers(claims, receipt.transfers, used).flatMap(({ claim, isProven, found }): Judged[] => {
    const { merchantId, payoutId } = claim;
    const about = { claim, merchantId, payoutId };
    // A person failed it, so it is owed again, but the chain may have paid it. The event stays free for a payout that names it.
    if (claim.status === "FAILED" && (isProven || claim.transactionHash !== null)) {
      return [{ ...about, ...judgeFailed(receipt, isProven, found), status: null }];
    }
    if (isProven) return [{ ...about, proofStatus: "PROVEN", found, status: open(claim, "CONFIRMED") }];
    // Another transaction of its run may have paid it.
    if (claim.transactionHash === null) return [];
    return receipt.isReverted
      ? [{ ...about, proofStatus: "REVERTED", found: null, status: open(claim, "FAILED") }]
      : [{ ...about, proofStatus: "MISMATCH", found, status: null }];
  });
  return judged.filter(({ claim, proofStatus }) => proofStatus !== claim.proofStatus);
}

function judgeFailed(
  receipt: Receipt,
  isPaid: boolean,
  found: Verdict["found"],
): Pick<Verdict, "proofStatus" | "found"> {
  if (isPaid) return { proofStatus: "MISMATCH", found };
  return { proofStatus: receipt.isReverted ? "REVERTED" : null, found: null };
}

async function move(
  transaction: Queryable,
  judged: readonly Judged[],
  revertReason: string | null,
  now: Date,
): Promise<void> {
  const reason =
    revertReason === null ? "The transaction was reverted." : `The transaction was reverted: ${revertReason}`;
  for (const { merchantId, rows } of inRounds(judged.filter(({ status }) => status !== null))) {
    const moves = rows.map(({ payoutId, status }) => ({
      payoutId,
      status: status ?? "FAILED",
      cancelled: false,
      transactionHash: null,
      reason: status === "FAILED" ? reason : null,
    }));
    await moveRows(transaction, merchantId, moves, now);
  }
  const runs = new Map(judged.map(({ claim: { runId, merchantId } }) => [runId, merchantId]));
  for (const [runId, merchantId] of runs) if (runId !== null) await recountRun(transaction, merchantId, runId, now);
}

/** Rows of one merchant each, with no participant twice: the balance of each is changed once by a statement. */
function inRounds(judged: readonly Judged[]): { merchantId: string; rows: readonly Judged[] }[] {
  const turns = new Map<string, number>();
  const rounds = groupBy(judged, ({ claim: { merchantId, participantId } }) => {
    const turn = turns.get(participantId) ?? 0;
    turns.set(participantId, turn + 1);
    return `${merchantId}/${turn}`;
  });
  return [...rounds.values()].map((rows) => ({ merchantId: rows[0]?.merchantId ?? "", rows }));
}

/** One row for each run, as when results are imported, and one for each other payout that moved. */
async function record(
  transaction: Queryable,
  audit: ChangeDependencies["audit"],
  judged: readonly Judged[],
  transactionHash: string,
  reason: string | null,
  now: Date,
): Promise<void> {
  const ofRuns = judged.filter(({ claim: { runId } }) => runId !== null);
  const runs = groupBy(ofRuns, ({ claim: { runId } }) => runId ?? "");
  const singles = judged.filter(({ claim: { runId }, status }) => runId === null && status !== null);
  if (runs.size + singles.length === 0) return;
  const log = await audit.hold(transaction, ACTOR, now);
  for (const [runId, rows] of runs) {
    const count = (status: Judged["proofStatus"]) => rows.filter(({ proofStatus }) => proofStatus === status).length;
    await log.append({
      action: "payout-run.prove",
      subject: runId,
      merchantId: rows[0]?.merchantId ?? null,
      detail: {
        transactionHash,
        proven: count("PROVEN"),
        reverted: count("REVERTED"),
        mismatched: count("MISMATCH"),
        ...(reason === null ? {} : { reason }),
      },
    });
  }
  for (const { claim, payoutId, merchantId, status } of singles) {
    const { campaignId, participantId, status: from } = claim;
    await log.append({
      action: "payout.status",
      subject: payoutId,
      merchantId,
      detail: { campaignId, participantId, from, to: status, transactionHash, reason },
    });
  }
}

function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
