import { describe, expect, test } from "vitest";
import { formatCompact, formatCount, formatDay, formatInstant } from "./format.ts";

describe("numbers and times", () => {
  test("have one format in every browser language", () => {
    expect(formatCount(1_234_567)).toBe("1,234,567");
    expect(formatCompact(1_350)).toBe("1.35K");
    expect(formatInstant("2026-09-05T07:08:09.999Z", "UTC")).toBe("5 Sep 2026, 07:08 UTC");
    expect(formatDay("2026-11-15T23:59:00.000Z", "UTC")).toBe("15 Nov 2026");
  });

  test("midnight is 00:00", () => {
    expect(formatInstant("2026-11-15T00:00:00.000Z", "UTC")).toBe("15 Nov 2026, 00:00 UTC");
  });
});
