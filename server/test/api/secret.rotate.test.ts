import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retireSecretVersion } from "../../src/access/retire-secret.ts";
import { createAudit } from "../../src/audit/audit.ts";
import { createKeyring } from "../../src/keyring.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { depositEvent, reported } from "../harness/deposits.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { call, SECRET, type Service, startService } from "../harness/service.ts";

const NEW = "another-secret-0123456789abcdef01234567";
const RINGS = {
  old: SECRET,
  prepared: `v2-next:${NEW},v1:${SECRET}`,
  rotated: `v2:${NEW},v1:${SECRET}`,
  retired: `v2:${NEW}\nv1-retired:${SECRET}\n`,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A service with this secret, as one that was restarted with it. */
async function serving<Result>(ring: keyof typeof RINGS, work: (service: Service) => Promise<Result>): Promise<Result> {
  const service = await startService({ database, secret: RINGS[ring] });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

const as = (service: Service, headers: Record<string, string>, path = "/tokens") =>
  call(`${service.operatorUrl}/operator/v1${path}`, { headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const create = async (service: Service, name: string) => {
  const answer = await service.operator("/tokens", { body: { name, role: "operator" } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as { id: string; token: string };
};
const signIn = async (service: Service, token: string) => {
  const answer = await call(`${service.operatorUrl}/operator/v1/session`, { body: { token } });
  expect(answer.status).toBe(201);
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
};
const versionOf = async (id: string) =>
  (
    await database.db.query<{ version: number }>("select key_version as version from operator_tokens where id = $1", [
      id,
    ])
  )[0]?.version;
const verify = (ring: keyof typeof RINGS) => createAudit(createKeyring(RINGS[ring], "production")).verify(database.db);
const userOf = async (service: Service, merchantId: string) =>
  (await reported(service, [depositEvent(merchantId, { payerId: "payer of old" })]))[0]?.userId;

describe("a rotated secret", () => {
  let merchantId: string;
  let userId: string | undefined;
  let used: { id: string; token: string };
  let unused: { id: string; token: string };
  let session: { cookie: string };
  let cursor: string;
  beforeAll(async () => {
    await serving("old", async (service) => {
      merchantId = (await registerMerchant(service)).id;
      userId = await userOf(service, merchantId);
      used = await create(service, "used");
      unused = await create(service, "unused");
      session = await signIn(service, used.token);
      cursor = (await service.operator("/tokens?limit=1")).body.nextCursor;
      expect(cursor).toEqual(expect.any(String));
    });
  });

  test("keeps cursors, user ids, tokens, sessions and the audit log, and puts what is used under the new version", async () => {
    await serving("rotated", async (service) => {
      expect((await service.operator(`/tokens?limit=1&cursor=${cursor}`)).status).toBe(200);
      expect(await userOf(service, merchantId)).toBe(userId);
      expect(await versionOf(used.id)).toBe(1);
      expect((await as(service, bearer(used.token))).status).toBe(200);
      expect(await versionOf(used.id)).toBe(2);
      expect((await as(service, bearer(used.token))).status).toBe(200);
      expect((await as(service, session)).status).toBe(200);
      expect((await as(service, session)).status).toBe(200);
      const sessions = await database.db.query("select 1 from operator_sessions where key_version <> 2");
      expect(sessions).toEqual([]);
      const { items } = (await service.operator("/audit-log")).body;
      expect(items.filter(({ action }: { action: string }) => action === "secret.rotate")).toMatchObject([
        { actor: "matchbook-server", detail: { from: 1, to: 2 } },
      ]);
      expect((await service.operator("/audit-log/verification")).body).toMatchObject({ ok: true });
    });
    expect(await verify("rotated")).toMatchObject({ ok: true });
  });

  test("a process that still has the old value says so and does not crash", async () => {
    await serving("old", async (service) => {
      expect((await as(service, bearer(used.token))).status, "under the new version").toBe(401);
      const change = await service.operator("/tokens", { body: { name: "late", role: "viewer" } });
      expect([change.status, change.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
      expect(change.body.error.message).toContain("MATCHBOOK_SECRET");
      expect((await service.operator("/audit-log/verification")).body).toMatchObject({
        ok: false,
        problem: expect.stringContaining("version 2 of MATCHBOOK_SECRET"),
      });
      expect((await service.operator("/tokens")).status).toBe(200);
    });
  });

  test("a process that has the new version as -next works beside one that signs with it", async () => {
    await serving("prepared", async (prepared) => {
      await serving("rotated", async (rotated) => {
        const [one, other] = [await create(prepared, "by prepared"), await create(rotated, "by rotated")];
        for (const service of [prepared, rotated]) {
          for (const { token } of [one, other]) expect((await as(service, bearer(token))).status).toBe(200);
        }
        const { nextCursor } = (await rotated.operator("/tokens?limit=1")).body;
        expect((await prepared.operator(`/tokens?limit=1&cursor=${nextCursor}`)).status).toBe(200);
      });
    });
    expect(await verify("rotated")).toMatchObject({ ok: true });
  });

  test("the old key writes no row after the rotation that is taken for true", async () => {
    const head = (await database.db.query<{ position: number }>("select position from audit_head"))[0]?.position ?? 0;
    await database.db.query("update audit_head set key_version = 1");
    await serving("old", (service) => create(service, "with the stolen old key"));
    const verdict = await verify("rotated");
    expect(verdict).toMatchObject({ ok: false, problem: expect.stringContaining("older secret") });
    expect(verdict.rows).toBe(head);
    // Undone, for the tests that follow.
    await database.db.query("delete from audit_log where position > $1", [head]);
    await database.db.query(
      `update audit_head h set position = a.position, mac = a.mac, key_version = a.key_version
       from audit_log a where a.position = $1`,
      [head],
    );
    expect(await verify("rotated")).toMatchObject({ ok: true });
  });

  test("retiring revokes what was not used since, and the retired version opens nothing but the past", async () => {
    const audit = createAudit(createKeyring(RINGS.rotated, "production"));
    const dependencies = { db: database.db, clock: () => new Date(), audit };
    const count = await retireSecretVersion(dependencies, 1, { name: "a test", requestId: null });
    expect(count).toBeGreaterThan(0);
    await serving("retired", async (service) => {
      expect((await as(service, bearer(used.token))).status).toBe(200);
      expect((await as(service, session)).status).toBe(200);
      expect((await as(service, bearer(unused.token))).status).toBe(401);
      expect((await service.operator(`/tokens?limit=1&cursor=${cursor}`)).status).toBe(400);
      expect(await userOf(service, merchantId), "user ids stay with version 1").toBe(userId);
      const { items } = (await service.operator("/audit-log")).body;
      const [entry] = items.filter(({ action }: { action: string }) => action === "secret.retire");
      expect(entry.detail).toMatchObject({ version: 1, revokedCount: count });
      expect(entry.detail.revoked).toContain(unused.id);
    });
    expect(await verify("retired")).toMatchObject({ ok: true });
  });

  test("a token under a retired version is refused even when its row says that it is good", async () => {
    await database.db.query("update operator_tokens set revoke_date = null where id = $1", [unused.id]);
    await serving("retired", async (service) => {
      expect((await as(service, bearer(unused.token))).status).toBe(401);
    });
  });
});
