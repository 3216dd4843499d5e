import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  BASE,
  committedOf,
  createActive,
  createDraft,
  depositBody,
  IN_WINDOW,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
let wallet: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  wallet = await qualify(service, merchant.id);
});
beforeEach(async () => {
  campaign = await createActive(service, merchant.id);
});
afterAll(() => service.close());

const participantsOf = async (campaignId: string) =>
  (await merchant.call(`/v1/marketings/campaigns/${campaignId}/participants`)).body.items;

describe("POST /v1/marketings/campaigns/{campaignId}/participants", () => {
  test("the specification's example: 500 USDC with a multiplier of 2 is 1000 USDC, 201 with the full participant", async () => {
    const answer = await submit(merchant, campaign.id, submission("user-1", [wallet], 500_000_000));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      campaignId: campaign.id,
      merchantUserId: "user-1",
      status: "MATCHED",
      qualifiedDate: IN_WINDOW,
      tradeProfit: usdc(500_000_000),
      amountMatched: usdc(1_000_000_000),
      maxMatchPerUser: usdc(5_000_000_000),
      associatedWallets: [{ address: wallet, chainId: BASE, chainName: "Base", qualifiedDate: IN_WINDOW }],
      walletCount: 1,
      payouts: [],
      createDate: expect.stringMatching(/Z$/),
      updateDate: expect.stringMatching(/Z$/),
    });
    expect(await committedOf(service, campaign.id)).toBe(1_000_000_000n);
    const read = await merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants?merchantUserId=user-1`);
    expect(read.body).toEqual(answer.body);
  });

  test("200 for a repeat, which refreshes the input amount and counts the budget once", async () => {
    const first = await submit(merchant, campaign.id, submission("user-1", [wallet], 500_000_000));
    const repeat = await submit(merchant, campaign.id, submission("user-1", [wallet], 500_000_000));
    expect([first.status, repeat.status]).toEqual([201, 200]);
    expect(repeat.body).toEqual({ ...first.body, updateDate: repeat.body.updateDate });
    expect(await committedOf(service, campaign.id)).toBe(1_000_000_000n);
  });

  test("a lower amount is shown as the trade profit and leaves the match; a higher one raises it by the difference", async () => {
    await submit(merchant, campaign.id, submission("user-1", [wallet], 500_000_000));
    const lower = await submit(merchant, campaign.id, submission("user-1", [wallet], 1));
    expect(lower.body).toMatchObject({ tradeProfit: usdc(1), amountMatched: usdc(1_000_000_000) });
    const higher = await submit(merchant, campaign.id, submission("user-1", [wallet], 600_000_000));
    expect(higher.body).toMatchObject({ tradeProfit: usdc(600_000_000), amountMatched: usdc(1_200_000_000) });
    expect(await committedOf(service, campaign.id)).toBe(1_200_000_000n);
  });

  test("an amount of 0 is QUALIFIED with a match of 0", async () => {
    const answer = await submit(merchant, campaign.id, submission("user-1", [wallet], 0));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ status: "QUALIFIED", amountMatched: usdc(0) });
  });

  test("the cap limits the match, and a raised cap counts from the next submission on", async () => {
    const answer = await submit(merchant, campaign.id, submission("user-1", [wallet], 3_000_000_000));
    expect(answer.body.amountMatched).toEqual(usdc(5_000_000_000));
    const raised = { perTradeProfitMatch: { maxAmountPerUser: { amount: "5500000000" } } };
    await service.operator(`/campaigns/${campaign.id}`, { method: "PATCH", body: raised });
    const before = await merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants?merchantUserId=user-1`);
    expect(before.body).toMatchObject({ amountMatched: usdc(5_000_000_000), maxMatchPerUser: usdc(5_000_000_000) });
    const after = await submit(merchant, campaign.id, submission("user-1", [wallet], 3_000_000_000));
    expect(after.body).toMatchObject({ amountMatched: usdc(5_500_000_000), maxMatchPerUser: usdc(5_500_000_000) });
  });

  test("no budget left is not an error: 201 with what is left, then 201 with a match of 0", async () => {
    const small = await createActive(service, merchant.id, {}, { maxAmountTotal: usdc(1_500) });
    const matches = [];
    for (const user of ["a", "b", "c"]) {
      const { status, body } = await submit(merchant, small.id, submission(user, [wallet], 500));
      matches.push([status, body.status, body.amountMatched.amount]);
    }
    expect(matches).toEqual([
      [201, "MATCHED", "1000"],
      [201, "MATCHED", "500"],
      [201, "QUALIFIED", "0"],
    ]);
    expect(await committedOf(service, small.id)).toBe(1_500n);
  });

  test("a fractional multiplier and a token with 18 decimals are exact to the last of 78 digits", async () => {
    const token = (amount: string) => ({ amount, currency: "DAI", decimalPlaces: 18 });
    const huge = "9".repeat(78);
    const exact = await createActive(
      service,
      merchant.id,
      {},
      { matchMultiplier: 1.234567, maxAmountPerUser: token(huge), maxAmountTotal: token(huge) },
    );
    const { body } = await submit(
      merchant,
      exact.id,
      submission("user-1", [wallet], "123456789012345678901234567890123"),
    );
    const expected = (123456789012345678901234567890123n * 1_234_567n * 10n ** 18n) / 10n ** 12n;
    expect(body.amountMatched).toEqual(token(String(expected)));
    const most = await submit(merchant, exact.id, submission("user-2", [wallet], huge));
    expect(BigInt(most.body.amountMatched.amount)).toBe(BigInt(huge) - expected);
    expect(await committedOf(service, exact.id)).toBe(BigInt(huge));
  });

  test.each(["DRAFT", "PAUSED", "ENDED"])("422 CAMPAIGN_NOT_ACTIVE while %s, and nothing is stored", async (status) => {
    const inactive = await createDraft(service, merchant.id);
    if (status !== "DRAFT") await service.operator(`/campaigns/${inactive.id}/activate`, { body: {} });
    if (status === "PAUSED") await service.operator(`/campaigns/${inactive.id}/pause`, { body: {} });
    if (status === "ENDED") await service.operator(`/campaigns/${inactive.id}/end`, { body: {} });
    const answer = await submit(merchant, inactive.id, submission("user-1", [wallet]));
    expect([answer.status, answer.body.error.code]).toEqual([422, "CAMPAIGN_NOT_ACTIVE"]);
    expect(await participantsOf(inactive.id)).toEqual([]);
  });

  test("422 NO_QUALIFYING_WALLET without a qualifying wallet among the submitted ones, and nothing is stored", async () => {
    const answer = await submit(merchant, campaign.id, submission("user-1", [newAddress()]));
    expect([answer.status, answer.body.error.code]).toEqual([422, "NO_QUALIFYING_WALLET"]);
    expect(await participantsOf(campaign.id)).toEqual([]);
    // A repeat needs a qualifying wallet of its own; the one submitted earlier does not count.
    await submit(merchant, campaign.id, submission("user-1", [wallet]));
    const repeat = await submit(merchant, campaign.id, submission("user-1", [newAddress()]));
    expect(repeat.body.error.code).toBe("NO_QUALIFYING_WALLET");
    expect((await participantsOf(campaign.id))[0].associatedWallets).toHaveLength(1);
  });

  test("the right wallet on another chain does not qualify", async () => {
    const body = { ...submission("user-1", []), wallets: [{ address: wallet, chain: { id: 1 } }] };
    expect((await submit(merchant, campaign.id, body)).body.error.code).toBe("NO_QUALIFYING_WALLET");
  });

  test("wallets unite over submissions, as first spelled; one that does not qualify has no date", async () => {
    const other = newAddress();
    await submit(merchant, campaign.id, submission("user-1", [wallet.toLowerCase(), other, other.toLowerCase()]));
    const answer = await submit(merchant, campaign.id, submission("user-1", [wallet, newAddress()]));
    expect(answer.body.associatedWallets).toHaveLength(3);
    expect(answer.body.associatedWallets.slice(0, 2)).toEqual([
      { address: wallet.toLowerCase(), chainId: BASE, chainName: "Base", qualifiedDate: IN_WINDOW },
      { address: other, chainId: BASE, chainName: "Base", qualifiedDate: null },
    ]);
  });

  test("the participant's qualifiedDate is the earliest, and stays when a deposit fails later; the wallet's own is live", async () => {
    const early = newAddress();
    const deposit = depositBody(merchant.id, early, { createDate: "2026-01-02T00:00:00.000Z" });
    await ingest(service, deposit);
    await submit(merchant, campaign.id, submission("user-1", [wallet, early]));
    await ingest(service, { ...deposit, state: "FAILED", updateDate: "2026-01-03T00:00:00.000Z" });
    const { body } = await merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants?merchantUserId=user-1`);
    expect(body.qualifiedDate).toBe("2026-01-02T00:00:00.000Z");
    expect(body.associatedWallets.map((item: { qualifiedDate: string }) => item.qualifiedDate)).toEqual([
      IN_WINDOW,
      null,
    ]);
    expect(body.amountMatched).toEqual(usdc(1_000_000_000));
  });

  test("a wallet on a chain that is not EVM has a null chainId and its chain's name", async () => {
    const solana = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
    await ingest(service, depositBody(merchant.id, solana, { chainId: 792703809 }));
    const body = { ...submission("user-1", []), wallets: [{ address: solana, chain: { id: 792703809 } }] };
    const answer = await submit(merchant, campaign.id, body);
    expect(answer.status).toBe(201);
    expect(answer.body.associatedWallets).toEqual([
      { address: solana, chainId: null, chainName: "Solana", qualifiedDate: IN_WINDOW },
    ]);
    const lower = {
      ...body,
      merchantUserId: "user-2",
      wallets: [{ address: solana.toLowerCase(), chain: { id: 792703809 } }],
    };
    expect((await submit(merchant, campaign.id, lower)).body.error.code).toBe("NO_QUALIFYING_WALLET");
  });

  test("400 beyond 1,000 wallets over all submissions of a user; the ones before stay", async () => {
    for (let batch = 0; batch < 10; batch++) {
      const more = Array.from({ length: batch === 0 ? 99 : 100 }, newAddress);
      const wallets = batch === 0 ? [wallet, ...more] : [wallet, ...more.slice(1)];
      expect((await submit(merchant, campaign.id, submission("collector", wallets))).status).toBe(
        batch === 0 ? 201 : 200,
      );
    }
    const rest = Array.from({ length: 10 }, newAddress);
    const refused = await submit(merchant, campaign.id, submission("collector", [wallet, ...rest]));
    expect([refused.status, refused.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(refused.body.error.message).toContain("1000 wallets");
    const full = await submit(merchant, campaign.id, submission("collector", [wallet, ...rest.slice(0, 9)]));
    expect(full.status).toBe(200);
    expect(full.body.associatedWallets).toHaveLength(1_000);
  });

  test("404 CAMPAIGN_NOT_FOUND for an unknown campaign and for another merchant's, byte for byte alike", async () => {
    const stranger = await registerMerchant(service);
    const others = await submit(stranger, campaign.id, submission("user-1", [wallet]));
    const unknown = await submit(stranger, "00000000-0000-4000-8000-000000000000", submission("user-1", [wallet]));
    const nonsense = await submit(stranger, "nonsense", submission("user-1", [wallet]));
    expect(others.status).toBe(404);
    expect(others.body).toEqual({ error: { code: "CAMPAIGN_NOT_FOUND", message: "No such campaign." } });
    expect([unknown.body, nonsense.body]).toEqual([others.body, others.body]);
  });

  const valid = () => submission("user-1", [wallet]);
  test.each<[string, (body: ReturnType<typeof valid>) => unknown, string]>([
    ["no merchantUserId", (body) => ({ ...body, merchantUserId: undefined }), "merchantUserId is required"],
    ["an empty merchantUserId", (body) => ({ ...body, merchantUserId: "" }), "merchantUserId must be 1 to 255"],
    [
      "a long merchantUserId",
      (body) => ({ ...body, merchantUserId: "u".repeat(256) }),
      "merchantUserId must be 1 to 255",
    ],
    ["no wallet", (body) => ({ ...body, wallets: [] }), "wallets must have 1 to 100 items"],
    ["101 wallets", (body) => ({ ...body, wallets: Array(101).fill(body.wallets[0]) }), "wallets must have 1 to 100"],
    [
      "a long address",
      (body) => ({ ...body, wallets: [{ address: "a".repeat(129), chain: { id: 1 } }] }),
      "wallets[0].address",
    ],
    ["chain 0", (body) => ({ ...body, wallets: [{ address: "a", chain: { id: 0 } }] }), "wallets[0].chain.id"],
    [
      "another currency",
      (body) => ({ ...body, amount: { ...usdc(1), currency: "USDT" } }),
      'amount.currency must be "USDC"',
    ],
    [
      "other decimals",
      (body) => ({ ...body, amount: { ...usdc(1), decimalPlaces: 18 } }),
      "amount.decimalPlaces must be 6",
    ],
    ["a negative amount", (body) => ({ ...body, amount: usdc("-1") }), "amount.amount"],
    ["a fraction", (body) => ({ ...body, amount: usdc("1.5") }), "amount.amount"],
    ["a leading zero", (body) => ({ ...body, amount: usdc("01") }), "amount.amount"],
    ["79 digits", (body) => ({ ...body, amount: usdc("1".repeat(79)) }), "amount.amount"],
    [
      "a number as amount",
      (body) => ({ ...body, amount: { ...usdc(1), amount: 1 } }),
      "amount.amount must be a whole number",
    ],
    ["an unknown field", (body) => ({ ...body, amountMatched: "1" }), "amountMatched is not a known field"],
  ])("400 VALIDATION_ERROR that names the field: %s", async (_name, change, message) => {
    const answer = await submit(merchant, campaign.id, change(valid()));
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
  });

  test("100 wallets and a merchantUserId of 255 characters are taken, and the id is compared exactly", async () => {
    const wallets = [wallet, ...Array.from({ length: 99 }, newAddress)];
    const long = "é".repeat(255);
    expect((await submit(merchant, campaign.id, submission(long, wallets))).status).toBe(201);
    expect((await submit(merchant, campaign.id, submission("User", [wallet]))).status).toBe(201);
    expect((await submit(merchant, campaign.id, submission("user", [wallet]))).status).toBe(201);
  });

  test("a campaign past its endDate accepts data until it is ended", async () => {
    expect((await submit(merchant, campaign.id, submission("late", [wallet]))).status).toBe(201);
  });

  test("every accepted submission is in the operators' journal, newest first, with what it changed", async () => {
    await submit(merchant, campaign.id, submission("user-1", [wallet], 500_000_000));
    await submit(merchant, campaign.id, submission("user-1", [wallet], 100));
    await submit(merchant, campaign.id, submission("user-2", [newAddress()], 100));
    const { body } = await service.operator(`/campaigns/${campaign.id}/journal`);
    expect(body.items).toHaveLength(2);
    expect(body.items[0]).toMatchObject({
      position: 2,
      created: false,
      delta: usdc(0),
      amountMatched: usdc(1_000_000_000),
    });
    expect(body.items[1]).toMatchObject({
      position: 1,
      merchantUserId: "user-1",
      created: true,
      tradeProfit: usdc(500_000_000),
      delta: usdc(1_000_000_000),
      currentAmountTotal: usdc(1_000_000_000),
    });
  });
});

describe("POST …/participants?dryRun=true", () => {
  test("answers what would be matched and why it was clamped, and stores nothing", async () => {
    const small = await createActive(
      service,
      merchant.id,
      {},
      { maxAmountPerUser: usdc(800), maxAmountTotal: usdc(1_000) },
    );
    const dry = (user: string, amount: number) =>
      submit(merchant, small.id, submission(user, [wallet], amount), "?dryRun=true");
    const plain = await dry("user-1", 100);
    expect(plain.status).toBe(200);
    expect(plain.body).toEqual({
      dryRun: true,
      amountMatched: usdc(200),
      delta: usdc(200),
      clampedBy: null,
      remainingBudget: usdc(1_000),
    });
    expect((await dry("user-1", 500)).body).toMatchObject({
      amountMatched: usdc(800),
      clampedBy: "MAX_AMOUNT_PER_USER",
    });
    expect(await participantsOf(small.id)).toEqual([]);

    await submit(merchant, small.id, submission("user-1", [wallet], 350));
    expect((await dry("user-2", 300)).body).toEqual({
      dryRun: true,
      amountMatched: usdc(300),
      delta: usdc(300),
      clampedBy: "CAMPAIGN_BUDGET",
      remainingBudget: usdc(300),
    });
    expect((await dry("user-1", 375)).body).toMatchObject({
      amountMatched: usdc(750),
      delta: usdc(50),
      clampedBy: null,
    });
    expect(await committedOf(service, small.id)).toBe(700n);
    expect((await service.operator(`/campaigns/${small.id}/journal`)).body.items).toHaveLength(1);
  });

  test("refuses what a submission would be refused for", async () => {
    const draft = await createDraft(service, merchant.id);
    const dry = (id: string, body: unknown, query = "?dryRun=true") => submit(merchant, id, body, query);
    expect((await dry(draft.id, submission("u", [wallet]))).body.error.code).toBe("CAMPAIGN_NOT_ACTIVE");
    expect((await dry(campaign.id, submission("u", [newAddress()]))).body.error.code).toBe("NO_QUALIFYING_WALLET");
    const unknown = await dry("00000000-0000-4000-8000-000000000000", submission("u", [wallet]));
    expect(unknown.body.error.code).toBe("CAMPAIGN_NOT_FOUND");
  });

  test.each(["?dryrun=true", "?dryRun=1", "?dryRun=yes", "?dryRun=", "?dryRun=true&dryRun=true"])(
    "400 for %s, so that a typo stores nothing",
    async (query) => {
      const answer = await submit(merchant, campaign.id, submission("user-1", [wallet]), query);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(await participantsOf(campaign.id)).toEqual([]);
    },
  );

  test("dryRun=false submits", async () => {
    const answer = await submit(merchant, campaign.id, submission("user-1", [wallet]), "?dryRun=false");
    expect(answer.status).toBe(201);
  });
});
