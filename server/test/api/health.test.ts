import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createCuttableDatabase } from "../harness/cuttable-database.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { applicationBody, generateKeys, registerMerchant } from "../harness/merchant.ts";
import { call, OPERATOR_TOKEN, SECRET, type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const probe = (path: string, at: Service = service) => call(at.operatorUrl + path);

describe("GET /healthz and /readyz", () => {
  test("200 without a token", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await probe(path);
      expect(answer.status, path).toBe(200);
      expect(answer.body, path).toEqual({ ok: true });
    }
  });

  test("are on the public listener, too, for proxies that reach no other; metrics are not", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      expect((await service.call(path)).body, path).toEqual({ ok: true });
    }
    expect((await service.call("/metrics")).status).toBe(404);
  });

  test("/readyz is 503 when a migration is missing, and says which, but not to strangers", async () => {
    const [last] = await service.db.query<{ version: number; name: string; checksum: string }>(
      "delete from schema_migrations where version = (select max(version) from schema_migrations) returning *",
    );
    const { version = 0, name = "", checksum = "" } = last ?? {};
    const answer = await probe("/readyz");
    // An answer is remembered for a second there.
    await vi.waitFor(async () => expect((await service.call("/readyz")).status).toBe(503), { timeout: 10_000 });
    const shown = (await service.call("/readyz")).body.error;
    await service.db.query("insert into schema_migrations values ($1, $2, $3, now())", [version, name, checksum]);
    expect(shown).toEqual({ code: "SERVICE_UNAVAILABLE", message: "Send requests elsewhere." });
    expect(answer.status).toBe(503);
    expect(answer.body.error).toMatchObject({ code: "SERVICE_UNAVAILABLE", message: expect.stringContaining(name) });
    expect((await probe("/healthz")).status).toBe(200);
    expect((await probe("/readyz")).status).toBe(200);
  });

  test("while the database is gone /readyz and calls are 503 in shape; both recover without a restart", async () => {
    const database = await createCuttableDatabase();
    const lonely = await startService({ database });
    const merchant = await registerMerchant(lonely);
    try {
      expect((await probe("/readyz", lonely)).status).toBe(200);
      await database.cut();
      // A health check says that the process works, not that others do.
      expect((await probe("/healthz", lonely)).status).toBe(200);
      const answers = [
        await probe("/readyz", lonely),
        await lonely.call("/v1/merchants/applications", { body: applicationBody() }),
        await lonely.call("/v1/merchants/applications", { body: "{" }),
        await lonely.call("/v1/merchants/5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11/public-key"),
        await lonely.operator("/merchants"),
        await merchant.call("/v1/merchant-deposits"),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(503);
        expect(answer.body).toEqual({ error: { code: "SERVICE_UNAVAILABLE", message: expect.any(String) } });
        expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
        expect(answer.headers.get("x-request-id")).toBeTruthy();
        expect(JSON.stringify(answer.body)).not.toContain("127.0.0.1");
      }
      await database.mend();
      await vi.waitFor(async () => expect((await probe("/readyz", lonely)).status).toBe(200), { timeout: 10_000 });
      expect((await lonely.call("/v1/merchants/applications", { body: applicationBody() })).status).toBe(202);
    } finally {
      await lonely.close();
      await database.drop();
    }
  });
});

