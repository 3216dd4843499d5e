import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/limits.ts";
import { readPages } from "../harness/pages.ts";
import { exchange, requestText } from "../harness/raw.ts";
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

const create = async (body: Record<string, unknown>) => {
  const answer = await service.operator("/tokens", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as { id: string; name: string; role: string; expiresAt: string; token: string };
};
/** Calls any path of the operator listener with a token. */
const callWith = (token: string, path: string, options: { method?: string; body?: unknown } = {}, at = service) =>
  call(at.operatorUrl + path, { ...options, headers: { authorization: `Bearer ${token}` } });
const readWith = (authorization: string) =>
  call(`${service.operatorUrl}/operator/v1/tokens`, { headers: { authorization } });

function expectUnauthorized(answer: Answer, label = ""): void {
  expect(answer.status, label).toBe(401);
  expect(answer.body, label).toEqual({ error: { code: "OPERATOR_TOKEN_INVALID", message: expect.any(String) } });
}

const UNKNOWN = "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01";

describe("POST /operator/v1/tokens", () => {
  test("201 with a token of at least 160 random bits that works immediately, everywhere", async () => {
    const created = await create({ name: "console", role: "viewer" });
    expect(created).toEqual({
      id: expect.any(String),
      name: "console",
      role: "viewer",
      expiresAt: expect.any(String),
      token: expect.stringMatching(/^[\x21-\x7e]{27,}$/),
    });
    expect(Date.parse(created.expiresAt)).toBeGreaterThan(Date.now());
    expect((await callWith(created.token, "/operator/v1/merchants")).status).toBe(200);
    expect((await callWith(created.token, "/operator/v1/merchants", {}, second)).status).toBe(200);
  });

  test("the token is shown this once: no list, no audit row, no log line and no column has it", async () => {
    const { id, token } = await create({ name: "secretive", role: "viewer" });
    await callWith(token, "/operator/v1/merchants");
    const listed = (await readPages(service, "/tokens", 100)).flat().find((item) => item.id === id);
    expect(Object.keys(listed).sort()).toEqual([
      "createDate",
      "createdBy",
      "expiresAt",
      "id",
      "name",
      "revokedAt",
      "role",
    ]);
    const shown =
      JSON.stringify(await readPages(service, "/tokens", 100)) +
      JSON.stringify(await readPages(service, "/audit-log", 100)) +
      service.logged();
    // The random part may have underscores of its own.
    const random = token.slice(token.indexOf("_") + 1);
    expect(shown.includes(random)).toBe(false);
    const [row] = await service.db.query<Record<string, unknown>>("select * from operator_tokens where id = $1", [id]);
    expect(row?.token_hash, "a MAC, not a hash").not.toEqual(createHash("sha256").update(token).digest());
    for (const [column, value] of Object.entries(row ?? {})) expect(String(value).includes(random), column).toBe(false);
  });

  test.each([
    ["no name", { role: "viewer" }, "name"],
    ["an empty name", { name: "", role: "viewer" }, "name"],
    ["a blank name", { name: "  ", role: "viewer" }, "name"],
    ["a name of 101 characters", { name: "n".repeat(101), role: "viewer" }, "name"],
    ["a name with a line break", { name: "a\nb", role: "viewer" }, "name"],
    ["no role", { name: "n" }, "role"],
    ["an unknown role", { name: "n", role: "admin" }, "role"],
    ["a role in capitals", { name: "n", role: "VIEWER" }, "role"],
    ["no days", { name: "n", role: "viewer", expiresInDays: 0 }, "expiresInDays"],
    ["half a day", { name: "n", role: "viewer", expiresInDays: 0.5 }, "expiresInDays"],
    ["days as text", { name: "n", role: "viewer", expiresInDays: "1" }, "expiresInDays"],
    ["too many days", { name: "n", role: "viewer", expiresInDays: 3651 }, "expiresInDays"],
    ["a token of one's own", { name: "n", role: "viewer", token: "x".repeat(40) }, "token"],
  ])("400 for %s", async (_name, body, mention) => {
    const answer = await service.operator("/tokens", { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(mention) });
  });
});

describe("POST /operator/v1/tokens with an Idempotency-Key", () => {
  const request = { name: "hosted flow", role: "ingest", expiresInDays: 30 };
  const createUnder = (key: string, body: object = request, at = service) =>
    at.operator("/tokens", { body, headers: { "idempotency-key": key } });
  const rowsOf = async (id: string) => {
    const tokens = await service.db.query("select 1 from operator_tokens where id = $1", [id]);
    const audited = await service.db.query("select 1 from audit_log where subject = $1 and action = 'token.create'", [
      id,
    ]);
    return [tokens.length, audited.length];
  };

  test("201 with the secret, then 200 with the same token without it", async () => {
    const key = randomUUID();
    const first = await createUnder(key);
    const again = await createUnder(key);
    expect([first.status, again.status]).toEqual([201, 200]);
    const { token, ...shown } = first.body;
    expect(again.body).toEqual({ ...shown, createDate: expect.any(String), revokedAt: null, createdBy: null });
    expect((await callWith(token, "/operator/v1/deposits", { body: { deposits: [] } })).status).toBe(400);
    expect(await rowsOf(first.body.id)).toEqual([1, 1]);
  });

  test("ten concurrent calls, in two processes, make one token, and one of them gets its secret", async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => createUnder(key, request, n % 2 === 0 ? service : second)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => "token" in body)).toHaveLength(1);
    expect(await rowsOf(answers[0]?.body.id)).toEqual([1, 1]);
  });

  test.each([
    ["name", { ...request, name: "another" }],
    ["role", { ...request, role: "viewer" }],
    ["life", { ...request, expiresInDays: 31 }],
    ["life, left to the default", { name: request.name, role: request.role }],
  ])("409 IDEMPOTENCY_KEY_REUSED with another %s", async (_name, body) => {
    const key = randomUUID();
    await createUnder(key);
    const answer = await createUnder(key, body);
    expect([answer.status, answer.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("the default life is the same whether it is written or not", async () => {
    const key = randomUUID();
    await createUnder(key, { name: "n", role: "viewer" });
    expect((await createUnder(key, { name: "n", role: "viewer", expiresInDays: 90 })).status).toBe(200);
  });

  test("a token that was revoked meanwhile stays revoked, and is shown so", async () => {
    const key = randomUUID();
    const { id, token } = (await createUnder(key)).body;
    await service.operator(`/tokens/${id}`, { method: "DELETE" });
    expect(await createUnder(key)).toMatchObject({ status: 200, body: { id, revokedAt: expect.any(String) } });
    expectUnauthorized(await callWith(token, "/operator/v1/deposits", { body: { deposits: [] } }));
  });

  test("a key belongs to its sender", async () => {
    const key = randomUUID();
    const { token } = await create({ name: "colleague", role: "operator" });
    const mine = await createUnder(key);
    const theirs = await call(`${service.operatorUrl}/operator/v1/tokens`, {
      body: request,
      headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
    });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.body.id).not.toBe(theirs.body.id);
  });

  test.each(["", "k k", "k".repeat(256)])("400 for the key %j", async (key) => {
    const answer = await createUnder(key);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("a token's life", () => {
  test("it ends to the millisecond after the days it was given", async () => {
    const start = Date.now();
    const { token, expiresAt } = await create({ name: "short", role: "viewer", expiresInDays: 1 });
    expect(Math.abs(Date.parse(expiresAt) - start - DAY_MS)).toBeLessThan(5_000);
    try {
      offsetMs = DAY_MS - 10_000;
      expect((await callWith(token, "/operator/v1/merchants")).status).toBe(200);
      offsetMs = DAY_MS + 10_000;
      expectUnauthorized(await callWith(token, "/operator/v1/merchants"));
      expectUnauthorized(await callWith(token, "/operator/v1/merchants", {}, second));
      expect((await service.operator("/merchants")).status, "the bootstrap token stays").toBe(200);
    } finally {
      offsetMs = 0;
    }
  });

  test("it ends immediately when it is revoked, in every process; revoking again is no error", async () => {
    const { id, token } = await create({ name: "revoked", role: "operator" });
    expect((await callWith(token, "/operator/v1/merchants", {}, second)).status).toBe(200);
    const answer = await callWith(token, `/operator/v1/tokens/${id}`, { method: "DELETE" });
    expect(answer.status).toBe(204);
    expect(answer.body).toBe("");
    expectUnauthorized(await callWith(token, "/operator/v1/merchants"));
    expectUnauthorized(await callWith(token, "/operator/v1/merchants", {}, second));
    const listed = (await readPages(service, "/tokens", 100)).flat().find((item) => item.id === id);
    expect(listed.revokedAt).toEqual(expect.any(String));
    const rows = "select count(*)::int as count from audit_log where subject = $1";
    const before = await service.db.query(rows, [id]);
    expect((await service.operator(`/tokens/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await service.db.query(rows, [id])).toEqual(before);
  });

  test("404 TOKEN_NOT_FOUND for unknown and malformed ids", async () => {
    for (const id of [UNKNOWN, "not-a-uuid", "%00", "a".repeat(300)]) {
      const answer = await service.operator(`/tokens/${id}`, { method: "DELETE" });
      expect(answer.status, id).toBe(404);
      expect(answer.body.error.code, id).toBe("TOKEN_NOT_FOUND");
    }
  });
});

describe("roles", () => {
  const calls: [method: string, path: string, body: unknown][] = [
    ["GET", "/operator/v1/applications", undefined],
    ["GET", "/operator/v1/merchants", undefined],
    ["GET", `/operator/v1/merchants/${UNKNOWN}`, undefined],
    ["GET", "/operator/v1/tokens", undefined],
    ["GET", "/operator/v1/audit-log", undefined],
    ["GET", "/metrics", undefined],
    ["POST", `/operator/v1/applications/${UNKNOWN}/approve`, {}],
    ["POST", `/operator/v1/applications/${UNKNOWN}/reject`, { reason: "No." }],
    ["PATCH", `/operator/v1/merchants/${UNKNOWN}`, { displayName: "Shop" }],
    ["PUT", `/operator/v1/merchants/${UNKNOWN}/public-key`, { publicKey: "key" }],
    ["POST", `/operator/v1/merchants/${UNKNOWN}/suspend`, {}],
    ["POST", `/operator/v1/merchants/${UNKNOWN}/reinstate`, {}],
    ["POST", "/operator/v1/tokens", { name: "", role: "operator" }],
    ["DELETE", `/operator/v1/tokens/${UNKNOWN}`, undefined],
  ];
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    for (const role of ["operator", "viewer", "ingest"]) tokens.set(role, (await create({ name: role, role })).token);
  });

  test.each(calls)("%s %s: operator may, viewer may GET, ingest may not", async (method, path, body) => {
    const statusFor = async (role: string) => {
      const answer = await callWith(tokens.get(role) ?? "", path, { method, body });
      if (answer.status === 403) expect(answer.body.error.code).toBe("OPERATOR_FORBIDDEN");
      return answer.status;
    };
    // Allowed calls fail later, for what they name does not exist.
    expect([200, 400, 404]).toContain(await statusFor("operator"));
    if (method === "GET") expect([200, 404]).toContain(await statusFor("viewer"));
    else expect(await statusFor("viewer")).toBe(403);
    expect(await statusFor("ingest")).toBe(403);
    expectUnauthorized(await call(service.operatorUrl + path, { method, body }));
  });

  test("who calls is asked before what is sent", async () => {
    const broken = { method: "POST", body: "{" };
    expectUnauthorized(await call(`${service.operatorUrl}/operator/v1/tokens`, broken));
    expect((await callWith(tokens.get("viewer") ?? "", "/operator/v1/tokens", broken)).status).toBe(403);
    expectUnauthorized(await call(`${service.operatorUrl}/operator/v1/applications?nonsense=1`));
  });
});

describe("the Authorization header", () => {
  test.each([
    "",
    "Bearer",
    "Bearer ",
    OPERATOR_TOKEN,
    `Basic ${Buffer.from(`operator:${OPERATOR_TOKEN}`).toString("base64")}`,
    `Token ${OPERATOR_TOKEN}`,
    `Bearer ${OPERATOR_TOKEN} ${OPERATOR_TOKEN}`,
    `Bearer ${OPERATOR_TOKEN},`,
    `Bearer "${OPERATOR_TOKEN}"`,
    `Bearer ${OPERATOR_TOKEN.slice(0, -1)}`,
    `Bearer ${OPERATOR_TOKEN}0`,
    `Bearer ${OPERATOR_TOKEN.toUpperCase()}`,
    "Bearer null",
    "Bearer undefined",
    "Bearer ' or 1=1 --",
    `Bearer ${"x".repeat(10_000)}`,
    "Bearer mbop_",
  ])("401 for %j", async (authorization) => {
    expectUnauthorized(await readWith(authorization));
  });

  test("401 for bytes that are no text, and for two headers of which the first is wrong", async () => {
    for (const value of ["Bearer \xff\xfe\x80", "\xc3\x28", "Bearer \t\t"]) {
      const answer = await exchange(
        service.operatorUrl,
        Buffer.from(requestText("GET", "/operator/v1/tokens", { authorization: value }), "latin1"),
      );
      expect(answer?.status).toBe(401);
    }
    const twice = await exchange(
      service.operatorUrl,
      requestText("GET", "/operator/v1/tokens", {
        authorization: "Bearer wrong",
        Authorization: `Bearer ${OPERATOR_TOKEN}`,
      }),
    );
    expect(twice?.status).toBe(401);
  });

  test("401 for a token in the query or under another header", async () => {
    expectUnauthorized(await call(`${service.operatorUrl}/operator/v1/tokens?access_token=${OPERATOR_TOKEN}`));
    expectUnauthorized(
      await call(`${service.operatorUrl}/operator/v1/tokens`, { headers: { "x-api-key": OPERATOR_TOKEN } }),
    );
  });

  test("the scheme is read in any case", async () => {
    expect((await readWith(`bearer ${OPERATOR_TOKEN}`)).status).toBe(200);
    expect((await readWith(`BEARER ${OPERATOR_TOKEN}`)).status).toBe(200);
  });

  test("the public listener has no operator interface", async () => {
    const answer = await service.call("/operator/v1/tokens", {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe("ROUTE_NOT_FOUND");
  });
});
