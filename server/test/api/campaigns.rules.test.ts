import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BASE,
  campaignBody,
  createActive,
  createDraft,
  depositBody,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
} from "../harness/campaigns.ts";
import { asMerchant, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let services: Service[];
let service: Service;
let merchant: Merchant;
let elsewhere: Merchant;
beforeAll(async () => {
  service = await startService();
  services = [service, await startService({ database: service.database })];
  merchant = await registerMerchant(service);
  elsewhere = asMerchant(services[1] as Service, merchant.id, merchant.keys);
});
afterAll(async () => {
  await services[1]?.close();
  await service.close();
});

const create = (terms: object) => service.operator("/campaigns", { body: campaignBody(merchant.id, {}, terms) });
const edit = (id: string, perTradeProfitMatch: object) =>
  service.operator(`/campaigns/${id}`, { method: "PATCH", body: { perTradeProfitMatch } });
const deposit = (address: string, value: string, createDate = "2026-01-10T12:00:00.000Z") => ({
  ...depositBody(merchant.id, address, { createDate }),
  amount: { value, currency: "USD" },
});

describe("participantsPerWalletMax and minimumDepositUsd of a campaign", () => {
  test("are shown when they are set, absent when not, and can be created with null", async () => {
    const set = await create({ participantsPerWalletMax: 2, minimumDepositUsd: "50.5" });
    expect([set.status, set.body.perTradeProfitMatch]).toMatchObject([
      201,
      { participantsPerWalletMax: 2, minimumDepositUsd: "50.50" },
    ]);
    const read = await merchant.call(`/v1/marketings/campaigns/${set.body.id}`);
    expect(read.body.perTradeProfitMatch).toMatchObject({ participantsPerWalletMax: 2, minimumDepositUsd: "50.50" });
    const without = await create({ participantsPerWalletMax: null, minimumDepositUsd: null });
    expect(without.status).toBe(201);
    expect(Object.keys(without.body.perTradeProfitMatch)).not.toContain("participantsPerWalletMax");
    expect(Object.keys(without.body.perTradeProfitMatch)).not.toContain("minimumDepositUsd");
  });

  test.each([
    ["participantsPerWalletMax", 0],
    ["participantsPerWalletMax", 1_001],
    ["participantsPerWalletMax", 1.5],
    ["participantsPerWalletMax", "2"],
    ["minimumDepositUsd", "0"],
    ["minimumDepositUsd", "0.0000001"],
    ["minimumDepositUsd", "-1"],
    ["minimumDepositUsd", "1e3"],
    ["minimumDepositUsd", "1234567890123456"],
    ["minimumDepositUsd", 50],
  ])("400 for %s %j, naming the field", async (field, value) => {
    const { status, body } = await create({ [field]: value });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error.message).toContain(field);
  });

  test("a repeated creation without them matches a request that was stored before they existed", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const first = await service.operator("/campaigns", { body: campaignBody(merchant.id), headers });
    const nulls = campaignBody(merchant.id, {}, { participantsPerWalletMax: null, minimumDepositUsd: null });
    const again = await service.operator("/campaigns", { body: nulls, headers });
    const other = await service.operator("/campaigns", {
      body: campaignBody(merchant.id, {}, { minimumDepositUsd: "1" }),
      headers,
    });
    expect([first.status, again.status, other.status]).toEqual([201, 200, 409]);
  });

  test("a draft takes any change; later the limit may only rise and the minimum only fall, or be taken away", async () => {
    const { id } = await createDraft(service, merchant.id);
    expect((await edit(id, { participantsPerWalletMax: 3, minimumDepositUsd: "20" })).status).toBe(200);
    expect((await edit(id, { participantsPerWalletMax: 2, minimumDepositUsd: "30" })).status).toBe(200);
    await service.operator(`/campaigns/${id}/activate`, { body: {} });
    for (const [change, rule] of [
      [{ participantsPerWalletMax: 1 }, "participantsPerWalletMax can only rise or be taken away"],
      [{ minimumDepositUsd: "30.000001" }, "minimumDepositUsd can only fall or be taken away"],
    ] as const) {
      const refused = await edit(id, change);
      expect([refused.status, refused.body.error]).toMatchObject([409, { code: "CAMPAIGN_EDIT_INVALID" }]);
      expect(refused.body.error.message).toContain(rule);
    }
    const better = await edit(id, { participantsPerWalletMax: 4, minimumDepositUsd: "10" });
    expect(better.body.perTradeProfitMatch).toMatchObject({ participantsPerWalletMax: 4, minimumDepositUsd: "10.00" });
    const audit = await service.operator(`/audit-log?limit=1&merchantId=${merchant.id}`);
    expect(audit.body.items[0].detail).toEqual({
      participantsPerWalletMax: { from: 2, to: 4 },
      minimumDepositUsd: { from: "30.00", to: "10.00" },
    });
    expect((await edit(id, { participantsPerWalletMax: null, minimumDepositUsd: null })).status).toBe(200);
    for (const change of [{ participantsPerWalletMax: 9 }, { minimumDepositUsd: "1" }]) {
      expect((await edit(id, change)).status, JSON.stringify(change)).toBe(409);
    }
  });
});

