import { isJson } from "./output.ts";

export interface Progress {
  /** How much is done, and what else to say about it. */
  show(done: number, note: string): void;
  finish(note: string): void;
}

const BAR_CELLS = 30;
const REDRAW_INTERVAL_MS = 100;
const PLAIN_STEP_COUNT = 10_000;

/**
 * A bar that redraws itself on a terminal; elsewhere, such as in a log, a plain line for every tenth of the work. When the
 * total is not known (null) it counts.
 */
export function startProgress(label: string, total: number | null, stream = process.stderr): Progress {
  // A program that reads JSON reads standard error too; a person at a terminal still sees the bar.
  if (isJson && !stream.isTTY) return { show: () => {}, finish: () => {} };
  let drawnAt = Number.NEGATIVE_INFINITY;
  let plainStep = 0;

  return {
    show(done, note) {
      const share = total === null ? null : total === 0 ? 1 : done / total;
      if (stream.isTTY) {
        if (performance.now() - drawnAt < REDRAW_INTERVAL_MS) return;
        drawnAt = performance.now();
        const cells = Math.round((share ?? 0) * BAR_CELLS);
        const bar = share === null ? "" : `[${"#".repeat(cells)}${"-".repeat(BAR_CELLS - cells)}] `;
        stream.write(`\r\x1b[K${bar}${label} ${describeShare(done, share)}  ${note}`);
        return;
      }
      const step = Math.floor(share === null ? done / PLAIN_STEP_COUNT : share * 10);
      if (step <= plainStep) return;
      plainStep = step;
      stream.write(`${label} ${describeShare(done, share)}  ${note}\n`);
    },
    finish(note) {
      stream.write(`${stream.isTTY ? "\r\x1b[K" : ""}${label}: ${note}\n`);
    },
  };
}

function describeShare(done: number, share: number | null): string {
  return share === null ? String(done) : `${String(Math.floor(share * 100)).padStart(3)}%`;
}
