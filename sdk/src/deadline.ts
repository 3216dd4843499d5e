import { MatchbookError } from "./errors.ts";
import type { WebAbortSignal } from "./platform.ts";

export const TIMEOUT_DEFAULT_MS = 10_000;

export interface Limits {
  timeoutMs: number;
  signal: WebAbortSignal | undefined;
}

/**
 * Runs the work, and rejects as soon as the caller aborts (with the caller's reason) or the time is over (TIMEOUT). It does so
 * even when the work ignores the signal that it gets, as a `sign` callback that hangs does. `missing` is what did not come.
 */
export async function withDeadline<Result>(
  missing: "answer" | "signature",
  { timeoutMs, signal }: Limits,
  work: (signal: WebAbortSignal) => Promise<Result>,
): Promise<Result> {
  // A signal that was aborted before tells its listeners nothing.
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const unfollow = signal && follow(signal, stop);
  const timer = setTimeout(() => {
    const message = `No ${missing} within ${timeoutMs} ms.`;
    controller.abort(new MatchbookError({ code: "TIMEOUT", message }));
  }, timeoutMs);
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    unfollow?.();
  }
}

const followers = new WeakMap<WebAbortSignal, Set<() => void>>();

/** Calls `stop` when the signal is aborted. Many calls share one listener: Node warns of a leak when a signal has more than ten. */
export function follow(signal: WebAbortSignal, stop: () => void): () => void {
  let all = followers.get(signal);
  if (all === undefined) {
    const listening = new Set<() => void>();
    const stopAll = () => {
      for (const each of listening) each();
    };
    signal.addEventListener("abort", stopAll, { once: true });
    followers.set(signal, listening);
    all = listening;
  }
  all.add(stop);
  return () => all.delete(stop);
}