describe("submissions beyond participantsPerWalletMax", () => {
  test("422 WALLET_CLAIMED, and nothing of the submission is stored", async () => {
    const { id } = await createActive(service, merchant.id, {}, { participantsPerWalletMax: 1 });
    const [shared, own] = [await qualify(service, merchant.id), await qualify(service, merchant.id)];
    expect((await submit(merchant, id, submission("first", [shared]))).status).toBe(201);
    const refused = await submit(merchant, id, submission("second", [own, shared.toLowerCase()]));
    expect([refused.status, refused.body.error.code]).toEqual([422, "WALLET_CLAIMED"]);
    expect(refused.body.error.message).toContain(shared.toLowerCase());
    const dry = await submit(merchant, id, submission("second", [shared]), "?dryRun=true");
    expect(dry.body.error.code).toBe("WALLET_CLAIMED");
    const [stored] = await service.db.query(
      `select (select count(*)::integer from participants where campaign_id = $1) as participants,
              (select count(*)::integer from participant_wallets where campaign_id = $1) as wallets,
              (select count(*)::integer from submission_journal where campaign_id = $1) as journal`,
      [id],
    );
    expect(stored).toEqual({ participants: 1, wallets: 1, journal: 1 });
    // The wallet it named beside the claimed one is still free.
    expect((await submit(merchant, id, submission("third", [own]))).status).toBe(201);
    expect((await submit(merchant, id, submission("first", [shared], 900_000_000))).status).toBe(200);
  });

  test("60 submissions together in two processes and three campaigns: each wallet gets exactly as many as the limit", async () => {
    const limits = [1, 3, null] as const;
    const campaigns = await Promise.all(
      limits.map((max) => createActive(service, merchant.id, {}, { participantsPerWalletMax: max })),
    );
    const wallets = [await qualify(service, merchant.id), await qualify(service, merchant.id)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, user) =>
        campaigns.map(async ({ id }, campaign) => {
          const caller = user % 2 === 0 ? merchant : elsewhere;
          const { status, body } = await submit(
            caller,
            id,
            submission(`u${user}`, [wallets[user % 4 < 2 ? 0 : 1] ?? ""]),
          );
          return { campaign, wallet: user % 4 < 2 ? 0 : 1, outcome: status === 201 ? "accepted" : body.error.code };
        }),
      ).flat(),
    );
    const count = (campaign: number, wallet: number, outcome: string) =>
      answers.filter((one) => one.campaign === campaign && one.wallet === wallet && one.outcome === outcome).length;
    for (const [campaign, max] of limits.entries()) {
      for (const wallet of [0, 1]) {
        const accepted = max ?? 10;
        expect([count(campaign, wallet, "accepted"), count(campaign, wallet, "WALLET_CLAIMED")]).toEqual([
          accepted,
          10 - accepted,
        ]);
      }
    }
    const over = await service.db.query(
      `select w.address_key from participant_wallets w
       join campaigns c on c.merchant_id = w.merchant_id and c.id = w.campaign_id
       where c.merchant_id = $1
       group by w.campaign_id, w.address_key, w.chain_id, c.participants_per_wallet_max
       having count(*) > c.participants_per_wallet_max`,
      [merchant.id],
    );
    expect(over).toEqual([]);
  });

  test("one address on two chains is two wallets", async () => {
    const { id } = await createActive(service, merchant.id, {}, { participantsPerWalletMax: 1 });
    const address = newAddress();
    await ingest(service, depositBody(merchant.id, address), depositBody(merchant.id, address, { chainId: 1 }));
    const on = (user: string, chainId: number) => ({
      ...submission(user, []),
      wallets: [{ address, chain: { id: chainId } }],
    });
    expect((await submit(merchant, id, on("a", BASE))).status).toBe(201);
    expect((await submit(merchant, id, on("b", 1))).status).toBe(201);
    expect((await submit(merchant, id, on("c", 1))).body.error.code).toBe("WALLET_CLAIMED");
  });
});

