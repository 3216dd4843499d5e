import { describe, expect, test } from "vitest";
import { sumRewards, sumUsd } from "./day-figures.ts";

const usdc = (amount: string) => ({ amount, currency: "USDC", decimalPlaces: 6 });
const dai = (amount: string) => ({ amount, currency: "DAI", decimalPlaces: 18 });
const day = (rewards: ReturnType<typeof usdc>[]) => ({
  date: "2026-11-15",
  deposits: { completed: 0, pending: 0, failed: 0 },
  completedUsd: { value: "0.00", currency: "USD" as const },
  rewards,
});

describe("the sums over days", () => {
  test("dollars with any fraction digits are added exactly", () => {
    const amounts = ["999999999999999.99", "0.01", "0.000001"].map((value) => ({ value, currency: "USD" as const }));
    expect(sumUsd(amounts)).toEqual({ value: "1000000000000000.000001", currency: "USD" });
    expect(sumUsd([])).toEqual({ value: "0.00", currency: "USD" });
  });

  test("rewards are added for each token", () => {
    expect(sumRewards([day([usdc("1"), dai("5")]), day([]), day([usdc("2")])])).toEqual([usdc("3"), dai("5")]);
  });
});
