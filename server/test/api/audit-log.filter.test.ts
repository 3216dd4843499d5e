import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAuditRows } from "../../src/audit/queries.ts";
import type { Queryable } from "../../src/db/pool.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { scansOf } from "../harness/plans.ts";
import { type Answer, call, type Service, startService } from "../harness/service.ts";

let now = new Date("2026-05-01T12:00:00.000Z");
let service: Service;
let merchantId: string;
let ada: { id: string; token: string };
let bob: { id: string; token: string };
beforeAll(async () => {
  service = await startService({ clock: () => now });
  merchantId = (await registerMerchant(service)).id;
  const create = async (name: string) => (await service.operator("/tokens", { body: { name, role: "operator" } })).body;
  [ada, bob] = [await create("Ada"), await create("Bob")];
  // Seven days, each of them renames by Ada, and a suspension and a reinstatement by Bob.
  for (let day = 1; day <= 7; day += 1) {
    now = new Date(`2026-05-${String(day + 1).padStart(2, "0")}T09:00:00.000Z`);
    await as(ada.token, `/merchants/${merchantId}`, "PATCH", { displayName: `Name ${day}` });
    now = new Date(now.getTime() + 3_600_000);
    await service.operator("/tokens", { body: { name: `of day ${day}`, role: "viewer" } });
    const { id } = (await service.operator("/tokens?limit=1")).body.items[0];
    await as(bob.token, `/tokens/${id}`, "DELETE");
  }
}, 120_000);
afterAll(() => service.close());

