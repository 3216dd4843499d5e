import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, report, reported, TOKEN, WALLET } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { spoiltCursors } from "../harness/pages.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
const SOLANA = 792703809;
const day = (number: number) => `2026-01-${String(number).padStart(2, "0")}T12:00:00.000Z`;

// Twelve deposits: days 1 to 12, statuses and chains in turn, two payers.
const events = () =>
  Array.from({ length: 12 }, (_, index) =>
    depositEvent(merchant.id, {
      id: `dep-${String(index + 1).padStart(2, "0")}`,
      payerId: index % 2 === 0 ? "ada" : "bob",
      state: ["PENDING", "COMPLETED", "FAILED"][index % 3],
      chainId: [8453, 1, SOLANA, 8453][index % 4],
      createDate: day(index + 1),
      updateDate: "2026-02-01T00:00:00.000Z",
    }),
  );
let userOf: Record<"ada" | "bob", string>;

beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  const results = await reported(service, events());
  userOf = { ada: results[0]?.userId ?? "", bob: results[1]?.userId ?? "" };
});
afterAll(() => service.close());

const list = (query = "") => merchant.call(`/v1/merchant-deposits${query}`);
const numbersOf = async (query: string) => {
  const answer = await list(query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items.map((item: { id: string }) => Number(item.id.slice(4)));
};

describe("GET /v1/merchant-deposits", () => {
  test("answers deposits newest first, with exactly the fields of the specification", async () => {
    const answer = await list("?limit=1");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      items: [
        {
          id: "dep-12",
          userId: userOf.bob,
          status: "failed",
          amount: { value: "250.00", currency: "USD" },
          chain: { chainId: 8453, name: "Base" },
          token: TOKEN,
          embeddedWalletAddress: WALLET,
          createDate: day(12),
          updateDate: "2026-02-01T00:00:00.000Z",
        },
      ],
      nextCursor: expect.any(String),
    });
    expect(await numbersOf("")).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test.each([
    ["?status=pending", [10, 7, 4, 1]],
    ["?status=completed", [11, 8, 5, 2]],
    ["?status=failed", [12, 9, 6, 3]],
    ["?chainId=8453", [12, 9, 8, 5, 4, 1]],
    [`?chainId=${SOLANA}`, [11, 7, 3]],
    ["?chainId=8453&status=completed", [8, 5]],
    ["?chainId=10", []],
    ["?createdAfter=2026-01-10T12:00:00.000Z", [12, 11, 10]],
    ["?createdAfter=2026-01-10T12:00:00.001Z", [12, 11]],
    ["?createdBefore=2026-01-02T12:00:00.000Z", [2, 1]],
    ["?createdBefore=2026-01-02T11:59:59.999Z", [1]],
    ["?createdBefore=2026-01-02T11:59:59.9999Z", [1]],
    ["?createdAfter=2026-01-02&createdBefore=2026-01-04", [3, 2]],
    ["?createdAfter=2026-01-02T12:00:00Z&createdBefore=2026-01-02T14:00:00%2B02:00", [2]],
    ["?createdAfter=2026-01-04&createdBefore=2026-01-02", []],
    ["?createdBefore=9999-12-31T23:59:59.999Z&limit=1", [12]],
    ["?status=failed&createdAfter=2026-01-05&createdBefore=2026-01-10", [9, 6]],
    ["?chainId=8453&createdAfter=2026-01-05&createdBefore=2026-01-10", [9, 8, 5]],
  ])("%s", async (query, numbers) => {
    expect(await numbersOf(query)).toEqual(numbers);
  });

  test("userId of the users list gives that user's deposits, and combines with every other filter", async () => {
    expect(await numbersOf(`?userId=${userOf.ada}`)).toEqual([11, 9, 7, 5, 3, 1]);
    expect(await numbersOf(`?userId=${userOf.ada.toUpperCase()}&status=completed`)).toEqual([11, 5]);
    expect(await numbersOf(`?userId=${userOf.bob}&chainId=8453`)).toEqual([12, 8, 4]);
    expect(await numbersOf(`?userId=${userOf.bob}&chainId=8453&status=pending&createdBefore=2026-01-05`)).toEqual([4]);
    expect(await numbersOf("?userId=00000000-0000-4000-8000-000000000000")).toEqual([]);
  });

  test.each([
    ["?limit=0", "limit must be 1 to 100."],
    ["?limit=101", "limit must be 1 to 100."],
    ["?limit=ten", "limit must be an integer."],
    ["?limit=", "limit must not be empty."],
    ["?status=COMPLETED", "status must be one of pending, completed, failed."],
    ["?status=pending&status=failed", "status must be given once."],
    ["?userId=ada", "userId must be a UUID."],
    ["?chainId=base", "chainId must be an integer."],
    ["?chainId=0", "chainId must be 1 to 9007199254740991."],
    ["?createdAfter=2026-01-10T12:00:00", "createdAfter must be an ISO-8601"],
    ["?createdBefore=2026-02-30", "createdBefore must be an ISO-8601"],
    ["?createdAfter=1768478400000", "createdAfter must be an ISO-8601"],
    [`?createdAfter=2026-01-15T12:00:00.${"0".repeat(44)}Z`, "createdAfter must be at most 64 characters"],
    [`?createdBefore=2026-01-15T12:00:00.${"0".repeat(44)}Z`, "createdBefore must be at most 64 characters"],
    ["?merchantId=5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11", "merchantId is not a known parameter."],
    ["?payerId=ada", "payerId is not a known parameter."],
    ["?cursor=abc", "cursor must be the nextCursor"],
  ])("400 VALIDATION_ERROR for %s", async (query, message) => {
    const answer = await list(query);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
  });

  test("a cursor opens with another limit or another spelling of the same filter, and with nothing else", async () => {
    const { nextCursor } = (await list("?status=pending&createdAfter=2026-01-01&limit=1")).body;
    const cursor = `cursor=${encodeURIComponent(nextCursor)}`;
    expect(await numbersOf(`?status=pending&createdAfter=2026-01-01T00:00:00.0Z&limit=2&${cursor}`)).toEqual([7, 4]);
    for (const query of [
      "?status=failed&createdAfter=2026-01-01",
      "?createdAfter=2026-01-01",
      "?status=pending",
      "?status=pending&createdAfter=2026-01-02",
      `?status=pending&createdAfter=2026-01-01&userId=${userOf.ada}`,
      "?status=pending&createdAfter=2026-01-01&chainId=1",
    ]) {
      expect((await list(`${query}&${cursor}`)).status, query).toBe(400);
    }
    expect((await merchant.call(`/v1/merchant-users?${cursor}`)).status).toBe(400);
    expect((await service.operator(`/deposits?status=pending&createdAfter=2026-01-01&${cursor}`)).status).toBe(400);
  });

  test("400 for a cursor that was changed in any place", async () => {
    const { nextCursor } = (await list("?limit=1")).body;
    for (const spoilt of spoiltCursors(nextCursor)) {
      expect((await list(`?cursor=${encodeURIComponent(spoilt)}`)).status, spoilt).toBe(400);
    }
  });

  test("pages of any size cover every filter's deposits exactly once", async () => {
    for (const query of [
      "",
      "&status=pending",
      "&chainId=8453",
      "&chainId=8453&status=failed",
      `&userId=${userOf.ada}`,
    ]) {
      const whole = await numbersOf(`?limit=100${query}`);
      for (const limit of [1, 2, 3, 5]) expect(await readPages(merchant, query, limit), query).toEqual(whole);
    }
  });

  test("deposits of one millisecond are paged by id", async () => {
    const busy = await registerMerchant(service, { domain: "busy.example" });
    const ids = ["a", "B", "10", "9", "~", "!"];
    await reported(
      service,
      ids.map((id) => depositEvent(busy.id, { id })),
    );
    const found: string[] = [];
    let cursor = "";
    do {
      const { body } = await busy.call(`/v1/merchant-deposits?limit=1${cursor}`);
      found.push(body.items[0].id);
      cursor = body.nextCursor === null ? "" : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    } while (cursor !== "");
    expect(found).toEqual(["~", "a", "B", "9", "10", "!"]);
  });

  test("paging while deposits arrive and change yields every deposit that was there exactly once", async () => {
    const busy = await registerMerchant(service, { domain: "arrivals.example" });
    const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();
    const there = Array.from({ length: 60 }, (_, index) =>
      depositEvent(busy.id, { id: `there-${index}`, state: "PENDING", createDate: minute(index * 10) }),
    );
    await reported(service, there);
    const seen: string[] = [];
    let cursor = "";
    let page = 0;
    do {
      const { body } = await busy.call(`/v1/merchant-deposits?limit=7${cursor}`);
      seen.push(...body.items.map((item: { id: string }) => item.id));
      cursor = body.nextCursor === null ? "" : `&cursor=${encodeURIComponent(body.nextCursor)}`;
      // New ones before, between and behind the pages, and a change of status of one that was there.
      page++;
      await reported(service, [
        depositEvent(busy.id, { createDate: minute(10_000 + page) }),
        depositEvent(busy.id, { createDate: minute(page * 65 + 5) }),
        depositEvent(busy.id, { createDate: minute(page) }),
        {
          ...there[(page * 6) % there.length],
          state: page % 2 === 0 ? "COMPLETED" : "FAILED",
          updateDate: "2026-03-01T00:00:00Z",
        },
      ]);
    } while (cursor !== "");
    const seenThere = seen.filter((id) => id.startsWith("there-"));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seenThere).toEqual(there.map(({ id }) => id).reverse());
  });
});

