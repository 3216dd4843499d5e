import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BASE,
  createActive,
  createDraft,
  depositBody,
  IN_WINDOW,
  ingest,
  newAddress,
  submission,
  submit,
  WINDOW,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function setup() {
  const merchant = await registerMerchant(service);
  const campaign = await createActive(service, merchant.id);
  const path = `/v1/marketings/campaigns/${campaign.id}/qualifiedWallets`;
  return { merchant, campaign, read: (query = "") => merchant.call(path + query) };
}

const addressesOf = (body: { items: { address: string }[] }) => body.items.map((item) => item.address);
const deposit = (merchant: Merchant, address: string, change = {}) => depositBody(merchant.id, address, change);

describe("a wallet qualifies", () => {
  test("by its earliest completed deposit in the window, spelled as that deposit spelled it", async () => {
    const { merchant, read } = await setup();
    const address = newAddress();
    await ingest(service, deposit(merchant, address.toLowerCase(), { createDate: "2026-01-20T00:00:00.000Z" }));
    await ingest(service, deposit(merchant, address, { createDate: "2026-01-05T00:00:00.000Z" }));
    const { body } = await read();
    expect(body).toEqual({
      items: [
        {
          address,
          chainId: BASE,
          chainName: "Base",
          qualified: true,
          qualifiedDate: "2026-01-05T00:00:00.000Z",
          participant: null,
        },
      ],
      nextCursor: null,
    });
  });

  test("at both ends of the window, and not a millisecond outside", async () => {
    const { merchant, read } = await setup();
    const at = [WINDOW.startDate, WINDOW.endDate, "2025-12-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z"];
    const addresses = at.map(newAddress);
    await ingest(service, ...at.map((createDate, index) => deposit(merchant, addresses[index] ?? "", { createDate })));
    expect(addressesOf((await read()).body).sort()).toEqual(addresses.slice(0, 2).sort());
  });

  test("only while a deposit is completed: pending, failed and expired ones do not count", async () => {
    const { merchant, read } = await setup();
    const address = newAddress();
    const event = deposit(merchant, address, { state: "PENDING" });
    const states: [string, number][] = [
      ["PENDING", 0],
      ["COMPLETED", 1],
      ["FAILED", 0],
    ];
    for (const [index, [state, count]] of states.entries()) {
      await ingest(service, { ...event, state, updateDate: `2026-01-11T00:00:0${index}.000Z` });
      expect((await read()).body.items).toHaveLength(count);
    }
  });

  test("still, by the next deposit, when the earliest one fails", async () => {
    const { merchant, read } = await setup();
    const address = newAddress();
    const first = deposit(merchant, address, { createDate: "2026-01-05T00:00:00.000Z" });
    await ingest(service, first, deposit(merchant, address));
    await ingest(service, { ...first, state: "FAILED", updateDate: "2026-01-06T00:00:00.000Z" });
    expect((await read()).body.items[0].qualifiedDate).toBe(IN_WINDOW);
  });

  test("for every campaign of its merchant, and for none of another's", async () => {
    const { merchant, read } = await setup();
    const stranger = await setup();
    const other = await createDraft(service, merchant.id);
    const address = newAddress();
    await ingest(service, deposit(merchant, address));
    expect((await read()).body.items).toHaveLength(1);
    expect((await stranger.read()).body.items).toHaveLength(0);
    const { body } = await merchant.call(`/v1/marketings/campaigns/${other.id}/qualifiedWallets`);
    expect(body.items).toHaveLength(1);
  });
});

