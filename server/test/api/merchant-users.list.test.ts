import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let userOf: Record<string, string>;

const EVM = "0x52908400098527886E0F7030069857D2E4169EE7";
const SOLANA_WALLET = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
const SOLANA = 792703809;

beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  const event = (change: Record<string, unknown>) => depositEvent(merchant.id, change);
  const events = [
    event({ payerId: "ada", amount: { value: "0.1", currency: "USD" }, createDate: "2026-01-05T00:00:00Z" }),
    event({
      payerId: "ada",
      amount: { value: "0.2", currency: "USD" },
      createDate: "2026-01-03T00:00:00Z",
      embeddedWalletAddress: EVM.toLowerCase(),
    }),
    event({
      payerId: "ada",
      amount: { value: "1.000001", currency: "USD" },
      state: "AUTHORIZED",
      createDate: "2026-01-09T00:00:00Z",
      chainId: 1,
    }),
    event({
      payerId: "ada",
      amount: { value: "7", currency: "USD" },
      state: "EXPIRED",
      createDate: "2026-01-01T00:00:00Z",
      chainId: SOLANA,
      embeddedWalletAddress: SOLANA_WALLET,
    }),
    event({ payerId: "bob", embeddedWalletAddress: "0x0000000000000000000000000000000000000B0b" }),
    ...Array.from({ length: 30 }, (_, index) =>
      event({ payerId: `crowd-${index}`, embeddedWalletAddress: `crowd-${index}` }),
    ),
  ];
  const results = await reported(service, events);
  userOf = Object.fromEntries(events.map((sent, index) => [sent.payerId, results[index]?.userId ?? ""]));
});
afterAll(() => service.close());

