import { Type } from "typebox";
import { Instant, Uuid } from "../../http/fields.ts";
import type { ApprovalStatus } from "./record.ts";

export const ApprovalStatusSchema = Type.Unsafe<ApprovalStatus>({
  title: "ApprovalStatus",
  type: "string",
  enum: ["PENDING", "APPROVED", "REJECTED", "EXPIRED"],
});

const Who = Type.Object(
  {
    id: Type.Union([Uuid, Type.Null()], { description: "The operator token. Null: the bootstrap token." }),
    name: Type.String(),
  },
  { title: "ApprovalOperator" },
);

export const Approval = Type.Object(
  {
    id: Uuid,
    status: ApprovalStatusSchema,
    action: Type.String({
      description: "What was asked, by the name that the audit log has for it.",
      examples: ["campaign.activate"],
    }),
    subject: Type.String({ description: "The id of what would be changed." }),
    merchantId: Type.Union([Uuid, Type.Null()]),
    change: Type.Record(Type.String(), Type.Unknown(), {
      description: "The exact change. Where a field has `from` and `to`, it changes from the one to the other.",
    }),
    requestedBy: Who,
    decidedBy: Type.Union([Who, Type.Null()]),
    reason: Type.Union([Type.String(), Type.Null()], { description: "Why it was decided so." }),
    createDate: Instant,
    expiresAt: Instant,
    decidedAt: Type.Union([Instant, Type.Null()]),
  },
  {
    title: "Approval",
    examples: [
      {
        id: "0b6f5f0e-0a53-4c33-b0a2-5f2f2a1d7f10",
        status: "PENDING",
        action: "campaign.edit",
        subject: "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
        merchantId: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
        change: {
          maxAmountTotal: {
            from: { amount: "100000000000", currency: "USDC", decimalPlaces: 6 },
            to: { amount: "200000000000", currency: "USDC", decimalPlaces: 6 },
          },
        },
        requestedBy: {
          id: "9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11",
          name: "alice (9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11)",
        },
        decidedBy: null,
        reason: null,
        createDate: "2026-11-15T09:30:00.000Z",
        expiresAt: "2026-11-18T09:30:00.000Z",
        decidedAt: null,
      },
    ],
  },
);

/** 202 of every covered call, with APPROVALS=on. */
export const WaitingAnswer = Type.Object(
  { approval: Approval },
  {
    title: "WaitsForApproval",
    description: "With APPROVALS=on: nothing is changed until a second person approves it.",
  },
);
