import type { Schemas } from "../api/client.ts";

/** The match less the payouts that are open or confirmed, as in owed.csv. A payout cannot be higher. */
export function owedTo({ amountMatched, payouts }: Schemas["OperatorParticipant"]): Schemas["TokenAmount"] {
  let rest = BigInt(amountMatched.amount);
  for (const { status, amount } of payouts) {
    if (status !== "FAILED") rest -= BigInt(amount.amount);
  }
  return { ...amountMatched, amount: String(rest) };
}
