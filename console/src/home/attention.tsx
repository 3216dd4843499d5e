import { Alert, SimpleGrid, Skeleton, Stack, Title } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import type { Schemas } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { ApplicationsCard } from "./applications-card.tsx";
import { BudgetsCard } from "./budgets-card.tsx";
import { FailedPayoutsCard } from "./failed-payouts-card.tsx";
import { InvariantsCard } from "./invariants-card.tsx";
import { JobsCard } from "./jobs-card.tsx";
import { useOverview } from "./overview.ts";

export function Attention() {
  return (
    <Stack gap="sm">
      <Title order={2} size="h3">
        What needs attention
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <OverviewCards />
        <InvariantsCard />
      </SimpleGrid>
    </Stack>
  );
}

function OverviewCards() {
  const { data, error, refetch } = useOverview();
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={150} aria-busy="true" />
    ) : (
      <Failure error={error} onRetry={() => refetch()} />
    );
  }
  const cards = cardsOf(data);
  if (cards.length > 0) return cards;
  return (
    <Alert color="teal" icon={<IconCircleCheck />} title="Nothing needs attention">
      No application waits, every mail and registry call gets through, no payout has failed, and every running budget
      has room.
    </Alert>
  );
}

function cardsOf(overview: Schemas["Overview"]) {
  const { applicationsPending, stuckJobs, failedPayouts, budgetsNearlySpent } = overview;
  return [
    applicationsPending > 0 && <ApplicationsCard key="applications" count={applicationsPending} />,
    stuckJobs.length > 0 && <JobsCard key="jobs" overview={overview} />,
    failedPayouts.count > 0 && <FailedPayoutsCard key="payouts" failedPayouts={failedPayouts} />,
    budgetsNearlySpent.length > 0 && <BudgetsCard key="budgets" budgets={budgetsNearlySpent} />,
  ].filter((card) => card !== false);
}
