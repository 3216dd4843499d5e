import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "../harness/campaigns.ts";
import { findDrift } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const PATH = "/v1/test-helpers/deposits";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService({ environment: "sandbox" });
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const create = (body: object) => merchant.call(PATH, { body });

describe("POST /v1/test-helpers/deposits", () => {
  test("201: a completed deposit made now, of which only the wallet was given", async () => {
    const before = new Date().toISOString();
    const embeddedWalletAddress = newAddress();
    const { status, body } = await create({ embeddedWalletAddress });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^dep_/),
      userId: expect.any(String),
      status: "completed",
      amount: { value: "100.00", currency: "USD" },
      chain: { chainId: 84532, name: "Base Sepolia" },
      token: { symbol: "USDC", address: expect.any(String) },
      embeddedWalletAddress,
      createDate: expect.any(String),
      updateDate: body.createDate,
    });
    expect(body.createDate >= before && body.createDate <= new Date().toISOString()).toBe(true);
    const listed = await merchant.call("/v1/merchant-deposits?limit=1");
    expect(listed.body.items).toEqual([body]);
  });

  test("takes every field that a report of the hosted flow has", async () => {
    const deposit = {
      id: "dep_own",
      payerId: "payer-1",
      state: "PENDING",
      amount: { value: "12.5", currency: "USD" },
      chainId: 8453,
      token: { symbol: "USDT", address: "0x1111" },
      embeddedWalletAddress: newAddress(),
      createDate: "2026-01-15T12:00:00.000Z",
      updateDate: "2026-01-15T12:05:00.000Z",
    };
    const { status, body } = await create(deposit);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: "dep_own",
      status: "pending",
      amount: { value: "12.50", currency: "USD" },
      chain: { chainId: 8453, name: "Base" },
      token: deposit.token,
      createDate: deposit.createDate,
      updateDate: deposit.updateDate,
    });
    expect(JSON.stringify(body)).not.toContain("payer-1");
  });

  test("one wallet belongs to one user, and payerId joins several", async () => {
    const [first, second] = [newAddress(), newAddress()];
    const users = [];
    for (const body of [
      { embeddedWalletAddress: first },
      { embeddedWalletAddress: first.toUpperCase().replace("0X", "0x") },
      { embeddedWalletAddress: first, payerId: "ann" },
      { embeddedWalletAddress: second, payerId: "ann" },
    ]) {
      users.push((await create(body)).body.userId);
    }
    expect(users[0]).toBe(users[1]);
    expect(users[2]).toBe(users[3]);
    expect(users[0]).not.toBe(users[2]);
  });

  test("with an id, a repeated call is the same deposit, and a later state moves it", async () => {
    const body = { id: "dep_again", embeddedWalletAddress: newAddress(), state: "PENDING" };
    const first = await create(body);
    const again = await create(body);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual({ ...first.body, updateDate: expect.any(String) });
    const settled = await create({ ...body, state: "COMPLETED" });
    expect(settled.body).toMatchObject({ id: "dep_again", status: "completed", createDate: first.body.createDate });
    const { body: page } = await merchant.call(`/v1/merchant-deposits?userId=${first.body.userId}`);
    expect(page.items).toHaveLength(1);
    expect(await findDrift(service.db)).toEqual([]);
  });

  test("409 DEPOSIT_CONFLICT when the id is another wallet's", async () => {
    const taken = { id: "dep_taken", payerId: "ann" };
    await create({ ...taken, embeddedWalletAddress: newAddress() });
    const { status, body } = await create({ ...taken, embeddedWalletAddress: newAddress() });
    expect([status, body.error.code]).toEqual([409, "DEPOSIT_CONFLICT"]);
    expect(body.error.message).toMatch(/^embeddedWalletAddress differs/);
  });

  test("two merchants may use one id, and neither sees the other's", async () => {
    const other = await registerMerchant(service);
    await create({ id: "dep_same", embeddedWalletAddress: newAddress() });
    const theirs = await other.call(PATH, { body: { id: "dep_same", embeddedWalletAddress: newAddress() } });
    expect(theirs.status).toBe(201);
    expect((await other.call("/v1/merchant-deposits")).body.items).toEqual([theirs.body]);
  });

  test.each([
    ["no wallet", {}],
    ["another merchant", { embeddedWalletAddress: "0x1", merchantId: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11" }],
    ["an unknown field", { embeddedWalletAddress: "0x1", colour: "red" }],
    ["an unknown state", { embeddedWalletAddress: "0x1", state: "DONE" }],
    ["a number for an amount", { embeddedWalletAddress: "0x1", amount: 5 }],
    ["a date without a zone", { embeddedWalletAddress: "0x1", createDate: "2026-01-15T12:00:00" }],
    ["a date more than 24 hours ahead", { embeddedWalletAddress: "0x1", createDate: "9026-01-15T12:00:00Z" }],
    ["an update from the year 9026", { embeddedWalletAddress: "0x1", updateDate: "9026-01-15T12:00:00Z" }],
    ["a null", { embeddedWalletAddress: "0x1", chainId: null }],
  ])("400 VALIDATION_ERROR for %s", async (_name, body) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("401 without a signature", async () => {
    const { status, body } = await service.call(PATH, { body: { embeddedWalletAddress: newAddress() } });
    expect([status, body.error.code]).toEqual([401, "MERCHANT_AUTHORIZATION_MISSING"]);
  });
});

describe("in production", () => {
  test("404 ROUTE_NOT_FOUND for both helpers, signed or not", async () => {
    const production = await startService();
    try {
      const signed = await registerMerchant(production);
      for (const path of [PATH, "/v1/test-helpers/campaigns"]) {
        for (const answer of [await signed.call(path, { body: {} }), await production.call(path, { body: {} })]) {
          expect([answer.status, answer.body.error.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
        }
      }
    } finally {
      await production.close();
    }
  });
});
