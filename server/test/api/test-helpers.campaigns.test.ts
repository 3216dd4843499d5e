import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
import { findDrift } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const PATH = "/v1/test-helpers/campaigns";
const DAY_MS = 86_400_000;

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService({ environment: "sandbox" });
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const create = (body: object) => merchant.call(PATH, { body });

describe("POST /v1/test-helpers/campaigns", () => {
  test("201: an ACTIVE campaign that doubles profits, from 30 days ago to 30 days from now", async () => {
    const { status, body } = await create({});
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      type: "PER_TRADE_PROFIT_MATCH",
      status: "ACTIVE",
      perTradeProfitMatch: {
        matchMultiplier: 2,
        maxAmountPerUser: usdc(5_000_000_000),
        maxAmountTotal: usdc(100_000_000_000),
        currentAmountTotal: usdc(0),
        payoutChainId: 84532,
      },
    });
    expect(body).not.toHaveProperty("merchantId");
    const window = Date.parse(body.endDate) - Date.parse(body.startDate);
    expect(window).toBe(60 * DAY_MS);
    expect((await merchant.call(`/v1/marketings/campaigns/${body.id}`)).body).toEqual(body);
  });

  test("takes every field of a campaign, nested ones too", async () => {
    const { status, body } = await create({
      displayName: "Triple February",
      startDate: "2026-02-01T00:00:00Z",
      endDate: "2026-02-28T23:59:59.999Z",
      perTradeProfitMatch: { matchMultiplier: 3.5, maxAmountTotal: usdc(7_000) },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      displayName: "Triple February",
      startDate: "2026-02-01T00:00:00.000Z",
      endDate: "2026-02-28T23:59:59.999Z",
      perTradeProfitMatch: {
        matchMultiplier: 3.5,
        maxAmountTotal: usdc(7_000),
        maxAmountPerUser: usdc(5_000_000_000),
      },
    });
  });

  test("a window of which one end is given is open on the other", async () => {
    const future = new Date(Date.now() + 90 * DAY_MS).toISOString();
    const past = new Date(Date.now() - 90 * DAY_MS).toISOString();
    expect((await create({ startDate: future })).body.endDate > future).toBe(true);
    expect((await create({ endDate: past })).body.startDate < past).toBe(true);
  });

  test.each(["DRAFT", "ACTIVE", "PAUSED", "ENDED"])(
    "status %s is reached by the operator's own moves",
    async (status) => {
      const { body } = await create({ status });
      expect(body.status).toBe(status);
      const audit = await service.operator("/audit-log?limit=3");
      const actions = audit.body.items
        .filter(({ subject }: { subject: string }) => subject === body.id)
        .map(({ action }: { action: string }) => action.replace("campaign.", ""));
      const moves: Record<string, string[]> = {
        DRAFT: [],
        ACTIVE: ["activate"],
        PAUSED: ["pause", "activate"],
        ENDED: ["end", "activate"],
      };
      expect(actions).toEqual([...(moves[status] ?? []), "create"]);
      expect(JSON.stringify(audit.body)).toContain(`merchant ${merchant.id} (test helper)`);
    },
  );

  test("the same idempotencyKey is the same campaign, also when twenty calls race", async () => {
    const body = { idempotencyKey: "once", status: "PAUSED" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await create(body)).body).toMatchObject({ id: answers[0]?.body.id, status: "PAUSED" });
  });

  test("another merchant's call with the same key makes another campaign", async () => {
    const other = await registerMerchant(service);
    const mine = await create({ idempotencyKey: "shared" });
    const theirs = await other.call(PATH, { body: { idempotencyKey: "shared" } });
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  test("five calls lead from a key pair to a matched reward", async () => {
    const stranger = await registerMerchant(service);
    const embeddedWalletAddress = newAddress();
    const deposit = await stranger.call("/v1/test-helpers/deposits", {
      body: { embeddedWalletAddress, chainId: 8453 },
    });
    const campaign = await stranger.call(PATH, { body: {} });
    expect([deposit.status, campaign.status]).toEqual([201, 201]);
    const submitted = await submit(stranger, campaign.body.id, submission("user-1", [embeddedWalletAddress]));
    expect(submitted.status, JSON.stringify(submitted.body)).toBe(201);
    expect(submitted.body).toMatchObject({ status: "MATCHED", amountMatched: usdc(1_000_000_000) });
    expect(await findDrift(service.db)).toEqual([]);
  });

  test.each([
    ["another merchant", { merchantId: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11" }],
    ["an unknown field", { colour: "red" }],
    ["an unknown nested field", { perTradeProfitMatch: { colour: "red" } }],
    ["an unknown status", { status: "RUNNING" }],
    ["an end before the start", { startDate: "2026-02-01T00:00:00Z", endDate: "2026-01-01T00:00:00Z" }],
    ["a multiplier of 0", { perTradeProfitMatch: { matchMultiplier: 0 } }],
    ["two currencies", { perTradeProfitMatch: { maxAmountTotal: { amount: "1", currency: "DAI", decimalPlaces: 6 } } }],
    ["an unreadable date", { startDate: "yesterday" }],
  ])("400 VALIDATION_ERROR for %s", async (_name, body) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});
