import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  campaignBody,
  createActive,
  createDraft,
  depositBody,
  ingest,
  newAddress,
  submission,
  submit,
  usdc,
  WINDOW,
} from "../harness/campaigns.ts";
import { applicationBody, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const create = (body: unknown) => service.operator("/campaigns", { body });
const patch = (id: string, body: unknown) => service.operator(`/campaigns/${id}`, { method: "PATCH", body });
const move = (id: string, verb: string) => service.operator(`/campaigns/${id}/${verb}`, { method: "POST" });
const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

describe("POST /operator/v1/campaigns", () => {
  test("201 with a DRAFT that has committed nothing, and the change is audited", async () => {
    const answer = await create(campaignBody(merchant.id));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...campaignBody(merchant.id),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "DRAFT",
      perTradeProfitMatch: { ...campaignBody(merchant.id).perTradeProfitMatch, currentAmountTotal: usdc(0) },
      createDate: expect.stringMatching(/Z$/),
      updateDate: answer.body.createDate,
    });
    expect(await lastAudit()).toMatchObject({
      action: "campaign.create",
      subject: answer.body.id,
      merchantId: merchant.id,
      detail: { displayName: "Double January" },
    });
  });

  test("a fractional multiplier keeps its digits, and times are cut to milliseconds in UTC", async () => {
    const change = { startDate: "2026-01-01T01:00:00.1239999+01:00" };
    const { body } = await create(campaignBody(merchant.id, change, { matchMultiplier: 0.1 }));
    expect(body.perTradeProfitMatch.matchMultiplier).toBe(0.1);
    expect(body.startDate).toBe("2026-01-01T00:00:00.123Z");
  });

  const of = (change: object, terms: object = {}) => campaignBody(merchant.id, change, terms);
  const inToken = (currency: string, decimalPlaces: number) => {
    const amount = { amount: "1", currency, decimalPlaces };
    return { maxAmountPerUser: amount, maxAmountTotal: amount };
  };
  test.each<[string, () => unknown, string]>([
    ["a missing name", () => of({ displayName: undefined }), "displayName is required"],
    ["an empty name", () => of({ displayName: "" }), "displayName must be 1 to 255"],
    ["a name of spaces", () => of({ displayName: "   " }), "displayName must be 1 to 255"],
    ["a long name", () => of({ displayName: "n".repeat(256) }), "displayName must be 1 to 255"],
    ["another type", () => of({ type: "CASHBACK" }), "type must be"],
    ["a window that ends as it starts", () => of({ endDate: WINDOW.startDate }), "startDate must be before endDate"],
    ["a time without a zone", () => of({ startDate: "2026-01-01T00:00:00" }), "startDate must be an ISO-8601"],
    ["a day that does not exist", () => of({ startDate: "2026-02-30T00:00:00Z" }), "startDate must be an ISO-8601"],
    ["a multiplier of 0", () => of({}, { matchMultiplier: 0 }), "matchMultiplier must be a number above 0"],
    ["a negative multiplier", () => of({}, { matchMultiplier: -1 }), "matchMultiplier must be a number above 0"],
    ["seven fraction digits", () => of({}, { matchMultiplier: 1.0000001 }), "matchMultiplier must be a number above 0"],
    ["a huge multiplier", () => of({}, { matchMultiplier: 1_000_001 }), "matchMultiplier must be a number above 0"],
    ["a multiplier as text", () => of({}, { matchMultiplier: "2" }), "matchMultiplier must be a number"],
    ["a symbol of 17 characters", () => of({}, inToken("U".repeat(17), 6)), "currency must be 1 to 16 visible ASCII"],
    ["a symbol with a space", () => of({}, inToken("US DC", 6)), "currency must be 1 to 16 visible ASCII"],
    ["a symbol that looks like another", () => of({}, inToken("USDС", 6)), "currency must be 1 to 16 visible ASCII"],
    ["37 decimals", () => of({}, inToken("USDC", 37)), "decimalPlaces must be 0 to 36"],
    ["two currencies", () => of({}, { maxAmountPerUser: { ...usdc(1), currency: "DAI" } }), "currency must be that of"],
    [
      "two decimals",
      () => of({}, { maxAmountPerUser: { ...usdc(1), decimalPlaces: 7 } }),
      "decimalPlaces must be that of",
    ],
    ["a negative cap", () => of({}, { maxAmountTotal: usdc("-1") }), "maxAmountTotal.amount"],
    ["79 digits", () => of({}, { maxAmountTotal: usdc("1".repeat(79)) }), "maxAmountTotal.amount"],
    ["chain 0", () => of({}, { payoutChainId: 0 }), "payoutChainId must be"],
    ["a long token address", () => of({}, { payoutTokenAddress: "a".repeat(129) }), "payoutTokenAddress must be"],
    ["a blank token address", () => of({}, { payoutTokenAddress: " " }), "payoutTokenAddress must be"],
    ["a token address with a line break", () => of({}, { payoutTokenAddress: "0x1\n" }), "payoutTokenAddress must be"],
    [
      "a token address that turns around",
      () => of({}, { payoutTokenAddress: "\u202e0x1" }),
      "payoutTokenAddress must be",
    ],
    ["a short token address", () => of({}, { payoutTokenAddress: "0x123" }), "payoutTokenAddress is 5 characters long"],
    [
      "a token address with a wrong checksum",
      () => of({}, { payoutTokenAddress: "0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913" }),
      "payoutTokenAddress does not match its checksum",
    ],
    [
      "a token address of another chain",
      () => of({}, { payoutChainId: 792703809 }),
      "payoutTokenAddress has a character that base58 does not have",
    ],
    ["an unknown field", () => of({ status: "ACTIVE" }), "status is not a known field"],
    ["a merchantId that is no UUID", () => ({ ...of({}), merchantId: "shop" }), "merchantId must be a UUID"],
  ])("400 VALIDATION_ERROR that names the field: %s", async (_name, body, message) => {
    const answer = await create(body());
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
  });

  test("404 MERCHANT_NOT_FOUND for an unknown merchant, and for one that was never approved", async () => {
    const unknown = await create(campaignBody("00000000-0000-4000-8000-000000000000"));
    expect([unknown.status, unknown.body.error.code]).toEqual([404, "MERCHANT_NOT_FOUND"]);
    const applied = await service.call("/v1/merchants/applications", { body: applicationBody() });
    const pending = await create(campaignBody(applied.body.merchantId));
    expect([pending.status, pending.body.error.code]).toEqual([404, "MERCHANT_NOT_FOUND"]);
  });

  test("deposits that are already in the window qualify their wallets", async () => {
    const wallet = newAddress();
    await ingest(service, depositBody(merchant.id, wallet));
    const { id } = await createDraft(service, merchant.id);
    const { body } = await service.operator(`/campaigns/${id}/qualifiedWallets?address=${wallet}`);
    expect(body.items.map((item: { address: string }) => item.address)).toEqual([wallet]);
  });
});

