/** The program was asked to stop before it was ready. */
export class StartStopped extends Error {}

export interface Steps {
  /** Prints what begins now, with the time since the program began. Throws StartStopped once a signal has come. */
  begin(text: string): void;
  /** Throws StartStopped once a signal has come. */
  check(): void;
  /** Resolves with the first SIGTERM, SIGINT or SIGHUP. */
  readonly stopRequest: Promise<void>;
  readonly isStopping: boolean;
}

/** Signals no longer end the process. The caller stops what it has started. */
export function createSteps(): Steps {
  let stopping = false;
  const stopRequest = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => {
        stopping = true;
        resolve();
      });
    }
  });
  const check = () => {
    if (stopping) throw new StartStopped();
  };
  return {
    check,
    stopRequest,
    get isStopping() {
      return stopping;
    },
    begin(text) {
      check();
      process.stdout.write(`${elapsed().padStart(8)}  ${text}\n`);
    },
  };
}

/** "8.2 s": the time since the program began. */
export function elapsed(): string {
  return `${process.uptime().toFixed(1)} s`;
}
