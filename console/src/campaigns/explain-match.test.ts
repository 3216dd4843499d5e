import { describe, expect, test } from "vitest";
import { explainMatch } from "./explain-match.ts";

const usdc = (tokens: number) => ({ amount: String(tokens * 1_000_000), currency: "USDC", decimalPlaces: 6 });

interface Course {
  readonly before?: number;
  readonly after?: number;
  readonly committed?: number;
}

/** A submission to a campaign with a budget of 1,000 and a cap of 500 per user. */
function submission(profit: number, { before = 0, after = 0, committed = after }: Course) {
  return {
    tradeProfit: usdc(profit),
    maxMatchPerUser: usdc(500),
    maxAmountTotal: usdc(1_000),
    delta: usdc(after - before),
    amountMatched: usdc(after),
    currentAmountTotal: usdc(committed),
  };
}

describe("explainMatch", () => {
  test("the multiple of the profit, matched in full", () => {
    expect(explainMatch(submission(100, { after: 150 }), 1.5)).toBe(
      "1.5 × 100.00 USDC profit = 150.00 USDC: matched in full.",
    );
  });

  test("limited by the cap, now or before", () => {
    expect(explainMatch(submission(400, { after: 500 }), 2)).toBe(
      "2 × 400.00 USDC profit = 800.00 USDC, limited by the cap of 500.00 USDC per user.",
    );
    expect(explainMatch(submission(400, { before: 500, after: 500 }), 2)).toBe(
      "2 × 400.00 USDC profit = 800.00 USDC, but the cap of 500.00 USDC per user was reached before: unchanged.",
    );
  });

  test("limited by the remaining budget, or by there being none", () => {
    expect(explainMatch(submission(200, { after: 50, committed: 1_000 }), 2)).toBe(
      "2 × 200.00 USDC profit = 400.00 USDC, limited by the remaining budget of 50.00 USDC.",
    );
    expect(explainMatch(submission(200, { committed: 1_000 }), 2)).toBe(
      "2 × 200.00 USDC profit = 400.00 USDC, but nothing was left of the campaign's budget: no match.",
    );
    expect(explainMatch(submission(200, { before: 50, after: 50, committed: 1_000 }), 2)).toBe(
      "2 × 200.00 USDC profit = 400.00 USDC, but nothing was left of the campaign's budget: unchanged.",
    );
  });

  test("unchanged, because a match never falls", () => {
    expect(explainMatch(submission(10, { before: 100, after: 100 }), 2)).toBe(
      "2 × 10.00 USDC profit = 20.00 USDC, less than the 100.00 USDC matched before: unchanged, because a match never falls.",
    );
    expect(explainMatch(submission(50, { before: 100, after: 100 }), 2)).toBe(
      "2 × 50.00 USDC profit = 100.00 USDC, which is the match already: unchanged.",
    );
  });

  test("no profit", () => {
    expect(explainMatch(submission(0, {}), 2)).toBe("2 × 0.00 USDC profit = 0.00 USDC: nothing to match.");
  });

  test("a token with other decimals than the profit's", () => {
    const ether = (amount: string) => ({ amount, currency: "WETH", decimalPlaces: 18 });
    const explanation = explainMatch(
      {
        tradeProfit: { amount: "1", currency: "USDC", decimalPlaces: 6 },
        maxMatchPerUser: ether("5000000000000000000"),
        maxAmountTotal: ether("9000000000000000000"),
        delta: ether("500000000000"),
        amountMatched: ether("500000000000"),
        currentAmountTotal: ether("500000000000"),
      },
      0.5,
    );
    expect(explanation).toBe("0.5 × 0.000001 USDC profit = 0.0000005 WETH: matched in full.");
  });
});
