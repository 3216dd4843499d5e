import type { Schemas } from "../api/client.ts";
import { formatTokens, toBaseUnits } from "../ui/amounts.ts";

type TokenAmount = Schemas["TokenAmount"];
type Submission = Pick<
  Schemas["JournalEntry"],
  "tradeProfit" | "maxMatchPerUser" | "maxAmountTotal" | "delta" | "amountMatched" | "currentAmountTotal"
>;

const MULTIPLIER_DECIMALS = 6;

/**
 * Explains how a submission led to its match. It uses the engine's exact rule on what the journal recorded. The multiplier is
 * fixed once a campaign accepts data, so it is still the one that was used.
 */
export function explainMatch(submission: Submission, matchMultiplier: number): string {
  const { tradeProfit, maxMatchPerUser, amountMatched, delta } = submission;
  const token = { currency: amountMatched.currency, decimalPlaces: amountMatched.decimalPlaces };
  const inTokens = (amount: bigint) => formatTokens({ ...token, amount: String(amount) });

  const after = BigInt(amountMatched.amount);
  const added = BigInt(delta.amount);
  const before = after - added;
  const cap = BigInt(maxMatchPerUser.amount);
  const remaining = BigInt(submission.maxAmountTotal.amount) - BigInt(submission.currentAmountTotal.amount) + added;
  const multiple = multipleOf(tradeProfit, matchMultiplier, token.decimalPlaces);
  const sum = `${matchMultiplier} × ${formatTokens(tradeProfit)} profit = ${inTokens(multiple)}`;

  if (multiple <= after) {
    if (multiple === 0n && after === 0n) return `${sum}: nothing to match.`;
    if (added > 0n || before === 0n) return `${sum}: matched in full.`;
    if (multiple === before) return `${sum}, which is the match already: unchanged.`;
    return `${sum}, less than the ${inTokens(before)} matched before: unchanged, because a match never falls.`;
  }
  // At the same amount the cap is named: a larger budget alone would change nothing for this user.
  if (cap <= before + remaining) {
    return added > 0n || before === 0n
      ? `${sum}, limited by the cap of ${inTokens(cap)} per user.`
      : `${sum}, but the cap of ${inTokens(cap)} per user was reached before: unchanged.`;
  }
  return remaining > 0n
    ? `${sum}, limited by the remaining budget of ${inTokens(remaining)}.`
    : `${sum}, but nothing was left of the campaign's budget: ${before === 0n ? "no match" : "unchanged"}.`;
}

function multipleOf(profit: TokenAmount, matchMultiplier: number, decimalPlaces: number): bigint {
  const millionths = BigInt(toBaseUnits(String(matchMultiplier), MULTIPLIER_DECIMALS) ?? 0);
  const scale = 10n ** BigInt(profit.decimalPlaces + MULTIPLIER_DECIMALS);
  return (BigInt(profit.amount) * millionths * 10n ** BigInt(decimalPlaces)) / scale;
}
