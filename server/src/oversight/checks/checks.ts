// Every check, by the table whose rows it judges.
import { campaignEnds, campaignSums, rewardDays } from "./campaign-check-queries.ts";
import type { CheckGroup } from "./check-queries.ts";
import { days, users, wallets } from "./deposit-check-queries.ts";
import { journalEvidence, journalSteps } from "./journal-check-queries.ts";
import { participantsInRange, participantsOfNews } from "./participant-check-queries.ts";
import { payoutRuns, payouts } from "./payout-check-queries.ts";

/** The chain needs the key, so it is checked in this program and not by a statement. */
export const CHAIN_CHECK = "journal: every digest covers its row and the row before it";

/** The tables that the background audit reads again and again, each with the checks of its rows. */
export const WALKED = {
  journal: [journalSteps, journalEvidence],
  campaigns: [campaignEnds],
  participants: [participantsInRange],
  payouts: [payouts],
  "payout runs": [payoutRuns],
  users: [users, wallets],
} as const satisfies Record<string, readonly CheckGroup[]>;

/** The same checks, of the participants that new submissions name. */
export const NEWS = { participants: [participantsOfNews] } as const satisfies Record<string, readonly CheckGroup[]>;

/**
 * These read all rows of what they add up, so only a full run has them. The sum of a campaign's matches follows from the others:
 * the journal's sums, and every participant as the journal says.
 */
export const FULL_ONLY: readonly CheckGroup[] = [campaignSums, rewardDays, days];

/** The names of all checks but the chain's. */
export const FULL_NAMES: readonly string[] = [...FULL_ONLY, ...Object.values(WALKED).flat()].flatMap(
  ({ names }) => names,
);

/** The names of the checks that the background audit has. */
export const WALKED_NAMES: readonly string[] = [
  CHAIN_CHECK,
  ...Object.values(WALKED)
    .flat()
    .flatMap(({ names }) => names),
];
