import type { Schemas } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { CampaignName } from "../ui/campaign-name.tsx";
import { chainName } from "../ui/chains.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { formatCount } from "../ui/format.ts";
import { Instant } from "../ui/instant.tsx";
import { Section } from "../ui/section.tsx";
import { counted, NEXT_STEPS, type Run } from "./run-values.ts";

/** Where the run stands, what comes next, and what it pays. */
export function RunSummary({ run }: { run: Run }) {
  const { counts, totals } = run;
  return (
    <Section title="Summary" description={NEXT_STEPS[run.status]}>
      <Facts>
        <Fact label="Reserved">{amountOf(totals.reserved, counts.payouts)}</Fact>
        <Fact label="Confirmed">{amountOf(totals.confirmed, counts.confirmed)}</Fact>
        <Fact label={run.status === "CANCELLED" ? "Cancelled" : "Failed"}>
          {amountOf(totals.failed, counts.failed)}
        </Fact>
        <Fact label="Pending">{formatCount(counts.pending)}</Fact>
        <Fact label="Submitted">{formatCount(counts.submitted)}</Fact>
        <Fact label="Left out">{formatCount(run.leftOutCount)}</Fact>
        <Fact label="Campaign">
          <CampaignName campaignId={run.campaignId} />
        </Fact>
        <Fact label="Chain">
          {chainName(run.chainId)} ({run.chainId})
        </Fact>
        <Fact label="Run id">
          <Copyable value={run.id} label="run id" short />
        </Fact>
        <Fact label="Token" isWide>
          <Copyable value={run.tokenAddress} label="token" />
        </Fact>
        <Fact label="Created">
          <Instant value={run.createDate} /> by <Foreign text={run.createdBy.name} />
        </Fact>
        <Fact label="Approved by">
          {run.approvedBy === null ? "No one yet" : <Foreign text={run.approvedBy.name} />}
        </Fact>
        <Fact label="Last changed">
          <Instant value={run.updateDate} />
        </Fact>
        {run.note !== null && (
          <Fact label="Note" isWide>
            <Foreign text={run.note} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function amountOf(amount: Schemas["TokenAmount"], count: number): string {
  return `${formatTokens(amount)} (${counted(count, "payout")})`;
}