const list = (query = "") => merchant.call(`/v1/merchant-users${query}`);
const idsOf = async (query: string) => {
  const answer = await list(query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items.map((item: { userId: string }) => item.userId);
};

describe("GET /v1/merchant-users", () => {
  test("answers exact sums per status, first and last dates and distinct wallets, as first spelled", async () => {
    const answer = await list(`?embeddedWalletAddress=${EVM}`);
    expect(answer.body).toEqual({
      items: [
        {
          userId: userOf.ada,
          amounts: {
            total: { amount: { value: "8.300001", currency: "USD" }, count: 4 },
            completed: { amount: { value: "0.30", currency: "USD" }, count: 2 },
            pending: { amount: { value: "1.000001", currency: "USD" }, count: 1 },
            failed: { amount: { value: "7.00", currency: "USD" }, count: 1 },
          },
          firstDepositAt: "2026-01-01T00:00:00.000Z",
          lastDepositAt: "2026-01-09T00:00:00.000Z",
          embeddedWallets: [
            { embeddedWalletAddress: EVM, chain: { chainId: 1, name: "Ethereum" } },
            { embeddedWalletAddress: EVM, chain: { chainId: 8453, name: "Base" } },
            { embeddedWalletAddress: SOLANA_WALLET, chain: { chainId: SOLANA, name: "Solana" } },
          ],
          walletCount: 3,
        },
      ],
      nextCursor: null,
    });
  });

  test("a deposit that moves on takes its amount from one sum to the other", async () => {
    const first = depositEvent(merchant.id, { payerId: "mover", state: "PENDING", embeddedWalletAddress: "mover" });
    await reported(service, [first]);
    await reported(service, [
      {
        ...first,
        state: "COMPLETED",
        amount: { value: "249.99", currency: "USD" },
        updateDate: "2026-02-01T00:00:00Z",
      },
    ]);
    expect((await list("?embeddedWalletAddress=mover")).body.items[0].amounts).toEqual({
      total: { amount: { value: "249.99", currency: "USD" }, count: 1 },
      completed: { amount: { value: "249.99", currency: "USD" }, count: 1 },
      pending: { amount: { value: "0.00", currency: "USD" }, count: 0 },
      failed: { amount: { value: "0.00", currency: "USD" }, count: 0 },
    });
  });

  test.each([
    ["as reported", EVM, "ada"],
    ["in lower case", EVM.toLowerCase(), "ada"],
    ["in upper case", EVM.toUpperCase(), "ada"],
    ["of base58 in another case", SOLANA_WALLET.toLowerCase(), "ada"],
    ["of another user", "0X0000000000000000000000000000000000000b0B", "bob"],
  ])("embeddedWalletAddress %s finds the user who owns it", async (_name, address, owner) => {
    expect(await idsOf(`?embeddedWalletAddress=${address}`)).toEqual([userOf[owner]]);
  });

  test("no items for a wallet that never deposited to the merchant", async () => {
    const answer = await list("?embeddedWalletAddress=0x0000000000000000000000000000000000000001");
    expect([answer.status, answer.body]).toEqual([200, { items: [], nextCursor: null }]);
  });

  test("chainId narrows the wallet lookup", async () => {
    expect(await idsOf(`?embeddedWalletAddress=${EVM}&chainId=8453`)).toEqual([userOf.ada]);
    expect(await idsOf(`?embeddedWalletAddress=${EVM}&chainId=${SOLANA}`)).toEqual([]);
    expect(await idsOf(`?embeddedWalletAddress=${SOLANA_WALLET}&chainId=${SOLANA}`)).toEqual([userOf.ada]);
  });

  test("400 for chainId without a wallet, unknown parameters and empty values", async () => {
    for (const [query, message] of [
      ["?chainId=1", "chainId narrows embeddedWalletAddress and cannot be given without it."],
      ["?userId=1", "userId is not a known parameter."],
      ["?embeddedWalletAddress=", "embeddedWalletAddress must not be empty."],
      [`?embeddedWalletAddress=${"0".repeat(129)}`, "embeddedWalletAddress must be 1 to 128 characters long."],
      ["?embeddedWalletAddress=a&embeddedWalletAddress=b", "embeddedWalletAddress must be given once."],
      ["?limit=101", "limit must be 1 to 100."],
      ["?cursor=x", "cursor must be the nextCursor of this same list, with the same filters."],
    ]) {
      const answer = await list(query);
      expect([answer.status, answer.body.error], query).toEqual([400, { code: "VALIDATION_ERROR", message }]);
    }
  });

  test("pages of any size cover every user exactly once, in one order, 25 by default", async () => {
    const whole = await idsOf("?limit=100");
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole.length).toBeGreaterThan(30);
    expect(await idsOf("")).toEqual(whole.slice(0, 25));
    for (const limit of [1, 7, 31]) {
      const found: string[] = [];
      let cursor = "";
      do {
        const { body } = await list(`?limit=${limit}${cursor}`);
        found.push(...body.items.map((item: { userId: string }) => item.userId));
        cursor = body.nextCursor === null ? "" : `&cursor=${encodeURIComponent(body.nextCursor)}`;
      } while (cursor !== "");
      expect(found).toEqual(whole);
    }
  });

  test("several who deposited into one wallet are all answered, once each, page by page", async () => {
    const shared = ["one", "two", "three"].flatMap((payerId) =>
      [1, 10].map((chainId) => depositEvent(merchant.id, { payerId, chainId, embeddedWalletAddress: "Shared" })),
    );
    const expected = [...new Set((await reported(service, shared)).map(({ userId }) => userId))].sort();
    expect(await idsOf("?embeddedWalletAddress=shared")).toEqual(expected);
    const first = await list("?embeddedWalletAddress=shared&limit=2");
    expect(first.body.items).toHaveLength(2);
    expect(await idsOf(`?embeddedWalletAddress=SHARED&cursor=${encodeURIComponent(first.body.nextCursor)}`)).toEqual(
      expected.slice(2),
    );
  });

  test("a list of no users is an empty last page", async () => {
    const empty = await registerMerchant(service, { domain: "empty.example" });
    expect((await empty.call("/v1/merchant-users")).body).toEqual({ items: [], nextCursor: null });
    expect((await empty.call("/v1/merchant-deposits")).body).toEqual({ items: [], nextCursor: null });
  });
});
