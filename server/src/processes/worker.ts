import type { AddressInfo } from "node:net";
import { type Environment, type EnvironmentSettings, openEnvironment } from "../app.ts";
import type { EnvironmentName } from "../config.ts";
import type { Listener } from "../http/listener.ts";
import { snapshot } from "../http/metrics.ts";
import { SHUTDOWN_IN_FLIGHT_MS, SHUTDOWN_READINESS_MS } from "../limits.ts";
import { createLog } from "../log.ts";
import type { Addresses, ToSupervisor, ToWorker } from "./messages.ts";

// One server process. It is told what to serve, holds nothing that must be right, and may be killed at any time.

const environments = new Map<EnvironmentName, Environment>();
const waitingForMetrics = new Map<number, (text: string) => void>();
let lastMetricsId = 0;
let draining = false;

// Ctrl-C reaches every process of a terminal; the supervisor decides when each of us stops.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

process.on("message", async (message: ToWorker) => {
  switch (message.type) {
    case "serve":
      return serve(message.settings);
    case "take-snapshot": {
      const environment = environments.get(message.environment);
      if (environment !== undefined)
        tell({ type: "snapshot", id: message.id, snapshot: await snapshot(environment.metrics) });
      return;
    }
    case "metrics":
      waitingForMetrics.get(message.id)?.(message.text);
      waitingForMetrics.delete(message.id);
      return;
    case "stop":
      return stop();
  }
});

tell({ type: "started" });

async function serve(settings: readonly EnvironmentSettings[]): Promise<void> {
  try {
    const addresses: Addresses[] = [];
    for (const one of settings) addresses.push(await serveEnvironment(one));
    tell({ type: "serving", addresses });
  } catch (error) {
    tell({ type: "failed", reason: (error as Error).message });
  }
}

async function serveEnvironment(settings: EnvironmentSettings): Promise<Addresses> {
  const { config, environment } = settings;
  const opened = await openEnvironment(settings, {
    log: createLog(config.logLevel),
    isDraining: () => draining,
    collectMetrics: () => collectMetrics(environment.name),
  });
  environments.set(environment.name, opened);
  const prefix = environment.name === "sandbox" ? "SANDBOX_" : "";
  return {
    environment: environment.name,
    publicUrl: await listen(opened.publicListener, config.host, environment.port, `${prefix}PORT`),
    operatorUrl: await listen(
      opened.operatorListener,
      config.operatorHost,
      environment.operatorPort,
      `${prefix}OPERATOR_PORT`,
    ),
  };
}

async function listen(listener: Listener, host: string, port: number, variable: string): Promise<string> {
  // The summary tells where we listen; Fastify's own line for each listener of each process would bury it.
  const level = listener.log.level;
  listener.log.level = "warn";
  try {
    await listener.listen({ host, port });
    listener.log.level = level;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new Error(`${variable} ${port} is already in use on ${host}.`);
    throw new Error(`${variable} ${port} on ${host} cannot be listened on: ${code}.`);
  }
  const { address, family, port: actualPort } = listener.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${actualPort}`;
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
 * First readiness fails while everything is still answered, each answer closing its connection, so that load balancers
 * and clients with open connections move on. Then nothing new is accepted, and what is under way is finished.
 */
async function stop(): Promise<void> {
  if (draining) return;
  draining = true;
  await new Promise((resolve) => setTimeout(resolve, SHUTDOWN_READINESS_MS));
  const deadline = setTimeout(() => {
    for (const { publicListener, operatorListener } of environments.values()) {
      publicListener.server.closeAllConnections();
      operatorListener.server.closeAllConnections();
    }
  }, SHUTDOWN_IN_FLIGHT_MS);
  await Promise.all([...environments.values()].map((environment) => environment.close()));
  clearTimeout(deadline);
  process.exit(0);
}

function tell(message: ToSupervisor): void {
  process.send?.(message);
}
