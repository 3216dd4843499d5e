import { type AddressInfo, connect } from "node:net";
import { performance } from "node:perf_hooks";
import { Type } from "typebox";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createListener, type Listener } from "../../src/http/listener.ts";
import { createMetrics, renderMetrics, snapshot } from "../../src/http/metrics.ts";
import {
  AUTHENTICATED_REQUESTS_MAX,
  HANDLER_SWEEP_INTERVAL_MS,
  HANDLER_TIMEOUT_MS,
  UNAUTHENTICATED_REQUESTS_MAX,
} from "../../src/limits.ts";
import { createLog } from "../../src/log.ts";
import { untilBlocked } from "../harness/locks.ts";
import { applicationBody, registerMerchant } from "../harness/merchant.ts";
import { until } from "../harness/program.ts";
import { call, startService } from "../harness/service.ts";

let listener: Listener;
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  listener.server.closeAllConnections();
  await listener.close();
});

const LONG_MS = 3 * HANDLER_TIMEOUT_MS;

/** A listener like any other, with routes that answer when the test releases them. */
async function startListener() {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let inProgress = 0;
  const metrics = createMetrics();
  listener = createListener({
    name: "public",
    log: createLog("silent"),
    metrics,
    trustedProxies: [],
    connectionsPerAddress: 256,
    isDraining: () => false,
  });
  listener.addHook("onRequest", async (request) => {
    request.isAuthenticated = request.headers["x-known"] !== undefined;
  });
  const schema = { summary: "Waits", response: { 200: Type.Object({ ok: Type.Boolean() }) } };
  const handler = async () => {
    inProgress++;
    await released;
    return { ok: true };
  };
  listener.route({ method: ["GET", "POST"], url: "/slow", schema, handler });
  listener.route({
    method: ["GET", "POST"],
    url: "/long",
    schema: { ...schema },
    config: { handlerTimeoutMs: LONG_MS },
    handler,
  });
  listener.get("/quick", { schema: { ...schema } }, async () => ({ ok: true }));
  await listener.listen({ host: "127.0.0.1", port: 0 });
  const { port } = listener.server.address() as AddressInfo;
  const [url, longUrl, quickUrl] = ["slow", "long", "quick"].map((name) => `http://127.0.0.1:${port}/${name}`) as [
    string,
    string,
    string,
  ];
  return { port, url, longUrl, quickUrl, release, metrics, inProgress: () => inProgress };
}

