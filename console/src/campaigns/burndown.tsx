import { AreaChart } from "@mantine/charts";
import { Box, Skeleton, Text } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens, percentOf, remainingOf, toCoordinate } from "../ui/amounts.ts";
import { Failure } from "../ui/failure.tsx";
import { formatCompact, formatDay, formatDrawn, formatInstant, formatTime } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { useTimeZone } from "../ui/time-zone.ts";

type BurndownAnswer = Schemas["Burndown"];

const TICKS = 6;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How a campaign's budget fell with the submissions. */
export function Burndown({ campaignId }: { campaignId: string }) {
  const { data, dataUpdatedAt, error, refetch } = api.useQuery("get", "/operator/v1/campaigns/{campaignId}/burndown", {
    params: { path: { campaignId } },
  });
  return (
    <Section title="Budget" description={data && inWords(data)}>
      {error !== null && <Failure error={error} action="load the budget" onRetry={refetch} />}
      {error === null && data === undefined && <Skeleton height={260} />}
      {data !== undefined && data.points.length > 0 && <RemainingChart burndown={data} loadedAt={dataUpdatedAt} />}
      {data?.points.length === 0 && (
        <Text size="sm">No submissions yet. This chart shows the remaining budget once there are some.</Text>
      )}
    </Section>
  );
}

function inWords({ committed, maxAmountTotal }: BurndownAnswer): string {
  const percent = percentOf(committed, maxAmountTotal);
  const remaining = formatTokens(remainingOf(maxAmountTotal, committed));
  return `${formatTokens(committed)} of ${formatTokens(maxAmountTotal)} is committed to users (${percent}%). ${remaining} remains.`;
}

function RemainingChart({ burndown, loadedAt }: { burndown: BurndownAnswer; loadedAt: number }) {
  const zone = useTimeZone();
  const { maxAmountTotal, points } = burndown;
  const { currency } = maxAmountTotal;
  const data = points.map(({ date, committed }) => ({
    time: Date.parse(date),
    Remaining: toCoordinate(remainingOf(maxAmountTotal, committed)),
  }));
  const [first] = data;
  const lastPoint = data.at(-1);
  if (first === undefined || lastPoint === undefined) return null;
  // The line goes on until now. Otherwise a single submission would draw none.
  const last = { ...lastPoint, time: Math.max(loadedAt, lastPoint.time + MINUTE_MS) };
  const whole = toCoordinate(maxAmountTotal);
  const isWithinADay = last.time - first.time < DAY_MS;
  const writeTime = (time: number) => (isWithinADay ? formatTime(time, zone) : formatDay(time, zone));
  const summary = `Remaining budget from ${writeTime(first.time)} to ${writeTime(last.time)}: ${inWords(burndown)}`;
  return (
    <Box role="img" aria-label={summary} miw={0}>
      <AreaChart
        h={280}
        data={[{ time: first.time, Remaining: whole }, ...data, last]}
        dataKey="time"
        series={[{ name: "Remaining", color: "teal.6" }]}
        curveType="stepAfter"
        withDots={false}
        valueFormatter={(value) => `${formatDrawn(value)} ${currency}`}
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
          tickFormatter: formatCompact,
        }}
        tooltipProps={{ labelFormatter: (time) => (typeof time === "number" ? formatInstant(time, zone) : "") }}
      />
    </Box>
  );
}

// Otherwise the axis would label each of a hundred submissions.
function ticksBetween(first: number, last: number): number[] {
  return Array.from({ length: TICKS }, (_, index) => first + ((last - first) * index) / (TICKS - 1));
}
