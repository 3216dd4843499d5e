import { presentAmount } from "../present.ts";
import type { DryRunResult } from "./submit.ts";

export function presentDryRun({ campaign, match }: DryRunResult) {
  return {
    dryRun: true as const,
    amountMatched: presentAmount(match.next, campaign),
    delta: presentAmount(match.delta, campaign),
    clampedBy: match.clampedBy,
    remainingBudget: presentAmount(campaign.maxAmountTotal - campaign.committed, campaign),
  };
}
