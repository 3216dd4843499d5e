import fc from "fast-check";
import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import {
  formatMultiplier,
  formatUnits,
  formatUsd,
  max,
  min,
  parseMultiplier,
  parseUsd,
  TokenAmount,
  UsdAmount,
  UsdAmountInput,
} from "./amounts.ts";
import { AppError } from "./http/errors.ts";

const usdc = { amount: "500000000", currency: "USDC", decimalPlaces: 6 };
const notDecimals = [
  "",
  " 1",
  "1 ",
  "+1",
  "-1",
  "01",
  "00",
  "1e3",
  "1,0",
  "0x1",
  "1_0",
  "Infinity",
  "NaN",
  "１",
  "1\n",
];

describe("TokenAmount", () => {
  test.each(["0", "1", "500000000", "9".repeat(78)])("takes %s base units", (amount) => {
    expect(Value.Check(TokenAmount, { ...usdc, amount })).toBe(true);
  });

  test.each([...notDecimals, "1.0", "1".repeat(79)])("refuses %j as base units", (amount) => {
    expect(Value.Check(TokenAmount, { ...usdc, amount })).toBe(false);
  });

  test.each([
    ["a number as amount", { ...usdc, amount: 5 }],
    ["an empty currency", { ...usdc, currency: "" }],
    ["a currency of 33 characters", { ...usdc, currency: "A".repeat(33) }],
    ["negative decimals", { ...usdc, decimalPlaces: -1 }],
    ["37 decimals", { ...usdc, decimalPlaces: 37 }],
    ["half a decimal", { ...usdc, decimalPlaces: 0.5 }],
    ["an unknown field", { ...usdc, unit: "base" }],
    ["a missing currency", { amount: "1", decimalPlaces: 6 }],
  ])("refuses %s", (_, value) => {
    expect(Value.Check(TokenAmount, value)).toBe(false);
  });

  test.each([0, 6, 18, 36])("takes %i decimals", (decimalPlaces) => {
    expect(Value.Check(TokenAmount, { ...usdc, decimalPlaces })).toBe(true);
  });
});

describe("USD", () => {
  test.each([
    ["0", 0n, "0.00"],
    ["0.0", 0n, "0.00"],
    ["0.000001", 1n, "0.000001"],
    ["0.1", 100_000n, "0.10"],
    ["1", 1_000_000n, "1.00"],
    ["250.5", 250_500_000n, "250.50"],
    ["250.50", 250_500_000n, "250.50"],
    ["250.500", 250_500_000n, "250.50"],
    ["12.345", 12_345_000n, "12.345"],
    ["12.340000", 12_340_000n, "12.34"],
    ["12.345678", 12_345_678n, "12.345678"],
    ["999999999999999.999999", 999_999_999_999_999_999_999n, "999999999999999.999999"],
  ])("%s is read exactly and shown with two to six fraction digits", (text, micros, shown) => {
    expect(parseUsd(text)).toBe(micros);
    expect(formatUsd(micros)).toBe(shown);
    expect(Value.Check(UsdAmountInput, { value: text, currency: "USD" })).toBe(true);
    expect(Value.Check(UsdAmount, { value: shown, currency: "USD" })).toBe(true);
  });

  test.each([...notDecimals, "1.", ".5", "1.1234567", "1".repeat(16), "1.2.3", "1.-2"])("%j is refused", (text) => {
    expect(() => parseUsd(text)).toThrow(AppError);
    expect(Value.Check(UsdAmountInput, { value: text, currency: "USD" })).toBe(false);
  });

  test("the message names the field", () => {
    expect(() => parseUsd("x")).toThrow(/^amount\.value must be a decimal string/);
    expect(() => parseUsd("x", "deposits[3].amount.value")).toThrow(/^deposits\[3\]\.amount\.value must/);
  });

  test("only USD, and no further field", () => {
    expect(Value.Check(UsdAmountInput, { value: "1", currency: "EUR" })).toBe(false);
    expect(Value.Check(UsdAmountInput, { value: "1", currency: "USD", cents: 1 })).toBe(false);
    expect(Value.Check(UsdAmount, { value: "1", currency: "USD" })).toBe(false);
  });

  test("a sum may be longer than any deposit", () => {
    const value = formatUsd(10n ** 30n);
    expect(value).toBe(`1${"0".repeat(24)}.00`);
    expect(Value.Check(UsdAmount, { value, currency: "USD" })).toBe(true);
  });

  test("what is shown reads back as the same amount", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 21n - 1n), (micros) => {
        expect(parseUsd(formatUsd(micros))).toBe(micros);
      }),
    );
  });

  test("a negative amount is a broken invariant", () => {
    expect(() => formatUsd(-1n)).toThrow("never negative");
  });
});

describe("parseMultiplier", () => {
  test.each([
    [2, 2_000_000n],
    [1, 1_000_000n],
    [0.1, 100_000n],
    [0.3, 300_000n],
    [1.1, 1_100_000n],
    [0.000001, 1n],
    [0.000009, 9n],
    [1.005, 1_005_000n],
    [1_000_000, 1_000_000_000_000n],
    [999_999.999999, 999_999_999_999n],
    ["2", 2_000_000n],
    ["2.000000", 2_000_000n],
    ["0.50", 500_000n],
  ])("%s is %s millionths", (value, millionths) => {
    expect(parseMultiplier(value)).toBe(millionths);
  });

  test.each<number | string>([
    0,
    -0,
    -1,
    1e-7,
    0.0000011,
    0.1 + 0.2,
    1_000_000.000001,
    1_000_001,
    9_999_999,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.MIN_VALUE,
    "0.000000",
    "1.0000000",
    ...notDecimals,
  ])("%s is refused", (value) => {
    expect(() => parseMultiplier(value)).toThrow(/^matchMultiplier must be a number above 0 and at most 1000000/);
  });

  test("every multiplier is a JSON number that reads back exactly", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), (millionths) => {
        const sent = JSON.parse(JSON.stringify(formatMultiplier(millionths)));
        expect(parseMultiplier(sent)).toBe(millionths);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("formatUnits", () => {
  test.each([
    [0n, 0, "0"],
    [0n, 18, "0"],
    [7n, 0, "7"],
    [1_500_000n, 6, "1.5"],
    [1_000_000n, 6, "1"],
    [1n, 6, "0.000001"],
    [100n, 0, "100"],
    [123_456_789n, 6, "123.456789"],
    [1n, 36, `0.${"0".repeat(35)}1`],
    [10n ** 78n - 1n, 18, `${"9".repeat(60)}.${"9".repeat(18)}`],
  ])("%s with %i decimals is %s", (amount, decimals, text) => {
    expect(formatUnits(amount, decimals)).toBe(text);
  });

  test("a negative amount is a broken invariant", () => {
    expect(() => formatUnits(-1n, 6)).toThrow("never negative");
  });
});

test("min and max compare integers of any size", () => {
  const huge = 10n ** 78n;
  expect(min(huge, huge - 1n, huge + 1n)).toBe(huge - 1n);
  expect(max(huge, huge - 1n, huge + 1n)).toBe(huge + 1n);
  expect(min(5n)).toBe(5n);
  expect(max(5n)).toBe(5n);
});
