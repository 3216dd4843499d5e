import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untilBlocked } from "../harness/locks.ts";
import { readPages } from "../harness/pages.ts";
import { call, type Service, startService } from "../harness/service.ts";

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

interface Created {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

/** A token made with another one; without one, with the bootstrap token. */
async function create(name: string, by?: Created, role = "operator"): Promise<Created> {
  const headers: Record<string, string> = by === undefined ? {} : { authorization: `Bearer ${by.token}` };
  const answer = await service.operator("/tokens", { body: { name, role }, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const works = async ({ token }: Created) => {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await call(`${second.operatorUrl}/operator/v1/tokens`, { headers });
  expect([200, 401]).toContain(status);
  return status === 200;
};
const revoke = (id: string, query = "") => service.operator(`/tokens/${id}${query}`, { method: "DELETE" });
const lastEntry = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

/** parent → child → grandchild, and parent → other. */
async function family() {
  const parent = await create("parent");
  const child = await create("child", parent);
  const grandchild = await create("grandchild", child);
  const other = await create("other", parent);
  return { parent, child, grandchild, other };
}

describe("who made a token", () => {
  test("is in the list; null for those made with the bootstrap token, which lives on the host", async () => {
    const { parent, child, grandchild } = await family();
    const items = (await readPages(service, "/tokens", 100)).flat();
    const creatorOf = ({ id }: Created) => items.find((item) => item.id === id).createdBy;
    expect(creatorOf(parent)).toBeNull();
    expect(creatorOf(child)).toEqual({ id: parent.id, name: "parent" });
    expect(creatorOf(grandchild)).toEqual({ id: child.id, name: "child" });
  });

  test("is the token behind a session, too", async () => {
    const parent = await create("console user");
    const signedIn = await call(`${service.operatorUrl}/operator/v1/session`, { body: { token: parent.token } });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const made = await call(`${service.operatorUrl}/operator/v1/tokens`, {
      body: { name: "from the console", role: "viewer" },
      headers: { cookie, origin: service.operatorUrl },
    });
    const read = await service.operator(`/tokens/${made.body.id}`);
    expect(read.body).toMatchObject({ createdBy: { id: parent.id, name: "console user" }, descendantCount: 0 });
  });

  test("GET /tokens/{id} tells how many good ones would end with it; 404 for others", async () => {
    const { parent, child, other } = await family();
    const count = async () => (await service.operator(`/tokens/${parent.id}`)).body.descendantCount;
    expect(await count()).toBe(3);
    await revoke(other.id);
    expect(await count()).toBe(2);
    await revoke(child.id, "?cascade=false");
    expect(await count(), "the grandchild").toBe(1);
    for (const id of ["nonsense", "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01"]) {
      expect((await service.operator(`/tokens/${id}`)).body.error.code).toBe("TOKEN_NOT_FOUND");
    }
  });
});

describe("DELETE /operator/v1/tokens/{id}", () => {
  test("ends what the token made and what those made, in every process, and the log lists them", async () => {
    const { parent, child, grandchild, other } = await family();
    const bystander = await create("bystander");
    expect((await revoke(parent.id)).status).toBe(204);
    for (const token of [parent, child, grandchild, other]) expect(await works(token), token.name).toBe(false);
    expect(await works(bystander)).toBe(true);
    const { action, subject, detail } = await lastEntry();
    expect([action, subject]).toEqual(["token.revoke", parent.id]);
    expect(detail).toMatchObject({ name: "parent", cascade: true, alsoRevokedCount: 3 });
    expect([...detail.alsoRevoked].sort()).toEqual([child.id, grandchild.id, other.id].sort());
  });

  test("?cascade=false ends only the token; a later call ends the rest", async () => {
    const { parent, child, grandchild } = await family();
    expect((await revoke(parent.id, "?cascade=false")).status).toBe(204);
    expect([await works(parent), await works(child), await works(grandchild)]).toEqual([false, true, true]);
    expect((await lastEntry()).detail).toMatchObject({ cascade: false, alsoRevokedCount: 0, alsoRevoked: [] });
    expect((await revoke(parent.id)).status).toBe(204);
    expect([await works(child), await works(grandchild)]).toEqual([false, false]);
    const { position } = await lastEntry();
    expect((await revoke(parent.id)).status).toBe(204);
    expect((await lastEntry()).position, "nothing more to end, nothing to log").toBe(position);
  });

  test.each(["?cascade=no", "?cascade=1", "?cascade=", "?other=true"])("400 for %s", async (query) => {
    const token = await create("kept");
    expect((await revoke(token.id, query)).status).toBe(400);
    expect(await works(token)).toBe(true);
  });

  test("a child may end its parent, and itself with it", async () => {
    const { parent, child } = await family();
    const answer = await call(`${service.operatorUrl}/operator/v1/tokens/${parent.id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${child.token}` },
    });
    expect(answer.status).toBe(204);
    expect([await works(parent), await works(child)]).toEqual([false, false]);
  });

  test("of two tokens that end each other at the same time, one is refused", async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await create("one"), await create("other")];
      const end = (by: Created, target: Created, at: Service) =>
        call(`${at.operatorUrl}/operator/v1/tokens/${target.id}`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${by.token}` },
        });
      const answers = await Promise.all([end(one, other, service), end(other, one, second)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    }
  });

  test("children that are being made meanwhile do not outlive their parent", async () => {
    for (let round = 0; round < 3; round++) {
      const parent = await create("busy");
      const making = Array.from({ length: 12 }, (_, n) =>
        call(`${(n % 2 === 0 ? service : second).operatorUrl}/operator/v1/tokens`, {
          body: { name: `child ${round}`, role: "operator" },
          headers: { authorization: `Bearer ${parent.token}` },
        }),
      );
      await Promise.race(making);
      expect((await revoke(parent.id)).status).toBe(204);
      const made = (await Promise.all(making))
        .filter(({ status }) => status === 201)
        .map(({ body }) => body as Created);
      expect(made.length).toBeGreaterThan(0);
      for (const child of made) expect(await works(child)).toBe(false);
      const alive = "select 1 from operator_tokens where name = $1 and revoke_date is null";
      expect(await service.db.query(alive, [`child ${round}`])).toEqual([]);
    }
  });

  test("a child whose creation waits for the log when the parent's end does, too, ends with it", async () => {
    const parent = await create("waiting");
    let making: Promise<unknown> | undefined;
    let ending: Promise<unknown> | undefined;
    await service.db.transaction(async (transaction) => {
      await transaction.query("select 1 from audit_head for update");
      making = service.operator("/tokens", {
        body: { name: "late child", role: "operator" },
        headers: { authorization: `Bearer ${parent.token}` },
      });
      await untilBlocked(service.db);
      ending = revoke(parent.id);
      await untilBlocked(service.db, { count: 2 });
    });
    await Promise.all([making, ending]);
    const alive = "select 1 from operator_tokens where name = 'late child' and revoke_date is null";
    expect(await service.db.query(alive)).toEqual([]);
  });
});

describe("writing to the database", () => {
  const callWith = (token: string) =>
    call(`${service.operatorUrl}/operator/v1/tokens`, { headers: { authorization: `Bearer ${token}` } });

  test("mints no token: neither a row with a hash of it, nor one with another row's hash", async () => {
    const { createHash } = await import("node:crypto");
    const victim = await create("victim");
    for (const version of [0, 1]) {
      const token = `mbop_${String(version).repeat(43)}`;
      await service.db.query(
        `insert into operator_tokens (id, name, role, token_hash, key_version, create_date, expire_date)
         values (gen_random_uuid(), 'forged', 'operator', $1, $2, now(), now() + interval '1 day')`,
        [createHash("sha256").update(token).digest(), version],
      );
      expect((await callWith(token)).status).toBe(401);
    }
    expect(await works(victim)).toBe(true);
  });

  test.each([
    ["role", "role = 'operator'"],
    ["life", "expire_date = expire_date + interval '1 day'"],
    ["name", "name = 'somebody else'"],
    ["creator", "created_by = (select id from operator_tokens where name = 'victim' limit 1)"],
  ])("cannot change a token's %s: the row is refused", async (_name, change) => {
    await create("victim");
    const { id, token } = await create("viewer", undefined, "viewer");
    expect((await callWith(token)).status).toBe(200);
    await service.db.query(`update operator_tokens set ${change} where id = '${id}'`);
    expect((await callWith(token)).status).toBe(401);
  });

  test("cannot give a session to another token, or to the bootstrap token, or make it longer", async () => {
    const [viewer, operator] = [await create("viewer", undefined, "viewer"), await create("operator")];
    for (const change of [
      `token_id = '${operator.id}'`,
      "token_id = null",
      "expire_date = expire_date + interval '1 day'",
    ]) {
      const signedIn = await call(`${service.operatorUrl}/operator/v1/session`, { body: { token: viewer.token } });
      const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
      const read = () => call(`${service.operatorUrl}/operator/v1/tokens`, { headers: { cookie } });
      expect((await read()).status).toBe(200);
      await service.db.query(`update operator_sessions set ${change} where token_id = '${viewer.id}'`);
      expect((await read()).status, change).toBe(401);
      await service.db.query("delete from operator_sessions");
    }
  });
});
