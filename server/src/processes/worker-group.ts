import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Account } from "../account.ts";
import type { EnvironmentSettings } from "../app.ts";
import { ConfigError } from "../config.ts";
import { type MetricsSnapshot, renderMetrics } from "../http/metrics.ts";
import {
  HEARTBEAT_INTERVAL_MS,
  SHUTDOWN_HAND_ON_MS,
  SHUTDOWN_WORKER_MS,
  WORKER_RESTART_DELAY_MS,
  WORKER_START_TIMEOUT_MS,
} from "../limits.ts";
import { createConnectionFigures } from "./connection-figures.ts";
import { createHeartbeat, type Heartbeat } from "./heartbeat.ts";
import type { ListenerName, ToSupervisor, ToWorker } from "./messages.ts";

const WORKER = fileURLToPath(new URL("./worker.js", import.meta.url));
const SNAPSHOT_TIMEOUT_MS = 2_000;
const HAND_ON_CHECK_INTERVAL_MS = 10;

/** A connection between its acceptance and its end. */
export interface Connection {
  readonly socket: Socket;
  readonly listener: ListenerName;
  /** To be called once when it is closed, by whoever notices. */
  release(): void;
}

/** The processes that serve one environment. Nothing here is shared with the processes of another. */
export interface WorkerGroup {
  readonly figures: ReturnType<typeof createConnectionFigures>;
  handOn(connection: Connection): void;
  /** Every answer from here on closes its connection. */
  drain(): void;
  /** Lets every process finish what it is doing. */
  stop(): Promise<void>;
}

interface Worker {
  readonly child: ChildProcess;
  readonly heartbeat: Heartbeat;
  /** Releases what it was given and has not reported closed. */
  readonly connections: Map<number, () => void>;
  /** The connection it was sent and has not confirmed. Until then it is ours as well, and can be given to another. */
  inTransit: InTransit | null;
}

interface InTransit {
  readonly id: number;
  readonly connection: Connection;
  /** How many pings were sent before it. */
  readonly afterPings: number;
}

