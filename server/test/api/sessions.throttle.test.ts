import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/limits.ts";
import { type Answer, call, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const SESSION = "/operator/v1/session";
const SIGN_INS = 10;
const BEARERS = 100;

let now = Date.parse("2026-11-16T09:00:00.000Z");
const clock = () => new Date(now);
const variables = { TRUSTED_PROXIES: "127.0.0.1/32" };

let service: Service;
let second: Service;
beforeAll(async () => {
  service = await startService({ variables, clock });
  second = await startService({ variables, clock, database: service.database });
});
afterAll(async () => {
  await second.close();
  await service.close();
});
// Every test begins in windows of its own.
beforeEach(() => {
  now += 2 * MINUTE_MS;
});

const from = (address: string) => ({ "x-forwarded-for": address });
let guesses = 0;
const guess = () => `mbop_wrong-${++guesses}`;
const signIn = (address: string, token = guess(), at = service) =>
  call(at.operatorUrl + SESSION, { body: { token }, headers: from(address) });
const read = (address: string, token: string, at = service) =>
  call(`${at.operatorUrl}/operator/v1/tokens`, { headers: { ...from(address), authorization: `Bearer ${token}` } });

async function repeat(times: number, request: (turn: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < times; turn++) statuses.push((await request(turn)).status);
  return statuses;
}

function expectLimited(answer: Answer): void {
  expect(answer.body).toEqual({ error: { code: "RATE_LIMITED", message: expect.stringContaining("operator tokens") } });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60);
}

const audited = async (action: string, subject: string) =>
  (await service.operator("/audit-log?limit=100")).body.items.filter(
    (entry: { action: string; subject: string }) => entry.action === action && entry.subject === subject,
  );

describe(`POST ${SESSION}`, () => {
  test("429 with Retry-After after ten wrong tries a minute, also for a right token, until the minute is over", async () => {
    expect(await repeat(SIGN_INS, () => signIn("203.0.113.1"))).toEqual(Array(SIGN_INS).fill(401));
    const refused = await signIn("203.0.113.1");
    expectLimited(refused);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("set-cookie")).toBeNull();
    expectLimited(await signIn("203.0.113.1", OPERATOR_TOKEN));
    expect((await signIn("203.0.113.2", OPERATOR_TOKEN)).status, "another address").toBe(201);
    now += MINUTE_MS - 1;
    expect((await signIn("203.0.113.1")).headers.get("retry-after")).toBe("1");
    now += 1;
    expect((await signIn("203.0.113.1", OPERATOR_TOKEN)).status).toBe(201);
  });

  test("processes share the count, and of many concurrent tries ten are checked", async () => {
    const tries = Array.from({ length: 30 }, (_, n) => signIn("203.0.113.3", guess(), n % 2 === 0 ? service : second));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(SIGN_INS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30 - SIGN_INS);
  });

  test("right tokens are not counted", async () => {
    expect(await repeat(SIGN_INS + 5, () => signIn("203.0.113.4", OPERATOR_TOKEN))).toEqual(Array(15).fill(201));
    expect(await repeat(SIGN_INS, () => signIn("203.0.113.4"))).toEqual(Array(SIGN_INS).fill(401));
  });

  test("one wrong token is counted from wherever it comes", async () => {
    const token = guess();
    expect(await repeat(SIGN_INS, (turn) => signIn(`198.51.100.${turn}`, token))).toEqual(Array(SIGN_INS).fill(401));
    expectLimited(await signIn("198.51.100.200", token));
    expect((await signIn("198.51.100.200")).status, "another token").toBe(401);
  });

  test("IPv6 clients are counted by their /64", async () => {
    await repeat(SIGN_INS, (turn) => signIn(`2001:db8:7:7::${turn}`));
    expectLimited(await signIn("2001:db8:7:7::ffff"));
    expect((await signIn("2001:db8:7:8::1")).status).toBe(401);
  });

  test("once over the limit, a client's further tries write nothing more", async () => {
    await repeat(SIGN_INS + 1, () => signIn("203.0.113.5"));
    const counts = () => service.db.query("select scope, client, count from rate_limits order by scope, client");
    const before = await counts();
    expect(await repeat(5, () => signIn("203.0.113.5"))).toEqual(Array(5).fill(429));
    expect(await counts()).toEqual(before);
  });

  test("sign-ins are in the audit log with the address, right and wrong, and a wrong token is nowhere", async () => {
    const token = guess();
    await signIn("203.0.113.5", token);
    await signIn("203.0.113.5", OPERATOR_TOKEN);
    const [wrong] = await audited("session.refuse", "203.0.113.5");
    expect(wrong).toMatchObject({ actor: "anonymous (203.0.113.5)", detail: { tries: 1, throttled: false } });
    const [right] = await audited("session.create", "bootstrap token");
    expect(right).toMatchObject({ actor: "bootstrap token", detail: { address: "203.0.113.5" } });
    const rows = await service.db.query<{ text: string }>(
      `select a::text as text from audit_log a union all select r::text from rate_limits r`,
    );
    const stored = rows.map(({ text }) => text).join("\n");
    for (const text of [token, OPERATOR_TOKEN]) {
      expect(stored).not.toContain(text);
      expect(service.logged()).not.toContain(text);
    }
  });

  test("a client that goes on leaves eleven rows, of which the last says that it is throttled", async () => {
    await repeat(SIGN_INS + 10, () => signIn("203.0.113.6"));
    const entries = await audited("session.refuse", "203.0.113.6");
    expect(entries).toHaveLength(SIGN_INS + 1);
    expect(entries[0].detail).toEqual({ tries: SIGN_INS + 1, throttled: true });
  });

  test("a flood from many addresses leaves at most sixty rows a minute, and the last says so", async () => {
    const before = (await service.operator("/audit-log?limit=1")).body.items[0].position;
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => signIn(`192.0.2.${round * 20 + n}`)));
    }
    const after = (await service.operator("/audit-log?limit=1")).body.items[0];
    expect(after.position - before).toBe(60);
    expect(after.detail.note).toContain("not listed");
    expect((await service.operator("/audit-log/verification")).body.ok).toBe(true);
  });

  test("signing out is in the log, too", async () => {
    const cookie = ((await signIn("203.0.113.8", OPERATOR_TOKEN)).headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    await call(service.operatorUrl + SESSION, { method: "DELETE", headers: { cookie, origin: service.operatorUrl } });
    expect((await service.operator("/audit-log?limit=1")).body.items[0]).toMatchObject({ action: "session.end" });
  });
});

