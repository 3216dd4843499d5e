import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { EnvironmentSettings } from "../app.ts";
import type { Config, EnvironmentName } from "../config.ts";
import { type MetricsSnapshot, renderMetrics } from "../http/metrics.ts";
import { SHUTDOWN_READINESS_MS, SHUTDOWN_WORKER_MS } from "../limits.ts";
import { type Addresses, openDoors } from "./doors.ts";
import type { Door, ToSupervisor, ToWorker } from "./messages.ts";

const WORKER = fileURLToPath(new URL("./worker.js", import.meta.url));
const RESTART_DELAY_MS = 1_000;
const SNAPSHOT_TIMEOUT_MS = 2_000;

export interface Supervisor {
  readonly addresses: readonly Addresses[];
  /** Lets every worker finish what it is doing. */
  stop(): Promise<void>;
}

/** Starts the server processes, hands them connections in turn, replaces those that die, and adds up their figures. */
export async function startWorkers(
  config: Config,
  settings: readonly EnvironmentSettings[],
  log: Logger,
): Promise<Supervisor> {
  const serving = new Set<ChildProcess>();
  const snapshots = createSnapshots(serving);
  let stopping = false;
  let turn = 0;

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = fork(WORKER, [], { serialization: "advanced" });
      worker.on("message", (message: ToSupervisor) => {
        switch (message.type) {
          case "started":
            return send(worker, { type: "serve", settings });
          case "serving":
            serving.add(worker);
            return resolve();
          case "failed":
            return reject(new Error(message.reason));
          case "snapshot":
            return snapshots.receive(message.id, message.snapshot);
          case "collect-metrics":
            return void snapshots
              .collect(message.environment)
              .then((text) => send(worker, { type: "metrics", id: message.id, text }));
        }
      });
      // A worker that dies takes its channel with it; its exit says so.
      worker.on("error", () => {});
      worker.on("exit", (code, signal) => {
        serving.delete(worker);
        reject(new Error("A server process died while it was starting."));
        if (stopping) return;
        log.error({ worker: worker.pid, code, signal }, "a server process died and is replaced");
        setTimeout(() => start().catch(() => {}), RESTART_DELAY_MS);
      });
    });
  }

  // In turn. A worker that died under our hands passes the connection on to the next.
  function handOn(socket: Socket, door: Door): void {
    const worker = [...serving][turn++ % Math.max(1, serving.size)];
    if (worker === undefined) {
      socket.destroy();
      return;
    }
    worker.send({ type: "connection", door } satisfies ToWorker, socket, {}, (error) => {
      if (error === null) return;
      serving.delete(worker);
      handOn(socket, door);
    });
  }

  try {
    await Promise.all(Array.from({ length: config.workers }, start));
    const doors = await openDoors(config, handOn);
    return {
      addresses: doors.addresses,
      async stop() {
        stopping = true;
        for (const worker of serving) send(worker, { type: "drain" });
        await pause(SHUTDOWN_READINESS_MS);
        doors.close();
        await Promise.all([...serving].map(stopWorker));
      },
    };
  } catch (error) {
    stopping = true;
    await Promise.all([...serving].map(stopWorker));
    throw error;
  }
}

function stopWorker(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => worker.kill("SIGKILL"), SHUTDOWN_WORKER_MS);
    worker.once("exit", () => {
      clearTimeout(deadline);
      resolve();
    });
    send(worker, { type: "stop" });
  });
}

function send(worker: ChildProcess, message: ToWorker): void {
  if (worker.connected) worker.send(message, () => {});
}

/** Gathers one snapshot from every worker; one that does not answer in time is left out. */
function createSnapshots(workers: ReadonlySet<ChildProcess>) {
  const gathering = new Map<number, { received: MetricsSnapshot[]; expected: number; finish: () => void }>();
  let lastId = 0;
  return {
    receive(id: number, snapshot: MetricsSnapshot): void {
      const one = gathering.get(id);
      one?.received.push(snapshot);
      if (one !== undefined && one.received.length === one.expected) one.finish();
    },
    collect(environment: EnvironmentName): Promise<string> {
      return new Promise((resolve) => {
        const id = ++lastId;
        const received: MetricsSnapshot[] = [];
        const finish = () => {
          clearTimeout(timeout);
          gathering.delete(id);
          resolve(renderMetrics(received));
        };
        const timeout = setTimeout(finish, SNAPSHOT_TIMEOUT_MS);
        gathering.set(id, { received, expected: workers.size, finish });
        for (const worker of workers) send(worker, { type: "take-snapshot", id, environment });
      });
    },
  };
}