describe("GET /v1/marketings/campaigns/{campaignId}/qualifiedWallets", () => {
  test("all wallets in a stable order, page by page, each once; one wallet on two chains is two items", async () => {
    const { merchant, read } = await setup();
    const addresses = Array.from({ length: 5 }, newAddress);
    await ingest(
      service,
      ...addresses.flatMap((address) => [deposit(merchant, address), deposit(merchant, address, { chainId: 1 })]),
    );
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await read(`?limit=3${cursor}`);
      seen.push(
        ...body.items.map(
          (item: { address: string; chainId: number }) => `${item.address.toLowerCase()} ${item.chainId}`,
        ),
      );
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    const expected = addresses
      .map((address) => address.toLowerCase())
      .sort()
      .flatMap((address) => [`${address} 1`, `${address} ${BASE}`]);
    expect(seen).toEqual(expected);
  });

  test("of given addresses only those that qualify, in any case of an EVM address, duplicates folded", async () => {
    const { merchant, read } = await setup();
    const [known, unknown] = [newAddress(), newAddress()];
    await ingest(service, deposit(merchant, known), deposit(merchant, newAddress()));
    const { body } = await read(`?address=${known.toLowerCase()}&address=${known}&address=${unknown}`);
    expect(addressesOf(body)).toEqual([known]);
  });

  test("base58 addresses are compared exactly, and chainId takes their chain's number but shows null", async () => {
    const { merchant, read } = await setup();
    const solana = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
    await ingest(service, deposit(merchant, solana, { chainId: 792703809 }), deposit(merchant, newAddress()));
    expect((await read(`?address=${solana.toLowerCase()}`)).body.items).toEqual([]);
    const { body } = await read("?chainId=792703809");
    expect(body.items).toMatchObject([{ address: solana, chainId: null, chainName: "Solana" }]);
  });

  test("a check of 100 addresses answers all on one page; chainId narrows it; limit pages it", async () => {
    const { merchant, read } = await setup();
    const addresses = Array.from({ length: 100 }, newAddress);
    await ingest(
      service,
      ...addresses.flatMap((address) => [deposit(merchant, address), deposit(merchant, address, { chainId: 10 })]),
    );
    const query = `?${addresses.map((address) => `address=${address}`).join("&")}`;
    const all = await read(query);
    expect([all.body.items.length, all.body.nextCursor]).toEqual([200, null]);
    expect((await read(`${query}&chainId=10`)).body.items).toHaveLength(100);
    expect((await read(`${query}&chainId=137`)).body.items).toHaveLength(0);
    const first = await read(`${query}&limit=50`);
    expect(first.body.items).toHaveLength(50);
    const second = await read(`${query}&limit=100&cursor=${first.body.nextCursor}`);
    expect([...first.body.items, ...second.body.items]).toEqual(all.body.items.slice(0, 150));
    const reordered = `?${[...addresses]
      .reverse()
      .map((address) => `address=${address.toLowerCase()}`)
      .join("&")}`;
    expect((await read(`${reordered}&limit=50&cursor=${first.body.nextCursor}`)).status).toBe(200);
  });

  test("chainId alone narrows the list, page by page", async () => {
    const { merchant, read } = await setup();
    const addresses = Array.from({ length: 3 }, newAddress);
    await ingest(
      service,
      ...addresses.flatMap((address) => [deposit(merchant, address), deposit(merchant, address, { chainId: 1 })]),
    );
    const first = await read("?chainId=1&limit=2");
    const second = await read(`?chainId=1&limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.nextCursor).toBeNull();
    expect([...addressesOf(first.body), ...addressesOf(second.body)].sort()).toEqual([...addresses].sort());
  });

  test("participant is the first that claimed the wallet, also when the wallet qualified later", async () => {
    const { merchant, campaign, read } = await setup();
    const [shared, later, other] = [newAddress(), newAddress(), newAddress()];
    await ingest(service, deposit(merchant, shared), deposit(merchant, other));
    const first = await submit(merchant, campaign.id, submission("first", [shared, later]));
    await submit(merchant, campaign.id, submission("second", [shared.toLowerCase(), later, other]));
    await submit(merchant, campaign.id, submission("first", [shared, other]));
    await ingest(service, deposit(merchant, later));
    const { body } = await read(`?address=${shared}&address=${later}`);
    expect(body.items.map((item: { participant: { id: string } }) => item.participant.id)).toEqual([
      first.body.id,
      first.body.id,
    ]);
    const second = await read(`?address=${other}`);
    expect(second.body.items[0].participant.id).not.toBe(first.body.id);
  });

  test.each([
    ["101 addresses", `?${Array(101).fill("address=0x1").join("&")}`],
    ["an empty address", "?address="],
    ["a long address", `?address=${"a".repeat(129)}`],
    ["chain 0", "?chainId=0"],
    ["a chain that is no number", "?chainId=base"],
    ["a chain beyond 2^53", "?chainId=9007199254740992"],
    ["an unknown parameter", "?addresses=0x1"],
  ])("400 VALIDATION_ERROR: %s", async (_name, query) => {
    const { read } = await setup();
    const answer = await read(query);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("operators read the same", async () => {
    const { merchant, campaign, read } = await setup();
    await ingest(service, deposit(merchant, newAddress()));
    const { body } = await service.operator(`/campaigns/${campaign.id}/qualifiedWallets`);
    expect(body).toEqual((await read()).body);
  });

  test("operators also see the merchant's own id of the user who claimed the wallet; merchants do not", async () => {
    const { merchant, campaign, read } = await setup();
    const [claimed, other] = [newAddress(), newAddress()];
    await ingest(service, deposit(merchant, claimed), deposit(merchant, other));
    const { body: participant } = await submit(merchant, campaign.id, submission("user-7", [claimed]));
    const { items } = (await service.operator(`/campaigns/${campaign.id}/qualifiedWallets`)).body;
    const participantOf = (address: string) =>
      items.find((item: { address: string }) => item.address === address).participant;
    expect(participantOf(claimed)).toEqual({ id: participant.id, merchantUserId: "user-7" });
    expect(participantOf(other)).toBeNull();
    const seen = (await read(`?address=${claimed}`)).body.items[0];
    expect(seen.participant).toEqual({ id: participant.id });
  });
});
