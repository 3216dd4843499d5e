import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/limits.ts";
import { call, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let offsetMs = 0;
const clock = () => new Date(Date.now() + offsetMs);

let service: Service;
let second: Service;
let sandbox: Service;
beforeAll(async () => {
  service = await startService({ clock });
  second = await startService({ clock, database: service.database });
  sandbox = await startService({ clock, environment: "sandbox" });
});
afterAll(async () => {
  await Promise.all([second.close(), sandbox.close()]);
  await service.close();
});

const SESSION = "/operator/v1/session";

async function signIn(token = OPERATOR_TOKEN, at = service): Promise<string> {
  const answer = await call(at.operatorUrl + SESSION, { body: { token } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return cookieOf(answer.headers.get("set-cookie") ?? "");
}

function cookieOf(setCookie: string): string {
  return setCookie.split(";")[0] ?? "";
}

async function createToken(role: string, expiresInDays = 30): Promise<{ id: string; token: string }> {
  return (await service.operator("/tokens", { body: { name: `a ${role}`, role, expiresInDays } })).body;
}

const callAs = (
  cookie: string,
  path: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  at = service,
) => call(at.operatorUrl + path, { ...options, headers: { cookie, ...options.headers } });

const sessionOf = async (cookie: string, at = service) => {
  const answer = await callAs(cookie, SESSION, {}, at);
  expect(answer.status).toBe(200);
  return answer.body.session;
};

const sameOrigin = (at = service) => ({ origin: at.operatorUrl });

function expectCode(answer: { status: number; body: unknown }, status: number, code: string): void {
  expect(answer.body).toEqual({ error: { code, message: expect.any(String) } });
  expect(answer.status).toBe(status);
}

describe("POST /operator/v1/session", () => {
  test("201 with who signed in, and a cookie no script and no other site can use", async () => {
    const { token } = await createToken("viewer");
    const answer = await call(service.operatorUrl + SESSION, { body: { token } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      operatorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "a viewer",
      role: "viewer",
      environment: "production",
      expiresAt: expect.any(String),
      approvals: false,
    });
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^matchbook-production-session=[A-Za-z0-9_-]{43}; Path=\/operator; Max-Age=43200; /);
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Strict");
    expect(cookie).not.toContain(token);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("the session id is random and is stored only as a hash", async () => {
    const [first, other] = [await signIn(), await signIn()];
    expect(first).not.toBe(other);
    const rows = await service.db.query<{ text: string }>(
      "select operator_sessions::text as text from operator_sessions",
    );
    const stored = rows.map(({ text }) => text).join();
    expect(stored).not.toContain(first.split("=")[1]);
    expect(stored).not.toContain(Buffer.from(first.split("=")[1] ?? "").toString("hex"));
  });

  test("ends the session that the browser had before, and no other", async () => {
    const [before, elsewhere] = [await signIn(), await signIn()];
    expectCode(await callAs(before, SESSION, { body: { token: "mbop_unknown" } }), 401, "OPERATOR_TOKEN_INVALID");
    expect(await sessionOf(before), "who mistypes a token stays signed in").not.toBeNull();
    const answer = await callAs(before, SESSION, { body: { token: OPERATOR_TOKEN }, headers: sameOrigin() });
    expect(answer.status).toBe(201);
    expect(await sessionOf(cookieOf(answer.headers.get("set-cookie") ?? ""))).not.toBeNull();
    expect(await sessionOf(before)).toBeNull();
    expect(await sessionOf(elsewhere)).not.toBeNull();
  });

  test("nothing that is stored lets the bootstrap token be guessed, or tells that both environments have the same", async () => {
    const stored = async (at: Service): Promise<string[]> => {
      await at.db.query("delete from operator_sessions");
      await signIn(OPERATOR_TOKEN, at);
      const rows = await at.db.query<{ text: string }>("select operator_sessions::text as text from operator_sessions");
      return rows.map(({ text }) => text);
    };
    const [production, other] = [await stored(service), await stored(sandbox)];
    expect(production).toHaveLength(1);
    expect(production).not.toEqual(other);
    expect(production.join()).not.toContain(createHash("sha256").update(OPERATOR_TOKEN).digest("hex"));
    // No column but the dates tells that one token signed in to both.
    const columns = (rows: string[]) =>
      rows
        .join()
        .split(",")
        .filter((value) => value.includes("\\\\x"));
    expect(columns(production)).toHaveLength(2);
    for (const value of columns(production)) expect(columns(other)).not.toContain(value);
  });

  test("401 for what is not a token, 403 for an ingest token, and no cookie with either", async () => {
    const wrong = await call(service.operatorUrl + SESSION, { body: { token: "mbop_unknown" } });
    expectCode(wrong, 401, "OPERATOR_TOKEN_INVALID");
    expect(wrong.headers.get("set-cookie")).toBeNull();
    const { token } = await createToken("ingest");
    const ingest = await call(service.operatorUrl + SESSION, { body: { token } });
    expectCode(ingest, 403, "OPERATOR_FORBIDDEN");
    expect(ingest.headers.get("set-cookie")).toBeNull();
  });

  test.each([{}, { token: "" }, { token: 1 }, { token: "x".repeat(513) }, { token: "x", more: 1 }])(
    "400 for %j",
    async (body) => {
      expectCode(await call(service.operatorUrl + SESSION, { body }), 400, "VALIDATION_ERROR");
    },
  );

  test("403 when another origin's page tries to sign somebody in", async () => {
    const answer = await call(service.operatorUrl + SESSION, {
      body: { token: OPERATOR_TOKEN },
      headers: { origin: "http://127.0.0.1:3000" },
    });
    expectCode(answer, 403, "SESSION_ORIGIN_REFUSED");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });
});

describe("the cookie", () => {
  test("is Secure behind a trusted proxy that speaks https, and the proxy's Host is ours", async () => {
    const proxied = await startService({
      clock,
      database: service.database,
      variables: { TRUSTED_PROXIES: "127.0.0.1/32" },
    });
    try {
      const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "console.example" };
      const answer = await call(proxied.operatorUrl + SESSION, { body: { token: OPERATOR_TOKEN }, headers: forwarded });
      const cookie = answer.headers.get("set-cookie") ?? "";
      expect(cookie).toMatch(/; Secure$/);
      const change = (origin: string) =>
        callAs(
          cookieOf(cookie),
          "/operator/v1/tokens",
          { body: { name: "proxied", role: "viewer" }, headers: { ...forwarded, origin } },
          proxied,
        );
      expect((await change("https://console.example")).status).toBe(201);
      for (const origin of ["https://other.example", "http://console.example", "https://console.example:8443"]) {
        expectCode(await change(origin), 403, "SESSION_ORIGIN_REFUSED");
      }
      forwarded["x-forwarded-host"] = "console.example:443";
      expect((await change("https://console.example")).status, "the usual port may be named").toBe(201);
      forwarded["x-forwarded-host"] = "not a host";
      expectCode(await change("https://console.example"), 403, "SESSION_ORIGIN_REFUSED");
    } finally {
      await proxied.close();
    }
  });

  test("and the token never reach the log", async () => {
    const { token } = await createToken("operator");
    const cookie = await signIn(token);
    await callAs(cookie, "/operator/v1/tokens", { body: { name: "forged", role: "operator" } });
    await callAs(cookie, SESSION, { method: "DELETE", headers: sameOrigin() });
    expect(service.logged()).not.toContain(token);
    expect(service.logged()).not.toContain(cookie.split("=")[1]);
  });
});

describe("a session", () => {
  test("reads with its cookie, in every process", async () => {
    const cookie = await signIn();
    expect((await callAs(cookie, "/operator/v1/merchants")).status).toBe(200);
    expect((await callAs(cookie, "/operator/v1/merchants", {}, second)).status).toBe(200);
    expect(await sessionOf(cookie)).toMatchObject({ role: "operator", environment: "production" });
  });

  test("changes with its cookie from the console's own origin, under the token's name in the audit log", async () => {
    const { id, token } = await createToken("operator");
    const cookie = await signIn(token);
    const body = { name: "by session", role: "viewer" };
    const answer = await callAs(cookie, "/operator/v1/tokens", { body, headers: sameOrigin() });
    expect(answer.status).toBe(201);
    const [entry] = (await service.operator("/audit-log")).body.items;
    expect(entry).toMatchObject({ action: "token.create", actor: `a operator (${id})` });
  });

  test.each([
    ["no origin", {}],
    ["another port of this host", { origin: "http://127.0.0.1:3000" }],
    ["another site", { origin: "https://evil.example" }],
    ["a sandboxed page", { origin: "null" }],
    ["what is not an origin", { origin: "127.0.0.1" }],
  ])("403 SESSION_ORIGIN_REFUSED for a change from %s, and nothing is changed", async (_name, headers) => {
    const cookie = await signIn();
    const before = (await service.operator("/audit-log")).body.items[0].position;
    for (const [method, path, body] of [
      ["POST", "/operator/v1/tokens", { name: "forged", role: "operator" }],
      ["DELETE", `/operator/v1/tokens/${crypto.randomUUID()}`, undefined],
      ["PATCH", `/operator/v1/merchants/${crypto.randomUUID()}`, { displayName: "forged" }],
      ["PUT", `/operator/v1/merchants/${crypto.randomUUID()}/public-key`, { publicKey: "forged" }],
      ["DELETE", SESSION, undefined],
    ] as const) {
      expectCode(await callAs(cookie, path, { method, body, headers }), 403, "SESSION_ORIGIN_REFUSED");
    }
    expect((await service.operator("/audit-log")).body.items[0].position).toBe(before);
    expect(await sessionOf(cookie)).not.toBeNull();
  });

  test("a viewer's may not change anything", async () => {
    const cookie = await signIn((await createToken("viewer")).token);
    const body = { name: "more", role: "operator" };
    expectCode(await callAs(cookie, "/operator/v1/tokens", { body, headers: sameOrigin() }), 403, "OPERATOR_FORBIDDEN");
  });

  test("is over after twelve hours", async () => {
    const cookie = await signIn();
    try {
      offsetMs = 12 * HOUR_MS - 5_000;
      expect(await sessionOf(cookie)).not.toBeNull();
      offsetMs = 12 * HOUR_MS;
      expect(await sessionOf(cookie)).toBeNull();
      expectCode(await callAs(cookie, "/operator/v1/merchants"), 401, "OPERATOR_SESSION_INVALID");
      // The next sign-in deletes sessions that have ended.
      await signIn();
      const rows = await service.db.query<{ over: number }>(
        "select count(*)::int as over from operator_sessions where expire_date <= $1",
        [clock()],
      );
      expect(rows[0]?.over).toBe(0);
    } finally {
      offsetMs = 0;
    }
  });

  test("ends no later than its token", async () => {
    const { token } = await createToken("viewer", 1);
    try {
      offsetMs = DAY_MS - HOUR_MS;
      const cookie = await signIn(token);
      const { expiresAt } = await sessionOf(cookie);
      expect(Date.parse(expiresAt) - clock().getTime()).toBeLessThanOrEqual(HOUR_MS);
      offsetMs = DAY_MS;
      expect(await sessionOf(cookie)).toBeNull();
    } finally {
      offsetMs = 0;
    }
  });

  test("ends in every process when its token is revoked", async () => {
    const { id, token } = await createToken("operator");
    const cookie = await signIn(token);
    expect(await sessionOf(cookie, second)).not.toBeNull();
    expect((await service.operator(`/tokens/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await sessionOf(cookie, second)).toBeNull();
    expectCode(await callAs(cookie, "/operator/v1/merchants"), 401, "OPERATOR_SESSION_INVALID");
  });

  test("is not valid when its cookie was made up, cut or sent twice", async () => {
    const cookie = await signIn();
    for (const wrong of [
      "matchbook-production-session=",
      "matchbook-production-session=short",
      `matchbook-production-session=${"A".repeat(43)}`,
      cookie.slice(0, -1),
      `${cookie}; ${cookie}`,
      `${cookie}; matchbook-production-session=${"A".repeat(43)}`,
    ]) {
      expectCode(await callAs(wrong, "/operator/v1/merchants"), 401, "OPERATOR_SESSION_INVALID");
    }
  });

  test("of one environment is nothing in the other, under either name", async () => {
    const cookie = await signIn();
    expectCode(await callAs(cookie, "/operator/v1/merchants", {}, sandbox), 401, "OPERATOR_TOKEN_INVALID");
    const renamed = cookie.replace("production", "sandbox");
    expectCode(await callAs(renamed, "/operator/v1/merchants", {}, sandbox), 401, "OPERATOR_SESSION_INVALID");
    // A browser that is signed in to both sends both cookies to both.
    const both = `${cookie}; ${await signIn(OPERATOR_TOKEN, sandbox)}`;
    expect((await sessionOf(both, sandbox)).environment).toBe("sandbox");
    expect((await sessionOf(both)).environment).toBe("production");
  });

  test("counts for nothing beside a token", async () => {
    const cookie = await signIn();
    const answer = await callAs(cookie, "/operator/v1/merchants", { headers: { authorization: "Bearer wrong" } });
    expectCode(answer, 401, "OPERATOR_TOKEN_INVALID");
  });
});

describe("DELETE /operator/v1/session", () => {
  test("204: the session is over everywhere and its cookie is cleared; twice is once", async () => {
    const cookie = await signIn();
    for (let time = 0; time < 2; time++) {
      const answer = await callAs(cookie, SESSION, { method: "DELETE", headers: sameOrigin() });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("set-cookie")).toMatch(/^matchbook-production-session=; .*Max-Age=0; /);
    }
    expectCode(await callAs(cookie, "/operator/v1/merchants", {}, second), 401, "OPERATOR_SESSION_INVALID");
  });

  test("204 without a session", async () => {
    expect((await call(service.operatorUrl + SESSION, { method: "DELETE" })).status).toBe(204);
  });
});

describe("GET /operator/v1/session", () => {
  test("200 without a person while no one is signed in", async () => {
    const answer = await call(service.operatorUrl + SESSION);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ session: null });
  });
});
