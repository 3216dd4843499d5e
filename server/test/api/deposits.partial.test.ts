import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, findDrift, report, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const event = (change: Record<string, unknown> = {}) => depositEvent(merchant.id, change);
const partial = (deposits: unknown) => service.operator("/deposits?partial=true", { body: { deposits } });
const find = async (id: string) =>
  (await service.operator(`/merchants/${merchant.id}/deposits/${encodeURIComponent(id)}`)).body;
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("a batch that is refused", () => {
  test("names all its conflicts with their indexes", async () => {
    const known = event();
    await reported(service, [known]);
    const first = event();
    const batch = [
      event(),
      { ...known, chainId: 1 },
      first,
      { ...first, payerId: "somebody else" },
      { ...known, updateDate: "2026-01-17T00:00:00Z" },
    ];
    const { status, body } = await report(service, batch);
    expect(status).toBe(409);
    expect(body.error).toEqual({
      code: "DEPOSIT_CONFLICT",
      message: expect.stringMatching(/^deposits\[1\] \(id .*1 more/),
      details: [
        { index: 1, id: known.id, code: "DEPOSIT_CONFLICT", message: expect.stringContaining("chainId differs") },
        { index: 3, id: first.id, code: "DEPOSIT_CONFLICT", message: expect.stringContaining("payerId differs") },
      ],
    });
  });

  test("lists problems of every kind, under the code that comes first in the catalogue", async () => {
    const known = event();
    await reported(service, [known]);
    const conflict = { ...known, chainId: 1 };
    const stranger = depositEvent(UNKNOWN);
    const future = event({ updateDate: "9026-01-01T00:00:00Z" });
    const missing = await report(service, [conflict, stranger]);
    expect([missing.status, missing.body.error.code]).toEqual([404, "MERCHANT_NOT_FOUND"]);
    expect(missing.body.error.message).toContain("deposits[1]");
    const invalid = await report(service, [conflict, stranger, future]);
    expect([invalid.status, invalid.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(invalid.body.error.details.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual(
      [
        [0, "DEPOSIT_CONFLICT"],
        [1, "MERCHANT_NOT_FOUND"],
        [2, "VALIDATION_ERROR"],
      ],
    );
  });

  test("with 1000 conflicts names 1000", async () => {
    const known = event();
    await reported(service, [known]);
    const { body } = await report(service, Array(1_000).fill({ ...known, chainId: 1 }));
    expect(body.error.details.map(({ index }: { index: number }) => index)).toEqual([...Array(1_000).keys()]);
  });
});

describe("POST /operator/v1/deposits?partial=true", () => {
  test("takes the good events and reports each refused one in its place", async () => {
    const known = event({ state: "PENDING" });
    await reported(service, [known]);
    const first = event();
    const batch = [
      first,
      { ...known, chainId: 1 },
      { ...known, state: "COMPLETED", updateDate: "2026-01-16T00:00:00Z" },
      { ...first, payerId: "somebody else" },
      { ...first, state: "FAILED", updateDate: "2026-01-16T00:00:00Z" },
      depositEvent(UNKNOWN),
      event({ updateDate: "9026-01-01T00:00:00Z" }),
    ];
    const answer = await partial(batch);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const refused = (at: number, code: string, text: string) => ({
      id: batch[at]?.id,
      outcome: "refused",
      error: { code, message: expect.stringContaining(text) },
    });
    const taken = { userId: expect.any(String) };
    expect(answer.body.results).toEqual([
      { ...taken, id: first.id, outcome: "created", status: "completed" },
      refused(1, "DEPOSIT_CONFLICT", "chainId"),
      { ...taken, id: known.id, outcome: "updated", status: "completed" },
      refused(3, "DEPOSIT_CONFLICT", "payerId"),
      { ...taken, id: first.id, outcome: "updated", status: "failed" },
      refused(5, "MERCHANT_NOT_FOUND", "merchantId"),
      refused(6, "VALIDATION_ERROR", "updateDate"),
    ]);
    expect(await find(first.id)).toMatchObject({ status: "failed", chain: { chainId: 8453 } });
    expect(await find(known.id)).toMatchObject({ status: "completed", chain: { chainId: 8453 } });
    expect(await findDrift(service.db)).toEqual([]);
    const [entry] = (await service.operator("/audit-log?limit=1")).body.items;
    expect(entry.action).toBe("deposits.ingest");
    expect(entry.detail).toMatchObject({ received: 7, created: 1, updated: 2, unchanged: 0, stale: 0, refused: 4 });
  });

  test("a new deposit whose first event is refused is made of the next one", async () => {
    const first = event();
    const { body } = await partial([{ ...first, updateDate: "9026-01-01T00:00:00Z", chainId: 1 }, first]);
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["refused", "created"]);
    expect(await find(first.id)).toMatchObject({ chain: { chainId: 8453 } });
    const { items } = (await service.operator(`/merchants/${merchant.id}/deposits/${first.id}/events`)).body;
    expect(items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["created", "refused"]);
  });

  test("items that cannot be read are refused one by one, with the field and the rule", async () => {
    const good = event();
    const noId: Record<string, unknown> = { ...event() };
    delete noId.id;
    const { status, body } = await partial([
      event({ state: "completed" }),
      event({ amount: { value: "1e3", currency: "USD" } }),
      event({ createDate: "2026-02-30T12:00:00Z" }),
      event({ merchantId: "shop" }),
      event({ merchantId: 5 }),
      noId,
      event({ id: "x".repeat(500) }),
      null,
      "text",
      [],
      good,
    ]);
    expect(status, JSON.stringify(body)).toBe(200);
    const messages = body.results.map(({ error }: { error?: { message: string } }) => error?.message ?? null);
    expect(messages).toEqual([
      expect.stringContaining("deposits[0].state must be one of CREATED"),
      expect.stringContaining("deposits[1].amount.value must be a decimal string"),
      expect.stringContaining("deposits[2].createDate must be an ISO-8601"),
      expect.stringContaining("deposits[3].merchantId must be a UUID"),
      expect.stringContaining("deposits[4].merchantId must be a string"),
      expect.stringContaining("deposits[5].id is required"),
      expect.stringContaining("deposits[6].id must be 1 to 128"),
      expect.stringContaining("deposits[7] must be an object"),
      expect.stringContaining("deposits[8] must be an object"),
      expect.stringContaining("deposits[9] must be an object"),
      null,
    ]);
    expect(body.results.map(({ id }: { id: string | null }) => id).slice(5)).toEqual([
      null,
      null,
      null,
      null,
      null,
      good.id,
    ]);
    const [entry] = (await service.operator("/audit-log?limit=1")).body.items;
    expect(entry.detail).toMatchObject({ received: 11, created: 1, refused: 10 });
  });

  test("200 also when every event is refused", async () => {
    const known = event();
    await reported(service, [known]);
    for (const batch of [[{ ...known, chainId: 1 }], [depositEvent(UNKNOWN)], [{}]]) {
      const { status, body } = await partial(batch);
      expect([status, body.results.length, body.results[0].outcome]).toEqual([200, 1, "refused"]);
    }
  });

  test("400 for what is not a batch at all, and for another value of partial", async () => {
    const messageOf = async (body: unknown, query = "?partial=true") => {
      const answer = await service.operator(`/deposits${query}`, { body });
      expect(answer.status).toBe(400);
      return answer.body.error.message;
    };
    expect(await messageOf({ deposits: [] })).toBe("deposits must have 1 to 1000 items.");
    expect(await messageOf({ deposits: Array(1_001).fill({}) })).toBe("deposits must have 1 to 1000 items.");
    expect(await messageOf({ deposits: {} })).toBe("deposits must be an array.");
    expect(await messageOf({})).toBe("deposits is required.");
    expect(await messageOf({ deposits: [event()], dryRun: true })).toBe("dryRun is not a known field.");
    expect(await messageOf("[1")).toContain("JSON");
    expect(await messageOf({ deposits: [event()] }, "?partial=yes")).toContain("partial");
    expect(await messageOf({ deposits: [event({ state: "none" })] }, "?partial=false")).toContain("deposits[0].state");
  });
});
