import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAudit } from "../../src/audit/audit.ts";
import type { Queryable } from "../../src/db/pool.ts";
import { createKeyring } from "../../src/keyring.ts";
import { applicationBody, generateKeys, registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { type Answer, call, SECRET, type Service, startService } from "../harness/service.ts";

const { verify } = createAudit(createKeyring(SECRET, "production"));

let service: Service;
let second: Service;
beforeAll(async () => {
  service = await startService();
  second = await startService({ database: service.database });
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const newest = async () => (await service.operator("/audit-log?limit=1")).body.items[0];
const countRows = async () =>
  (await service.db.query<{ count: number }>("select count(*)::int as count from audit_log"))[0]?.count ?? 0;
const apply = async (change: Record<string, unknown> = {}) =>
  (await service.call("/v1/merchants/applications", { body: applicationBody(change) })).body;

describe("GET /operator/v1/audit-log", () => {
  test("one row for each operator change: who, what, to what, and in which request", async () => {
    const created = await service.operator("/tokens", { body: { name: "Ada", role: "operator" } });
    const as = (path: string, method: string, body?: unknown) =>
      call(`${service.operatorUrl}/operator/v1${path}`, {
        method,
        body,
        headers: { authorization: `Bearer ${created.body.token}` },
      });
    const toApprove = await apply();
    const toReject = await apply();
    const merchantId = toApprove.merchantId;

    const changes: [action: string, subject: string, merchant: string | null, change: () => Promise<Answer>][] = [
      [
        "application.approve",
        toApprove.applicationId,
        merchantId,
        () => as(`/applications/${toApprove.applicationId}/approve`, "POST", { displayName: "Shop" }),
      ],
      [
        "application.reject",
        toReject.applicationId,
        toReject.merchantId,
        () => as(`/applications/${toReject.applicationId}/reject`, "POST", { reason: "No." }),
      ],
      [
        "merchant.rename",
        merchantId,
        merchantId,
        () => as(`/merchants/${merchantId}`, "PATCH", { displayName: "New" }),
      ],
      ["merchant.suspend", merchantId, merchantId, () => as(`/merchants/${merchantId}/suspend`, "POST")],
      ["merchant.reinstate", merchantId, merchantId, () => as(`/merchants/${merchantId}/reinstate`, "POST")],
      [
        "merchant.rotate-key",
        merchantId,
        merchantId,
        () => as(`/merchants/${merchantId}/public-key`, "PUT", { publicKey: generateKeys().publicKeyPem }),
      ],
      [
        "token.revoke",
        created.body.id,
        null,
        () => service.operator(`/tokens/${created.body.id}`, { method: "DELETE" }),
      ],
    ];
    let position = (await newest()).position;
    expect(await newest()).toMatchObject({
      action: "token.create",
      subject: created.body.id,
      requestId: created.headers.get("x-request-id"),
    });
    for (const [action, subject, merchant, change] of changes) {
      const answer = await change();
      expect(answer.status, action).toBeLessThan(300);
      position += 1;
      expect(await newest(), action).toEqual({
        position,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: action === "token.revoke" ? expect.any(String) : expect.stringContaining("Ada"),
        action,
        subject,
        merchantId: merchant,
        detail: expect.any(Object),
        requestId: answer.headers.get("x-request-id"),
        mac: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    expect(await verify(service.db)).toMatchObject({ ok: true, problem: null, rows: position });
  });

  test("a token named like the bootstrap token does not pass for it", async () => {
    await service.operator("/tokens", { body: { name: "first", role: "viewer" } });
    const bootstrap = (await newest()).actor;
    const { body } = await service.operator("/tokens", { body: { name: bootstrap, role: "operator" } });
    if (body.token === undefined) return; // Refusing the name is as good.
    await call(`${service.operatorUrl}/operator/v1/tokens`, {
      body: { name: "second", role: "viewer" },
      headers: { authorization: `Bearer ${body.token}` },
    });
    expect((await newest()).actor).not.toBe(bootstrap);
  });

  test("refused and rolled-back changes leave no row, and neither do reads", async () => {
    const merchant = await registerMerchant(service);
    const clash = await apply({ publicKey: merchant.keys.publicKeyPem });
    const pending = await apply();
    const rows = await countRows();
    const refused = [
      await service.operator(`/applications/${clash.applicationId}/approve`, { body: {} }),
      await service.operator(`/applications/${pending.applicationId}/reject`, { body: {} }),
      await service.operator(`/merchants/${pending.merchantId}/suspend`, { method: "POST" }),
      await service.operator(`/merchants/${pending.merchantId}`, { method: "PATCH", body: { displayName: "" } }),
      await service.operator(`/merchants/${merchant.id}/public-key`, { method: "PUT", body: { publicKey: "key" } }),
      await service.operator("/tokens", { body: { name: "n", role: "admin" } }),
      await service.operator("/tokens/0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01", { method: "DELETE" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 400, 409, 400, 400, 400, 404]);
    await service.operator("/merchants");
    await service.operator("/audit-log");
    expect(await countRows()).toBe(rows);
  });

  test("newest first, every row once with any page size, with a gapless position", async () => {
    const total = await countRows();
    const expected = Array.from({ length: total }, (_, index) => total - index);
    for (const limit of [1, 3, 100]) {
      const pages = await readPages(service, "/audit-log", limit);
      expect(pages.flat().map(({ position }) => position)).toEqual(expected);
    }
  });

  test("no way to change it: other methods are 405", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await service.operator("/audit-log", { method, ...(method === "POST" ? { body: {} } : {}) });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toContain("GET");
    }
  });
});

describe("the chain", () => {
  test("stays unbroken under 20 racing changes at two services", async () => {
    const rows = await countRows();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? service : second).operator("/tokens", { body: { name: `racer ${index}`, role: "viewer" } }),
      ),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await verify(service.db)).toMatchObject({ ok: true, rows: rows + 20 });
    const actions = (await readPages(service, "/audit-log", 100)).flat().slice(0, 20);
    expect(new Set(actions.map(({ requestId }) => requestId))).toEqual(
      new Set(answers.map(({ headers }) => headers.get("x-request-id"))),
    );
  });

  test("is verified with the right key only", async () => {
    const other = createAudit(createKeyring(SECRET, "sandbox"));
    expect((await other.verify(service.db)).ok).toBe(false);
  });

  // Rows 3 and the last exist by now; each forgery is undone.
  const forgeries: [name: string, statements: string[]][] = [
    ["another actor", ["update audit_log set actor = 'nobody' where position = 3"]],
    ["another action", ["update audit_log set action = action || 'd' where position = 3"]],
    ["another subject", ["update audit_log set subject = 'x' where position = 3"]],
    ["another merchant", ["update audit_log set merchant_id = gen_random_uuid() where position = 3"]],
    ["another detail", [`update audit_log set detail = '{"a":1}' where position = 3`]],
    ["another time", ["update audit_log set date = date + interval '1 millisecond' where position = 3"]],
    ["another request id", ["update audit_log set request_id = null where position = 3"]],
    ["another MAC", ["update audit_log set mac = sha256(mac) where position = 3"]],
    ["a row taken out", ["delete from audit_log where position = 3"]],
    ["the first row taken out", ["delete from audit_log where position = 1"]],
    [
      "a row taken out and the rest moved up",
      [
        "delete from audit_log where position = 3",
        "update audit_log set position = -position where position > 3",
        "update audit_log set position = -position - 1 where position < 0",
        "update audit_head set position = position - 1",
      ],
    ],
    ["the last row taken out", ["delete from audit_log where position = (select max(position) from audit_log)"]],
    ["everything taken out", ["delete from audit_log"]],
    [
      "a row put in at the end",
      [
        `insert into audit_log select position + 1, date, actor, action, subject, merchant_id, detail, request_id, sha256(mac)
         from audit_log order by position desc limit 1`,
      ],
    ],
    [
      "a row put in at the end, and the head moved to it",
      [
        `insert into audit_log select position + 1, date, actor, action, subject, merchant_id, detail, request_id, sha256(mac)
         from audit_log order by position desc limit 1`,
        "update audit_head set position = position + 1, mac = sha256(mac)",
      ],
    ],
    [
      "a row put in before the first",
      [
        `insert into audit_log select 0, date, actor, action, subject, merchant_id, detail, request_id, mac
         from audit_log where position = 1`,
      ],
    ],
    [
      "two rows exchanged",
      [
        "update audit_log set position = -3 where position = 3",
        "update audit_log set position = 3 where position = 4",
        "update audit_log set position = 4 where position = -3",
      ],
    ],
    ["another head", ["update audit_head set mac = sha256(mac)"]],
    ["no head", ["delete from audit_head"]],
  ];
  test.each(forgeries)("shows %s", async (_name, statements) => {
    const verdict = await undone(async (transaction) => {
      for (const statement of statements) await transaction.query(statement);
      return verify(asDatabase(transaction));
    });
    expect(verdict.ok).toBe(false);
    expect(verdict.problem).toEqual(expect.any(String));
    expect((await verify(service.db)).ok).toBe(true);
  });

  test("cut short with its head, it is whole but ends elsewhere than noted", async () => {
    const noted = await verify(service.db);
    const verdict = await undone(async (transaction) => {
      await transaction.query("delete from audit_log where position = (select max(position) from audit_log)");
      await transaction.query(
        "update audit_head set (position, mac) = (select position, mac from audit_log order by position desc limit 1)",
      );
      return verify(asDatabase(transaction));
    });
    expect(verdict.head).not.toBe(noted.head);
    expect(verdict.rows).toBe(noted.rows - 1);
  });
});

/** Works in a transaction that never commits. */
async function undone<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined;
  const undo = new Error("undo");
  await service.db
    .transaction(async (transaction) => {
      result = { value: await work(transaction) };
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
  if (result === undefined) throw new Error("The work gave no result.");
  return result.value;
}

/** The audit log is read through a database; here, through the transaction that forged it. */
function asDatabase(transaction: Queryable) {
  return {
    ...service.db,
    query: transaction.query,
    transaction: (work: (t: Queryable) => unknown) => work(transaction),
  } as typeof service.db;
}