describe("POST /operator/v1/campaigns/{campaignId}/activate, /pause, /resume, /end", () => {
  const paths: Record<string, string[]> = {
    DRAFT: [],
    ACTIVE: ["activate"],
    PAUSED: ["activate", "pause"],
    ENDED: ["activate", "end"],
  };
  const legal: Record<string, Record<string, string>> = {
    DRAFT: { activate: "ACTIVE" },
    ACTIVE: { pause: "PAUSED", end: "ENDED" },
    PAUSED: { resume: "ACTIVE", end: "ENDED" },
    ENDED: {},
  };
  const cases = Object.keys(paths).flatMap((from) =>
    ["activate", "pause", "resume", "end"].map((verb) => [from, verb, legal[from]?.[verb] ?? "409"] as const),
  );
  test.each(cases)("%s, %s → %s", async (from, verb, outcome) => {
    const { id } = await createDraft(service, merchant.id);
    for (const step of paths[from] ?? []) expect((await move(id, step)).status).toBe(200);
    const answer = await move(id, verb);
    if (outcome === "409") {
      expect([answer.status, answer.body.error.code]).toEqual([409, "CAMPAIGN_TRANSITION_INVALID"]);
      expect((await service.operator(`/campaigns/${id}`)).body.status).toBe(from);
    } else {
      expect([answer.status, answer.body.status]).toEqual([200, outcome]);
      expect(await lastAudit()).toMatchObject({
        action: `campaign.${verb}`,
        subject: id,
        detail: { from, to: outcome },
      });
    }
  });

  test("409 for a draft whose payout token was never checked, until it is edited; other edits still work", async () => {
    const { id } = await createDraft(service, merchant.id);
    await service.db.query("update campaigns set payout_token_address = '0x123' where id = $1", [id]);
    expect((await patch(id, { displayName: "Older draft" })).status).toBe(200);
    const refused = await move(id, "activate");
    expect([refused.status, refused.body.error.code]).toEqual([409, "CAMPAIGN_TRANSITION_INVALID"]);
    expect(refused.body.error.message).toContain("payoutTokenAddress is 5 characters long");
    await patch(id, { perTradeProfitMatch: { payoutTokenAddress: `0x${"1".repeat(40)}` } });
    expect((await move(id, "activate")).status).toBe(200);
  });

  test("404 CAMPAIGN_NOT_FOUND for an unknown campaign", async () => {
    for (const id of ["nonsense", "00000000-0000-4000-8000-000000000000"]) {
      expect((await move(id, "activate")).body.error.code).toBe("CAMPAIGN_NOT_FOUND");
    }
  });
});

