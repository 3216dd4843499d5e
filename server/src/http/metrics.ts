import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** One process's figures for one environment. The supervisor adds up those of all processes. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: "matchbook_http_requests_total",
    help: "Requests answered, by listener, method, route and status.",
    labelNames: ["listener", "method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "matchbook_http_request_duration_seconds",
    help: "Time from a request's headers to its answer.",
    labelNames: ["listener", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return {
    registry,
    countRequest(listener: string, route: string, method: string, status: number, seconds: number): void {
      requests.inc({ listener, method, route, status });
      durations.observe({ listener, route }, seconds);
    },
    shed: new Counter({
      name: "matchbook_http_requests_shed_total",
      help:
        "Requests refused with OVERLOADED before any work was done, by the limit that was reached: authenticated or " +
        "unauthenticated requests in progress, those of one client behind a trusted proxy, or a share of all merchants.",
      labelNames: ["listener", "limit"],
      registers,
    }),
    rateLimited: new Counter({
      name: "matchbook_share_refused_total",
      help: "Requests refused with RATE_LIMITED because their merchant has too many in progress, by share.",
      labelNames: ["share"],
      registers,
    }),
    stalledReaders: new Counter({
      name: "matchbook_http_stalled_readers_total",
      help: "Connections closed because the client stopped reading its answer.",
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
    gaugeByShare(name: string, help: string, reads: Readonly<Record<string, () => number>>): void {
      new Gauge({
        name,
        help,
        labelNames: ["share"],
        registers,
        collect() {
          for (const [share, read] of Object.entries(reads)) this.set({ share }, read());
        },
      });
    },
    /** One figure of this process for each lane of the outbox. */
    laneGauge(name: string, help: string, read: () => ReadonlyMap<string, number>): void {
      new Gauge({
        name,
        help,
        labelNames: ["lane"],
        registers,
        collect() {
          for (const [lane, value] of read()) this.set({ lane }, value);
        },
      });
    },
    /** A figure of the database. Left out while it cannot be read or is not known. */
    sharedGauge(name: string, help: string, read: () => Promise<number | null>): void {
      new Gauge({
        name,
        help,
        registers,
        aggregator: "max",
        async collect() {
          this.reset();
          const value = await read().catch(() => null);
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    },
    // A figure of the database is the same in every process, so the processes' figures are not added up. While it cannot
    // be read it is left out.
    sharedGaugeBy(
      name: string,
      help: string,
      label: "lane" | "chain",
      read: () => Promise<ReadonlyMap<string, number>>,
    ): void {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        aggregator: "max",
        async collect() {
          this.reset();
          const figures = await read().catch(() => new Map<string, number>());
          for (const [of, value] of figures) this.set({ [label]: of }, value);
        },
      });
    },
  };
}

/** The metrics that one process sends to the supervisor. */
export type MetricsSnapshot = object[];

export function snapshot(metrics: Metrics): Promise<MetricsSnapshot> {
  return metrics.registry.getMetricsAsJSON();
}

export function renderMetrics(snapshots: MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots).metrics();
}

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
