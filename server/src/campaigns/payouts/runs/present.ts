import { presentAmount } from "../../present.ts";
import { presentPayout } from "../present.ts";
import type { PayoutRun, RunPayout } from "./record.ts";

export function presentRun(run: PayoutRun) {
  const { id, merchantId, campaignId, status, chainId, tokenAddress, note, createdBy, approvedBy } = run;
  const { pendingCount, submittedCount, confirmedCount, failedCount } = run;
  return {
    id,
    merchantId,
    campaignId,
    status,
    chainId,
    tokenAddress,
    counts: {
      payouts: pendingCount + submittedCount + confirmedCount + failedCount,
      pending: pendingCount,
      submitted: submittedCount,
      confirmed: confirmedCount,
      failed: failedCount,
    },
    totals: {
      reserved: presentAmount(run.reserved, run),
      confirmed: presentAmount(run.confirmed, run),
      failed: presentAmount(run.failed, run),
    },
    leftOutCount: run.leftOutCount,
    leftOut: run.leftOut.map(({ campaignId: ofOne, owed, ...one }) => ({
      // A run of one campaign names it itself.
      ...(campaignId === null && ofOne !== null ? { campaignId: ofOne } : {}),
      ...one,
      owed: presentAmount(owed, run),
    })),
    note,
    createdBy,
    approvedBy,
    createDate: run.createDate.toISOString(),
    updateDate: run.updateDate.toISOString(),
  };
}

export function presentRunPayout({ runPosition: _, flags, ...row }: RunPayout, run: PayoutRun) {
  const { campaignId, participantId, merchantUserId } = row;
  return { ...presentPayout(row, run), campaignId, participantId, merchantUserId, flags: [...flags] };
}