const KNOWN = { headers: { "x-known": "yes" } };
const requestText = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nx-known: yes\r\n\r\n`;

/** Lets intervals fire and the monotonic clock go on as if time passed. */
function fakeTime() {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const realNow = performance.now.bind(performance);
  let passedMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => realNow() + passedMs);
  return async (durationMs: number) => {
    passedMs += durationMs;
    await vi.advanceTimersByTimeAsync(durationMs);
  };
}

describe("a process with too many requests in progress", () => {
  test("refuses the next request immediately with OVERLOADED and Retry-After, and serves again when there is room", async () => {
    const { url, release, inProgress } = await startListener();
    const held = Array.from({ length: AUTHENTICATED_REQUESTS_MAX }, () => call(url, KNOWN));
    await until(() => inProgress() === AUTHENTICATED_REQUESTS_MAX);
    const began = performance.now();
    const refused = await call(url, KNOWN);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(refused).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-request-id")).toBeTruthy();
    release();
    expect((await Promise.all(held)).every(({ status }) => status === 200)).toBe(true);
    await until(async () => (await call(url, KNOWN)).status === 200);
  });

  test("sheds strangers long before merchants, and neither takes the other's places", async () => {
    const { url, quickUrl, release, inProgress, metrics } = await startListener();
    const strangers = Array.from({ length: UNAUTHENTICATED_REQUESTS_MAX }, () => call(url));
    await until(() => inProgress() === UNAUTHENTICATED_REQUESTS_MAX);
    expect((await call(quickUrl)).status).toBe(503);
    expect((await call(quickUrl, KNOWN)).status).toBe(200);
    const text = await renderMetrics([await snapshot(metrics)]);
    expect(text).toContain('matchbook_http_requests_shed_total{listener="public",limit="unauthenticated"} 1\n');
    release();
    expect((await Promise.all(strangers)).every(({ status }) => status === 200)).toBe(true);
    expect((await call(quickUrl)).status).toBe(200);
  });

  test("a request takes no place before its body is there", async () => {
    const { port, url, quickUrl, release, inProgress } = await startListener();
    const halves = Array.from({ length: AUTHENTICATED_REQUESTS_MAX + 10 }, () => connect(port, "127.0.0.1"));
    for (const [index, half] of halves.entries()) {
      const known = index % 2 === 0 ? "x-known: yes\r\n" : "";
      half.write(
        `POST /slow HTTP/1.1\r\nhost: a\r\n${known}content-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
      );
    }
    await until(() => halves.every(({ bytesWritten, pending }) => !pending && bytesWritten > 0));
    // Every one of them has been read when a request that came later on the last of their connections is answered.
    for (let round = 0; round < 20; round++) {
      expect((await call(quickUrl)).status).toBe(200);
      expect((await call(quickUrl, KNOWN)).status).toBe(200);
    }
    expect(inProgress()).toBe(0);
    const whole = call(url, { ...KNOWN, body: {} });
    await until(() => inProgress() === 1);
    release();
    expect((await whole).status).toBe(200);
    for (const half of halves) half.destroy();
  });

  test("has room again when callers hang up, though their handlers never end", async () => {
    const { port, url, quickUrl, inProgress } = await startListener();
    const callers = Array.from({ length: AUTHENTICATED_REQUESTS_MAX }, () => connect(port, "127.0.0.1"));
    for (const caller of callers) caller.write(requestText("/slow"));
    await until(() => inProgress() === AUTHENTICATED_REQUESTS_MAX);
    expect((await call(url, KNOWN)).status).toBe(503);
    for (const caller of callers) caller.destroy();
    await until(async () => (await call(quickUrl, KNOWN)).status === 200);
  });

  test.each([
    ["without", {}],
    ["with", { body: {} }],
  ])(
    "answers OVERLOADED for a handler of a request %s a body that takes longer than 20 seconds",
    async (_, request) => {
      const pass = fakeTime();
      const { url, inProgress, release } = await startListener();
      const slow = call(url, request);
      while (inProgress() === 0) await new Promise((resolve) => setImmediate(resolve));
      await pass(HANDLER_TIMEOUT_MS + 2 * HANDLER_SWEEP_INTERVAL_MS);
      expect(await slow).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
      // The handler's own answer comes too late and is dropped.
      release();
      vi.useRealTimers();
      await until(async () => (await call(url)).status === 200);
    },
  );

  test.each([
    ["without", {}],
    ["with", { body: {} }],
  ])("waits longer where the route says so, and no longer than that, %s a body", async (_, request) => {
    const pass = fakeTime();
    const { longUrl, inProgress, release } = await startListener();
    let answered = false;
    const slow = call(longUrl, request).finally(() => {
      answered = true;
    });
    while (inProgress() === 0) await new Promise((resolve) => setImmediate(resolve));
    await pass(LONG_MS - 2 * HANDLER_SWEEP_INTERVAL_MS);
    expect(answered).toBe(false);
    await pass(4 * HANDLER_SWEEP_INTERVAL_MS);
    expect(await slow).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
    release();
  });
});

describe("strangers", () => {
  test("whose applications wait for the database take no connection from a merchant", async () => {
    const service = await startService();
    const merchant = await registerMerchant(service);
    const apply = () => call(`${service.publicUrl}/v1/merchants/applications`, { body: applicationBody() });
    const waiting = await service.db.transaction(async (transaction) => {
      await transaction.query("lock table applications in access exclusive mode");
      const applications = Array.from({ length: 40 }, apply);
      await untilBlocked(service.db, { count: 2 });
      for (let read = 0; read < 20; read++) expect((await merchant.call("/v1/merchant-deposits")).status).toBe(200);
      return applications;
    });
    for (const { status } of await Promise.all(waiting)) expect([202, 503]).toContain(status);
    await service.close();
  });
});