describe("wrong bearer tokens", () => {
  test(`429 after ${BEARERS} a minute from one address; a right token still works from there`, async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => read("203.0.113.20", guess(), n % 2 === 0 ? service : second)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
    }
    expectLimited(await read("203.0.113.20", guess()));
    expectLimited(await read("203.0.113.20", guess(), second));
    expect((await read("203.0.113.20", OPERATOR_TOKEN)).status).toBe(200);
    expect((await read("203.0.113.21", guess())).status, "another address").toBe(401);
    expect((await signIn("203.0.113.20", OPERATOR_TOKEN)).status, "signing in has its own count").toBe(201);
    expect(await audited("token.refuse", "203.0.113.20")).toMatchObject([{ detail: { tries: BEARERS + 1 } }]);
    now += MINUTE_MS;
    expect((await read("203.0.113.20", guess())).status).toBe(401);
  });

  test("once over the limit, wrong tokens write nothing more", async () => {
    for (let turn = 0; turn <= BEARERS; turn += 1) await read("203.0.113.22", guess());
    const counted = async () =>
      (await service.db.query<{ count: number }>("select count from rate_limits where client = '203.0.113.22'"))[0]
        ?.count;
    const before = await counted();
    await repeat(5, () => read("203.0.113.22", guess()));
    expect(await counted()).toBe(before);
  });

  test("a header that cannot be a token is no try, nor is a token that ends while it is used", async () => {
    expect(
      await repeat(5, () =>
        call(`${service.operatorUrl}/operator/v1/tokens`, {
          headers: { ...from("203.0.113.23"), authorization: "Basic nonsense" },
        }),
      ),
    ).toEqual(Array(5).fill(401));
    expect(await service.db.query("select 1 from rate_limits where client = '203.0.113.23'")).toEqual([]);
  });
});
