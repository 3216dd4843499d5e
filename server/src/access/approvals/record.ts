// A change that waits for a second person, as the rules read and return it.

export type ApprovalStatus = "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED";

/** The token that asked or decided. The id is null for the bootstrap token. */
export interface Operator {
  readonly id: string | null;
  readonly name: string;
}

export interface Approval {
  readonly id: string;
  readonly action: string;
  readonly status: ApprovalStatus;
  readonly subject: string;
  readonly merchantId: string | null;
  /** What is shown, and exactly what is applied. */
  readonly change: Readonly<Record<string, unknown>>;
  /** What was asked, to run the change with. It is as the covered route gave it. */
  readonly input: object;
  readonly requestedBy: Operator;
  readonly decidedBy: Operator | null;
  /** Why it was decided so. */
  readonly reason: string | null;
  readonly createDate: Date;
  readonly expireDate: Date;
  readonly decideDate: Date | null;
}
