import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, databaseUrl, type TestDatabase } from "../harness/database.ts";
import { applicationBody, asMerchant, generateKeys, type KeyPair, registerMerchant } from "../harness/merchant.ts";
import {
  isAlive,
  makeDataDir,
  postmasterPid,
  promised,
  removeDataDir,
  runNpm,
  runProgram,
  startForTest as start,
  startProgram,
  until,
  workersOf,
} from "../harness/program.ts";
import { type CallOptions, call } from "../harness/service.ts";

// Whole programs are started here, several at a time on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  return database;
}

const apply = (url: string, change = {}) => call(`${url}/v1/merchants/applications`, { body: applicationBody(change) });

async function startInTime() {
  const limitMs = await promised(10_000);
  const began = performance.now();
  const program = await start();
  return { program, inTime: performance.now() - began < limitMs };
}

describe("matchbook-server start", () => {
  test("one command serves both environments from an empty folder within ten seconds, and keeps its secrets to itself", async () => {
    let { program, inTime } = await startInTime();
    // One of several tries must be in time: a test machine may be busy with something else.
    for (let attempt = 2; !inTime && attempt <= 4; attempt++) ({ program, inTime } = await startInTime());
    expect(inTime).toBe(true);
    const { production, productionOperator, sandbox, sandboxOperator } = program.urls;
    expect((await call(`${productionOperator}/readyz`)).status).toBe(200);
    expect((await call(`${sandboxOperator}/readyz`)).status).toBe(200);
    expect((await apply(production)).body.status).toBe("PENDING");
    expect((await apply(sandbox)).body.status).toBe("ACTIVE");
    for (const name of ["secret", "operator-token", "postgres-password"]) {
      expect(statSync(join(program.dataDir, name)).mode & 0o777, name).toBe(0o600);
    }
    expect(program.output()).toContain(join(program.dataDir, "operator-token"));
    expect(program.output()).not.toContain(program.operatorToken());
  });

  test("npm start ends it when npm gets SIGTERM", async () => {
    const dataDir = makeDataDir();
    const npm = runNpm(["start"], { MATCHBOOK_DATA_DIR: dataDir, WORKERS: "2" });
    await until(() => npm.output().includes(" is ready "), 60_000);
    const postmaster = postmasterPid(dataDir);
    npm.child.kill("SIGTERM");
    await npm.exited;
    await until(() => !isAlive(postmaster));
    expect(npm.output()).toContain("Stopping");
    removeDataDir(dataDir);
  });

  test("keeps running, and stops in order, when no one reads its output any longer", async () => {
    const program = await start({ LOG_LEVEL: "info" });
    const postmaster = postmasterPid(program.dataDir);
    program.child.stdout?.destroy();
    program.child.stderr?.destroy();
    for (let count = 0; count < 10; count++) {
      const refused = await call(`${program.urls.production}/v1/merchant-deposits`, {
        headers: { connection: "close" },
      });
      expect(refused.status).toBe(401);
    }
    program.child.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(isAlive(postmaster)).toBe(false);
  });

  test("the figures of all processes are added up, whichever process is asked", async () => {
    const program = await start({ WORKERS: "2" });
    const { production, productionOperator } = program.urls;
    const asked = 20;
    // A connection of its own for each request, so that both processes get some.
    for (let count = 0; count < asked; count++) {
      await call(`${production}/v1/merchants/${randomUUID()}/public-key`, { headers: { connection: "close" } });
    }
    const metrics = await call(`${productionOperator}/metrics`, {
      headers: { authorization: `Bearer ${program.operatorToken()}` },
    });
    const line = /matchbook_http_requests_total\{[^}]*route="\/v1\/merchants\/:id\/public-key"[^}]*\} (\d+)/.exec(
      metrics.body,
    );
    expect(Number(line?.[1])).toBe(asked);
  });

  test("a second copy on the same data folder says so in one line and leaves the first alone", async () => {
    const first = await start();
    const second = runProgram(["start"], { MATCHBOOK_DATA_DIR: first.dataDir });
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/^ +\d+\.\d s {2}Starting PostgreSQL …\nmatchbook-server: .*already running.*\n$/);
    expect((await call(`${first.urls.productionOperator}/readyz`)).status).toBe(200);
  });

  test("after SIGKILL of everything it starts again, and what it acknowledged is there", async () => {
    const dataDir = makeDataDir();
    const first = await startProgram({ MATCHBOOK_DATA_DIR: dataDir, WORKERS: "2" });
    const { applicationId } = (await apply(first.urls.production)).body;
    const postmaster = postmasterPid(dataDir);
    process.kill(postmaster, "SIGKILL");
    first.child.kill("SIGKILL");
    await first.exited;

    const second = await start({ MATCHBOOK_DATA_DIR: dataDir });
    const listed = await call(`${second.urls.productionOperator}/operator/v1/applications`, {
      headers: { authorization: `Bearer ${second.operatorToken()}` },
    });
    expect(listed.body.items.map((item: { applicationId: string }) => item.applicationId)).toContain(applicationId);
  });

  test("after SIGKILL of the program alone, the orphaned server is taken over", async () => {
    const dataDir = makeDataDir();
    const first = await startProgram({ MATCHBOOK_DATA_DIR: dataDir, WORKERS: "1" });
    const orphan = postmasterPid(dataDir);
    first.child.kill("SIGKILL");
    await first.exited;
    expect(isAlive(orphan)).toBe(true);
    const second = await start({ MATCHBOOK_DATA_DIR: dataDir });
    expect(isAlive(orphan)).toBe(false);
    expect((await call(`${second.urls.productionOperator}/readyz`)).status).toBe(200);
  });

  test("with DATABASE_URL it uses that database, starts no server of its own, and needs MATCHBOOK_SECRET", async () => {
    const [production, sandbox] = [await emptyDatabase(), await emptyDatabase()];
    const variables = {
      DATABASE_URL: databaseUrl(production.connection),
      SANDBOX_DATABASE_URL: databaseUrl(sandbox.connection),
    };
    const refused = runProgram(["start"], variables);
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toMatch(/^matchbook-server: MATCHBOOK_SECRET is required.*\n$/);

    const limited = { WORKERS: "2", DATABASE_POOL_SIZE: "4" };
    const program = await start({ ...variables, ...limited, MATCHBOOK_SECRET: "x".repeat(40) });
    expect(program.output()).toContain("connections     production 2 × 4, sandbox 1 × 4");
    expect((await apply(program.urls.production)).status).toBe(202);
    expect(await production.db.query("select 1 from applications")).toHaveLength(1);
    expect(await sandbox.db.query("select 1 from applications")).toHaveLength(0);
    expect(() => postmasterPid(program.dataDir)).toThrow();
    const connections = await production.db.query<{ count: number }>(
      "select count(*) as count from pg_stat_activity where application_name = 'matchbook' and datname = current_database()",
    );
    // Four are the test's own.
    expect(connections[0]?.count).toBeLessThanOrEqual(2 * 4 + 4);
  });

  test("MATCHBOOK_MIGRATE=off never changes the schema and says what to run", async () => {
    const database = await emptyDatabase();
    const variables = {
      DATABASE_URL: databaseUrl(database.connection),
      ENVIRONMENTS: "production",
      MATCHBOOK_SECRET: "x".repeat(40),
    };
    const refused = runProgram(["start"], { ...variables, MATCHBOOK_MIGRATE: "off" });
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain("npx @matchbook/server migrate");
    expect(await database.db.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);

    const migrated = runProgram(["migrate"], variables);
    expect(await migrated.exited).toBe(0);
    expect(migrated.output()).toContain("production: applied 0001_merchants");
    const program = await start({ ...variables, MATCHBOOK_MIGRATE: "off" });
    expect((await call(`${program.urls.productionOperator}/readyz`)).status).toBe(200);
  });

  test("a port that is taken is named in one line", async () => {
    const first = await start();
    const port = new URL(first.urls.production).port;
    const dataDir = makeDataDir();
    const second = runProgram(["start"], { MATCHBOOK_DATA_DIR: dataDir, PORT: port });
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`PORT ${port} is already in use`);
    expect(() => postmasterPid(dataDir)).toThrow();
    removeDataDir(dataDir);
  });
});

