import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, findDrift, report, reported, TOKEN, WALLET } from "../harness/deposits.ts";
import { applicationBody, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { call, type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const event = (change: Record<string, unknown> = {}) => depositEvent(merchant.id, change);
const find = async (id: string) =>
  (await service.operator(`/deposits?merchantId=${merchant.id}&limit=100`)).body.items.find(
    (item: { id: string }) => item.id === id,
  );

describe("POST /operator/v1/deposits", () => {
  test("200 with a result for each event, in order", async () => {
    const events = [
      event({ payerId: "a" }),
      event({ payerId: "b", state: "EXPIRED" }),
      event({ payerId: "a", state: "AUTHORIZED" }),
    ];
    const results = await reported(service, events);
    const [first, second] = results;
    expect(results).toEqual([
      { id: events[0]?.id, userId: expect.stringMatching(/^[0-9a-f-]{36}$/), status: "completed", outcome: "created" },
      { id: events[1]?.id, userId: expect.any(String), status: "failed", outcome: "created" },
      { id: events[2]?.id, userId: first?.userId, status: "pending", outcome: "created" },
    ]);
    expect(first?.userId).not.toBe(second?.userId);
  });

  test.each([
    ["CREATED", "pending"],
    ["REQUIRES_AUTHORIZATION", "pending"],
    ["AUTHORIZED", "pending"],
    ["PENDING", "pending"],
    ["COMPLETED", "completed"],
    ["FAILED", "failed"],
    ["EXPIRED", "failed"],
  ])("state %s is reported as %s", async (state, status) => {
    const [result] = await reported(service, [event({ state })]);
    expect(result).toMatchObject({ status, outcome: "created" });
  });

  test("the same event twice changes nothing, an older one is stale, a newer one counts", async () => {
    const first = event({ state: "PENDING", updateDate: "2026-01-15T12:05:00.000Z" });
    expect(await reported(service, [first])).toMatchObject([{ outcome: "created", status: "pending" }]);
    expect(await reported(service, [first])).toMatchObject([{ outcome: "unchanged", status: "pending" }]);
    const older = { ...first, state: "FAILED", updateDate: "2026-01-15T12:04:59.999Z" };
    expect(await reported(service, [older])).toMatchObject([{ outcome: "stale", status: "pending" }]);
    const newer = {
      ...first,
      state: "COMPLETED",
      amount: { value: "251.5", currency: "USD" },
      updateDate: "2026-01-15T12:05:00.001Z",
    };
    expect(await reported(service, [newer])).toMatchObject([{ outcome: "updated", status: "completed" }]);
    expect(await find(first.id)).toMatchObject({
      status: "completed",
      amount: { value: "251.50", currency: "USD" },
      createDate: first.createDate,
      updateDate: newer.updateDate,
    });
  });

  test("one id several times in a batch is applied in order, each with its own outcome", async () => {
    const first = event({ state: "CREATED", updateDate: "2026-01-15T12:01:00Z" });
    const results = await reported(service, [
      first,
      { ...first, state: "COMPLETED", updateDate: "2026-01-15T12:03:00Z" },
      { ...first, state: "AUTHORIZED", updateDate: "2026-01-15T12:02:00Z" },
      { ...first, state: "COMPLETED", updateDate: "2026-01-15T12:03:00Z" },
    ]);
    expect(results.map(({ outcome, status }) => [outcome, status])).toEqual([
      ["created", "pending"],
      ["updated", "completed"],
      ["stale", "completed"],
      ["unchanged", "completed"],
    ]);
    expect(await find(first.id)).toMatchObject({ status: "completed", updateDate: "2026-01-15T12:03:00.000Z" });
  });

  test("one id of two merchants is two deposits", async () => {
    const other = await registerMerchant(service, { domain: "other.example" });
    const mine = event();
    await reported(service, [mine, { ...mine, merchantId: other.id, amount: { value: "1", currency: "USD" } }]);
    const theirs = await other.call("/v1/merchant-deposits");
    expect(theirs.body.items).toMatchObject([{ id: mine.id, amount: { value: "1.00" } }]);
    expect(await find(mine.id)).toMatchObject({ amount: { value: "250.00" } });
  });

  test("a payer is another user to another merchant", async () => {
    const other = await registerMerchant(service, { domain: "another.example" });
    const results = await reported(service, [
      event({ payerId: "same person" }),
      depositEvent(other.id, { payerId: "same person" }),
      event({ payerId: "same person", merchantId: merchant.id.toUpperCase() }),
    ]);
    const [here, there, hereAgain] = results.map(({ userId }) => userId);
    expect(here).not.toBe(there);
    expect(here).toBe(hereAgain);
  });

  test.each([
    ["payerId", { payerId: "somebody else" }],
    ["chainId", { chainId: 1 }],
    ["embeddedWalletAddress", { embeddedWalletAddress: "0x52908400098527886E0F7030069857D2E4169EE8" }],
    ["token.symbol", { token: { symbol: "EURC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" } }],
    ["token.address", { token: { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" } }],
    ["createDate", { createDate: "2026-01-15T12:00:00.001Z" }],
  ])(
    "409 DEPOSIT_CONFLICT when %s changes, naming the item, and nothing of the batch is stored",
    async (field, change) => {
      const known = event();
      await reported(service, [known]);
      const fresh = event();
      // Also when the event is older than what is known: a contradiction is not merely late.
      const changed = { ...known, ...change, updateDate: "2026-01-15T12:00:01Z" };
      const answer = await report(service, [fresh, changed]);
      expect(answer.status).toBe(409);
      expect(answer.body.error.code).toBe("DEPOSIT_CONFLICT");
      expect(answer.body.error.message).toContain("deposits[1]");
      expect(answer.body.error.message).toContain(known.id);
      expect(answer.body.error.message).toContain(field);
      expect(await find(fresh.id)).toBeUndefined();
      expect(await findDrift(service.db)).toEqual([]);
    },
  );

  test("409 DEPOSIT_CONFLICT when two events of one batch contradict each other", async () => {
    const first = event();
    const answer = await report(service, [first, { ...first, chainId: 1 }]);
    expect([answer.status, answer.body.error.code]).toEqual([409, "DEPOSIT_CONFLICT"]);
    expect(answer.body.error.message).toContain("deposits[1]");
    expect(await find(first.id)).toBeUndefined();
  });

  test("another spelling of an EVM address is no conflict, and the first one stays", async () => {
    const first = event({ state: "PENDING", payerId: "speller" });
    await reported(service, [first]);
    const again = {
      ...first,
      embeddedWalletAddress: WALLET.toLowerCase(),
      state: "COMPLETED",
      updateDate: "2026-01-15T13:00:00Z",
    };
    expect(await reported(service, [again])).toMatchObject([{ outcome: "updated" }]);
    expect(await find(first.id)).toMatchObject({ status: "completed", embeddedWalletAddress: WALLET });
  });

  test("409 DEPOSIT_CONFLICT when only the case of a base58 address differs", async () => {
    const first = event({ chainId: 792703809, embeddedWalletAddress: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV" });
    await reported(service, [first]);
    const answer = await report(service, [
      { ...first, embeddedWalletAddress: first.embeddedWalletAddress.toLowerCase() },
    ]);
    expect(answer.body.error.code).toBe("DEPOSIT_CONFLICT");
  });

  test("404 MERCHANT_NOT_FOUND naming the item, for an unknown merchant and for one not yet approved", async () => {
    const applied = await service.call("/v1/merchants/applications", {
      body: applicationBody({ domain: "waits.example" }),
    });
    for (const merchantId of ["00000000-0000-4000-8000-000000000000", applied.body.merchantId]) {
      const answer = await report(service, [event(), depositEvent(merchantId)]);
      expect([answer.status, answer.body.error.code]).toEqual([404, "MERCHANT_NOT_FOUND"]);
      expect(answer.body.error.message).toContain("deposits[1]");
    }
  });

  test("a suspended merchant's deposits are still stored", async () => {
    const suspended = await registerMerchant(service, { domain: "suspended.example" });
    await service.operator(`/merchants/${suspended.id}/suspend`, { method: "POST" });
    expect(await reported(service, [depositEvent(suspended.id)])).toMatchObject([{ outcome: "created" }]);
  });

  test.each([
    ["deposits[1].amount.value must be a decimal string", { amount: { value: "1.1234567", currency: "USD" } }],
    ["deposits[1].amount.value must be a decimal string", { amount: { value: "-1", currency: "USD" } }],
    ["deposits[1].amount.value must be a decimal string", { amount: { value: "1e3", currency: "USD" } }],
    ["deposits[1].amount.value must be a decimal string", { amount: { value: "1000000000000000", currency: "USD" } }],
    ["deposits[1].amount.value must be a decimal string", { amount: { value: 5, currency: "USD" } }],
    [
      "deposits[1].token.symbol must be 1 to 16 visible ASCII characters",
      { token: { ...TOKEN, symbol: "T".repeat(17) } },
    ],
    ["deposits[1].token.symbol must be 1 to 16 visible ASCII characters", { token: { ...TOKEN, symbol: "USDС" } }],
    ["deposits[1].amount.currency must be", { amount: { value: "1", currency: "EUR" } }],
    ["deposits[1].state must be one of CREATED", { state: "completed" }],
    ["deposits[1].chainId must be", { chainId: 0 }],
    ["deposits[1].chainId must be", { chainId: 2 ** 53 }],
    ["deposits[1].chainId must be an integer", { chainId: "8453" }],
    ["deposits[1].merchantId must be a UUID", { merchantId: "shop" }],
    ["deposits[1].id must be 1 to 128", { id: "" }],
    ["deposits[1].id must be 1 to 128", { id: "x".repeat(129) }],
    ["deposits[1].payerId must be 1 to 255 characters long", { payerId: "" }],
    ["deposits[1].payerId must be 1 to 255 characters long", { payerId: "p".repeat(256) }],
    ["deposits[1].payerId is required", { payerId: undefined }],
    ["deposits[1].embeddedWalletAddress must be 1 to 128", { embeddedWalletAddress: "0".repeat(129) }],
    ["deposits[1].token.address is required", { token: { symbol: "USDC" } }],
    ["deposits[1].sourceWallet is not a known field", { sourceWallet: "0x1" }],
    ["deposits[1].createDate must be an ISO-8601", { createDate: "2026-01-15T12:00:00" }],
    ["deposits[1].createDate must be an ISO-8601", { createDate: "2026-02-30T12:00:00Z" }],
    ["deposits[1].updateDate must be an ISO-8601", { updateDate: "yesterday" }],
    ["deposits[1].createDate must be at most 64 characters", { createDate: `2026-01-15T12:00:00.${"0".repeat(44)}Z` }],
    ["deposits[1].updateDate must be at most 64 characters", { updateDate: `2026-01-15T12:00:00.${"0".repeat(44)}Z` }],
  ])("400 %s …", async (message, change) => {
    const answer = await report(service, [event(), event(change)]);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
  });

  test("400 for no event, for more than 1000, and for unknown fields beside them", async () => {
    expect((await report(service, [])).body.error.message).toBe("deposits must have 1 to 1000 items.");
    const many = Array.from({ length: 1001 }, () => event());
    expect((await report(service, many)).body.error.message).toBe("deposits must have 1 to 1000 items.");
    const answer = await service.operator("/deposits", { body: { deposits: [event()], dryRun: true } });
    expect(answer.body.error.message).toBe("dryRun is not a known field.");
  });

  test("1000 events of the largest kind fit into one request", async () => {
    const large = Array.from({ length: 1000 }, (_, index) =>
      event({
        id: `${index}-`.padEnd(128, "x"),
        payerId: "ü".repeat(255),
        amount: { value: "999999999999999.999999", currency: "USD" },
        token: { symbol: "T".repeat(16), address: "t".repeat(128) },
        embeddedWalletAddress: "w".repeat(128),
        chainId: 9007199254740991,
      }),
    );
    const results = await reported(service, large);
    expect(results).toHaveLength(1000);
    const users = await merchant.call(`/v1/merchant-users?embeddedWalletAddress=${"W".repeat(128)}`);
    expect(users.body.items).toMatchObject([
      { amounts: { total: { count: 1000, amount: { value: "999999999999999999.999" } } } },
    ]);
    expect(await findDrift(service.db)).toEqual([]);
  });

  test("500 and nothing is stored when a user's figures had drifted from the deposits", async () => {
    const first = event({ payerId: "drifted", state: "PENDING" });
    const [result] = await reported(service, [first]);
    const change = (count: number) =>
      service.db.query("update deposit_users set pending_count = $2 where user_id = $1", [result?.userId ?? "", count]);
    await change(0);
    const answer = await report(service, [{ ...first, state: "COMPLETED", updateDate: "2026-02-01T00:00:00Z" }]);
    expect([answer.status, answer.body.error.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(await find(first.id)).toMatchObject({ status: "pending" });
    await change(1);
    expect(await findDrift(service.db)).toEqual([]);
  });

  test("fractions of a millisecond are cut off, so the event repeated with them is the same event", async () => {
    const first = event({ createDate: "2026-01-15T12:00:00.123999Z", updateDate: "2026-01-15T13:00:00.999999+01:00" });
    await reported(service, [first]);
    expect(await reported(service, [first])).toMatchObject([{ outcome: "unchanged" }]);
    expect(await find(first.id)).toMatchObject({
      createDate: "2026-01-15T12:00:00.123Z",
      updateDate: "2026-01-15T12:00:00.999Z",
    });
  });

  test("an ingest token may report deposits but not read them; a viewer's may read but not report", async () => {
    const tokenOf = async (role: string) =>
      (await service.operator("/tokens", { body: { name: role, role } })).body.token;
    const url = `${service.operatorUrl}/operator/v1/deposits`;
    const ingest = { authorization: `Bearer ${await tokenOf("ingest")}` };
    const viewer = { authorization: `Bearer ${await tokenOf("viewer")}` };
    const body = { deposits: [event()] };
    expect((await call(url, { headers: ingest, body })).status).toBe(200);
    expect((await call(url, { headers: ingest })).body.error.code).toBe("OPERATOR_FORBIDDEN");
    expect((await call(url, { headers: viewer })).status).toBe(200);
    expect((await call(url, { headers: viewer, body })).body.error.code).toBe("OPERATOR_FORBIDDEN");
    expect((await call(url, { body })).body.error.code).toBe("OPERATOR_TOKEN_INVALID");
  });
});
