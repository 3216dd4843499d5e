import { describe, expect, test } from "vitest";
import { matchOne, type Step } from "./match.ts";

const HUGE = 10n ** 78n - 1n;
const usdc = (dollars: number) => BigInt(dollars) * 1_000_000n;

const step: Step = {
  profit: usdc(500),
  multiplierMillionths: 2_000_000n,
  tokenDecimals: 6,
  cap: usdc(5_000),
  matched: 0n,
  remaining: usdc(100_000),
};

describe("one submission", () => {
  test("the specification's example: 500 USDC twice is 1000 USDC", () => {
    const result = matchOne({ ...step, profit: 500000000n });
    expect(result).toEqual({ next: 1000000000n, delta: 1000000000n, clampedBy: null });
  });

  test.each<[string, Partial<Step>, bigint, bigint, string | null]>([
    ["no profit", { profit: 0n }, 0n, 0n, null],
    ["exactly the cap", { cap: usdc(1_000) }, usdc(1_000), usdc(1_000), null],
    ["above the cap", { cap: usdc(999) }, usdc(999), usdc(999), "MAX_AMOUNT_PER_USER"],
    [
      "one base unit above the cap",
      { cap: usdc(1_000) - 1n },
      usdc(1_000) - 1n,
      usdc(1_000) - 1n,
      "MAX_AMOUNT_PER_USER",
    ],
    ["exactly the budget", { remaining: usdc(1_000) }, usdc(1_000), usdc(1_000), null],
    ["above the budget", { remaining: usdc(300) }, usdc(300), usdc(300), "CAMPAIGN_BUDGET"],
    ["no budget left", { remaining: 0n }, 0n, 0n, "CAMPAIGN_BUDGET"],
    ["no budget left and no profit", { remaining: 0n, profit: 0n }, 0n, 0n, null],
    ["no budget left for one who has a match", { remaining: 0n, matched: usdc(700) }, usdc(700), 0n, "CAMPAIGN_BUDGET"],
    ["no budget left, but none needed", { remaining: 0n, matched: usdc(1_000) }, usdc(1_000), 0n, null],
    ["a higher profit later", { matched: usdc(600) }, usdc(1_000), usdc(400), null],
    ["the same profit again", { matched: usdc(1_000) }, usdc(1_000), 0n, null],
    ["a lower profit later", { matched: usdc(1_200) }, usdc(1_200), 0n, null],
    ["a lower profit of one at the cap", { matched: usdc(1_200), cap: usdc(1_200) }, usdc(1_200), 0n, null],
    ["a higher profit of one at the cap", { matched: usdc(900), cap: usdc(900) }, usdc(900), 0n, "MAX_AMOUNT_PER_USER"],
    ["a cap below the budget", { cap: usdc(200), remaining: usdc(300) }, usdc(200), usdc(200), "MAX_AMOUNT_PER_USER"],
    ["a budget below the cap", { cap: usdc(300), remaining: usdc(200) }, usdc(200), usdc(200), "CAMPAIGN_BUDGET"],
    [
      "both at one amount: the cap is named",
      { cap: usdc(200), remaining: usdc(200) },
      usdc(200),
      usdc(200),
      "MAX_AMOUNT_PER_USER",
    ],
    [
      "both spent: the cap is named",
      { cap: usdc(200), matched: usdc(200), remaining: 0n },
      usdc(200),
      0n,
      "MAX_AMOUNT_PER_USER",
    ],
    [
      "a budget that the match already holds",
      { matched: usdc(400), remaining: usdc(100) },
      usdc(500),
      usdc(100),
      "CAMPAIGN_BUDGET",
    ],
    ["a cap of zero", { cap: 0n }, 0n, 0n, "MAX_AMOUNT_PER_USER"],
  ])("%s", (_, change, next, delta, clampedBy) => {
    expect(matchOne({ ...step, ...change })).toEqual({ next, delta, clampedBy });
  });

  test.each<[string, bigint, bigint, number, bigint]>([
    ["a third of a cent is floored", 1n, 333_333n, 6, 0n],
    ["the smallest multiplier", 999_999n, 1n, 6, 0n],
    ["the smallest multiplier of one dollar", 1_000_000n, 1n, 6, 1n],
    ["one and a half of three base units", 3n, 1_500_000n, 6, 4n],
    ["18 decimals keep what 6 would floor away", 1n, 333_333n, 18, 333_333_000_000n],
    ["8 decimals scale before the floor", 1n, 1_000n, 8, 0n],
    ["8 decimals scale before the floor, one more", 1n, 10_000n, 8, 1n],
    ["2 decimals floor once, at the end", 19_999n, 1_500_000n, 2, 2n],
    ["no decimals", 1_999_999n, 1_000_000n, 0, 1n],
    ["no decimals, floored after the multiplier", 1_500_000n, 2_000_000n, 0, 3n],
    ["36 decimals", 1n, 1n, 36, 10n ** 24n],
    ["the largest multiplier", 1n, 10n ** 12n, 6, 1_000_000n],
  ])("%s", (_, profit, multiplierMillionths, tokenDecimals, next) => {
    const result = matchOne({
      profit,
      multiplierMillionths,
      tokenDecimals,
      cap: HUGE,
      matched: 0n,
      remaining: HUGE,
    });
    expect(result).toEqual({ next, delta: next, clampedBy: null });
  });

  test("78 digits everywhere", () => {
    const result = matchOne({
      ...step,
      profit: HUGE,
      multiplierMillionths: 10n ** 12n,
      cap: HUGE,
      remaining: HUGE,
    });
    expect(result).toEqual({ next: HUGE, delta: HUGE, clampedBy: "MAX_AMOUNT_PER_USER" });
  });

  test.each<[string, Partial<Step>]>([
    ["a negative profit", { profit: -1n }],
    ["a multiplier of zero", { multiplierMillionths: 0n }],
    ["a match above the cap", { matched: usdc(5_000) + 1n }],
    ["a negative match", { matched: -1n }],
    ["an overspent budget", { remaining: -1n }],
    ["37 decimals", { tokenDecimals: 37 }],
    ["-1 decimals", { tokenDecimals: -1 }],
    ["half a decimal", { tokenDecimals: 0.5 }],
  ])("%s is a broken invariant", (_, change) => {
    expect(() => matchOne({ ...step, ...change })).toThrow();
  });
});