export async function startWorkerGroup(
  settings: EnvironmentSettings,
  account: Account,
  log: Logger,
): Promise<WorkerGroup> {
  const environment = settings.environment.name;
  const serving = new Set<Worker>();
  const starting = new Set<ChildProcess>();
  // Connections nobody could take at once. Operators go first: a flood of the public must not keep them waiting.
  const waiting: Record<ListenerName, Connection[]> = { operator: [], public: [] };
  const figures = createConnectionFigures(() => serving.size);
  const snapshots = createSnapshots(serving, figures);
  let stopping = false;
  let turn = 0;
  let lastConnectionId = 0;

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = fork(WORKER, [environment], { serialization: "advanced", env: workerVariables() });
      const worker: Worker = { child, heartbeat: createHeartbeat(), connections: new Map(), inTransit: null };
      starting.add(child);
      const startTimeout = setTimeout(() => child.kill("SIGKILL"), WORKER_START_TIMEOUT_MS);
      child.on("message", (message: ToSupervisor) => {
        switch (message.type) {
          case "started":
            return send(child, { type: "serve", settings, account });
          case "serving":
            clearTimeout(startTimeout);
            starting.delete(child);
            serving.add(worker);
            dispatch();
            return resolve();
          case "failed":
            reject(new ConfigError(`A server process could not start: ${message.reason}`));
            return void child.kill("SIGKILL");
          case "received":
            return confirm(worker, message.id);
          case "closed":
            for (const id of message.ids) {
              worker.connections.get(id)?.();
              worker.connections.delete(id);
            }
            return;
          case "pong":
            return hear(worker, message.ping);
          case "snapshot":
            return snapshots.receive(message.id, message.snapshot);
          case "collect-metrics":
            return void snapshots.collect().then((text) => send(child, { type: "metrics", id: message.id, text }));
        }
      });
      // A worker that dies takes its channel with it; its exit says so.
      child.on("error", () => {});
      child.on("exit", () => serving.delete(worker));
      // Comes after its last message, unlike its exit.
      child.on("close", (code, signal) => {
        clearTimeout(startTimeout);
        starting.delete(child);
        serving.delete(worker);
        takeBack(worker);
        for (const release of worker.connections.values()) release();
        reject(new Error("A server process died while it was starting."));
        if (stopping) return;
        figures.replaced.inc();
        log.error({ environment, worker: child.pid, code, signal }, "a server process died and is replaced");
        setTimeout(replace, WORKER_RESTART_DELAY_MS);
      });
    });
  }

  // One that dies while it starts is followed by another.
  function replace(): void {
    if (stopping) return;
    start().catch(({ message }: Error) =>
      log.warn({ environment, message }, "a server process could not be replaced yet"),
    );
  }

  // A worker gets its next connection when it has confirmed the last. One that hangs so keeps a single connection from the
  // others, and what would have been its share goes to those that answer.
  function dispatch(): void {
    for (;;) {
      const queue = waiting.operator.length > 0 ? waiting.operator : waiting.public;
      if (queue.length === 0) return;
      const worker = nextFree();
      if (worker === undefined) return;
      give(worker, queue.shift() as Connection);
    }
  }

  function nextFree(): Worker | undefined {
    const workers = [...serving];
    for (let offset = 0; offset < workers.length; offset++) {
      const worker = workers[(turn + offset) % workers.length] as Worker;
      if (worker.inTransit !== null || worker.heartbeat.pulse !== "alive" || !worker.child.connected) continue;
      turn = (turn + offset + 1) % workers.length;
      return worker;
    }
    return undefined;
  }

  function give(worker: Worker, connection: Connection): void {
    const id = ++lastConnectionId;
    const { socket, listener } = connection;
    worker.inTransit = { id, connection, afterPings: worker.heartbeat.sent };
    // Kept open here, or a process that dies with the connection still in its channel would leave the client waiting.
    const message: ToWorker = { type: "connection", id, listener };
    worker.child.send(message, socket, { keepOpen: true }, (error) => {
      if (error === null || worker.inTransit?.id !== id) return;
      serving.delete(worker);
      takeBack(worker);
    });
  }

  /** It never arrived; the next worker that is free gets it. A worker confirms before it reads, so nothing is lost. */
  function takeBack(worker: Worker): void {
    if (worker.inTransit === null) return;
    const { connection } = worker.inTransit;
    worker.inTransit = null;
    waiting[connection.listener].unshift(connection);
    dispatch();
  }

  function confirm(worker: Worker, id: number): void {
    if (worker.inTransit?.id !== id) return;
    const { connection } = worker.inTransit;
    worker.inTransit = null;
    worker.connections.set(id, connection.release);
    // Closes our copy; the connection goes on in the worker.
    connection.socket.destroy();
    dispatch();
  }

  function hear(worker: Worker, ping: number): void {
    if (worker.heartbeat.pulse !== "alive") log.warn({ environment, worker: worker.child.pid }, "it answers again");
    worker.heartbeat.answered(ping);
    // Messages arrive in order. A connection sent before an answered ping and still not confirmed never arrived, as when
    // the worker could not open another file.
    const lost = worker.inTransit;
    if (lost !== null && lost.afterPings < ping) {
      worker.inTransit = null;
      close(lost.connection);
    }
    dispatch();
  }

  const beating = setInterval(() => {
    for (const worker of serving) {
      const before = worker.heartbeat.pulse;
      send(worker.child, { type: "ping", ping: worker.heartbeat.next() });
      const { pulse } = worker.heartbeat;
      if (pulse === before) continue;
      log.error({ environment, worker: worker.child.pid, pulse }, "a server process does not answer");
      if (pulse === "dead") worker.child.kill("SIGKILL");
    }
  }, HEARTBEAT_INTERVAL_MS);

  async function stop(): Promise<void> {
    stopping = true;
    // The doors are closed. What still waits for a worker gets a moment, so that no request is cut off.
    const deadline = performance.now() + SHUTDOWN_HAND_ON_MS;
    while (waiting.operator.length + waiting.public.length > 0 && performance.now() < deadline) {
      await pause(HAND_ON_CHECK_INTERVAL_MS);
    }
    clearInterval(beating);
    for (const connection of [...waiting.operator, ...waiting.public]) close(connection);
    for (const child of starting) child.kill("SIGKILL");
    await Promise.all([...serving].map(({ child }) => stopWorker(child)));
  }

  try {
    await Promise.all(Array.from({ length: settings.environment.workers }, start));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    figures,
    handOn(connection) {
      waiting[connection.listener].push(connection);
      dispatch();
    },
    drain() {
      stopping = true;
      for (const { child } of serving) send(child, { type: "drain" });
    },
    stop,
  };
}

// Settings and secrets come by message. The environment of a process can be read by others of its user.
const PASSED_VARIABLES = /^(PATH|HOME|TZ|LANG|LC_.*|NODE_.*|SSL_CERT_FILE|SSL_CERT_DIR|PG[A-Z]+)$/;

function workerVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_VARIABLES.test(name)));
}

function close({ socket, release }: Connection): void {
  socket.destroy();
  release();
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

/** Gathers one snapshot from every worker that answers; one that does not answer in time is left out. */
function createSnapshots(workers: ReadonlySet<Worker>, figures: WorkerGroup["figures"]) {
  const gathering = new Map<number, { received: MetricsSnapshot[]; expected: number; finish: () => void }>();
  let lastId = 0;
  return {
    receive(id: number, snapshot: MetricsSnapshot): void {
      const one = gathering.get(id);
      one?.received.push(snapshot);
      if (one !== undefined && one.received.length === one.expected) one.finish();
    },
    collect(): Promise<string> {
      return new Promise((resolve) => {
        const id = ++lastId;
        const received: MetricsSnapshot[] = [];
        const asked = [...workers].filter(({ heartbeat }) => heartbeat.pulse === "alive");
        const finish = () => {
          clearTimeout(timeout);
          gathering.delete(id);
          resolve(figures.snapshot().then((own) => renderMetrics([...received, own])));
        };
        const timeout = setTimeout(finish, SNAPSHOT_TIMEOUT_MS);
        gathering.set(id, { received, expected: asked.length, finish });
        for (const { child } of asked) send(child, { type: "take-snapshot", id });
      });
    },
  };
}
