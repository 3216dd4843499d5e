import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createRequestFigures, describeRequests, type RequestFigures } from "./request-figures.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** One process's figures for one environment. The supervisor adds up those of all processes. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const listeners: RequestFigures[] = [];
  return {
    registry,
    /** The requests of one listener. */
    requestsOf(listener: string): RequestFigures {
      const figures = createRequestFigures(listener);
      listeners.push(figures);
      return figures;
    },
    describeRequests: () => describeRequests(listeners),
    shed: new Counter({
      name: "matchbook_http_requests_shed_total",
      help: "Requests refused with OVERLOADED before any work was done.",
      labelNames: ["listener"],
      registers,
    }),
    gauge(name: string, help: string, read: () => number): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    // A figure of the database is the same in every process, so the processes' figures are not added up. While it cannot
    // be read it is left out.
    sharedGauge(name: string, help: string, read: () => Promise<number>): void {
      new Gauge({
        name,
        help,
        registers,
        aggregator: "max",
        async collect() {
          await read().then(
            (value) => this.set(value),
            () => this.remove(),
          );
        },
      });
    },
  };
}

/** What one process tells the supervisor. */
export type MetricsSnapshot = object[];

export async function snapshot(metrics: Metrics): Promise<MetricsSnapshot> {
  return [...(await metrics.registry.getMetricsAsJSON()), ...metrics.describeRequests()];
}

export function renderMetrics(snapshots: MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots).metrics();
}

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
