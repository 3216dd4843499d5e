import { expect, test } from "vitest";
import { createHeartbeat } from "./heartbeat.ts";

test("a process that answers every ping is alive", () => {
  const heartbeat = createHeartbeat();
  for (let round = 0; round < 100; round++) {
    heartbeat.answered(heartbeat.next());
    expect(heartbeat.pulse).toBe("alive");
  }
});

test("three missed pings make it silent, ten dead", () => {
  const heartbeat = createHeartbeat();
  const pulses = Array.from({ length: 12 }, () => {
    heartbeat.next();
    return heartbeat.pulse;
  });
  expect(pulses).toEqual([...Array(3).fill("alive"), ...Array(7).fill("silent"), ...Array(2).fill("dead")]);
});

test("a late answer makes it alive again", () => {
  const heartbeat = createHeartbeat();
  for (let round = 0; round < 6; round++) heartbeat.next();
  expect(heartbeat.pulse).toBe("silent");
  heartbeat.answered(1);
  expect(heartbeat.pulse).toBe("alive");
});

test("a supervisor that was stopped for an hour has missed one ping", () => {
  const heartbeat = createHeartbeat();
  heartbeat.next();
  // An hour passes here without a tick; the first one afterwards comes before the answer is read.
  heartbeat.next();
  expect(heartbeat.pulse).toBe("alive");
  heartbeat.answered(1);
  heartbeat.next();
  expect(heartbeat.pulse).toBe("alive");
});
