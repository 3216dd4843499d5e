// The reward of one submission, as a pure function. Amounts are exact integers in base units of the campaign's token; the
// only rounding is one floor, of the multiple.
import assert from "node:assert";
import { max, min } from "../../amounts.ts";
import { MULTIPLIER_FRACTION_DIGITS_MAX, SUBMISSION_DECIMAL_PLACES, TOKEN_DECIMAL_PLACES_MAX } from "../../limits.ts";

export type Clamp = "MAX_AMOUNT_PER_USER" | "CAMPAIGN_BUDGET";

export interface Step {
  /** The submitted trade profit, in USDC base units with 6 decimals. */
  profit: bigint;
  multiplierMillionths: bigint;
  tokenDecimals: number;
  cap: bigint;
  /** The user's match before this submission. */
  matched: bigint;
  /** What is left of the campaign's budget. */
  remaining: bigint;
}

export interface Match {
  next: bigint;
  delta: bigint;
  /**
   * What kept the match below the multiple of this submission. Null when the multiple is covered in full, by this
   * submission or by an earlier, higher match. If the cap and the budget stop the match at the same amount, it is the cap:
   * a larger budget alone would change nothing for this user.
   */
  clampedBy: Clamp | null;
}

const PROFIT_SCALE = 10n ** BigInt(SUBMISSION_DECIMAL_PLACES + MULTIPLIER_FRACTION_DIGITS_MAX);

export function matchOne(step: Step): Match {
  const { profit, multiplierMillionths, tokenDecimals, cap, matched, remaining } = step;
  assert(profit >= 0n && multiplierMillionths > 0n);
  assert(Number.isInteger(tokenDecimals) && tokenDecimals >= 0 && tokenDecimals <= TOKEN_DECIMAL_PLACES_MAX);
  assert(matched >= 0n && matched <= cap, "a match never exceeds the user's cap");
  assert(remaining >= 0n, "a campaign never commits more than its budget");

  const multiple = (profit * multiplierMillionths * 10n ** BigInt(tokenDecimals)) / PROFIT_SCALE;
  const affordable = matched + remaining; // What the user already has is not taken from the budget again.
  const target = min(multiple, cap, affordable);
  const next = max(matched, target); // A later submission never lowers a match.
  assert(next - matched <= remaining && next <= cap);

  const clamp = cap <= affordable ? "MAX_AMOUNT_PER_USER" : "CAMPAIGN_BUDGET";
  return { next, delta: next - matched, clampedBy: multiple > next ? clamp : null };
}
