import { Group, Skeleton, Stack } from "@mantine/core";
import { useParams } from "react-router";
import { api } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Failure } from "../ui/failure.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { WaitingApprovals } from "../ui/waiting-approvals.tsx";
import { ExportRun } from "./export-run.tsx";
import { LeftOut } from "./left-out.tsx";
import { RunMoves } from "./run-moves.tsx";
import { RunPayouts } from "./run-payouts.tsx";
import { RunSummary } from "./run-summary.tsx";
import type { Run } from "./run-values.ts";

const ABOVE = { to: "/payout-runs", label: "Payout runs" };

export function PayoutRunPage() {
  const { runId = "" } = useParams();
  const { data, error, refetch } = api.useQuery("get", "/operator/v1/payout-runs/{runId}", {
    params: { path: { runId } },
  });
  if (data !== undefined) return <LoadedRun run={data} />;
  return (
    <Page title="Payout run" above={ABOVE}>
      {error === null ? (
        <Skeleton height={240} />
      ) : (
        <Failure error={error} action="load the payout run" onRetry={refetch} />
      )}
    </Page>
  );
}

function LoadedRun({ run }: { run: Run }) {
  const mayChange = useMayChange();
  const isExportable = run.status !== "DRAFT" && run.status !== "CANCELLED";
  return (
    <Page
      title={`Payout run of ${formatTokens(run.totals.reserved)}`}
      above={ABOVE}
      description={
        <Group gap="xs">
          <StatusBadge status={run.status} />
          <span>
            of <MerchantName merchantId={run.merchantId} />
          </span>
        </Group>
      }
      actions={mayChange ? <RunMoves run={run} /> : undefined}
    >
      <Stack gap="lg">
        <WaitingApprovals of={{ subject: run.id }} />
        <RunSummary run={run} />
        {mayChange && isExportable && <ExportRun run={run} />}
        <LeftOut run={run} />
        <RunPayouts runId={run.id} />
      </Stack>
    </Page>
  );
}
