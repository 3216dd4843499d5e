import { describe, expect, test } from "vitest";
import { changesOf, detailLines } from "./audit-detail.ts";

describe("detailLines", () => {
  test("changes, amounts, lists and what is nested read as lines", () => {
    const detail = {
      displayName: { from: "Old", to: "New" },
      perTradeProfitMatch: {
        matchMultiplier: 2,
        maxAmountTotal: { amount: "1500000", currency: "USDC", decimalPlaces: 6 },
      },
      origins: ["https://shop.example", "https://www.shop.example"],
      reason: null,
    };
    expect(detailLines(detail)).toEqual([
      { label: "Display name", text: "Old → New", change: { from: "Old", to: "New" } },
      { label: "Per trade profit match, match multiplier", text: "2" },
      { label: "Per trade profit match, max amount total", text: "1.50 USDC" },
      { label: "Origins", text: "https://shop.example, https://www.shop.example" },
      { label: "Reason", text: "none" },
    ]);
  });

  test("a change of an amount, a number or nothing reads as what it was and what it is", () => {
    const detail = {
      matchMultiplier: { from: 2, to: 2.5 },
      maxAmountTotal: {
        from: { amount: "1500000", currency: "USDC", decimalPlaces: 6 },
        to: { amount: "2000000", currency: "USDC", decimalPlaces: 6 },
      },
      transactionHash: { from: null, to: "0xabc" },
    };
    expect(detailLines(detail)).toEqual([
      { label: "Match multiplier", text: "2 → 2.5", change: { from: "2", to: "2.5" } },
      { label: "Max amount total", text: "1.50 USDC → 2.00 USDC", change: { from: "1.50 USDC", to: "2.00 USDC" } },
      { label: "Transaction hash", text: "none → 0xabc", change: { from: "none", to: "0xabc" } },
    ]);
  });

  test("a change of the subject itself is one line, not one for before and one for after", () => {
    expect(detailLines({ from: "ACTIVE", to: "SUSPENDED", reason: "Fraud" })).toEqual([
      { label: "Change", text: "ACTIVE → SUSPENDED", change: { from: "ACTIVE", to: "SUSPENDED" } },
      { label: "Reason", text: "Fraud" },
    ]);
  });

  test("changes alone, with what was and what is", () => {
    expect(changesOf({ from: "ACTIVE", to: "SUSPENDED", reason: "Fraud" })).toEqual([
      { label: null, from: "ACTIVE", to: "SUSPENDED" },
    ]);
    expect(changesOf({ displayName: { from: "Old", to: "New" }, cap: { from: null, to: 2 }, note: "x" })).toEqual([
      { label: "Display name", from: "Old", to: "New" },
      { label: "Cap", from: "none", to: "2" },
    ]);
    expect(changesOf({ origins: ["https://shop.example"] })).toEqual([]);
  });

  test("nothing noted, no lines", () => {
    expect(detailLines({})).toEqual([]);
  });
});
