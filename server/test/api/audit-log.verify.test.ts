import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAudit } from "../../src/audit/audit.ts";
import { LOCK_KEYS, tryLock } from "../../src/db/locks.ts";
import { createKeyring } from "../../src/keyring.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { SECRET, type Service, startService } from "../harness/service.ts";

const { verify } = createAudit(createKeyring(SECRET, "production"));

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const read = () => service.operator("/audit-log/verification");

describe("GET /operator/v1/audit-log/verification", () => {
  test("an empty log is whole and ends in nothing", async () => {
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      entries: 0,
      head: "",
      problem: null,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test("tells what the command tells, over more than one page of entries", async () => {
    await registerMerchant(service);
    const { name, requestId } = { name: "a test", requestId: null };
    const audit = createAudit(createKeyring(SECRET, "production"));
    await service.db.transaction(async (transaction) => {
      for (let turn = 0; turn < 1_100; turn++) {
        await audit.record(transaction, {
          actor: { name, requestId },
          action: "test",
          subject: String(turn),
          merchantId: null,
          detail: {},
          date: new Date(),
        });
      }
    });
    const { rows, head } = await verify(service.db);
    expect(rows).toBe(1_101);
    expect((await read()).body).toMatchObject({ ok: true, entries: rows, head, problem: null });
    expect((await service.operator("/audit-log?limit=1")).body.items[0].mac).toBe(head);
  });

  test("a forged entry shows, and the entries before it count", async () => {
    await service.db.query("update audit_log set actor = 'nobody' where position = 3");
    const { body } = await read();
    expect(body).toMatchObject({ ok: false, entries: 2, problem: expect.stringContaining("3") });
    expect(body.head).toMatch(/^[0-9a-f]{64}$/);
    await service.db.query("update audit_log set actor = 'a test' where position = 3");
    expect((await read()).body.ok).toBe(true);
  });

  test("one run at a time: 503 OVERLOADED while another runs, and a read adds no entry", async () => {
    await service.db.transaction(async (transaction) => {
      expect(await tryLock(transaction, LOCK_KEYS.auditVerification)).toBe(true);
      const answer = await read();
      expect([answer.status, answer.body.error.code]).toEqual([503, "OVERLOADED"]);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect((await verify(service.db)).ok, "the command is not kept waiting").toBe(true);
    });
    const [before, after] = [await read(), await read()];
    expect(after.body.entries).toBe(before.body.entries);
  });

  test("a run that takes too long for its caller stops, names the command, and blocks no other request", async () => {
    await expect(verify(service.db, { alone: true, durationMaxMs: 0 })).rejects.toMatchObject({
      code: "OVERLOADED",
      message: expect.stringContaining("npx @matchbook/server audit verify"),
    });
    expect((await read()).status).toBe(200);
  });

  test("400 for a parameter, and viewers may look", async () => {
    expect((await service.operator("/audit-log/verification?from=1")).status).toBe(400);
    expect(await statusByRole(service, "/audit-log/verification")).toEqual(READERS);
  });
});

describe("GET /operator/v1/audit-log?merchantId=", () => {
  test("exactly the merchant's entries, newest first, with any page size", async () => {
    const [one, other] = [await registerMerchant(service), await registerMerchant(service)];
    for (const displayName of ["A", "B", "C"]) {
      for (const { id } of [one, other]) {
        await service.operator(`/merchants/${id}`, { method: "PATCH", body: { displayName } });
      }
    }
    const all = (await readPages(service, "/audit-log", 100)).flat();
    for (const { id } of [one, other]) {
      const own = all.filter((entry) => entry.merchantId === id);
      expect(own).toHaveLength(4);
      for (const limit of [1, 3, 4, 100]) {
        expect((await readPages(service, `/audit-log?merchantId=${id}`, limit)).flat()).toEqual(own);
      }
      expect((await service.operator(`/audit-log?merchantId=${id.toUpperCase()}`)).body.items).toEqual(own);
    }
  });

  test("an empty page for an unknown merchant, 400 for what is no id, and for another list's cursor", async () => {
    const unknown = "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01";
    expect((await service.operator(`/audit-log?merchantId=${unknown}`)).body).toEqual({ items: [], nextCursor: null });
    expect((await service.operator("/audit-log?merchantId=shop")).status).toBe(400);
    const { nextCursor } = (await service.operator("/audit-log?limit=1")).body;
    expect((await service.operator(`/audit-log?merchantId=${unknown}&cursor=${nextCursor}`)).status).toBe(400);
  });
});