describe("GET /metrics", () => {
  const read = async (): Promise<string> =>
    (await call(`${service.operatorUrl}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })).body;

  test("needs a token", async () => {
    const answer = await probe("/metrics");
    expect(answer.status).toBe(401);
    expect(answer.body.error.code).toBe("OPERATOR_TOKEN_INVALID");
  });

  test("counts requests by route and status, however many ids and unknown addresses there are", async () => {
    for (let turn = 0; turn < 3; turn++) {
      await service.call(`/v1/merchants/${crypto.randomUUID()}/public-key`);
      await service.call(`/canary-path-${turn}`);
      await service.call("/v1/merchants/applications", { method: "DELETE" });
    }
    await service.call("/v1/merchants/applications", { body: applicationBody() });
    const text = await read();
    const counters = text.split("\n").filter((line) => /^[a-z_]*requests_total\{/.test(line));
    const counted = (...parts: string[]) =>
      counters
        .filter((line) => parts.every((part) => line.includes(part)))
        .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    expect(counted("/v1/merchants/:id/public-key", '"404"') + counted("/v1/merchants/{id}/public-key", '"404"')).toBe(
      3,
    );
    expect(counted("/v1/merchants/applications", '"202"')).toBe(1);
    expect(counted("/v1/merchants/applications", '"405"')).toBe(3);
    expect(text).not.toContain("canary-path");
  });

  test("has a latency histogram, the pool and the event loop", async () => {
    const text = await read();
    expect(text).toMatch(/^# TYPE \w*duration\w* histogram$/m);
    expect(text).toMatch(/^\w*duration\w*_bucket\{.*le="\+Inf".*\} [1-9]/m);
    expect(text).toMatch(/^matchbook_database_connections(\{.*\})? [0-9]+$/m);
    expect(text).toMatch(/^matchbook_database_connections_idle(\{.*\})? [0-9]+$/m);
    expect(text).toMatch(/^matchbook_database_waiting(\{.*\})? [0-9]+$/m);
    expect(text).toMatch(/event_?loop/i);
  });
});

describe("GET /metrics about the outbox", () => {
  test("tells the jobs that wait and those given up, and counts no further than 10,000", async () => {
    const { db } = service;
    const figures = async () => {
      const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
      const text: string = (await call(`${service.operatorUrl}/metrics`, { headers })).body;
      return ["waiting", "given_up"].map((name) =>
        Number(new RegExp(`^matchbook_outbox_${name}\\{lane="mail"\\} (.*)$`, "m").exec(text)?.[1]),
      );
    };
    const insert = (count: number, due: string) =>
      db.query(
        `insert into outbox (id, kind, payload, attempts, next_attempt_date, create_date)
           select gen_random_uuid(), 'mail', '{}', 1, ${due}, now() from generate_series(1, $1)`,
        [count],
      );
    await db.query("delete from outbox");
    expect(await figures()).toEqual([0, 0]);
    await insert(3, "now() + interval '1 day'");
    await insert(2, "null");
    expect(await figures()).toEqual([3, 2]);
    await insert(10_000, "now() + interval '1 day'");
    expect(await figures()).toEqual([10_000, 2]);
    await db.query("delete from outbox");
  });
});

describe("the log of a whole scenario", () => {
  test("has no credential, key, mail address, wallet address or free text", async () => {
    const canaries = new Set<string>();
    const canary = (name: string) => {
      const value = `canary${name}${canaries.size}x`;
      canaries.add(value);
      return value;
    };
    // Mail that cannot be sent is retried, and its failures are logged; mail servers like to repeat the address.
    const mailServer = await startMailServer({ refuse: (recipient) => new Error(`<${recipient}>: no such user`) });
    const logged = await startService({
      variables: {
        SMTP_URL: `smtp://canaryuser:canarypass@127.0.0.1:${mailServer.port}`,
        MAIL_FROM: "from@canaryfrom.example",
        OPERATOR_EMAIL: "operator@canaryoperator.example",
      },
    });
    for (const text of ["canaryuser", "canarypass", "canaryfrom", "canaryoperator"]) canaries.add(text);
    try {
      const headers = () => ({
        "x-merchant-authorization": canary("auth"),
        authorization: `Bearer ${canary("bearer")}`,
        cookie: `session=${canary("cookie")}`,
        "user-agent": canary("agent"),
        "x-forwarded-for": "203.0.113.77",
        referer: `https://${canary("referer")}.example/`,
        "x-api-key": canary("apikey"),
        "idempotency-key": canary("idempotency"),
      });
      canaries.add("203.0.113.77");
      const keys = generateKeys();
      const body = () => ({
        email: `${canary("email")}@${canary("mailhost")}.example`,
        domain: `${canary("domain")}.example`,
        publicKey: keys.publicKeyPem,
        telegram: canary("telegram"),
        description: `A shop called ${canary("description")}.`,
      });
      for (const line of keys.publicKeyPem.split("\n").filter((part) => !part.startsWith("---") && part !== "")) {
        canaries.add(line);
      }
      const privatePem = keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
      for (const line of privatePem.split("\n").filter((part) => !part.startsWith("---") && part !== "")) {
        canaries.add(line);
      }
      const path = "/v1/merchants/applications";
      const { applicationId, merchantId } = (await logged.call(path, { body: body(), headers: headers() })).body;
      const other = (await logged.call(path, { body: applicationBody({ email: `${canary("other")}@shop.example` }) }))
        .body;
      await logged.call(path, { body: body(), headers: headers() });
      await logged.call(path, { body: { ...body(), publicKey: privatePem } });
      await logged.call(path, { body: { ...body(), [canary("field")]: canary("value") } });
      await logged.call(path, { body: `{"${canary("broken")}": ${canary("json")}` });
      await logged.call(`${path}?${canary("parameter")}=${canary("query")}`, { body: body() });
      await logged.call(`/v1/merchants/${canary("id")}/public-key?address=${canary("address")}`, {
        headers: headers(),
      });
      await logged.call(`/${canary("path")}?address=${canary("wallet")}`, { method: "DELETE", headers: headers() });
      await logged.call(`/v1/merchants/${merchantId}/public-key`, { headers: headers() });

      const created = await logged.operator("/tokens", { body: { name: "someone", role: "operator" } });
      canaries.add(created.body.token);
      await call(`${logged.operatorUrl}/operator/v1/merchants?${canary("name")}=${canary("text")}`, {
        headers: { authorization: `Bearer ${created.body.token}` },
      });
      await call(`${logged.operatorUrl}/operator/v1/merchants`, { headers: headers() });
      await logged.operator(`/applications/${applicationId}/approve`, { body: { displayName: canary("display") } });
      await logged.operator(`/applications/${other.applicationId}/reject`, { body: { reason: canary("reason") } });
      await logged.operator(`/merchants/${merchantId}/public-key`, { method: "PUT", body: { publicKey: privatePem } });
      await vi.waitFor(
        async () => expect(await logged.db.query("select id from outbox where last_error is null")).toEqual([]),
        { timeout: 10_000 },
      );

      const log = logged.logged();
      for (const value of [...canaries, OPERATOR_TOKEN, SECRET]) expect(log.includes(value), value).toBe(false);
      expect(log.includes(logged.database.connection.password), "the database's password").toBe(false);
      expect(log, "requests are logged").toContain(path);
      expect(log, "failures are logged").toContain("a job failed");
    } finally {
      await logged.close();
      await mailServer.close();
    }
  });
});
