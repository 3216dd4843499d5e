import { type AddressInfo, connect } from "node:net";
import { performance } from "node:perf_hooks";
import { Type } from "typebox";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createListener, type Listener } from "../../src/http/listener.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { HANDLER_SWEEP_INTERVAL_MS, HANDLER_TIMEOUT_MS, IN_FLIGHT_REQUESTS_MAX } from "../../src/limits.ts";
import { createLog } from "../../src/log.ts";
import { until } from "../harness/program.ts";
import { call } from "../harness/service.ts";

let listener: Listener;
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  listener.server.closeAllConnections();
  await listener.close();
});

const LONG_MS = 3 * HANDLER_TIMEOUT_MS;

/** A listener like any other, with routes that answer when they are told to. */
async function startListener() {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let underWay = 0;
  listener = createListener({
    name: "public",
    log: createLog("silent"),
    metrics: createMetrics(),
    trustedProxies: [],
    isDraining: () => false,
  });
  const schema = { summary: "Waits", response: { 200: Type.Object({ ok: Type.Boolean() }) } };
  const handler = async () => {
    underWay++;
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
  let quick = 0;
  listener.get("/quick", { schema: { ...schema } }, async () => {
    quick++;
    return { ok: true };
  });
  await listener.listen({ host: "127.0.0.1", port: 0 });
  const { port } = listener.server.address() as AddressInfo;
  const [url, longUrl, quickUrl] = ["slow", "long", "quick"].map((name) => `http://127.0.0.1:${port}/${name}`) as [
    string,
    string,
    string,
  ];
  return { port, url, longUrl, quickUrl, release, underWay: () => underWay, quick: () => quick };
}

const requestText = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

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

describe("a process with too much under way", () => {
  test("refuses the next request at once with OVERLOADED and Retry-After, and serves again when there is room", async () => {
    const { url, release, underWay } = await startListener();
    const held = Array.from({ length: IN_FLIGHT_REQUESTS_MAX }, () => call(url));
    await until(() => underWay() === IN_FLIGHT_REQUESTS_MAX);
    const began = performance.now();
    const refused = await call(url);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(refused).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-request-id")).toBeTruthy();
    release();
    expect((await Promise.all(held)).every(({ status }) => status === 200)).toBe(true);
    await until(async () => (await call(url)).status === 200);
  });

  test("has room again when callers hang up, though their handlers never end", async () => {
    const { port, url, quickUrl, underWay } = await startListener();
    const callers = Array.from({ length: IN_FLIGHT_REQUESTS_MAX }, () => connect(port, "127.0.0.1"));
    for (const caller of callers) caller.write(requestText("/slow"));
    await until(() => underWay() === IN_FLIGHT_REQUESTS_MAX);
    expect((await call(url)).status).toBe(503);
    for (const caller of callers) caller.destroy();
    await until(async () => (await call(quickUrl)).status === 200);
  });

  test("counts no answer that is ready and only waits for an earlier one on its connection", async () => {
    const { port, quickUrl, quick } = await startListener();
    const [connections, answersOfEach] = [40, 40];
    for (let count = 0; count < connections; count++) {
      connect(port, "127.0.0.1").write(requestText("/slow") + requestText("/quick").repeat(answersOfEach));
    }
    expect(connections * answersOfEach).toBeGreaterThan(IN_FLIGHT_REQUESTS_MAX);
    await until(() => quick() === connections * answersOfEach);
    expect((await call(quickUrl)).status).toBe(200);
  });

  test.each([
    ["without", {}],
    ["with", { body: {} }],
  ])(
    "answers OVERLOADED for a handler of a request %s a body that takes longer than 20 seconds",
    async (_, request) => {
      const pass = fakeTime();
      const { url, underWay, release } = await startListener();
      const slow = call(url, request);
      while (underWay() === 0) await new Promise((resolve) => setImmediate(resolve));
      await pass(HANDLER_TIMEOUT_MS + 2 * HANDLER_SWEEP_INTERVAL_MS);
      expect(await slow).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
      // The handler's own answer comes too late, and harms nobody.
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
    const { longUrl, underWay, release } = await startListener();
    let answered = false;
    const slow = call(longUrl, request).finally(() => {
      answered = true;
    });
    while (underWay() === 0) await new Promise((resolve) => setImmediate(resolve));
    await pass(LONG_MS - 2 * HANDLER_SWEEP_INTERVAL_MS);
    expect(answered).toBe(false);
    await pass(4 * HANDLER_SWEEP_INTERVAL_MS);
    expect(await slow).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
    release();
  });
});
