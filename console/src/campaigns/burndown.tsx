import { AreaChart } from "@mantine/charts";
import { Box, Skeleton, Text } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens, percentOf, remainingOf, toCoordinate } from "../ui/amounts.ts";
import { Failure } from "../ui/failure.tsx";
import { Section } from "../ui/section.tsx";

type BurndownAnswer = Schemas["Burndown"];

const TICKS = 6;
const DAY_MS = 86_400_000;

/** How a campaign's budget fell with the submissions. */
export function Burndown({ campaignId }: { campaignId: string }) {
  const { data, error, refetch } = api.useQuery("get", "/operator/v1/campaigns/{campaignId}/burndown", {
    params: { path: { campaignId } },
  });
  return (
    <Section title="Budget" description={data && inWords(data)}>
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Skeleton height={260} />}
      {data !== undefined && data.points.length > 0 && <RemainingChart burndown={data} />}
      {data?.points.length === 0 && (
        <Text size="sm">Nothing was submitted yet. The remaining budget is drawn here once it falls.</Text>
      )}
    </Section>
  );
}

function inWords({ committed, maxAmountTotal }: BurndownAnswer): string {
  const percent = percentOf(committed, maxAmountTotal);
  const remaining = formatTokens(remainingOf(maxAmountTotal, committed));
  return `${formatTokens(committed)} of ${formatTokens(maxAmountTotal)} is committed to users (${percent} %); ${remaining} remains.`;
}

function RemainingChart({ burndown }: { burndown: BurndownAnswer }) {
  const { maxAmountTotal, points } = burndown;
  const { currency } = maxAmountTotal;
  const data = points.map(({ date, committed }) => ({
    time: Date.parse(date),
    Remaining: toCoordinate(remainingOf(maxAmountTotal, committed)),
  }));
  const [first] = data;
  const last = data.at(-1);
  if (first === undefined || last === undefined) return null;
  const whole = toCoordinate(maxAmountTotal);
  const isWithinADay = last.time - first.time < DAY_MS;
  const writeTime = (time: number) =>
    new Date(time).toLocaleString(undefined, isWithinADay ? { timeStyle: "medium" } : { dateStyle: "medium" });
  const summary = `Remaining budget from ${writeTime(first.time)} to ${writeTime(last.time)}: ${inWords(burndown)}`;
  return (
    <Box role="img" aria-label={summary}>
      <AreaChart
        h={280}
        data={[{ time: first.time, Remaining: whole }, ...data]}
        dataKey="time"
        series={[{ name: "Remaining", color: "teal.6" }]}
        curveType="stepAfter"
        withDots={false}
        valueFormatter={(value) => `${value.toLocaleString(undefined, { maximumFractionDigits: 2 })} ${currency}`}
        xAxisProps={{
          type: "number",
          domain: ["dataMin", "dataMax"],
          ticks: ticksBetween(first.time, last.time),
          interval: "equidistantPreserveStart",
          tickFormatter: writeTime,
        }}
        yAxisProps={{
          domain: [0, whole],
          width: 56,
          tickFormatter: (value: number) =>
            value.toLocaleString(undefined, { notation: "compact", maximumFractionDigits: 2 }),
        }}
        tooltipProps={{ labelFormatter: (time) => new Date(Number(time)).toLocaleString() }}
      />
    </Box>
  );
}

// A time axis would otherwise name each of a hundred submissions.
function ticksBetween(first: number, last: number): number[] {
  return Array.from({ length: TICKS }, (_, index) => first + ((last - first) * index) / (TICKS - 1));
}