describe("while it runs", () => {
  test("a server process that dies is replaced", async () => {
    const program = await start({ WORKERS: "2" });
    const workers = () => workersOf(program, "production");
    const [victim] = workers();
    process.kill(victim ?? 0, "SIGKILL");
    await until(() => workers().length === 2 && !workers().includes(victim ?? 0));
    await until(async () => (await call(`${program.urls.productionOperator}/readyz`)).status === 200);
  });

  test("PostgreSQL killed under requests: 503 in shape, then recovery without a restart", async () => {
    const program = await start();
    const { production, productionOperator } = program.urls;
    const url = `${production}/v1/merchants/${randomUUID()}/public-key`;
    const seen = new Set<string>();
    let asking = true;
    const clients = Array.from({ length: 8 }, async () => {
      while (asking) {
        const { status, body, headers } = await call(url);
        seen.add(`${status} ${body.error?.code}`);
        if (status === 503) expect(headers.get("retry-after")).toMatch(/^[1-9]/);
        expect(headers.get("x-request-id")).toBeTruthy();
      }
    });
    await until(() => seen.has("404 MERCHANT_NOT_REGISTERED"));
    process.kill(postmasterPid(program.dataDir), "SIGKILL");
    await until(() => seen.has("503 SERVICE_UNAVAILABLE"));
    await until(async () => (await call(`${productionOperator}/readyz`)).status === 200, 30_000);
    await until(async () => (await apply(production)).status === 202);
    asking = false;
    await Promise.all(clients);
    expect([...seen].sort()).toEqual(["404 MERCHANT_NOT_REGISTERED", "503 SERVICE_UNAVAILABLE"]);
  });

  test("SIGTERM under requests: readiness fails first, no request is cut off, and all is gone within ten seconds", async () => {
    const program = await startProgram({ WORKERS: "2", APPLICATIONS_PER_HOUR: "100000", DRAIN_SECONDS: "2" });
    const { sandbox, sandboxOperator } = program.urls;
    const outcomes: string[] = [];
    const acknowledged: string[] = [];
    let refused = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!refused) {
        try {
          const { status, body } = await apply(sandbox, { domain: `s${randomUUID()}.example` });
          outcomes.push(String(status));
          if (status === 202) acknowledged.push(body.merchantId);
        } catch (error) {
          const cause = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
          if (cause === "ECONNREFUSED") refused = true;
          else outcomes.push(cause);
        }
      }
    });
    await until(() => acknowledged.length > 20);
    const postmaster = postmasterPid(program.dataDir);
    const limitMs = await promised(10_000);
    const began = performance.now();
    program.child.kill("SIGTERM");
    await until(async () => (await call(`${sandboxOperator}/readyz`).catch(() => ({ status: 0 }))).status === 503);
    expect((await call(`${sandbox}/readyz`)).status).toBe(503);
    expect((await apply(sandbox)).status).toBe(202);
    expect(await program.exited).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(2_000);
    expect(performance.now() - began).toBeLessThan(limitMs);
    refused = true;
    await Promise.all(clients);
    expect(outcomes.filter((outcome) => outcome !== "202")).toEqual([]);
    await until(() => !isAlive(postmaster));

    const again = await start({ MATCHBOOK_DATA_DIR: program.dataDir });
    for (const merchantId of acknowledged.slice(-20)) {
      expect((await call(`${again.urls.sandbox}/v1/merchants/${merchantId}/public-key`)).status).toBe(200);
    }
  });
});

