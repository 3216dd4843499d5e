import type { Schemas } from "../api/client.ts";

type TokenAmount = Schemas["TokenAmount"];
type Participant = Schemas["Participant"];
type PayoutStatus = Schemas["Payout"]["status"];

/** What the user is still to receive: the match less the confirmed payouts. */
export function owedTo(participant: Participant): TokenAmount {
  return without(participant, ["CONFIRMED"]);
}

/** What no payout covers yet, be it open or confirmed. Not more than this can be recorded. */
export function uncovered(participant: Participant): TokenAmount {
  return without(participant, ["PENDING", "SUBMITTED", "CONFIRMED"]);
}

function without({ amountMatched, payouts }: Participant, statuses: readonly PayoutStatus[]): TokenAmount {
  let rest = BigInt(amountMatched.amount);
  for (const { status, amount } of payouts) {
    if (statuses.includes(status)) rest -= BigInt(amount.amount);
  }
  return { ...amountMatched, amount: String(rest) };
}
