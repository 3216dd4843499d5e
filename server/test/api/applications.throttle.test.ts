import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../src/limits.ts";
import { applicationBody } from "../harness/merchant.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

const PER_HOUR = 3;
const PATH = "/v1/merchants/applications";

let now = Date.parse("2026-11-15T09:00:00.000Z");
const clock = () => new Date(now);
const variables = { APPLICATIONS_PER_HOUR: `${PER_HOUR}` };

let service: Service;
let second: Service;
let proxied: Service;
beforeAll(async () => {
  service = await startService({ variables, clock });
  second = await startService({ variables, clock, database: service.database });
  proxied = await startService({
    variables: { ...variables, TRUSTED_PROXIES: "10.0.0.0/8, 127.0.0.1/32" },
    clock,
    database: service.database,
  });
});
afterAll(async () => {
  await proxied.close();
  await second.close();
  await service.close();
});
// Every test begins in windows of its own.
beforeEach(() => {
  now += 2 * HOUR_MS;
});

const apply = (to: Service = service, headers: Record<string, string> = {}, body: unknown = applicationBody()) =>
  to.call(PATH, { body, headers });
const forwarded = (value: string) => apply(proxied, { "x-forwarded-for": value });

async function repeat(times: number, request: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < times; turn++) statuses.push((await request()).status);
  return statuses;
}

function expectLimited(answer: Answer): void {
  expect(answer.status).toBe(429);
  expect(answer.body).toEqual({ error: { code: "RATE_LIMITED", message: expect.any(String) } });
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]{0,3}$/);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(3600);
}

describe(`POST ${PATH}, ${PER_HOUR} an hour`, () => {
  test("429 RATE_LIMITED for one more, with Retry-After, and nothing is stored", async () => {
    expect(await repeat(PER_HOUR, apply)).toEqual([202, 202, 202]);
    const email = "one-too-many@shop.example";
    expectLimited(await apply(service, {}, applicationBody({ email })));
    expect(await service.db.query("select id from applications where email = $1", [email])).toEqual([]);
  });

  test("Retry-After counts down to the end of the window, to the millisecond", async () => {
    await repeat(PER_HOUR, apply);
    expect((await apply()).headers.get("retry-after")).toBe("3600");
    now += HOUR_MS / 2;
    expect((await apply()).headers.get("retry-after")).toBe("1800");
    now += HOUR_MS / 2 - 1;
    expect((await apply()).headers.get("retry-after")).toBe("1");
    now += 1;
    expect(await repeat(PER_HOUR + 1, apply)).toEqual([202, 202, 202, 429]);
  });

  test("two services on one database share the count", async () => {
    expect((await apply(service)).status).toBe(202);
    expect((await apply(second)).status).toBe(202);
    expect((await apply(service)).status).toBe(202);
    expectLimited(await apply(second));
    expectLimited(await apply(service));
  });

  test("of 20 racing applications at two services, three pass", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => apply(index % 2 ? service : second)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(PER_HOUR);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - PER_HOUR);
  });

  test("duplicates count", async () => {
    const body = applicationBody();
    expect(await repeat(PER_HOUR, () => apply(service, {}, body))).toEqual([202, 409, 409]);
    expectLimited(await apply());
  });

  test("refused applications are counted apart: thirty, broken JSON included, then 429", async () => {
    const refused = [
      () => apply(service, {}, applicationBody({ email: "nobody" })),
      () => apply(service, {}, applicationBody({ publicKey: "key" })),
      () => apply(service, {}, applicationBody({ extra: 1 })),
      () => apply(service, {}, "{"),
      () => apply(service, {}, Buffer.from([0x22, 0xff, 0x22])),
      () => apply(second, {}, "[]"),
    ];
    for (const request of refused) expect(await repeat(5, request)).toEqual([400, 400, 400, 400, 400]);
    for (const request of refused) expectLimited(await request());
    expect((await apply()).status, "a valid one has its own count").toBe(202);
  });

  test("a client over its limit still gets the validation errors of an application", async () => {
    await repeat(PER_HOUR, apply);
    expectLimited(await apply());
    expect((await apply(service, {}, applicationBody({ email: "nobody" }))).status).toBe(400);
  });

  // A flood of refused applications would otherwise wait for one row with every connection of the pool.
  test("once over the limit, neither good nor bad applications write anything more", async () => {
    const bad = () => apply(service, {}, "{");
    const counts = () => service.db.query("select scope, client, count from rate_limits order by scope, client");
    await repeat(PER_HOUR + 1, apply);
    await repeat(10 * PER_HOUR + 1, bad);
    const before = await counts();
    expect(await repeat(5, apply)).toEqual(Array(5).fill(429));
    expect(await repeat(5, bad)).toEqual(Array(5).fill(429));
    expect(await counts()).toEqual(before);
  });

  test("reading a public key is not throttled", async () => {
    await repeat(PER_HOUR + 1, apply);
    expect((await service.call("/v1/merchants/5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11/public-key")).status).toBe(404);
  });
});

