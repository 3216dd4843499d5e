import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campaignBody, createActive, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATORS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let wallet: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  wallet = await qualify(service, merchant.id);
});
afterAll(() => service.close());

const TERMS = { matchMultiplier: 2, maxAmountPerUser: usdc(5_000), maxAmountTotal: usdc(100_000) };
const preview = (terms: object = {}, tradeProfits: unknown = [usdc(500)]) =>
  service.operator("/campaigns/preview", {
    body: { perTradeProfitMatch: { ...TERMS, ...terms }, tradeProfits },
  });

describe("POST /operator/v1/campaigns/preview", () => {
  test("answers the match of each profit on its own, in their order", async () => {
    const answer = await preview({}, [usdc(500), usdc(0), usdc(2_500), usdc(2_501), usdc(500)]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toEqual({
      matches: [
        { tradeProfit: usdc(500), amountMatched: usdc(1_000), clampedBy: null },
        { tradeProfit: usdc(0), amountMatched: usdc(0), clampedBy: null },
        { tradeProfit: usdc(2_500), amountMatched: usdc(5_000), clampedBy: null },
        { tradeProfit: usdc(2_501), amountMatched: usdc(5_000), clampedBy: "MAX_AMOUNT_PER_USER" },
        { tradeProfit: usdc(500), amountMatched: usdc(1_000), clampedBy: null },
      ],
    });
  });

  const dai = (amount: string) => ({ amount, currency: "DAI", decimalPlaces: 18 });
  test.each([
    ["covered in full", {}],
    ["with a multiplier of many digits, where the result is floored", { matchMultiplier: 1.333333 }],
    ["with a cap", { maxAmountPerUser: usdc(777) }],
    ["with a budget below the cap", { maxAmountPerUser: usdc(9_999), maxAmountTotal: usdc(1_234) }],
    ["where cap and budget are one amount", { maxAmountPerUser: usdc(1_234), maxAmountTotal: usdc(1_234) }],
    ["with no budget at all", { maxAmountTotal: usdc(0) }],
    [
      "in a token of 18 decimals",
      { maxAmountPerUser: dai("3000000000000001"), maxAmountTotal: dai("999999999999999999999") },
    ],
  ])("is what the dry run of a real campaign answers, %s", async (_name, terms) => {
    const campaign = await createActive(service, merchant.id, {}, { ...TERMS, ...terms });
    const profits = [0, 1, 3, 388, 389, 617, 618, 1_000_000_000];
    const previewed = await preview(terms, profits.map(usdc));
    const dryRuns = [];
    for (const profit of profits) {
      const { body } = await submit(merchant, campaign.id, submission("user-1", [wallet], profit), "?dryRun=true");
      dryRuns.push({ tradeProfit: usdc(profit), amountMatched: body.amountMatched, clampedBy: body.clampedBy });
    }
    expect(previewed.body).toEqual({ matches: dryRuns });
  });

  test("stores nothing and leaves no row in the audit log", async () => {
    const counts = () =>
      service.db.query(
        `select (select count(*) from campaigns) as campaigns, (select count(*) from audit_log) as audit,
                (select count(*) from submission_journal) as journal`,
      );
    const before = await counts();
    expect((await preview()).status).toBe(200);
    expect(await counts()).toEqual(before);
  });

  test.each([
    ["no profit", {}, []],
    ["21 profits", {}, Array.from({ length: 21 }, () => usdc(1))],
    ["a profit in another currency", {}, [{ ...usdc(1), currency: "DAI" }]],
    ["a profit with other decimals", {}, [{ ...usdc(1), decimalPlaces: 18 }]],
    ["a negative profit", {}, [usdc("-1")]],
    ["a profit as a number", {}, [{ ...usdc(1), amount: 1 }]],
    ["a multiplier of 0", { matchMultiplier: 0 }, undefined],
    ["a multiplier of too many digits", { matchMultiplier: 1.0000001 }, undefined],
    ["a cap in another currency than the budget", { maxAmountPerUser: dai("1") }, undefined],
    ["terms of payout, which decide nothing here", { payoutChainId: 8453 }, undefined],
  ])("400 for %s", async (_name, terms, profits) => {
    const answer = await preview(terms, profits);
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("refuses the same terms as the creation of a campaign, in the same words", async () => {
    for (const terms of [{ matchMultiplier: 1_000_001 }, { maxAmountPerUser: { ...usdc(1), decimalPlaces: 7 } }]) {
      const created = await service.operator("/campaigns", {
        body: campaignBody(merchant.id, {}, { ...TERMS, ...terms }),
      });
      expect((await preview(terms)).body).toEqual(created.body);
    }
  });

  test("is for operators alone, and by POST alone", async () => {
    const body = { perTradeProfitMatch: TERMS, tradeProfits: [usdc(1)] };
    expect(await statusByRole(service, "/campaigns/preview", { body })).toEqual(OPERATORS);
    expect((await service.operator("/campaigns/preview")).status).toBe(405);
  });
});
