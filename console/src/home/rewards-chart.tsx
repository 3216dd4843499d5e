import { BarChart } from "@mantine/charts";
import type { Schemas } from "../api/client.ts";
import { formatTokens, toCoordinate } from "../ui/amounts.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { scaleOf } from "./chart-scale.ts";
import { nameOfDay, sumRewards, tokenOf } from "./day-figures.ts";
import { DayTooltip } from "./day-tooltip.tsx";

type Day = Schemas["OverviewDay"];

const COLORS = ["violet-6", "cyan-6", "orange-6", "lime-7", "pink-6"];

/** One bar for each token. Most platforms pay in one, but every campaign may choose its own. */
export function RewardsChart({ days }: { days: readonly Day[] }) {
  const sums = sumRewards(days);
  const tokens = sums.map((sum, index) => ({
    name: tokenOf(sum),
    label: isAlone(sum.currency, sums) ? sum.currency : tokenOf(sum),
    color: `var(--mantine-color-${COLORS[index % COLORS.length]})`,
    none: { ...sum, amount: "0" },
  }));
  const figuresOf = ({ rewards }: Day) =>
    tokens.map((token) => rewards.find((reward) => tokenOf(reward) === token.name) ?? token.none);
  const dayOf = new Map(days.map((day) => [day.date, day]));
  return (
    <ChartFrame
      title="Rewards committed per day"
      summary={
        sums.length === 0 ? "Nothing was committed." : `${sums.map(formatTokens).join(", ")} committed by submissions.`
      }
      table={{
        columns: ["Day (UTC)", ...tokens.map(({ label }) => label)],
        rows: days.map((day) => [day.date, ...figuresOf(day).map(formatTokens)]),
      }}
    >
      <BarChart
        h={240}
        data={days.map((day) => ({
          date: day.date,
          ...Object.fromEntries(figuresOf(day).map((reward) => [tokenOf(reward), toCoordinate(reward)])),
        }))}
        dataKey="date"
        series={tokens.map(({ name, label, color }) => ({ name, label, color }))}
        withLegend={tokens.length > 1}
        legendProps={{ verticalAlign: "bottom", itemSorter: null }}
        maxBarWidth={24}
        textColor="var(--mantine-color-text)"
        xAxisProps={{ tickFormatter: nameOfDay, minTickGap: 24 }}
        {...scaleOf(days.flatMap(({ rewards }) => rewards.map(toCoordinate)))}
        tooltipProps={{
          content: ({ label }) => {
            const day = dayOf.get(String(label));
            if (day === undefined) return null;
            const amounts = figuresOf(day).map(formatTokens);
            return (
              <DayTooltip
                title={nameOfDay(day.date)}
                lines={tokens.map((token, index) => ({
                  label: token.label,
                  value: amounts[index] ?? "",
                  color: token.color,
                }))}
              />
            );
          },
        }}
      />
    </ChartFrame>
  );
}

function isAlone(currency: string, sums: readonly Schemas["TokenAmount"][]): boolean {
  return sums.filter((sum) => sum.currency === currency).length === 1;
}
