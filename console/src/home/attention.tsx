import { Alert, SimpleGrid, Skeleton, Stack, Title } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import type { ReactElement } from "react";
import type { Schemas } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { ApplicationsCard } from "./applications-card.tsx";
import { BudgetsCard } from "./budgets-card.tsx";
import { FailedPayoutsCard } from "./failed-payouts-card.tsx";
import { useInvariants } from "./invariants.ts";
import { InvariantsCard } from "./invariants-card.tsx";
import { JobsCard } from "./jobs-card.tsx";
import { useOverview } from "./overview.ts";

export function Attention() {
  // Loaded here, not in the card: the card moves between the stacks as others come, which would start the check again.
  const invariants = useInvariants();
  const cards = useOverviewCards();
  const all = [
    ...(cards.length > 0 ? cards : [<AllQuiet key="quiet" hasInvariantViolations={invariants.hasViolations} />]),
    <InvariantsCard key="invariants" invariants={invariants} />,
  ];
  return (
    <Stack gap="sm">
      <Title order={2} size="h3">
        What needs attention
      </Title>
      {/* Two stacks instead of rows: a short card does not grow to the height of a long neighbour. */}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>{all.filter((_, index) => index % 2 === 0)}</Stack>
        <Stack>{all.filter((_, index) => index % 2 === 1)}</Stack>
      </SimpleGrid>
    </Stack>
  );
}

/** One card for each thing that needs attention. */
function useOverviewCards(): ReactElement[] {
  const { data, error, refetch } = useOverview();
  const cards = data === undefined ? [] : cardsOf(data);
  // The last known figures stay on the page, below the error.
  if (error !== null)
    return [
      <Failure key="failure" error={error} action="load what needs attention" onRetry={() => refetch()} />,
      ...cards,
    ];
  return data === undefined ? [<Skeleton key="waiting" height={130} aria-busy="true" />] : cards;
}

function cardsOf(overview: Schemas["Overview"]): ReactElement[] {
  const { applicationsPending, stuckJobs, failedPayouts, budgetsNearlySpent } = overview;
  return [
    applicationsPending > 0 && <ApplicationsCard key="applications" count={applicationsPending} />,
    stuckJobs.length > 0 && <JobsCard key="jobs" overview={overview} />,
    failedPayouts.count > 0 && <FailedPayoutsCard key="payouts" failedPayouts={failedPayouts} />,
    budgetsNearlySpent.length > 0 && <BudgetsCard key="budgets" budgets={budgetsNearlySpent} />,
  ].filter((card) => card !== false);
}

function AllQuiet({ hasInvariantViolations }: { hasInvariantViolations: boolean }) {
  return (
    <Alert
      color="teal"
      icon={<IconCircleCheck />}
      title={hasInvariantViolations ? "Nothing else needs attention" : "Nothing needs attention"}
    >
      No applications are waiting, mail and registry calls are delivered, no payout has failed, and no active budget is
      nearly spent.
    </Alert>
  );
}
