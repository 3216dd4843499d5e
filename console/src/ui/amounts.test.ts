import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatTokens,
  formatUsd,
  fromBaseUnits,
  percentOf,
  problemWithAmount,
  remainingOf,
  toBaseUnits,
} from "./amounts.ts";

const usdc = (amount: string) => ({ amount, currency: "USDC", decimalPlaces: 6 });

describe("what is shown", () => {
  test.each([
    ["0", "0.00 USDC"],
    ["1", "0.000001 USDC"],
    ["1500000", "1.50 USDC"],
    ["1234500000", "1,234.50 USDC"],
    ["999999999999", "999,999.999999 USDC"],
    ["1000000000000", "1,000,000.00 USDC"],
  ])("%s base units read %s", (amount, text) => {
    expect(formatTokens(usdc(amount))).toBe(text);
  });

  test("a token without decimals, and one with many", () => {
    expect(formatTokens({ amount: "1234", currency: "PTS", decimalPlaces: 0 })).toBe("1,234.00 PTS");
    expect(fromBaseUnits("1", 18)).toBe("0.000000000000000001");
  });

  test("dollars", () => {
    expect(formatUsd({ value: "1234567.5", currency: "USD" })).toBe("$1,234,567.50");
    expect(formatUsd({ value: "7", currency: "USD" })).toBe("$7.00");
  });

  test("what is left, and how much is gone, which is all of it only at the end", () => {
    expect(remainingOf(usdc("10"), usdc("4"))).toEqual(usdc("6"));
    expect(percentOf(usdc("999999"), usdc("1000000"))).toBe(99.9);
    expect(percentOf(usdc("1000000"), usdc("1000000"))).toBe(100);
    expect(percentOf(usdc("0"), usdc("0"))).toBe(100);
  });
});

describe("what is typed", () => {
  test.each([
    ["1.5", "1500000"],
    ["1.", "1000000"],
    [" 100.50 ", "100500000"],
    ["1500", "1500000000"],
    ["1,500", "1500000000"],
    ["12,345,678.90", "12345678900000"],
    ["0.000001", "1"],
    ["2.0000000", "2000000"],
  ])("%s is %s base units", (text, units) => {
    expect(toBaseUnits(text, 6)).toBe(units);
    expect(problemWithAmount(text, 6)).toBeNull();
  });

  test.each(["1,5", "100,50", "1,50,000", "1,5000", "0,500", "1234,567", ",500", "1,500,", "1.500,00"])(
    "%s is no amount: a comma stands between thousands only",
    (text) => {
      expect(toBaseUnits(text, 6)).toBeNull();
      expect(problemWithAmount(text, 6)).toBe("Write a decimal point: 1.5");
    },
  );

  test.each(["", "-1", "1e3", "1 500", ".5", "1.2.3", "0.0000001", "٣"])("%j is no amount", (text) => {
    expect(toBaseUnits(text, 6)).toBeNull();
    expect(problemWithAmount(text, 6)).toBe("An amount such as 100.50, with at most 6 decimals");
  });

  test("what is shown, typed again, is the same amount", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 36 }), (amount, decimalPlaces) => {
        const shown = formatTokens({ amount: String(amount), currency: "", decimalPlaces });
        expect(toBaseUnits(shown, decimalPlaces)).toBe(String(amount));
        expect(toBaseUnits(fromBaseUnits(String(amount), decimalPlaces), decimalPlaces)).toBe(String(amount));
      }),
    );
  });
});
