import { withChecksum } from "@matchbook/addresses";
import { presentAmount } from "../present.ts";
import type { Token } from "../record.ts";
import type { Payout } from "./record.ts";
import type { Payout as PayoutAnswer } from "./schemas.ts";

export function presentPayout({ ordinal: _ordinal, ...payout }: Payout, token: Token): PayoutAnswer {
  return {
    ...payout,
    recipientAddress: withChecksum(payout.recipientAddress),
    proof: presentProof(payout),
    amount: presentAmount(payout.amount, token),
    createDate: payout.createDate.toISOString(),
    updateDate: payout.updateDate.toISOString(),
    statusHistory: payout.statusHistory.map((event) => ({ ...event, date: event.date.toISOString() })),
  };
}

function presentProof(payout: Omit<Payout, "ordinal">): PayoutAnswer["proof"] {
  const { proof, tokenAddress, recipientAddress, amount } = payout;
  if (proof === null) return null;
  const { status, found, confirmations } = proof;
  return {
    status,
    expected: {
      tokenAddress: withChecksum(tokenAddress),
      recipientAddress: withChecksum(recipientAddress),
      amount: String(amount),
    },
    found: found && {
      ...found,
      tokenAddress: withChecksum(found.tokenAddress),
      recipientAddress: withChecksum(found.recipientAddress),
    },
    confirmations,
  };
}
