import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/limits.ts";
import { untilBlocked } from "../harness/locks.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { until } from "../harness/program.ts";
import { type Answer, call, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let offsetMs = 0;
const clock = () => new Date(Date.now() + offsetMs);

let service: Service;
let second: Service;
beforeAll(async () => {
  service = await startService({ clock });
  second = await startService({ clock, database: service.database });
});
afterAll(async () => {
  await second.close();
  await service.close();
});

interface Created {
  readonly id: string;
  readonly token: string;
}

async function createToken(role = "operator", headers: Record<string, string> = {}): Promise<Created> {
  const answer = await service.operator("/tokens", { body: { name: "short-lived", role, expiresInDays: 1 }, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const revoke = async (id: string, at = service) =>
  expect((await at.operator(`/tokens/${id}`, { method: "DELETE" })).status).toBe(204);

async function signIn(token: string): Promise<Record<string, string>> {
  const answer = await call(`${service.operatorUrl}/operator/v1/session`, { body: { token } });
  expect(answer.status).toBe(201);
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "", origin: service.operatorUrl };
}

/** Sends the headers of a POST, and its body when asked to. The server has seen the headers once this resolves. */
async function beginRequest(path: string, headers: Record<string, string>, body: unknown) {
  const text = JSON.stringify(body);
  const { hostname, port, host } = new URL(service.operatorUrl);
  const socket: Socket = connect({ host: hostname, port: Number(port) });
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const lines = Object.entries({
    host,
    connection: "close",
    expect: "100-continue",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`POST ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`);
  await until(() => received.includes("100 Continue"));
  return async () => {
    socket.write(text);
    await closed;
    const answer = received.slice(received.indexOf("\r\n\r\n") + 4);
    return {
      status: Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(answer)?.[1]),
      body: JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)),
    };
  };
}

const countTokens = async (name: string) =>
  (await service.db.query("select 1 from operator_tokens where name = $1", [name])).length;

describe("a credential that ends while the body is on its way", () => {
  test("a revoked token: 401, and nothing is made", async () => {
    const { id, token } = await createToken();
    const body = { name: "late by token", role: "operator", expiresInDays: 3_650 };
    const finish = await beginRequest("/operator/v1/tokens", bearer(token), body);
    await revoke(id, second);
    expect(await finish()).toMatchObject({ status: 401, body: { error: { code: "OPERATOR_TOKEN_INVALID" } } });
    expect(await countTokens("late by token")).toBe(0);
  });

  test("an expired token", async () => {
    const { token } = await createToken();
    const body = { name: "late by expiry", role: "viewer" };
    const finish = await beginRequest("/operator/v1/tokens", bearer(token), body);
    // Its answer shows that the clock moves only after the headers were judged.
    expect((await service.operator("/tokens")).status).toBe(200);
    try {
      offsetMs = DAY_MS + 1_000;
      expect(await finish()).toMatchObject({ status: 401, body: { error: { code: "OPERATOR_TOKEN_INVALID" } } });
    } finally {
      offsetMs = 0;
    }
    expect(await countTokens("late by expiry")).toBe(0);
  });

  test("a session that was signed out, and one whose token was revoked", async () => {
    for (const end of ["sign out", "revoke"]) {
      const { id, token } = await createToken();
      const session = await signIn(token);
      const body = { name: `late by ${end}`, role: "operator" };
      const finish = await beginRequest("/operator/v1/tokens", session, body);
      if (end === "revoke") await revoke(id);
      else {
        const left = await call(`${second.operatorUrl}/operator/v1/session`, {
          method: "DELETE",
          headers: { ...session, origin: second.operatorUrl },
        });
        expect(left.status).toBe(204);
      }
      expect(await finish()).toMatchObject({ status: 401, body: { error: { code: "OPERATOR_SESSION_INVALID" } } });
      expect(await countTokens(`late by ${end}`)).toBe(0);
    }
  });

  test("a credential that is still good passes", async () => {
    const { token } = await createToken();
    const finish = await beginRequest("/operator/v1/tokens", bearer(token), { name: "in time", role: "viewer" });
    await createToken();
    expect(await finish()).toMatchObject({ status: 201, body: { name: "in time" } });
  });
});

describe("a credential that ends while the change is in progress", () => {
  /** Runs the change up to a lock that this test holds, then what ends the credential, then lets the change go on. */
  async function whileWaiting(
    table: "merchants" | "campaigns",
    id: string,
    change: () => Promise<Answer>,
    end: () => Promise<unknown>,
  ) {
    let changing: Promise<Answer> | undefined;
    await service.db.transaction(async (transaction) => {
      await transaction.query(
        table === "merchants"
          ? "select 1 from merchants where id = $1 for update"
          : "select 1 from campaigns where id = $1 for update",
        [id],
      );
      changing = change();
      await untilBlocked(service.db);
      await end();
    });
    return (await changing) as Answer;
  }

  const rename = (merchantId: string, headers: Record<string, string>) =>
    call(`${service.operatorUrl}/operator/v1/merchants/${merchantId}`, {
      method: "PATCH",
      body: { displayName: "Too late" },
      headers,
    });

  test("a revoked token: the change that waited for a lock is refused and leaves no trace", async () => {
    const { id, token } = await createToken();
    const merchant = await registerMerchant(service);
    const answer = await whileWaiting(
      "merchants",
      merchant.id,
      () => rename(merchant.id, bearer(token)),
      () => revoke(id, second),
    );
    expect([answer.status, answer.body.error?.code]).toEqual([401, "OPERATOR_TOKEN_INVALID"]);
    const read = await service.operator(`/merchants/${merchant.id}`);
    expect(read.body.displayName).not.toBe("Too late");
  });

  test("a session that is signed out", async () => {
    const session = await signIn((await createToken()).token);
    const merchant = await registerMerchant(service);
    const answer = await whileWaiting(
      "merchants",
      merchant.id,
      () => rename(merchant.id, session),
      () => call(`${service.operatorUrl}/operator/v1/session`, { method: "DELETE", headers: session }),
    );
    expect([answer.status, answer.body.error?.code]).toEqual([401, "OPERATOR_SESSION_INVALID"]);
  });

  test("of many concurrent changes in two processes, none is in the log after the revocation", async () => {
    for (let round = 0; round < 3; round++) {
      const { id, token } = await createToken();
      const services = [service, second];
      const changes = Array.from({ length: 16 }, (_, n) =>
        call(`${services[n % 2]?.operatorUrl}/operator/v1/tokens`, {
          body: { name: `storm ${round}`, role: "viewer" },
          headers: bearer(token),
        }),
      );
      // The revocation begins when some of them are through.
      await Promise.race(changes);
      await revoke(id, second);
      const committed = await countTokens(`storm ${round}`);
      const answers = await Promise.all(changes);
      expect(answers.filter(({ status }) => status !== 201 && status !== 401)).toEqual([]);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(committed);
      expect(await countTokens(`storm ${round}`), "after the revocation was answered").toBe(committed);
      const late = await service.db.query(
        `select 1 from audit_log where actor like $1 and position >
           (select position from audit_log where action = 'token.revoke' and subject = $2)`,
        [`%(${id})`, id],
      );
      expect(late).toEqual([]);
    }
  });
});

test("the harness' own token stays", async () => {
  expect((await call(`${service.operatorUrl}/operator/v1/tokens`, { headers: bearer(OPERATOR_TOKEN) })).status).toBe(
    200,
  );
});
