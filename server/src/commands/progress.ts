export interface Progress {
  /** How much of the total is done, with a note to print behind it. */
  show(done: number, note: string): void;
  finish(note: string): void;
}

const BAR_CELLS = 30;
const REDRAW_INTERVAL_MS = 100;

/** Draws a progress bar on a terminal. Elsewhere, such as in a log, prints a plain line for each tenth of the work. */
export function startProgress(label: string, total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let tenths = 0;

  const describe = (done: number, note: string) => {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const secondsLeft = share === 0 ? null : ((performance.now() - startedAt) / 1_000) * (1 / share - 1);
    const left = secondsLeft === null || share === 1 ? "" : `, ${formatSeconds(secondsLeft)} left`;
    return { share, text: `${label} ${String(Math.floor(share * 100)).padStart(3)} %  ${note}${left}` };
  };

  return {
    show(done, note) {
      const { share, text } = describe(done, note);
      if (stream.isTTY) {
        if (performance.now() - drawnAt < REDRAW_INTERVAL_MS) return;
        drawnAt = performance.now();
        const cells = Math.round(share * BAR_CELLS);
        stream.write(`\r\x1b[K[${"#".repeat(cells)}${"-".repeat(BAR_CELLS - cells)}] ${text}`);
      } else if (Math.floor(share * 10) > tenths) {
        tenths = Math.floor(share * 10);
        stream.write(`${text}\n`);
      }
    },
    finish(note) {
      const seconds = (performance.now() - startedAt) / 1_000;
      stream.write(`${stream.isTTY ? "\r\x1b[K" : ""}${label} done in ${formatSeconds(seconds)}: ${note}\n`);
    },
  };
}

function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}
