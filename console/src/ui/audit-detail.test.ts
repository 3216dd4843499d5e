import { describe, expect, test } from "vitest";
import { detailLines } from "./audit-detail.ts";

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
      { label: "Display name", text: "Old → New" },
      { label: "Per trade profit match, match multiplier", text: "2" },
      { label: "Per trade profit match, max amount total", text: "1.50 USDC" },
      { label: "Origins", text: "https://shop.example, https://www.shop.example" },
      { label: "Reason", text: "none" },
    ]);
  });

  test("nothing noted, no lines", () => {
    expect(detailLines({})).toEqual([]);
  });
});
