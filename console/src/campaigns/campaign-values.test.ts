import { describe, expect, test } from "vitest";
import {
  type Campaign,
  type CampaignValues,
  campaignChecks,
  changesOf,
  isCapAboveBudget,
  termsOf,
  valuesOf,
} from "./campaign-values.ts";

const usdc = (amount: string) => ({ amount, currency: "USDC", decimalPlaces: 6 });

const campaign: Campaign = {
  merchantId: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
  id: "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10",
  type: "PER_TRADE_PROFIT_MATCH",
  status: "DRAFT",
  displayName: "Double November",
  startDate: "2026-11-01T00:00:00.000Z",
  endDate: "2026-11-30T23:59:59.999Z",
  perTradeProfitMatch: {
    matchMultiplier: 1.5,
    maxAmountPerUser: usdc("100500000"),
    maxAmountTotal: usdc("100000000000"),
    currentAmountTotal: usdc("0"),
    payoutChainId: 8453,
    payoutTokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  },
  createDate: "2026-10-01T00:00:00.000Z",
  updateDate: "2026-10-01T00:00:00.000Z",
};

describe("a campaign's terms as they are typed", () => {
  test("the payout token is judged by the payout chain", () => {
    const solana = { ...valuesOf(campaign), payoutChainId: "792703809" };
    const usdcOnSolana = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    expect(campaignChecks.payoutTokenAddress(usdcOnSolana, solana)).toBeNull();
    expect(campaignChecks.payoutTokenAddress(solana.payoutTokenAddress, solana)).toContain("base58");
  });

  test("what is shown means what is stored, to the millisecond and the base unit", () => {
    const values = valuesOf(campaign);
    expect(values).toMatchObject({
      startDate: "2026-11-01T00:00",
      endDate: "2026-11-30T23:59:59.999",
      maxAmountPerUser: "100.5",
    });
    const { currentAmountTotal: _committed, ...perTradeProfitMatch } = campaign.perTradeProfitMatch;
    const { displayName, startDate, endDate } = campaign;
    const noRules = { participantsPerWalletMax: null, minimumDepositUsd: null };
    expect(termsOf(values)).toEqual({
      displayName,
      startDate,
      endDate,
      perTradeProfitMatch: { ...perTradeProfitMatch, ...noRules },
    });
  });

  test("a cap above the budget is noticed, once both are amounts", () => {
    const values = valuesOf(campaign);
    expect(isCapAboveBudget(values)).toBe(false);
    expect(isCapAboveBudget({ ...values, maxAmountPerUser: values.maxAmountTotal })).toBe(false);
    expect(isCapAboveBudget({ ...values, maxAmountPerUser: "100,000.000001" })).toBe(true);
    expect(isCapAboveBudget({ ...values, maxAmountPerUser: "many" })).toBe(false);
  });

  test("an edit sends only what differs", () => {
    const values = valuesOf(campaign);
    expect(changesOf(campaign, values)).toEqual({});
    expect(changesOf(campaign, { ...values, displayName: "Triple November", maxAmountTotal: "200,000" })).toEqual({
      displayName: "Triple November",
      perTradeProfitMatch: { maxAmountTotal: usdc("200000000000") },
    });
    expect(changesOf(campaign, { ...values, decimalPlaces: "18" }).perTradeProfitMatch).toEqual({
      maxAmountPerUser: { ...usdc("100500000000000000000"), decimalPlaces: 18 },
      maxAmountTotal: { ...usdc("100000000000000000000000"), decimalPlaces: 18 },
    });
  });

  test("rules about wallets and deposits are sent as they are typed, and null when they are emptied", () => {
    const rules = { participantsPerWalletMax: 2, minimumDepositUsd: "50.00" };
    const ruled = { ...campaign, perTradeProfitMatch: { ...campaign.perTradeProfitMatch, ...rules } };
    const values = valuesOf(ruled);
    expect(termsOf(values).perTradeProfitMatch).toMatchObject(rules);
    expect(changesOf(ruled, { ...values, participantsPerWalletMax: "", minimumDepositUsd: "12.5" })).toEqual({
      perTradeProfitMatch: { participantsPerWalletMax: null, minimumDepositUsd: "12.5" },
    });
  });

  test.each<[keyof CampaignValues, string]>([
    ["displayName", " "],
    ["startDate", ""],
    ["endDate", "2026-11-01T00:00"],
    ["matchMultiplier", "-1"],
    ["matchMultiplier", "1.0000001"],
    ["maxAmountPerUser", "1.0000001"],
    ["maxAmountTotal", "many"],
    ["decimalPlaces", "37"],
    ["payoutChainId", "Base"],
    ["participantsPerWalletMax", "0"],
    ["participantsPerWalletMax", "1001"],
    ["minimumDepositUsd", "0.00"],
    ["minimumDepositUsd", "1.0000001"],
    ["minimumDepositUsd", "-1"],
    ["payoutTokenAddress", ""],
    ["payoutTokenAddress", "0x123"],
    ["payoutTokenAddress", "0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913"],
  ])("%s refuses %j", (field, value) => {
    const values = valuesOf(campaign);
    expect(campaignChecks[field](values[field], values)).toBeNull();
    expect(campaignChecks[field](value, { ...values, [field]: value })).toEqual(expect.any(String));
  });
});