describe("X-Forwarded-For", () => {
  test("is ignored when no proxy is trusted", async () => {
    let turn = 0;
    expect(await repeat(PER_HOUR + 1, () => apply(service, { "x-forwarded-for": `203.0.113.${++turn}` }))).toEqual([
      202, 202, 202, 429,
    ]);
  });

  test("is ignored when the peer is not one of the trusted proxies", async () => {
    const other = await startService({
      variables: { ...variables, TRUSTED_PROXIES: "10.0.0.0/8" },
      clock,
      database: service.database,
    });
    try {
      let turn = 0;
      expect(await repeat(PER_HOUR + 1, () => apply(other, { "x-forwarded-for": `203.0.113.${++turn}` }))).toEqual([
        202, 202, 202, 429,
      ]);
    } finally {
      await other.close();
    }
  });

  test("names the client when the peer is a trusted proxy", async () => {
    expect(await repeat(PER_HOUR + 1, () => forwarded("203.0.113.7"))).toEqual([202, 202, 202, 429]);
    expect((await forwarded("203.0.113.8")).status).toBe(202);
    expect((await apply(proxied)).status, "the proxy itself").toBe(202);
  });

  test("counts only as far as trusted proxies wrote it: entries a client made up do not help it", async () => {
    let turn = 0;
    expect(await repeat(PER_HOUR + 1, () => forwarded(`198.51.100.${++turn}, 203.0.113.7`))).toEqual([
      202, 202, 202, 429,
    ]);
    expectLimited(await forwarded("198.51.100.1, 203.0.113.7, 10.1.2.3"));
    expectLimited(await forwarded("garbage, 203.0.113.7"));
    expectLimited(await forwarded(", , 203.0.113.7"));
    expectLimited(await forwarded("203.0.113.7"));
  });

  test.each([
    ["words", (turn: number) => `client-${turn}`],
    ["words after an address", (turn: number) => `203.0.113.${turn}, garbage`],
    ["numbers that are no address", (turn: number) => `999.1.1.${turn}`],
    ["addresses that only look like one", (turn: number) => `203.0.113.0${turn}`],
    ["empty entries", (turn: number) => ",".repeat(turn)],
  ])("with garbage at the end is no way to many clients: %s", async (_name, value) => {
    let turn = 0;
    const statuses = await repeat(PER_HOUR + 1, () => forwarded(value(++turn)));
    expect(statuses.at(-1)).toBe(429);
  });

  test("IPv6 clients are counted by their /64, and mapped IPv4 addresses as IPv4", async () => {
    let turn = 0;
    expect(await repeat(PER_HOUR + 1, () => forwarded(`2001:db8:1:2::${++turn}`))).toEqual([202, 202, 202, 429]);
    expect((await forwarded("2001:db8:1:3::1")).status).toBe(202);
    expect(await repeat(PER_HOUR, () => forwarded("::ffff:203.0.113.9"))).toEqual([202, 202, 202]);
    expectLimited(await forwarded("203.0.113.9"));
  });
});
