import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSeals } from "../../src/access/seals.ts";
import { closeBootstrap, createToken, openBootstrap } from "../../src/access/tokens.ts";
import { createAudit } from "../../src/audit/audit.ts";
import { createKeyring } from "../../src/keyring.ts";
import { untilBlocked } from "../harness/locks.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { type Answer, call, OPERATOR_TOKEN, SECRET, type Service, startService } from "../harness/service.ts";

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

const keyring = createKeyring(SECRET, "production");
const actor = { name: "a test", requestId: null };
const dependencies = () => ({
  db: service.db,
  clock: () => new Date(),
  audit: createAudit(keyring),
  seals: createSeals(keyring, OPERATOR_TOKEN),
});
const close = () => closeBootstrap(dependencies(), actor);
const open = () => openBootstrap(dependencies(), actor);
const statusOf = async (at: Service) => (await at.operator("/tokens")).status;

let operatorToken: string;
beforeEach(async () => {
  await open();
  const { secret } = await createToken(dependencies(), { name: "named", role: "operator" }, actor);
  operatorToken = secret ?? "";
});
const asNamed = (path: string) =>
  call(`${service.operatorUrl}/operator/v1${path}`, { headers: { authorization: `Bearer ${operatorToken}` } });

describe("tokens close-bootstrap", () => {
  test("is refused while no operator token is good", async () => {
    await service.db.query("update operator_tokens set revoke_date = now()");
    await createToken(dependencies(), { name: "only a viewer", role: "viewer" }, actor);
    expect(await close()).toBe("no operator token");
    expect(await statusOf(service)).toBe(200);
  });

  test("switches the token and its sessions off in every process, immediately; open-bootstrap switches them on", async () => {
    const signedIn = await call(`${service.operatorUrl}/operator/v1/session`, { body: { token: OPERATOR_TOKEN } });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const session = async () =>
      (await call(`${second.operatorUrl}/operator/v1/tokens`, { headers: { cookie } })).status;
    expect([await statusOf(service), await statusOf(second), await session()]).toEqual([200, 200, 200]);
    expect(await close()).toBe("closed");
    expect([await statusOf(service), await statusOf(second), await session()]).toEqual([401, 401, 401]);
    const again = await call(`${service.operatorUrl}/operator/v1/session`, { body: { token: OPERATOR_TOKEN } });
    expect(again.status).toBe(401);
    expect((await asNamed("/tokens")).status, "named tokens go on").toBe(200);
    expect(await close()).toBe("closed before");
    expect(await open()).toBe("open");
    expect([await statusOf(service), await statusOf(second)]).toEqual([200, 200]);
    expect(await open()).toBe("open before");
    const actions = (await asNamed("/audit-log")).body.items.map((entry: { action: string }) => entry.action);
    expect(actions.slice(0, 2)).toContain("bootstrap.open");
    expect(actions).toContain("bootstrap.close");
  });

  test("a change of the bootstrap token that is in progress is refused", async () => {
    const merchant = await registerMerchant(service);
    let change: Promise<Answer> | undefined;
    await service.db.transaction(async (transaction) => {
      await transaction.query("select 1 from merchants where id = $1 for update", [merchant.id]);
      change = service.operator(`/merchants/${merchant.id}`, { method: "PATCH", body: { displayName: "Too late" } });
      await untilBlocked(service.db);
      expect(await close()).toBe("closed");
    });
    expect((await change)?.status).toBe(401);
  });

  test("a forged row does not switch it on again, and neither does a copy of an old one", async () => {
    await close();
    await service.db.query(
      `insert into audit_log (position, date, actor, action, subject, detail, mac)
       select max(position) + 1, now(), 'forged', 'bootstrap.open', 'bootstrap token', '{}', '\\x00' from audit_log`,
    );
    expect(await statusOf(service)).toBe(401);
    await service.db.query("delete from audit_log where actor = 'forged'");
    await service.db.query(
      `insert into audit_log
       select (select max(position) + 1 from audit_log), date, 'forged', action, subject, merchant_id, detail, request_id,
         mac, key_version
       from audit_log where action = 'bootstrap.open' limit 1`,
    );
    expect(await statusOf(service)).toBe(401);
    await service.db.query("delete from audit_log where actor = 'forged'");
    expect(await open()).toBe("open");
  });

  test("to delete the row that switched it off breaks the chain of the log", async () => {
    await close();
    await service.db.query(
      "delete from audit_log where position = (select max(position) from audit_log where action = 'bootstrap.close')",
    );
    expect((await createAudit(keyring).verify(service.db)).ok).toBe(false);
  });
});