describe("GET /operator/v1/deposits", () => {
  test("has the public fields plus merchantId and reportedStatus, and the public filters plus merchantId", async () => {
    const all = await service.operator(`/deposits?merchantId=${merchant.id.toUpperCase()}&status=completed&limit=1`);
    expect(all.body.items).toEqual([
      {
        merchantId: merchant.id,
        reportedStatus: null,
        id: "dep-11",
        userId: userOf.ada,
        status: "completed",
        amount: { value: "250.00", currency: "USD" },
        chain: { chainId: SOLANA, name: "Solana" },
        token: TOKEN,
        embeddedWalletAddress: WALLET,
        createDate: day(11),
        updateDate: "2026-02-01T00:00:00.000Z",
      },
    ]);
    const ofUser = await service.operator(`/deposits?userId=${userOf.bob}&chainId=1`);
    expect(ofUser.body.items.map((item: { id: string }) => item.id)).toEqual(["dep-10", "dep-06", "dep-02"]);
    const ofUnknownUser = await service.operator("/deposits?userId=00000000-0000-4000-8000-000000000000");
    expect(ofUnknownUser.body).toEqual({ items: [], nextCursor: null });
  });

  test("without merchantId pages through all merchants' deposits, also when two share id and time", async () => {
    const others = [
      await registerMerchant(service, { domain: "one.example" }),
      await registerMerchant(service, { domain: "two.example" }),
    ];
    const createDate = "2026-10-01T00:00:00.000Z";
    await reported(
      service,
      others.flatMap(({ id }) =>
        ["a", "b", "c"].map((name) => depositEvent(id, { id: name, createDate, chainId: 7777 })),
      ),
    );
    for (const query of [
      "createdAfter=2026-10-01",
      "createdAfter=2026-10-01&status=completed",
      "chainId=7777",
      "chainId=7777&status=completed",
    ]) {
      const found: string[] = [];
      let cursor = "";
      do {
        const { body } = await service.operator(`/deposits?limit=1&${query}${cursor}`);
        found.push(...body.items.map((item: { id: string; merchantId: string }) => `${item.id} ${item.merchantId}`));
        cursor = body.nextCursor === null ? "" : `&cursor=${encodeURIComponent(body.nextCursor)}`;
      } while (cursor !== "");
      const expected = others.flatMap(({ id }) => ["a", "b", "c"].map((name) => `${name} ${id}`));
      expect(found, query).toEqual(expected.sort().reverse());
    }
    expect((await service.operator("/deposits?chainId=7777&status=failed")).body.items).toEqual([]);
  });

  test("400 naming the parameter", async () => {
    const answer = await service.operator("/deposits?merchantId=shop");
    expect([answer.status, answer.body.error.message]).toEqual([400, "merchantId must be a UUID."]);
    expect((await report(service, [{}])).status).toBe(400);
  });
});

async function readPages(from: Merchant, query: string, limit: number): Promise<number[]> {
  const numbers: number[] = [];
  let cursor = "";
  do {
    const answer = await from.call(`/v1/merchant-deposits?limit=${limit}${query}${cursor}`);
    expect(answer.body.items.length).toBeLessThanOrEqual(limit);
    numbers.push(...answer.body.items.map((item: { id: string }) => Number(item.id.slice(4))));
    cursor = answer.body.nextCursor === null ? "" : `&cursor=${encodeURIComponent(answer.body.nextCursor)}`;
  } while (cursor !== "");
  return numbers;
}
