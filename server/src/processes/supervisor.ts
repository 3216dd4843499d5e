import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { EnvironmentSettings } from "../app.ts";
import { type MetricsSnapshot, renderMetrics } from "../http/metrics.ts";
import type { Addresses, ToSupervisor, ToWorker } from "./messages.ts";

const RESTART_DELAY_MS = 1_000;
const SNAPSHOT_TIMEOUT_MS = 2_000;

export interface Supervisor {
  readonly addresses: readonly Addresses[];
  /** Lets every worker finish what it is doing. */
  stop(): Promise<void>;
}

/** Starts the server processes, replaces those that die, and adds up their figures. */
export async function startWorkers(
  settings: readonly EnvironmentSettings[],
  count: number,
  log: Logger,
): Promise<Supervisor> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL("./worker.js", import.meta.url)), args: [] });
  let stopping = false;
  const snapshots = createSnapshots();

  const start = (): Promise<readonly Addresses[]> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork();
      worker.on("message", (message: ToSupervisor) => {
        if (message.type === "started") send(worker, { type: "serve", settings });
        else if (message.type === "serving") resolve(message.addresses);
        else if (message.type === "failed") reject(new Error(message.reason));
        else if (message.type === "snapshot") snapshots.receive(message.id, message.snapshot);
        else
          snapshots
            .collect(message.environment)
            .then((text) => send(worker, { type: "metrics", id: message.id, text }));
      });
      worker.on("exit", (code, signal) => {
        reject(new Error("A server process died while it was starting."));
        if (!stopping) log.error({ worker: worker.process.pid, code, signal }, "a server process died");
      });
      // A worker that dies takes its channel with it; its exit says so.
      worker.on("error", () => {});
    });

  const keepRunning = (): void => {
    if (stopping) return;
    start().catch((error: Error) => log.error({ reason: error.message }, "a server process could not be started"));
  };

  const addresses = await Promise.all(Array.from({ length: count }, start));
  cluster.on("exit", () => setTimeout(keepRunning, stopping ? 0 : RESTART_DELAY_MS));
  return {
    addresses: addresses[0] ?? [],
    async stop() {
      stopping = true;
      await Promise.all(liveWorkers().map(stopWorker));
    },
  };
}

function stopWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    send(worker, { type: "stop" });
  });
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** Gathers one snapshot from every live worker; one that does not answer in time is left out. */
function createSnapshots() {
  const gathering = new Map<number, { received: MetricsSnapshot[]; finish: () => void; expected: number }>();
  let lastId = 0;
  return {
    receive(id: number, snapshot: MetricsSnapshot): void {
      const one = gathering.get(id);
      one?.received.push(snapshot);
      if (one !== undefined && one.received.length === one.expected) one.finish();
    },
    collect(environment: Addresses["environment"]): Promise<string> {
      return new Promise((resolve) => {
        const id = ++lastId;
        const workers = liveWorkers();
        const received: MetricsSnapshot[] = [];
        const finish = () => {
          clearTimeout(timeout);
          gathering.delete(id);
          resolve(renderMetrics(received));
        };
        const timeout = setTimeout(finish, SNAPSHOT_TIMEOUT_MS);
        gathering.set(id, { received, finish, expected: workers.length });
        for (const worker of workers) send(worker, { type: "take-snapshot", id, environment });
      });
    },
  };
}
