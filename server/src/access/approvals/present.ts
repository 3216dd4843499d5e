import type { Approval } from "./record.ts";

export function presentApproval({ input: _, expireDate, decideDate, ...approval }: Approval) {
  return {
    ...approval,
    change: { ...approval.change },
    createDate: approval.createDate.toISOString(),
    expiresAt: expireDate.toISOString(),
    decidedAt: decideDate?.toISOString() ?? null,
  };
}

/** The answer to a call that waits for a second person. */
export const presentWaiting = (approval: Approval) => ({ approval: presentApproval(approval) });
