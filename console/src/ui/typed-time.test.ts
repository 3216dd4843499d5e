import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromTypedTime, inZone, toTypedTime } from "./typed-time.ts";

describe("a typed time", () => {
  const { TZ } = process.env;
  beforeAll(() => {
    process.env.TZ = "Asia/Kolkata";
  });
  afterAll(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test.each([
    ["UTC", "2026-11-15T20:00:00.000Z", "2026-11-15T20:00"],
    ["local", "2026-11-15T20:00:00.000Z", "2026-11-16T01:30"],
    ["UTC", "2026-11-15T20:00:05.000Z", "2026-11-15T20:00:05"],
    ["local", "2026-11-15T20:00:05.007Z", "2026-11-16T01:30:05.007"],
  ] as const)("in %s, %s is typed as %s", (zone, instant, text) => {
    expect(toTypedTime(instant, zone)).toBe(text);
    expect(fromTypedTime(text, zone)).toBe(instant);
  });

  test.each(["UTC", "local"] as const)("what is no time in %s is nothing", (zone) => {
    expect(toTypedTime("yesterday", zone)).toBe("");
    expect(fromTypedTime("", zone)).toBeNull();
    expect(fromTypedTime("yesterday", zone)).toBeNull();
  });

  test("its label names the zone", () => {
    expect(inZone("Starts", "UTC")).toBe("Starts (UTC)");
    expect(inZone("Starts", "local")).toBe("Starts (local time)");
  });
});
