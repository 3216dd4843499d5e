import { Counter, Gauge, Registry } from "prom-client";
import type { MetricsSnapshot } from "../http/metrics.ts";
import type { Refusal } from "./connection-budget.ts";
import type { ListenerName } from "./messages.ts";

/** What only the supervisor knows about one environment. It is added to the figures of the server processes. */
export function createConnectionFigures(processes: () => number) {
  const registry = new Registry();
  const registers = [registry];
  const openOf = new Map<ListenerName, () => number>();
  new Gauge({
    name: "matchbook_processes",
    help: "Server processes that serve this environment.",
    registers,
    collect() {
      this.set(processes());
    },
  });
  new Gauge({
    name: "matchbook_connections_open",
    help: "Open connections.",
    labelNames: ["listener"],
    registers,
    collect() {
      for (const [listener, open] of openOf) this.set({ listener }, open());
    },
  });
  const refused = new Counter({
    name: "matchbook_connections_refused_total",
    help: "Connections closed at once: too many of one client address, or too many in total.",
    labelNames: ["listener", "reason"],
    registers,
  });
  return {
    replaced: new Counter({
      name: "matchbook_processes_replaced_total",
      help: "Server processes that died, or did not answer and were killed.",
      registers,
    }),
    countOpen(listener: ListenerName, open: () => number): void {
      openOf.set(listener, open);
      for (const reason of ["address", "total"] satisfies Refusal[]) refused.inc({ listener, reason }, 0);
    },
    refuse(listener: ListenerName, reason: Refusal): void {
      refused.inc({ listener, reason });
    },
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}
