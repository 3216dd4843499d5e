import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type Account, dropRoot } from "../account.ts";
import { type Environment, type EnvironmentSettings, openEnvironment } from "../app.ts";
import { readMigrations } from "../db/migrate.ts";
import { snapshot } from "../http/metrics.ts";
import { SHUTDOWN_FRESH_CONNECTIONS_MS, SHUTDOWN_IN_FLIGHT_MS } from "../limits.ts";
import { createLog, logTo } from "../log.ts";
import type { ListenerName, ToSupervisor, ToWorker } from "./messages.ts";

// One server process of one environment. The supervisor sends it what to serve. It holds no state that must be right, and
// may be killed at any time.

const IDLE_CHECK_INTERVAL_MS = 50;

const sockets = new Set<Socket>();
let environment: Environment | null = null;
let closedIds: number[] = [];
const waitingForMetrics = new Map<number, (text: string) => void>();
let lastMetricsId = 0;
let draining = false;

// Ctrl-C reaches every process of a terminal. The supervisor decides when a worker stops.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// Without a supervisor no connections come.
process.on("disconnect", () => process.exit(1));

process.on("message", async (message: ToWorker, socket: Socket | undefined) => {
  switch (message.type) {
    case "serve":
      return serve(message.settings, message.account);
    case "connection":
      return receive(message.id, socket, message.listener);
    case "ping":
      return tell({ type: "pong", ping: message.ping });
    case "take-snapshot":
      if (environment !== null) {
        tell({ type: "snapshot", id: message.id, snapshot: await snapshot(environment.metrics) });
      }
      return;
    case "metrics":
      waitingForMetrics.get(message.id)?.(message.text);
      waitingForMetrics.delete(message.id);
      return;
    case "drain":
      draining = true;
      return;
    case "stop":
      return stop();
  }
});

tell({ type: "started" });

async function serve(settings: EnvironmentSettings, account: Account): Promise<void> {
  try {
    readMigrations();
    // The driver loads this one only for an address without a password, when it could be out of reach.
    createRequire(createRequire(import.meta.url).resolve("pg"))("pgpass");
    const opened = await openEnvironment(settings, {
      log: createLog(settings.config.logLevel, logTo(settings.config.logFormat)),
      isDraining: () => draining,
      collectMetrics,
      beforeServing() {
        dropRoot(account);
        // Certificates named in a database's address are read for every connection. If we may not read them, fail now.
        new pg.Client(settings.connection);
      },
    });
    for (const { server } of [opened.publicListener, opened.operatorListener]) {
      // The server gets connections and never listens itself. This event starts its time limits.
      server.emit("listening");
    }
    environment = opened;
    tell({ type: "serving" });
  } catch (error) {
    tell({ type: "failed", reason: (error as Error).message });
  }
}

function receive(id: number, socket: Socket | undefined, listener: ListenerName): void {
  tell({ type: "received", id });
  // The socket is missing when it was lost on its way.
  if (socket === undefined || environment === null) {
    socket?.destroy();
    reportClosed(id);
    return;
  }
  sockets.add(socket);
  socket.once("close", () => {
    sockets.delete(socket);
    reportClosed(id);
  });
  // As for a connection the server accepted itself: a client may close its side once the request is sent.
  socket.allowHalfOpen = true;
  const { server } = listener === "public" ? environment.publicListener : environment.operatorListener;
  server.emit("connection", socket);
  socket.resume();
}

// The supervisor counts open connections. What closes in one turn of the event loop is one message.
function reportClosed(id: number): void {
  if (closedIds.push(id) > 1) return;
  setImmediate(() => {
    tell({ type: "closed", ids: closedIds });
    closedIds = [];
  });
}

/** Asks the supervisor, which asks every process. */
function collectMetrics(): Promise<string> {
  return new Promise((resolve) => {
    const id = ++lastMetricsId;
    waitingForMetrics.set(id, resolve);
    tell({ type: "collect-metrics", id });
  });
}

/**
 * Finishes the requests in progress. New connections get a moment to send their request. Then idle ones are closed, and each
 * of the others closes with its answer, because the process is draining.
 */
async function stop(): Promise<void> {
  const deadline = performance.now() + SHUTDOWN_IN_FLIGHT_MS;
  await pause(SHUTDOWN_FRESH_CONNECTIONS_MS);
  while (sockets.size > 0 && performance.now() < deadline) {
    environment?.publicListener.server.closeIdleConnections();
    environment?.operatorListener.server.closeIdleConnections();
    await pause(IDLE_CHECK_INTERVAL_MS);
  }
  for (const socket of sockets) socket.destroy();
  await environment?.close();
  process.exit(0);
}

function tell(message: ToSupervisor): void {
  // Without a supervisor the channel is closed, and this process is about to exit.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