describe("a key swap and a suspension", () => {
  const READ = "/v1/merchant-deposits";
  const OPERATOR_TOKEN = "x".repeat(40);
  // A connection of its own for each request, so that every process gets some.
  const ALONE = { headers: { connection: "close" } };

  /** Two programs of two processes each, as on two hosts. */
  async function startHosts() {
    const database = await emptyDatabase();
    const variables = {
      DATABASE_URL: databaseUrl(database.connection),
      ENVIRONMENTS: "production",
      MATCHBOOK_SECRET: "x".repeat(40),
      MATCHBOOK_OPERATOR_TOKEN: OPERATOR_TOKEN,
    };
    const first = await start(variables);
    const second = await start(variables);
    return [first, second].map(({ urls }) => ({
      publicUrl: urls.production,
      call: (path: string, options?: CallOptions) => call(`${urls.production}${path}`, options),
      operator: (path: string, options: CallOptions = {}) =>
        call(`${urls.productionOperator}/operator/v1${path}`, {
          ...options,
          headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
        }),
    }));
  }

  test("apply in every process on every host once the operator's call is answered, also under load", async () => {
    const hosts = await startHosts();
    const [host] = hosts as [(typeof hosts)[0]];
    for (let round = 0; round < 3; round++) {
      const victim = await registerMerchant(host);
      const newKeys = generateKeys();
      let swappedAt = Number.POSITIVE_INFINITY;
      let suspendedAt = Number.POSITIVE_INFINITY;
      const late: string[] = [];
      const seen = new Map<KeyPair, number>();
      let asking = true;
      const ask = async (one: (typeof hosts)[0], keys: KeyPair, deadAt: () => number) => {
        const sentAt = performance.now();
        const { status } = await asMerchant(one, victim.id, keys).call(READ, ALONE);
        if (status !== 200) return;
        seen.set(keys, (seen.get(keys) ?? 0) + 1);
        if (sentAt > deadAt()) late.push(`${sentAt - deadAt()} ms after the answer`);
      };
      const clients = hosts.flatMap((one) =>
        Array.from({ length: 4 }, async () => {
          while (asking) {
            await ask(one, victim.keys, () => Math.min(swappedAt, suspendedAt));
            await ask(one, newKeys, () => suspendedAt);
          }
        }),
      );
      const isSeen = (keys: KeyPair) => until(() => (seen.get(keys) ?? 0) > 30);
      await isSeen(victim.keys);
      const body = { publicKey: newKeys.publicKeyPem };
      const swapped = await host.operator(`/merchants/${victim.id}/public-key`, { method: "PUT", body });
      swappedAt = performance.now();
      expect(swapped.status).toBe(200);
      await isSeen(newKeys);
      const suspended = await host.operator(`/merchants/${victim.id}/suspend`, { method: "POST" });
      suspendedAt = performance.now();
      expect(suspended.body.status).toBe("SUSPENDED");
      for (const one of hosts) {
        for (let count = 0; count < 8; count++) {
          const refused = await asMerchant(one, victim.id, newKeys).call(READ, ALONE);
          expect(refused.body.error.code).toBe("MERCHANT_NOT_ACTIVE");
        }
      }
      asking = false;
      await Promise.all(clients);
      expect(late).toEqual([]);
    }
  });
});