async function as(token: string, path: string, method: string, body?: unknown): Promise<Answer> {
  const answer = await call(`${service.operatorUrl}/operator/v1${path}`, {
    method,
    body,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer;
}

const all = async () => (await readPages(service, "/audit-log", 100)).flat();
const found = async (query: Record<string, string>, limit = 100) =>
  (await readPages(service, `/audit-log?${new URLSearchParams(query)}`, limit)).flat();
const positions = (entries: { position: number }[]) => entries.map(({ position }) => position);

describe("GET /operator/v1/audit-log?actor=&action=&createdAfter=&createdBefore=", () => {
  test("by actor, as the log names it or by the id of the token", async () => {
    const byAda = (await all()).filter(({ actor }) => actor.startsWith("Ada"));
    expect(byAda).toHaveLength(7);
    expect(await found({ actor: `Ada (${ada.id})` })).toEqual(byAda);
    expect(await found({ actor: ada.id })).toEqual(byAda);
    expect(await found({ actor: ada.id.toUpperCase() })).toEqual(byAda);
    expect(await found({ actor: "bootstrap token" })).not.toHaveLength(0);
    expect(await found({ actor: "Ada" })).toEqual([]);
    expect(await found({ actor: "00000000-0000-4000-8000-000000000000" })).toEqual([]);
  });

  test("by action, by date with both ends included, and by all of them together", async () => {
    const entries = await all();
    const renames = entries.filter(({ action }) => action === "merchant.rename");
    expect(await found({ action: "merchant.rename" })).toEqual(renames);
    expect(await found({ action: "merchant.unknown" })).toEqual([]);
    const [createdAfter, createdBefore] = ["2026-05-03T09:00:00.000Z", "2026-05-05T09:00:00Z"];
    const between = entries.filter(({ date }) => date >= createdAfter && date <= new Date(createdBefore).toISOString());
    expect(between).toHaveLength(7);
    expect(await found({ createdAfter, createdBefore })).toEqual(between);
    expect(await found({ createdAfter: "2026-05-08" })).toEqual(entries.filter(({ date }) => date >= "2026-05-08"));
    expect(await found({ createdAfter: createdBefore, createdBefore: createdAfter })).toEqual([]);
    expect(
      await found({ createdAfter, createdBefore, actor: ada.id, action: "merchant.rename", merchantId }),
    ).toHaveLength(3);
    expect(await found({ createdAfter, createdBefore, actor: bob.id, action: "merchant.rename" })).toEqual([]);
  });

  test("every entry once, newest first, for every page size", async () => {
    for (const query of [
      { actor: ada.id },
      { action: "token.revoke" },
      { actor: bob.id, action: "token.revoke" },
      { createdAfter: "2026-05-03" },
      { merchantId, createdBefore: "2026-05-06" },
      { merchantId, actor: ada.id },
    ] as Record<string, string>[]) {
      const whole = positions(await found(query));
      expect(whole.length, JSON.stringify(query)).toBeGreaterThan(2);
      expect(whole).toEqual([...whole].sort((one, other) => other - one));
      for (const limit of [1, 2, 3]) expect(positions(await found(query, limit))).toEqual(whole);
    }
  });

  test("entries of the same millisecond are all listed, across pages", async () => {
    now = new Date("2026-05-20T00:00:00.000Z");
    for (const name of ["a", "b", "c", "d", "e"])
      await as(ada.token, `/merchants/${merchantId}`, "PATCH", { displayName: name });
    expect(await found({ createdAfter: "2026-05-20" }, 2)).toHaveLength(5);
  });

  test("a cursor is good for its own filters only", async () => {
    const { nextCursor } = (await service.operator(`/audit-log?actor=${ada.id}&limit=1`)).body;
    for (const query of ["", `actor=${bob.id}`, `actor=${ada.id}&action=merchant.rename`, "createdAfter=2026-05-03"]) {
      expect((await service.operator(`/audit-log?${query}&cursor=${nextCursor}`.replace("?&", "?"))).status).toBe(400);
    }
    expect((await service.operator(`/audit-log?actor=${ada.id}&cursor=${nextCursor}`)).status).toBe(200);
  });

  test.each([
    "actor=",
    `actor=${"a".repeat(256)}`,
    "actor=a&actor=b",
    "actor=%00",
    "action=",
    `action=${"a".repeat(65)}`,
    "action=a%20b",
    "action=a&action=b",
    "createdAfter=yesterday",
    "createdAfter=2026-02-30",
    "createdBefore=2026-05-01T12:00",
    "createdAfter=2026-05-01&createdAfter=2026-05-02",
    "who=Ada",
  ])("400 for %s", async (query) => {
    const answer = await service.operator(`/audit-log?${query}`);
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("a page of the filtered log", () => {
  const NONE = { merchantId: null, actor: null, action: null, subject: null, createdAfter: null, createdBefore: null };
  const DATES = { createdAfter: new Date(0), createdBefore: new Date() };
  beforeAll(async () => {
    // One program that reports deposits all day, and few people.
    await service.db.query(
      `insert into audit_log (position, date, actor, action, subject, merchant_id, detail, mac)
       select 1000000 + n, '2026-06-01Z'::timestamptz + n * interval '1 second', case when n % 5000 = 0 then 'rare' else 'flow' end,
              case when n % 4999 = 0 then 'rare.action' else 'deposits.ingest' end, 's' || n % 10000, null, '{}', '\\x00'
       from generate_series(1, 30000) n`,
    );
  });

  test.each([
    ["actor", { actor: "rare" }, "audit_log_by_actor"],
    ["action", { action: "rare.action" }, "audit_log_by_action"],
    ["actor and action", { actor: "flow", action: "rare.action" }, "audit_log_by_actor_and_action"],
    ["date", DATES, "audit_log_by_date"],
    ["actor and date", { actor: "rare", ...DATES }, "audit_log_by_actor"],
    ["action and date", { action: "rare.action", ...DATES }, "audit_log_by_action"],
    ["actor, action and date", { actor: "flow", action: "rare.action", ...DATES }, "audit_log_by_actor_and_action"],
    ["subject", { subject: "s7" }, "audit_log_by_subject"],
    [
      "subject, merchant, actor and action",
      { subject: "s7", merchantId: "x", actor: "flow", action: "rare.action" },
      "audit_log_by_subject",
    ],
    ["merchant and date", { merchantId: "x", ...DATES }, "audit_log_by_merchant_and_date"],
    [
      "merchant, actor, action and date",
      { merchantId: "x", actor: "flow", action: "rare.action", ...DATES },
      "audit_log_by_merchant_and_date",
    ],
  ])(
    "by %s walks one index from where the last page ended, before and after statistics",
    async (_name, filter, index) => {
      for (const after of [null, ["2026-06-02T00:00:00.000Z", "1000100"]]) {
        const list = (db: Queryable) => listAuditRows(db, { ...NONE, ...filter }, after, 26);
        const expected = [`Index Scan Backward using ${index} on audit_log`];
        expect(await scansOf(service.database, list, /^audit_log$/)).toEqual(expected);
        await service.db.query("analyze audit_log");
        expect(await scansOf(service.database, list, /^audit_log$/)).toEqual(expected);
      }
    },
  );
});
