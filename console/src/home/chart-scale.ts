import { formatCompact } from "../ui/format.ts";

const STEPS = 4;
const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/** The ticks of a vertical axis, from 0 to a round number that covers every value. */
export function ticksOf(values: readonly number[], { isWhole = false } = {}): number[] {
  const most = Math.max(0, ...values);
  if (most === 0) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most / STEPS));
  const round = ROUND_STEPS.find((step) => step * power * STEPS >= most) ?? 10;
  const step = isWhole ? Math.max(1, Math.ceil(round * power)) : round * power;
  const count = Math.ceil(most / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/**
 * The vertical axis and its grid, with the same ticks for both. Left alone, the library drops some lines of the grid and
 * still labels them.
 */
export function scaleOf(values: readonly number[], options?: { isWhole?: boolean }) {
  const ticks = ticksOf(values, options);
  return {
    yAxisProps: {
      ticks,
      domain: [0, ticks.at(-1) ?? 1] as [number, number],
      interval: 0 as const,
      width: 48,
      tickFormatter: formatCompact,
    },
    gridProps: { horizontalValues: ticks },
  };
}
