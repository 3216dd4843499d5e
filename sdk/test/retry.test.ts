import fc from "fast-check";
import { expect, test } from "vitest";
import { readRetryAfter, retryDelayMs, wait } from "../src/retry.ts";

test("the jitter is full: from nothing to twice as much each time, up to 8 seconds", () => {
  const [least, most] = [() => 0, () => 1];
  expect([0, 1, 2, 3].map((attempt) => retryDelayMs(attempt, null, least))).toEqual([0, 0, 0, 0]);
  expect([0, 1, 2, 3, 10].map((attempt) => retryDelayMs(attempt, null, most))).toEqual([250, 500, 1000, 2000, 8000]);
});

test("the wait that the service asks for is kept, unless it is more than a minute", () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(60_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, afterMs, random) => {
      const delayMs = retryDelayMs(attempt, afterMs, () => random) ?? -1;
      expect(delayMs).toBeGreaterThanOrEqual(afterMs);
      expect(delayMs).toBeLessThanOrEqual(afterMs + 8_000);
    }),
  );
  expect(retryDelayMs(0, 60_001, () => 0)).toBeNull();
});

test("Retry-After is read as seconds or as a date", () => {
  const nowMs = Date.parse("2026-01-15T12:00:00Z");
  expect(readRetryAfter("7", nowMs)).toBe(7_000);
  expect(readRetryAfter("Thu, 15 Jan 2026 12:00:09 GMT", nowMs)).toBe(9_000);
  expect(readRetryAfter("Thu, 15 Jan 2026 11:00:00 GMT", nowMs)).toBe(0);
  expect([readRetryAfter(null, nowMs), readRetryAfter("soon", nowMs)]).toEqual([null, null]);
});

test("a wait rejects with the signal's reason, also when it was aborted before", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  const waiting = wait(60_000, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(wait(0, controller.signal)).rejects.toBe(reason);
});
