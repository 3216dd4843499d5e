// An item of a list shows at most 100 wallets and says how many there are; a list of its own has all of them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BASE,
  createActive,
  depositBody,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
} from "../harness/campaigns.ts";
import { depositEvent, findDrift, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let other: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  other = await registerMerchant(service, { domain: "other.example" });
});
afterAll(() => service.close());

const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString();

/** Every item of a list, read in pages of this size. */
async function readAll(read: (query: string) => Promise<Answer>, limit: number) {
  const items: Record<string, string>[] = [];
  for (let cursor = ""; ; ) {
    const answer = await read(`?limit=${limit}${cursor}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.items.length).toBeLessThanOrEqual(limit);
    items.push(...answer.body.items);
    if (answer.body.nextCursor === null) return items;
    cursor = `&cursor=${answer.body.nextCursor}`;
  }
}

async function expectRefused(read: (query: string) => Promise<Answer>, cursor: string): Promise<void> {
  const answer = await read(`?limit=1&cursor=${cursor}`);
  expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
}

describe("the wallets of a user", () => {
  const addresses = Array.from({ length: 250 }, newAddress);
  let userId: string;
  beforeAll(async () => {
    // The wallet that was deposited into last is reported first.
    const events = addresses.map((address, index) =>
      depositEvent(merchant.id, { payerId: "whale", embeddedWalletAddress: address, createDate: day(index) }),
    );
    userId = (await reported(service, events.reverse()))[0]?.userId ?? "";
    await reported(service, [depositEvent(merchant.id, { payerId: "small", embeddedWalletAddress: newAddress() })]);
  });

  const find = async (address: string) =>
    (await merchant.call(`/v1/merchant-users?embeddedWalletAddress=${address}`)).body.items[0];
  const shown = (user: { embeddedWallets: { embeddedWalletAddress: string }[] }) =>
    user.embeddedWallets.map((wallet) => wallet.embeddedWalletAddress);
  const inOrder = (list: readonly string[]) => [...list].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const wallets = (query = "") => merchant.call(`/v1/merchant-users/${userId}/wallets${query}`);

  test("an item of the list shows the 100 that were deposited into first, and counts all", async () => {
    const user = await find(addresses[249] ?? "");
    expect(user).toMatchObject({ userId, walletCount: 250, amounts: { total: { count: 250 } } });
    expect(shown(user)).toEqual(inOrder(addresses.slice(0, 100)));
  });

  test("a deposit that is reported late brings its wallet among the first, whether the wallet is known or new", async () => {
    const late = newAddress();
    await reported(service, [
      depositEvent(merchant.id, { payerId: "whale", embeddedWalletAddress: late, createDate: day(-1) }),
      depositEvent(merchant.id, { payerId: "whale", embeddedWalletAddress: addresses[200], createDate: day(-2) }),
    ]);
    const user = await find(late);
    expect(user.walletCount).toBe(251);
    expect(shown(user)).toEqual(inOrder([late, addresses[200] ?? "", ...addresses.slice(0, 98)]));
    addresses.push(late);
    expect(await findDrift(service.db)).toEqual([]);
  });

  test("up to 100 wallets are all shown", async () => {
    const few = Array.from({ length: 100 }, newAddress);
    const events = few.map((address) => depositEvent(merchant.id, { payerId: "few", embeddedWalletAddress: address }));
    await reported(service, [...events, ...events.map((event) => ({ ...event, id: randomUUID() }))]);
    const user = await find(few[0] ?? "");
    expect([user.walletCount, shown(user)]).toEqual([100, inOrder(few)]);
  });

  test("GET /v1/merchant-users/{userId}/wallets lists every one once, with any page size, 25 by default", async () => {
    for (const limit of [7, 100]) {
      const all = await readAll(wallets, limit);
      expect(all.map(({ embeddedWalletAddress }) => embeddedWalletAddress)).toEqual(inOrder(addresses));
      expect(all[0]).toEqual({ embeddedWalletAddress: expect.any(String), chain: { chainId: BASE, name: "Base" } });
    }
    expect((await wallets()).body.items).toHaveLength(25);
  });

  test("404 USER_NOT_FOUND for an unknown user, another merchant's and no UUID; 400 for what is no page", async () => {
    for (const answer of [
      await merchant.call(`/v1/merchant-users/${randomUUID()}/wallets`),
      await other.call(`/v1/merchant-users/${userId}/wallets`),
      await merchant.call("/v1/merchant-users/none/wallets"),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, "USER_NOT_FOUND"]);
    }
    for (const query of ["?limit=0", "?limit=101", "?chainId=1", "?cursor=x", "?limit="]) {
      expect((await wallets(query)).status, query).toBe(400);
    }
  });

  test("operators read the same, and a cursor of one list opens no other", async () => {
    const path = `/merchants/${merchant.id}/users/${userId}/wallets`;
    const asOperator = (query = "") => service.operator(`${path}${query}`);
    expect((await asOperator("?limit=100")).body.items).toEqual((await wallets("?limit=100")).body.items);
    expect((await service.operator(`/merchants/${other.id}/users/${userId}/wallets`)).status).toBe(404);
    expect((await service.operator(`/merchants/none/users/${userId}/wallets`)).body.error.code).toBe(
      "MERCHANT_NOT_FOUND",
    );
    expect(await statusByRole(service, path)).toEqual(READERS);
    const { nextCursor } = (await wallets("?limit=1")).body;
    await expectRefused(asOperator, nextCursor);
    await expectRefused((query) => merchant.call(`/v1/merchant-users${query}`), nextCursor);
    await expectRefused(wallets, (await asOperator("?limit=1")).body.nextCursor);
    await expectRefused(wallets, (await merchant.call("/v1/merchant-users?limit=1")).body.nextCursor);
  });
});

describe("the wallets of a participant", () => {
  const addresses = Array.from({ length: 230 }, newAddress);
  let campaignId: string;
  let participantId: string;
  beforeAll(async () => {
    campaignId = (await createActive(service, merchant.id)).id;
    await qualify(service, merchant.id, [addresses[0] ?? "", addresses[150] ?? "", addresses[229] ?? ""]);
    for (const part of [addresses.slice(0, 100), addresses.slice(100, 200), addresses.slice(200)]) {
      const answer = await submit(merchant, campaignId, submission("whale", part));
      expect(answer.body.walletCount).toBe(answer.body.associatedWallets.length);
      participantId = answer.body.id;
    }
    await submit(merchant, campaignId, submission("small", addresses.slice(0, 3)));
  });

  const path = () => `/v1/marketings/campaigns/${campaignId}/participants`;
  const wallets = (query = "") => merchant.call(`${path()}/${participantId}/wallets${query}`);
  const shown = (participant: { associatedWallets: { address: string }[] }) =>
    participant.associatedWallets.map(({ address }) => address);

  test("an item of the list shows the 100 that were claimed first, and counts all; one participant has all", async () => {
    for (const answer of [
      await merchant.call(path()),
      await service.operator(`/campaigns/${campaignId}/participants`),
    ]) {
      const [whale, small] = answer.body.items;
      expect([whale.walletCount, shown(whale)]).toEqual([230, addresses.slice(0, 100)]);
      expect([small.walletCount, shown(small)]).toEqual([3, addresses.slice(0, 3)]);
    }
    for (const answer of [
      await merchant.call(`${path()}?id=${participantId}`),
      await service.operator(`/campaigns/${campaignId}/participants?merchantUserId=whale`),
      await submit(merchant, campaignId, submission("whale", addresses.slice(0, 1))),
    ]) {
      expect([answer.body.walletCount, shown(answer.body)]).toEqual([230, addresses]);
    }
  });

  test("qualifiedDate is the earliest over all wallets, also those that the list does not show", async () => {
    const earlier = "2026-01-02T00:00:00.000Z";
    await ingest(service, depositBody(merchant.id, addresses[220] ?? "", { createDate: earlier }));
    const [whale] = (await merchant.call(path())).body.items;
    expect(whale.qualifiedDate).toBe(earlier);
    expect((await merchant.call(`${path()}?id=${participantId}`)).body.qualifiedDate).toBe(earlier);
  });

  test("GET …/participants/{participantId}/wallets lists every one once, in the order they were claimed", async () => {
    const { associatedWallets } = (await merchant.call(`${path()}?id=${participantId}`)).body;
    for (const limit of [9, 100]) expect(await readAll(wallets, limit)).toEqual(associatedWallets);
    expect((await wallets()).body.items).toHaveLength(25);
    expect(associatedWallets[150].qualifiedDate).not.toBeNull();
    expect(associatedWallets[151].qualifiedDate).toBeNull();
  });

  test("404 for an unknown participant, of another campaign and of another merchant; 400 for what is no page", async () => {
    const second = (await createActive(service, merchant.id)).id;
    for (const [who, wanted, code] of [
      [merchant, `${campaignId}/participants/${randomUUID()}`, "PARTICIPANT_NOT_FOUND"],
      [merchant, `${campaignId}/participants/none`, "PARTICIPANT_NOT_FOUND"],
      [merchant, `${second}/participants/${participantId}`, "PARTICIPANT_NOT_FOUND"],
      [other, `${campaignId}/participants/${participantId}`, "CAMPAIGN_NOT_FOUND"],
    ] as const) {
      const answer = await who.call(`/v1/marketings/campaigns/${wanted}/wallets`);
      expect([answer.status, answer.body.error.code]).toEqual([404, code]);
    }
    for (const query of ["?limit=0", "?limit=101", "?status=PAID", "?cursor=x"]) {
      expect((await wallets(query)).status, query).toBe(400);
    }
  });

  test("operators read the same, and a cursor of one list opens no other", async () => {
    const own = `/campaigns/${campaignId}/participants/${participantId}/wallets`;
    const asOperator = (query = "") => service.operator(`${own}${query}`);
    expect((await asOperator("?limit=100")).body.items).toEqual((await wallets("?limit=100")).body.items);
    expect(await statusByRole(service, own)).toEqual(READERS);
    await expectRefused(asOperator, (await wallets("?limit=1")).body.nextCursor);
    await expectRefused(wallets, (await asOperator("?limit=1")).body.nextCursor);
    await expectRefused(wallets, (await merchant.call(`${path()}?limit=1`)).body.nextCursor);
    const { nextCursor } = (await wallets("?limit=1")).body;
    const small = (await merchant.call(`${path()}?merchantUserId=small`)).body.id;
    await expectRefused((query) => merchant.call(`${path()}/${small}/wallets${query}`), nextCursor);
  });
});