describe("a submission with an address that no EVM chain has", () => {
  test.each([
    ["0x123", BASE, "The address 0x123 is 5 characters long; an EVM address is 42: 0x and 40 hexadecimal digits."],
    ["not-an-address", BASE, "The address not-an-address does not start with 0x"],
    ["0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913", 1, "checksum"],
  ])("422 NO_QUALIFYING_WALLET for %s says so", async (address, chainId, text) => {
    const { id } = await createActive(service, merchant.id);
    const wallets = [{ address, chain: { id: chainId } }];
    const { status, body } = await submit(merchant, id, { ...submission("mistyped", []), wallets });
    expect([status, body.error.code]).toEqual([422, "NO_QUALIFYING_WALLET"]);
    expect(body.error.message).toContain(text);
  });
});

describe("qualification with minimumDepositUsd", () => {
  test("needs one completed deposit in the window of at least that; the list, checks and participants agree", async () => {
    const { id } = await createActive(service, merchant.id, {}, { minimumDepositUsd: "50" });
    const [exact, split, late] = [newAddress(), newAddress(), newAddress()];
    await ingest(
      service,
      deposit(exact, "50.00"),
      // Two that only add up to it, and one of it outside the window.
      deposit(split, "49.999999"),
      deposit(split, "49.00"),
      deposit(split, "500.00", "2026-02-10T00:00:00.000Z"),
      // The first one does not count, so the second dates the wallet.
      deposit(late, "1.00", "2026-01-05T00:00:00.000Z"),
      deposit(late, "80.00", "2026-01-20T00:00:00.000Z"),
    );
    const path = `/v1/marketings/campaigns/${id}`;
    const ours = [exact, split, late];
    const dates = (items: { address: string; qualifiedDate: string | null }[]) =>
      Object.fromEntries(
        items.filter(({ address }) => ours.includes(address)).map((item) => [item.address, item.qualifiedDate]),
      );
    const expected = { [exact]: "2026-01-10T12:00:00.000Z", [late]: "2026-01-20T00:00:00.000Z" };
    const check = ours.map((address) => `address=${address}`).join("&");
    for (const query of ["limit=100", check, `${check}&chainId=${BASE}`, `limit=100&chainId=${BASE}`]) {
      const { body } = await merchant.call(`${path}/qualifiedWallets?${query}`);
      expect(dates(body.items), query).toEqual(expected);
    }
    const refused = await submit(merchant, id, submission("split", [split]));
    expect([refused.status, refused.body.error.code]).toEqual([422, "NO_QUALIFYING_WALLET"]);
    expect(refused.body.error.message).toContain("50.00 USD");
    const accepted = await submit(merchant, id, submission("late", [split, late]));
    expect([accepted.status, accepted.body.qualifiedDate]).toEqual([201, "2026-01-20T00:00:00.000Z"]);
    const wallets = { [split]: null, [late]: "2026-01-20T00:00:00.000Z" };
    const listed = await merchant.call(`${path}/participants?limit=100`);
    expect(listed.body.items[0].qualifiedDate).toBe("2026-01-20T00:00:00.000Z");
    const one = await merchant.call(`${path}/participants?merchantUserId=late`);
    const paged = await merchant.call(`${path}/participants/${one.body.id}/wallets`);
    for (const items of [listed.body.items[0].associatedWallets, one.body.associatedWallets, paged.body.items]) {
      expect(dates(items)).toEqual(wallets);
    }
    expect((await service.operator(`/invariants?merchantId=${merchant.id}`)).body).toMatchObject({ ok: true });
  });

  test("a mixed batch keeps each campaign to its own rule", async () => {
    const rules = [{ minimumDepositUsd: "50" }, {}, { minimumDepositUsd: "5" }, { participantsPerWalletMax: 1 }];
    const campaigns = await Promise.all(rules.map((terms) => createActive(service, merchant.id, {}, terms)));
    const address = newAddress();
    await ingest(service, deposit(address, "10.00"));
    const answers = await Promise.all(
      campaigns.map(({ id }, index) => submit(merchant, id, submission(`mixed-${index}`, [address]))),
    );
    expect(answers.map(({ status }) => status)).toEqual([422, 201, 201, 201]);
  });
});
