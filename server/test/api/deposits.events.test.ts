import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, report, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { call, type Service, startService } from "../harness/service.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const DAY_MS = 86_400_000;

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService({ clock: () => NOW });
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const event = (change: Record<string, unknown> = {}) => depositEvent(merchant.id, change);
const eventsOf = (id: string, query = "", merchantId = merchant.id) =>
  service.operator(`/merchants/${merchantId}/deposits/${encodeURIComponent(id)}/events${query}`);
const outcomesOf = async (id: string) =>
  (await eventsOf(id)).body.items.map(({ outcome }: { outcome: string }) => outcome);

describe("GET /operator/v1/merchants/{merchantId}/deposits/{depositId}/events", () => {
  test("every event received, newest first: who sent it, when, and what it changed or why it changed nothing", async () => {
    const { id: tokenId, token } = (
      await service.operator("/tokens", { body: { name: "hosted flow", role: "ingest" } })
    ).body;
    const first = event({ state: "PENDING" });
    const completed = {
      ...first,
      state: "COMPLETED",
      amount: { value: "251.5", currency: "USD" },
      updateDate: "2026-01-16T00:00:00.000Z",
    };
    const late = { ...first, state: "FAILED", updateDate: "2026-01-15T12:04:00.000Z" };
    const answer = await call(`${service.operatorUrl}/operator/v1/deposits`, {
      body: { deposits: [first] },
      headers: { authorization: `Bearer ${token}` },
    });
    await reported(service, [completed, late]);
    await reported(service, [completed]);
    expect((await report(service, [{ ...first, chainId: 1 }])).status).toBe(409);

    const { status, body } = await eventsOf(first.id);
    expect(status).toBe(200);
    const common = {
      id: expect.any(String),
      date: NOW.toISOString(),
      actor: "bootstrap token",
      requestId: expect.any(String),
      error: null,
      reason: null,
    };
    expect(body).toEqual({
      nextCursor: null,
      items: [
        {
          ...common,
          outcome: "refused",
          status: "pending",
          amount: { value: "250.00", currency: "USD" },
          updateDate: "2026-01-15T12:05:00.000Z",
          error: { code: "DEPOSIT_CONFLICT", message: expect.stringContaining("chainId") },
        },
        { ...common, outcome: "unchanged", status: null, amount: null, updateDate: null },
        {
          ...common,
          outcome: "stale",
          status: "failed",
          amount: { value: "250.00", currency: "USD" },
          updateDate: late.updateDate,
        },
        {
          ...common,
          outcome: "updated",
          status: "completed",
          amount: { value: "251.50", currency: "USD" },
          updateDate: completed.updateDate,
        },
        {
          ...common,
          actor: `hosted flow (${tokenId})`,
          requestId: answer.headers.get("x-request-id"),
          outcome: "created",
          status: "pending",
          amount: { value: "250.00", currency: "USD" },
          updateDate: first.updateDate,
        },
      ],
    });
  });

  test("pages through them all, each once", async () => {
    const first = event({ state: "PENDING" });
    const dates = Array.from({ length: 7 }, (_, index) => `2026-01-16T00:00:00.00${index}Z`);
    await reported(service, [first, ...dates.map((updateDate) => ({ ...first, updateDate }))]);
    await reported(service, [first]);
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 5; page++) {
      const { body } = await eventsOf(first.id, `?limit=2${cursor}`);
      seen.push(...body.items.map(({ updateDate }: { updateDate: string | null }) => updateDate));
      cursor = `&cursor=${body.nextCursor}`;
      expect(body.nextCursor === null).toBe(page === 4);
    }
    expect(seen).toEqual([first.updateDate, ...[...dates].reverse(), first.updateDate]);
    const other = event();
    await reported(service, [other]);
    expect((await eventsOf(other.id, `?limit=2${cursor}`)).body.error.code).toBe("VALIDATION_ERROR");
  });

  test("an id with any visible character can be asked for", async () => {
    const strange = event({ id: "a/b?c=%2F#d..e" });
    await reported(service, [strange]);
    expect(await outcomesOf(strange.id)).toEqual(["created"]);
  });

  test("404 for an unknown merchant, an unknown deposit and another merchant's; a viewer may read, an ingest token not", async () => {
    const known = event();
    await reported(service, [known]);
    const other = await registerMerchant(service, { domain: "other.example" });
    expect((await eventsOf("none")).body.error.code).toBe("DEPOSIT_NOT_FOUND");
    expect((await eventsOf(known.id, "", other.id)).body.error.code).toBe("DEPOSIT_NOT_FOUND");
    for (const unknown of ["none", "00000000-0000-4000-8000-000000000000"]) {
      expect((await eventsOf(known.id, "", unknown)).body.error.code).toBe("MERCHANT_NOT_FOUND");
    }
    for (const [role, status] of [
      ["viewer", 200],
      ["ingest", 403],
    ] as const) {
      const { token } = (await service.operator("/tokens", { body: { name: role, role } })).body;
      const url = `${service.operatorUrl}/operator/v1/merchants/${merchant.id}/deposits/${known.id}/events`;
      expect((await call(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(status);
    }
  });

  test("holds nothing about the payer, also where the payer is what differs", async () => {
    const first = event({ payerId: "mallory@payer.example" });
    await reported(service, [first]);
    expect((await report(service, [{ ...first, payerId: "eve@payer.example" }])).status).toBe(409);
    const { body } = await eventsOf(first.id);
    expect(body.items[0].error.message).toContain("payerId");
    const kept = await service.db.query("select * from deposit_events where deposit_id = $1", [first.id]);
    // The first event has no row: the deposit itself says what it said.
    expect(kept).toHaveLength(1);
    const [result] = await reported(service, [first]);
    for (const secret of ["mallory", "eve@", result?.userId ?? ""]) {
      expect(JSON.stringify([body, kept])).not.toContain(secret);
    }
  });

  test("an event that is refused before its deposit exists is kept, and listed before those that follow", async () => {
    const first = event();
    expect((await report(service, [first, { ...first, chainId: 1 }])).status).toBe(409);
    expect(await outcomesOf(first.id)).toEqual(["refused"]);
    await reported(service, [first]);
    expect(await outcomesOf(first.id)).toEqual(["created", "refused"]);
  });

  test("an event that cannot be read is kept, if it says which deposit it is about", async () => {
    const known = depositEvent(merchant.id);
    await reported(service, [known]);
    const bad = { ...known, amount: { value: "1e5", currency: "USD" }, payerId: "payer-of-the-bad-event" };
    const nameless = { ...known, id: "two words" };
    const answer = await service.operator("/deposits?partial=true", { body: { deposits: [bad, nameless, 7] } });
    expect(answer.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(3).fill("refused"));
    const { body } = await service.operator(`/merchants/${merchant.id}/deposits/${known.id}/events`);
    expect(body.items).toHaveLength(2);
    expect(body.items[0]).toMatchObject({ outcome: "refused", status: null, amount: null });
    expect(JSON.stringify(body)).toContain("amount.value");
    expect(JSON.stringify(body)).not.toContain("payer-of-the-bad-event");
  });

  test("the good events of a batch that is refused are not kept: they were not judged, and come again", async () => {
    const good = event();
    const known = event();
    await reported(service, [known]);
    expect((await report(service, [good, { ...known, chainId: 1 }])).status).toBe(409);
    expect((await eventsOf(good.id)).body.error.code).toBe("DEPOSIT_NOT_FOUND");
  });
});

describe("an event dated in the future", () => {
  const ahead = (ms: number) => new Date(NOW.getTime() + ms).toISOString();

  test("up to 24 hours ahead it counts, beyond that it is refused and freezes nothing", async () => {
    const first = event({ state: "PENDING" });
    await reported(service, [first]);
    for (const updateDate of [ahead(DAY_MS + 1), "9026-01-01T00:00:00.000Z"]) {
      const answer = await report(service, [event(), { ...first, state: "FAILED", updateDate }]);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.error.message).toContain("deposits[1]");
      expect(answer.body.error.details).toEqual([
        { index: 1, id: first.id, code: "VALIDATION_ERROR", message: expect.stringContaining("updateDate") },
      ]);
    }
    const last = { ...first, state: "COMPLETED", updateDate: ahead(DAY_MS) };
    expect(await reported(service, [last])).toMatchObject([{ outcome: "updated", status: "completed" }]);
    expect(await outcomesOf(first.id)).toEqual(["updated", "refused", "refused", "created"]);
  });

  test("the same for createDate", async () => {
    const wrong = event({ createDate: ahead(DAY_MS + 1), updateDate: ahead(0) });
    const answer = await report(service, [wrong]);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain("createDate");
    expect(await outcomesOf(wrong.id)).toEqual(["refused"]);
    const right = event({ createDate: ahead(DAY_MS), updateDate: ahead(DAY_MS) });
    expect(await reported(service, [right])).toMatchObject([{ outcome: "created" }]);
  });
});
