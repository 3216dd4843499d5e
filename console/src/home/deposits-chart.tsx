import { BarChart } from "@mantine/charts";
import type { Schemas } from "../api/client.ts";
import { formatUsd } from "../ui/amounts.ts";
import { formatCount } from "../ui/format.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { scaleOf } from "./chart-scale.ts";
import { nameOfDay, sumUsd } from "./day-figures.ts";
import { DayTooltip } from "./day-tooltip.tsx";
import { countOf } from "./overview.ts";

type Day = Schemas["OverviewDay"];

const STATUSES = [
  { name: "completed", label: "Completed", color: "teal.6" },
  { name: "pending", label: "Pending", color: "blue.5" },
  { name: "failed", label: "Failed", color: "red.6" },
] as const;

export function DepositsChart({ days }: { days: readonly Day[] }) {
  const completed = days.reduce((sum, { deposits }) => sum + deposits.completed, 0);
  const dollars = formatUsd(sumUsd(days.map(({ completedUsd }) => completedUsd)));
  const dayOf = new Map(days.map((day) => [day.date, day]));
  return (
    <ChartFrame
      title="Deposits per day"
      summary={`${countOf(completed, "deposit", "deposits")} completed, ${dollars} in all.`}
      table={{
        columns: ["Day (UTC)", "Completed", "Pending", "Failed", "Completed in dollars"],
        rows: days.map(({ date, deposits, completedUsd }) => [
          date,
          ...STATUSES.map(({ name }) => String(deposits[name])),
          formatUsd(completedUsd),
        ]),
      }}
    >
      <BarChart
        h={240}
        type="stacked"
        data={days.map(({ date, deposits }) => ({ date, ...deposits }))}
        dataKey="date"
        series={[...STATUSES]}
        withLegend
        legendProps={{ verticalAlign: "bottom", itemSorter: null }}
        maxBarWidth={24}
        textColor="var(--mantine-color-text)"
        xAxisProps={{ tickFormatter: nameOfDay, minTickGap: 24 }}
        {...scaleOf(
          days.map(({ deposits }) => deposits.completed + deposits.pending + deposits.failed),
          { isWhole: true },
        )}
        tooltipProps={{ content: ({ label }) => <Tooltip day={dayOf.get(String(label))} /> }}
      />
    </ChartFrame>
  );
}

function Tooltip({ day }: { day: Day | undefined }) {
  if (day === undefined) return null;
  return (
    <DayTooltip
      title={nameOfDay(day.date)}
      lines={[
        ...STATUSES.map(({ name, label, color }) => ({
          label,
          value: formatCount(day.deposits[name]),
          color: `var(--mantine-color-${color.replace(".", "-")})`,
        })),
        { label: "Completed in dollars", value: formatUsd(day.completedUsd) },
      ]}
    />
  );
}
