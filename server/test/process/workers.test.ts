import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Program, promised, startForTest as start, until, workersOf } from "../harness/program.ts";
import { call } from "../harness/service.ts";

// Whole programs are started here, several at a time on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const UNKNOWN_MERCHANT = "/v1/merchants/6f1f64e4-30cf-4b53-9d5e-4b9ba6a4ad11/public-key";

/** A connection of its own. Resolves with the status, or null when there is no answer in time. */
async function ask(url: string, timeoutMs: number): Promise<number | null> {
  const response = await fetch(url + UNKNOWN_MERCHANT, {
    headers: { connection: "close" },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => null);
  await response?.text();
  return response?.status ?? null;
}

function stopProcess(pid: number): void {
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It was replaced.
    }
  });
}

async function figure(program: Program, name: string): Promise<number> {
  const { body } = await call(`${program.urls.productionOperator}/metrics`, {
    headers: { authorization: `Bearer ${program.operatorToken()}` },
  });
  const line = body.split("\n").find((text: string) => text.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

describe("each environment has processes of its own", () => {
  test("WORKERS counts production's and SANDBOX_WORKERS the sandbox's, and the summary says so", async () => {
    const program = await start({ WORKERS: "2", SANDBOX_WORKERS: "1" });
    expect(workersOf(program, "production")).toHaveLength(2);
    expect(workersOf(program, "sandbox")).toHaveLength(1);
    expect(program.output()).toContain("(3 processes: 2 production, 1 sandbox)");
  });

  test("a sandbox that serves alone has SANDBOX_WORKERS processes", async () => {
    const program = await start({ ENVIRONMENTS: "sandbox", WORKERS: "1", SANDBOX_WORKERS: "2" });
    expect(workersOf(program, "sandbox")).toHaveLength(2);
    expect(program.output()).toContain("(2 processes: 2 sandbox)");
  });

  test("production answers while every process of the sandbox hangs", async () => {
    const program = await start({ WORKERS: "1" });
    for (const pid of workersOf(program, "sandbox")) stopProcess(pid);
    const hanging = Array.from({ length: 20 }, () => ask(program.urls.sandbox, 60_000));
    for (let count = 0; count < 50; count++) expect(await ask(program.urls.production, 5_000)).toBe(404);
    expect((await call(`${program.urls.productionOperator}/readyz`)).status).toBe(200);
    // Those that waited are answered by the replacement, also the one that was on its way to the process that hung.
    expect(await Promise.all(hanging)).toEqual(Array(20).fill(404));
  });
});

describe("a process that hangs", () => {
  test("gets no new connections, and is replaced within some fifteen seconds", async () => {
    const program = await start({ WORKERS: "2" });
    const [victim = 0, other] = workersOf(program, "production");
    stopProcess(victim);
    const began = performance.now();
    // The first may be on its way to the process when it stops; it is answered by the replacement or the other.
    const first = [ask(program.urls.production, 60_000), ask(program.urls.production, 60_000)];
    const outcomes: (number | null)[] = [];
    while (workersOf(program, "production").includes(victim)) outcomes.push(await ask(program.urls.production, 5_000));
    const goneAfterMs = performance.now() - began;
    expect(outcomes.length).toBeGreaterThan(100);
    expect(outcomes.filter((status) => status !== 404)).toEqual([]);
    expect(await Promise.all(first)).toEqual([404, 404]);
    expect(goneAfterMs).toBeGreaterThan(8_000);
    expect(goneAfterMs).toBeLessThan(await promised(20_000));
    await until(() => workersOf(program, "production").length === 2);
    expect(workersOf(program, "production")).toContain(other);
    expect(await figure(program, "matchbook_processes_replaced_total")).toBe(1);
  });

  test("for some seconds and then goes on is kept", async () => {
    const program = await start({ WORKERS: "2", LOG_LEVEL: "warn" });
    const before = workersOf(program, "production");
    stopProcess(before[0] ?? 0);
    await until(() => program.output().includes("does not answer"));
    for (let count = 0; count < 20; count++) expect(await ask(program.urls.production, 5_000)).toBe(404);
    process.kill(before[0] ?? 0, "SIGCONT");
    await until(() => program.output().includes("a server process answers again"));
    expect(workersOf(program, "production")).toEqual(before);
  });
});

describe("open connections", () => {
  /** Resolves when the server has closed it. */
  function open(url: string): { socket: Socket; connected: Promise<void>; closed: Promise<void> } {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    socket.resume();
    onTestFinished(() => void socket.destroy());
    return {
      socket,
      connected: new Promise((resolve) => socket.once("connect", () => resolve())),
      closed: new Promise((resolve) => socket.once("close", () => resolve())),
    };
  }

  const OPEN = 'matchbook_connections_open{listener="public"}';
  const REFUSED = 'matchbook_connections_refused_total{listener="public",reason="address"}';
  const REFUSED_TOTAL = 'matchbook_connections_refused_total{listener="public",reason="total"}';

  test("of one address are at most CONNECTIONS_PER_ADDRESS; the next is closed immediately, until one of them ends", async () => {
    const program = await start({ WORKERS: "2", CONNECTIONS_PER_ADDRESS: "10" });
    const { production, productionOperator, sandbox } = program.urls;
    const held = Array.from({ length: 10 }, () => open(production));
    await Promise.all(held.map(({ connected }) => connected));
    await until(async () => (await figure(program, OPEN)) === 10);
    for (let count = 0; count < 3; count++) await open(production).closed;
    expect(await figure(program, OPEN)).toBe(10);
    expect(await figure(program, REFUSED)).toBe(3);
    // Other listeners have budgets of their own.
    expect(await ask(sandbox, 5_000)).toBe(404);
    expect((await call(`${productionOperator}/readyz`)).status).toBe(200);
    held[0]?.socket.destroy();
    await until(async () => (await figure(program, OPEN)) === 9);
    expect(await ask(production, 5_000)).toBe(404);
    for (const { socket } of held) socket.destroy();
    await until(async () => (await figure(program, OPEN)) === 0);
  });

  test("of a process that dies count no longer", async () => {
    const program = await start({ WORKERS: "2", CONNECTIONS_PER_ADDRESS: "10" });
    const held = Array.from({ length: 10 }, () => open(program.urls.production));
    await until(async () => (await figure(program, OPEN)) === 10);
    const [victim = 0] = workersOf(program, "production");
    process.kill(victim, "SIGKILL");
    const stillOpen = () => held.filter(({ socket }) => !socket.closed).length;
    await until(() => stillOpen() < 10);
    // Now, because those that send nothing are closed after a while.
    expect(stillOpen()).toBeGreaterThan(0);
    await until(async () => (await figure(program, OPEN)) === stillOpen());
    expect(await ask(program.urls.production, 5_000)).toBe(404);
  });

  test("of a trusted proxy are bounded by the total alone, which leaves operators their own", async () => {
    const program = await start({
      WORKERS: "1",
      CONNECTIONS_PER_ADDRESS: "2",
      CONNECTIONS_MAX: "6",
      TRUSTED_PROXIES: "127.0.0.0/8",
    });
    const held = Array.from({ length: 6 }, () => open(program.urls.production));
    await Promise.all(held.map(({ connected }) => connected));
    await until(async () => (await figure(program, OPEN)) === 6);
    await open(program.urls.production).closed;
    expect(await figure(program, REFUSED_TOTAL)).toBe(1);
    expect((await call(`${program.urls.productionOperator}/readyz`)).status).toBe(200);
  });
});