describe("PATCH /operator/v1/campaigns/{campaignId}", () => {
  test("everything may change in DRAFT; fields that are left out stay, nested ones too", async () => {
    const draft = await createDraft(service, merchant.id);
    const answer = await patch(draft.id, {
      displayName: "Triple February",
      startDate: "2026-02-01T00:00:00Z",
      endDate: "2026-02-28T00:00:00Z",
      perTradeProfitMatch: { matchMultiplier: 3, maxAmountTotal: { amount: "7" }, payoutChainId: 1 },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...draft,
      displayName: "Triple February",
      startDate: "2026-02-01T00:00:00.000Z",
      endDate: "2026-02-28T00:00:00.000Z",
      perTradeProfitMatch: {
        ...draft.perTradeProfitMatch,
        matchMultiplier: 3,
        maxAmountTotal: usdc(7),
        payoutChainId: 1,
      },
      updateDate: answer.body.updateDate,
    });
    const { action, detail } = await lastAudit();
    expect({ action, detail }).toEqual({
      action: "campaign.edit",
      detail: {
        displayName: { from: draft.displayName, to: "Triple February" },
        startDate: { from: draft.startDate, to: "2026-02-01T00:00:00.000Z" },
        endDate: { from: draft.endDate, to: "2026-02-28T00:00:00.000Z" },
        matchMultiplier: { from: 2, to: 3 },
        maxAmountTotal: { from: draft.perTradeProfitMatch.maxAmountTotal, to: usdc(7) },
        payoutChainId: { from: draft.perTradeProfitMatch.payoutChainId, to: 1 },
      },
    });
  });

  test("later, the name, a later endDate and higher caps", async () => {
    const active = await createActive(service, merchant.id);
    const answer = await patch(active.id, {
      displayName: "Still running",
      endDate: "2026-03-01T00:00:00Z",
      perTradeProfitMatch: {
        matchMultiplier: 2,
        maxAmountPerUser: { amount: "6000000000" },
        maxAmountTotal: usdc(200_000_000_000),
      },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.perTradeProfitMatch).toMatchObject({
      maxAmountPerUser: usdc(6_000_000_000),
      maxAmountTotal: usdc(200_000_000_000),
    });
  });

  const refused: [string, object][] = [
    ["another startDate", { startDate: "2025-12-31T00:00:00Z" }],
    ["an earlier endDate", { endDate: "2026-01-30T00:00:00Z" }],
    ["another multiplier", { perTradeProfitMatch: { matchMultiplier: 3 } }],
    ["a lower cap", { perTradeProfitMatch: { maxAmountPerUser: { amount: "1" } } }],
    ["a lower budget", { perTradeProfitMatch: { maxAmountTotal: { amount: "1" } } }],
    ["another payout chain", { perTradeProfitMatch: { payoutChainId: 1 } }],
    ["another payout token", { perTradeProfitMatch: { payoutTokenAddress: `0x${"1".repeat(40)}` } }],
    [
      "other decimals",
      { perTradeProfitMatch: { maxAmountPerUser: { decimalPlaces: 18 }, maxAmountTotal: { decimalPlaces: 18 } } },
    ],
    [
      "another currency",
      { perTradeProfitMatch: { maxAmountPerUser: { currency: "X" }, maxAmountTotal: { currency: "X" } } },
    ],
  ];
  test.each(["activate", "pause", "end"].flatMap((verb) => refused.map(([name, edit]) => [verb, name, edit] as const)))(
    "409 CAMPAIGN_EDIT_INVALID after %s: %s, and nothing changes",
    async (verb, _name, edit) => {
      const active = await createActive(service, merchant.id);
      if (verb !== "activate") await move(active.id, verb);
      const before = (await service.operator(`/campaigns/${active.id}`)).body;
      const answer = await patch(active.id, edit);
      expect([answer.status, answer.body.error.code]).toEqual([409, "CAMPAIGN_EDIT_INVALID"]);
      expect((await service.operator(`/campaigns/${active.id}`)).body).toEqual(before);
    },
  );

  test("an edit that changes nothing leaves no trace", async () => {
    const active = await createActive(service, merchant.id);
    const audited = await lastAudit();
    const answer = await patch(active.id, { displayName: active.displayName, startDate: active.startDate });
    expect(answer.body).toEqual(active);
    expect(await lastAudit()).toEqual(audited);
  });

  test("400 when the merged window or token does not fit together", async () => {
    const draft = await createDraft(service, merchant.id);
    const solana = await patch(draft.id, { perTradeProfitMatch: { payoutChainId: 792703809 } });
    expect([solana.status, solana.body.error.message]).toEqual([
      400,
      expect.stringContaining("payoutTokenAddress has a"),
    ]);
    expect((await patch(draft.id, { endDate: "2025-01-01T00:00:00Z" })).body.error.message).toContain("before endDate");
    const half = await patch(draft.id, { perTradeProfitMatch: { maxAmountTotal: { currency: "DAI" } } });
    expect([half.status, half.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect((await patch(draft.id, { merchantId: merchant.id })).status).toBe(400);
  });

  test("a changed window derives qualification again", async () => {
    const [january, february, both] = [newAddress(), newAddress(), newAddress()];
    const inFebruary = { createDate: "2026-02-10T00:00:00.000Z" };
    await ingest(
      service,
      depositBody(merchant.id, january),
      depositBody(merchant.id, february, inFebruary),
      depositBody(merchant.id, both),
      depositBody(merchant.id, both, inFebruary),
    );
    const { id } = await createDraft(service, merchant.id);
    const check = async () => {
      const query = [january, february, both].map((address) => `address=${address}`).join("&");
      const { body } = await service.operator(`/campaigns/${id}/qualifiedWallets?${query}`);
      return Object.fromEntries(
        body.items.map((item: { address: string; qualifiedDate: string }) => [
          item.address,
          item.qualifiedDate.slice(0, 7),
        ]),
      );
    };
    expect(await check()).toEqual({ [january]: "2026-01", [both]: "2026-01" });
    await patch(id, { startDate: "2026-02-01T00:00:00Z", endDate: "2026-02-28T00:00:00Z" });
    expect(await check()).toEqual({ [february]: "2026-02", [both]: "2026-02" });
    await move(id, "activate");
    await patch(id, { endDate: "2026-03-31T00:00:00Z" });
    expect(await check()).toEqual({ [february]: "2026-02", [both]: "2026-02" });
    expect((await submit(merchant, id, submission("user-1", [january]))).body.error.code).toBe("NO_QUALIFYING_WALLET");
  });
});
