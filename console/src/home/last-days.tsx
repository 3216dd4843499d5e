import { SimpleGrid, Skeleton, Stack, Title } from "@mantine/core";
import { api } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { DepositsChart } from "./deposits-chart.tsx";
import { RewardsChart } from "./rewards-chart.tsx";

const DAYS = 30;

export function LastDays() {
  return (
    <Stack gap="sm">
      <Title order={2} size="h3">
        Last {DAYS} days
      </Title>
      <Charts />
    </Stack>
  );
}

function Charts() {
  const { data, error, refetch } = api.useQuery("get", "/operator/v1/overview/days", {
    params: { query: { days: DAYS } },
  });
  const failure = error !== null && <Failure error={error} action="load the charts" onRetry={() => refetch()} />;
  if (data === undefined && failure) return failure;
  return (
    <>
      {failure}
      <SimpleGrid cols={{ base: 1, lg: 2 }} aria-busy={data === undefined}>
        {data === undefined ? (
          <>
            <Skeleton height={340} />
            <Skeleton height={340} />
          </>
        ) : (
          <>
            <DepositsChart days={data.days} />
            <RewardsChart days={data.days} />
          </>
        )}
      </SimpleGrid>
    </>
  );
}
