import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { Type } from "typebox";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createListener, type Listener, type ListenerOptions } from "../../src/http/listener.ts";
import { createMetrics, renderMetrics, snapshot } from "../../src/http/metrics.ts";
import { ANSWER_STALL_MAX_MS, CONNECTIONS_CHECK_INTERVAL_MS, RAW_ANSWER_LINGER_MS } from "../../src/limits.ts";
import { createLog } from "../../src/log.ts";
import { until } from "../harness/program.ts";
import { call } from "../harness/service.ts";

const LARGE_BYTES = 32 * 1_024 * 1_024;

let listener: Listener;
let door: Server | undefined;
const clients: Socket[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) client.destroy();
  listener.server.closeAllConnections();
  await listener.close();
  door?.close();
  door = undefined;
});

/** A listener like any other. `handedOver`: its connections are accepted by somebody else, as in a worker process. */
async function start(options: Partial<ListenerOptions> & { handedOver?: boolean } = {}) {
  const metrics = createMetrics();
  listener = createListener({
    name: "public",
    log: createLog("silent"),
    metrics,
    trustedProxies: [],
    connectionsPerAddress: 256,
    isDraining: () => false,
    ...options,
  });
  const counts = { quick: 0, slow: 0, large: 0, echo: 0 };
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const schema = () => ({ summary: "A test", response: { 200: Type.Object({ count: Type.Integer() }) } });
  listener.get("/quick", { schema: schema() }, async () => ({ count: ++counts.quick }));
  listener.get("/slow", { schema: schema() }, async () => {
    counts.slow++;
    await released;
    return { count: counts.slow };
  });
  const body = Type.Object({ text: Type.String() });
  listener.post("/echo", { schema: { ...schema(), body } }, async (request) => {
    counts.echo++;
    return { count: request.body.text.length };
  });
  const large = Buffer.alloc(LARGE_BYTES, "x");
  listener.get("/large", { schema: { hide: true } }, async (_request, reply) => {
    counts.large++;
    return reply.type("text/plain").send(large);
  });
  let port: number;
  if (options.handedOver === true) {
    await listener.ready();
    listener.server.emit("listening");
    door = createServer({ pauseOnConnect: true }, (socket) => {
      socket.allowHalfOpen = true;
      listener.server.emit("connection", socket);
      socket.resume();
    });
    await new Promise<void>((resolve) => door?.listen(0, "127.0.0.1", resolve));
    port = (door.address() as AddressInfo).port;
  } else {
    await listener.listen({ host: "127.0.0.1", port: 0 });
    port = (listener.server.address() as AddressInfo).port;
  }
  const open = (bytes: string): Socket => {
    const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    client.on("error", () => {});
    client.write(bytes);
    clients.push(client);
    return client;
  };
  const figures = async () => renderMetrics([await snapshot(metrics)]);
  return { open, counts, release: () => release(), figures, url: (path: string) => `http://127.0.0.1:${port}${path}` };
}

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`;
const post = (path: string, body: object) => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
};

/** Everything the client receives, as it comes. */
function received(client: Socket): () => string {
  let text = "";
  client.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  return () => text;
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 ([0-9]{3})/g)].map(([, status]) => Number(status));

describe("requests sent back to back on one connection", () => {
  test("are worked on one at a time, and the rest waits", async () => {
    const { open, counts, release, url } = await start();
    const text = received(open(get("/slow").repeat(3) + get("/quick").repeat(300)));
    await until(() => counts.slow === 1);
    for (let round = 1; round <= 20; round++) await call(url("/quick"));
    expect(counts).toMatchObject({ slow: 1, quick: 20 });
    release();
    await until(() => statuses(text()).length === 303);
    expect(new Set(statuses(text()))).toEqual(new Set([200]));
    const order = [...text().matchAll(/"count":([0-9]+)/g)].map(([, count]) => Number(count));
    expect(order).toEqual([1, 2, 3, ...Array.from({ length: 300 }, (_, index) => index + 21)]);
  });

  test("are answered in order with bodies of every size, whole or in pieces", async () => {
    const { open } = await start();
    const sizes = [0, 1, 900, 1_000, 1_100, 5_000, 20_000, 50_000, 7, 30_000, 2];
    const bytes = sizes.map((size) => post("/echo", { text: "t".repeat(size) })).join("");
    const whole = received(open(bytes));
    const client = open(bytes.slice(0, 10));
    const pieces = received(client);
    for (let at = 10; at < bytes.length; at += 3_333) {
      client.write(bytes.slice(at, at + 3_333));
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const text of [whole, pieces]) {
      await until(() => statuses(text()).length === sizes.length);
      expect([...text().matchAll(/"count":([0-9]+)/g)].map(([, count]) => Number(count))).toEqual(sizes);
    }
  });

  test("are all answered when the client ends its side immediately", async () => {
    const { open } = await start();
    const client = open(get("/quick").repeat(100));
    const text = received(client);
    client.end();
    await new Promise((resolve) => client.once("end", resolve));
    expect(statuses(text())).toEqual(Array(100).fill(200));
  });

  test("are answered before the refusal of what is not HTTP behind them", async () => {
    const { open } = await start();
    const client = open(`${get("/quick").repeat(3)}garbage\r\n\r\n`);
    const text = received(client);
    await new Promise((resolve) => client.once("end", resolve));
    expect(statuses(text())).toEqual([200, 200, 200, 400]);
  });

  test("make no answers that no one reads", async () => {
    const { open, counts, url } = await start();
    open(get("/large").repeat(1_000)).pause();
    await until(() => counts.large > 0);
    for (let round = 0; round < 100; round++) expect((await call(url("/quick"))).status).toBe(200);
    expect(counts.large).toBeLessThan(4);
  });

  test("do not delay a bystander", async () => {
    const { open, url, counts } = await start();
    // Two clients that write as much as they can and read nothing.
    const flood = Buffer.from(get("/quick").repeat(5_000));
    for (const client of [open(""), open("")]) {
      client.pause();
      const refill = () => {
        for (let times = 0; times < 20 && client.write(flood); times++);
      };
      client.on("drain", refill);
      refill();
    }
    await until(() => counts.quick > 20);
    const delaysMs: number[] = [];
    for (let round = 0; round < 100; round++) {
      const began = performance.now();
      expect((await call(url("/quick"))).status).toBe(200);
      delaysMs.push(performance.now() - began);
    }
    const [median = 0] = delaysMs.sort((one, other) => one - other).slice(50);
    expect(median).toBeLessThan(60);
  });
});

/** Lets intervals fire and the monotonic clock go on as if time passed. */
function fakeTime() {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const realNow = performance.now.bind(performance);
  let passedMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => realNow() + passedMs);
  return async (durationMs: number) => {
    passedMs += durationMs;
    await vi.advanceTimersByTimeAsync(CONNECTIONS_CHECK_INTERVAL_MS);
    await vi.advanceTimersByTimeAsync(CONNECTIONS_CHECK_INTERVAL_MS);
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.each([
  ["accepted here", false],
  ["handed over by another process", true],
])("an answer on a connection %s", (_name, handedOver) => {
  test("that no one reads ends the connection after 20 seconds", async () => {
    const pass = fakeTime();
    const { open, counts, figures } = await start({ handedOver });
    const client = open(get("/large"));
    client.pause();
    while (counts.large === 0) await turn();
    await pass(1_000);
    await pass(ANSWER_STALL_MAX_MS - 2_000);
    expect(await figures()).not.toContain('matchbook_http_stalled_readers_total{listener="public"}');
    await pass(4_000);
    expect(await figures()).toContain('matchbook_http_stalled_readers_total{listener="public"} 1');
    vi.useRealTimers();
    client.resume();
    await until(() => client.readableEnded || client.destroyed);
    expect(client.bytesRead).toBeLessThan(LARGE_BYTES);
  });

  test("that is read slowly is sent to its end", async () => {
    const pass = fakeTime();
    const { open, counts, figures } = await start({ handedOver });
    let serverSide: Socket | undefined;
    listener.server.prependListener("connection", (socket) => {
      serverSide = socket;
    });
    const leftToSend = () => {
      const { _handle } = serverSide as unknown as { _handle: { writeQueueSize: number } | null };
      return _handle?.writeQueueSize ?? 0;
    };
    const client = open(get("/large"));
    client.pause();
    while (counts.large === 0) await turn();
    // The client reads until the server could send something more, then pauses for almost too long.
    let pauses = 0;
    while (client.bytesRead < LARGE_BYTES) {
      const before = leftToSend();
      client.resume();
      while (client.bytesRead < LARGE_BYTES && leftToSend() === before) {
        if (client.destroyed) throw new Error(`Closed after ${client.bytesRead} bytes and ${pauses} pauses.`);
        await turn();
      }
      client.pause();
      pauses++;
      await pass(ANSWER_STALL_MAX_MS - 3_000);
    }
    expect(pauses).toBeGreaterThan(2);
    expect(await figures()).not.toContain('matchbook_http_stalled_readers_total{listener="public"}');
  });
});

describe("an answer given before a request exists", () => {
  test.each([
    ["400", "garbage\r\n\r\n"],
    ["431", `GET /quick HTTP/1.1\r\nx-large: ${"a".repeat(20_000)}\r\n\r\n`],
    ["405", "CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n"],
    ["408", `POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`],
  ])("%s leaves no socket behind, though the client keeps its side open", async (status, bytes) => {
    const { open } = await start();
    const client = open(bytes);
    const text = received(client);
    await until(() => text().startsWith(`HTTP/1.1 ${status} `), 15_000);
    const answeredAt = performance.now();
    const openConnections = () =>
      new Promise<number>((resolve) => listener.server.getConnections((_error, count) => resolve(count)));
    await until(async () => (await openConnections()) === 0);
    expect(performance.now() - answeredAt).toBeLessThan(RAW_ANSWER_LINGER_MS + 1_500);
    expect(JSON.parse(text().split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { code: expect.any(String) } });
  });
});

describe("behind a trusted proxy", () => {
  test("one client gets so many requests at a time, from any of its ports; the next gets its own", async () => {
    const { url, counts, release, figures } = await start({
      trustedProxies: ["127.0.0.0/8"],
      connectionsPerAddress: 3,
    });
    const from = (address: string, path = "/slow") => call(url(path), { headers: { "x-forwarded-for": address } });
    const held = ["198.51.100.1", "198.51.100.1:4711", "198.51.100.1:4712, 127.0.0.9:80"].map((address) =>
      from(address),
    );
    await until(() => counts.slow === 3);
    const refused = await from("198.51.100.1:4713", "/quick");
    expect(refused).toMatchObject({ status: 503, body: { error: { code: "OVERLOADED" } } });
    expect(refused.headers.get("retry-after")).toBe("1");
    for (const other of ["198.51.100.2", "[2001:db8::1]:4711", "2001:db8::2"]) {
      expect((await from(other, "/quick")).status, other).toBe(200);
    }
    expect(await figures()).toContain('matchbook_http_requests_shed_total{listener="public",limit="client"} 1\n');
    release();
    await Promise.all(held);
    await until(async () => (await from("198.51.100.1", "/quick")).status === 200);
  });

  test("without a trusted proxy the header counts for nothing", async () => {
    const { url } = await start({ connectionsPerAddress: 1 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(url("/quick"), { headers: { "x-forwarded-for": "198.51.100.1" } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  });
});
