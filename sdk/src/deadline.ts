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
  signal?.addEventListener("abort", stop, { once: true });
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
    signal?.removeEventListener("abort", stop);
  }
}
