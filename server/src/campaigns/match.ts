// The reward itself, as a pure function: the engine reads state, asks here what each submission earns, and writes the
// answers down. Everything is an exact integer in the campaign token's base units; nothing is rounded but the final floor.
import assert from "node:assert";
import { max, min } from "../amounts.ts";
import { MULTIPLIER_FRACTION_DIGITS_MAX, SUBMISSION_DECIMAL_PLACES, TOKEN_DECIMAL_PLACES_MAX } from "../limits.ts";

export type Clamp = "MAX_AMOUNT_PER_USER" | "CAMPAIGN_BUDGET";

export interface Step {
  /** The submitted trade profit, in USDC base units with 6 decimals. */
  profit: bigint;
  multiplierMillionths: bigint;
  tokenDecimals: number;
  cap: bigint;
  /** What the user has been matched before. */
  matched: bigint;
  /** What is left of the campaign's budget. */
  remaining: bigint;
}

export interface StepResult {
  next: bigint;
  delta: bigint;
  /**
   * What kept the match below the multiple of this submission. Null when the multiple is covered in full, be it by this
   * submission or by an earlier, higher match. When the cap and the budget stop the match at the same amount, the cap is
   * named: a larger budget alone would change nothing for this user.
   */
  clampedBy: Clamp | null;
}

const PROFIT_SCALE = 10n ** BigInt(SUBMISSION_DECIMAL_PLACES + MULTIPLIER_FRACTION_DIGITS_MAX);

export function matchOne(step: Step): StepResult {
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

export interface CampaignState {
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "ENDED";
  multiplierMillionths: bigint;
  tokenDecimals: number;
  maxAmountPerUser: bigint;
  maxAmountTotal: bigint;
  committed: bigint;
}

export interface ParticipantState {
  matched: bigint;
  /** The per-user cap when the user's data was last submitted. */
  cap: bigint;
}

export interface MatchState {
  campaign: CampaignState;
  /** The participants among the submitted users, by merchantUserId. A user who is not in it has no participant yet. */
  participants: ReadonlyMap<string, ParticipantState>;
}

export interface Submission {
  merchantUserId: string;
  profit: bigint;
  /** Whether at least one of the wallets of this very submission has a qualifying deposit. */
  qualifies: boolean;
}

export interface Accepted extends StepResult {
  accepted: true;
  /** Whether this submission brings the participant into being: true once per user, over all batches. */
  created: boolean;
  /** The cap to store with the participant. */
  cap: bigint;
  /** The campaign's committed amount right after this submission. */
  committed: bigint;
}

export interface Refused {
  accepted: false;
  code: "CAMPAIGN_NOT_ACTIVE" | "NO_QUALIFYING_WALLET";
}

export type Outcome = Accepted | Refused;

/**
 * Decides a batch in order of arrival, one outcome per submission at the same index. Several submissions of one user see
 * each other's results, exactly as if each had come in a batch of its own. A refused one changes nothing for the others.
 */
export function match(state: MatchState, submissions: readonly Submission[]): Outcome[] {
  const { campaign } = state;
  const running = new Map<string, ParticipantState>();
  let committed = campaign.committed;

  const outcomes = submissions.map((submission): Outcome => {
    if (campaign.status !== "ACTIVE") return { accepted: false, code: "CAMPAIGN_NOT_ACTIVE" };
    if (!submission.qualifies) return { accepted: false, code: "NO_QUALIFYING_WALLET" };

    const { merchantUserId, profit } = submission;
    const participant = running.get(merchantUserId) ?? state.participants.get(merchantUserId);
    const cap = max(participant?.cap ?? 0n, campaign.maxAmountPerUser); // A snapshot is never lower than before.
    const result = matchOne({
      profit,
      multiplierMillionths: campaign.multiplierMillionths,
      tokenDecimals: campaign.tokenDecimals,
      cap,
      matched: participant?.matched ?? 0n,
      remaining: campaign.maxAmountTotal - committed,
    });
    committed += result.delta;
    running.set(merchantUserId, { matched: result.next, cap });
    return { accepted: true, created: participant === undefined, cap, committed, ...result };
  });

  assert(committed >= campaign.committed && committed <= max(campaign.committed, campaign.maxAmountTotal));
  return outcomes;
}
