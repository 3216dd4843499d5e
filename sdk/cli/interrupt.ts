import { Interrupted } from "./command.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Does work that Ctrl-C stops in an orderly way: its signal is aborted, and the error says what is done and how to go on. A
 * second Ctrl-C ends the program immediately.
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  describe: () => string,
): Promise<Result> {
  const controller = new AbortController();
  let received: (typeof SIGNALS)[number] | null = null;
  const stop = (signal: (typeof SIGNALS)[number]) => {
    release();
    received = signal;
    controller.abort();
  };
  const release = () => {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw received === null ? error : new Interrupted(received, `Interrupted. ${describe()}`);
  } finally {
    release();
  }
}
