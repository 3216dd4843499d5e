import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Environment, type EnvironmentSettings, openEnvironment } from "../app.ts";
import type { EnvironmentName } from "../config.ts";
import type { Listener } from "../http/listener.ts";
import { snapshot } from "../http/metrics.ts";
import { SHUTDOWN_FRESH_CONNECTIONS_MS, SHUTDOWN_IN_FLIGHT_MS } from "../limits.ts";
import { createLog } from "../log.ts";
import type { Door, ToSupervisor, ToWorker } from "./messages.ts";

// One server process. It is told what to serve, holds nothing that must be right, and may be killed at any time.

const IDLE_CHECK_INTERVAL_MS = 50;

const environments = new Map<EnvironmentName, Environment>();
const sockets = new Set<Socket>();
const waitingForMetrics = new Map<number, (text: string) => void>();
let lastMetricsId = 0;
let draining = false;

// Ctrl-C reaches every process of a terminal; the supervisor decides when each of us stops.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// Without a supervisor there is nobody to hand us connections.
process.on("disconnect", () => process.exit(1));

process.on("message", async (message: ToWorker, socket: Socket | undefined) => {
  switch (message.type) {
    case "serve":
      return serve(message.settings);
    case "connection":
      if (socket !== undefined) receive(socket, message.door);
      return;
    case "take-snapshot": {
      const environment = environments.get(message.environment);
      if (environment !== undefined) {
        tell({ type: "snapshot", id: message.id, snapshot: await snapshot(environment.metrics) });
      }
      return;
    }
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

async function serve(settings: readonly EnvironmentSettings[]): Promise<void> {
  try {
    for (const one of settings) {
      const { config, environment } = one;
      const opened = await openEnvironment(one, {
        log: createLog(config.logLevel),
        isDraining: () => draining,
        collectMetrics: () => collectMetrics(environment.name),
      });
      for (const { server } of [opened.publicListener, opened.operatorListener]) {
        // Connections are handed to the server, so it never listens; its own event starts its time limits.
        server.emit("listening");
      }
      environments.set(environment.name, opened);
    }
    tell({ type: "serving" });
  } catch (error) {
    tell({ type: "failed", reason: (error as Error).message });
  }
}

function receive(socket: Socket, { environment, listener }: Door): void {
  const opened = environments.get(environment);
  if (opened === undefined) {
    socket.destroy();
    return;
  }
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  // As for a connection the server accepted itself: a client may close its side once the request is sent.
  socket.allowHalfOpen = true;
  const { server } = listener === "public" ? opened.publicListener : opened.operatorListener;
  server.emit("connection", socket);
  socket.resume();
}

/** Asks the supervisor, which asks every process. */
function collectMetrics(environment: EnvironmentName): Promise<string> {
  return new Promise((resolve) => {
    const id = ++lastMetricsId;
    waitingForMetrics.set(id, resolve);
    tell({ type: "collect-metrics", id, environment });
  });
}

/**
 * Finishes what is under way. Connections that were accepted a moment ago get the time to send their request; then idle
 * ones are closed, and each of the others closes with its answer, since the process is draining.
 */
async function stop(): Promise<void> {
  const deadline = performance.now() + SHUTDOWN_IN_FLIGHT_MS;
  await pause(SHUTDOWN_FRESH_CONNECTIONS_MS);
  while (sockets.size > 0 && performance.now() < deadline) {
    for (const { server } of listeners()) server.closeIdleConnections();
    await pause(IDLE_CHECK_INTERVAL_MS);
  }
  for (const socket of sockets) socket.destroy();
  await Promise.all([...environments.values()].map((environment) => environment.close()));
  process.exit(0);
}

function listeners(): Listener[] {
  return [...environments.values()].flatMap((environment) => [
    environment.publicListener,
    environment.operatorListener,
  ]);
}

function tell(message: ToSupervisor): void {
  process.send?.(message);
}
