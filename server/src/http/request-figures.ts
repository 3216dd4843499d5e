// Every request is counted, so counting must cost next to nothing: plain numbers, where prom-client would hash a set of
// labels twice for each. They take prom-client's form only when somebody asks for them.

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface RouteFigures {
  /** How often each method was answered with each status. */
  readonly answers: Map<string, Map<number, number>>;
  /** How many took at most as long as each bucket and longer than the one before; the last one has no limit. */
  readonly durations: number[];
  sumSeconds: number;
}

export type RequestFigures = ReturnType<typeof createRequestFigures>;

/** How often each route of a listener answered what, and how long that took. */
export function createRequestFigures(listener: string) {
  const routes = new Map<string, RouteFigures>();

  return {
    count(route: string, method: string, status: number, seconds: number): void {
      let figures = routes.get(route);
      if (figures === undefined) {
        figures = { answers: new Map(), durations: new Array(BUCKETS_SECONDS.length + 1).fill(0), sumSeconds: 0 };
        routes.set(route, figures);
      }
      let statuses = figures.answers.get(method);
      if (statuses === undefined) {
        statuses = new Map();
        figures.answers.set(method, statuses);
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      let bucket = 0;
      while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket++;
      figures.durations[bucket] = (figures.durations[bucket] ?? 0) + 1;
      figures.sumSeconds += seconds;
    },

    /** As prom-client's registry would tell them to the supervisor, which adds up those of all processes. */
    totals: () =>
      [...routes].flatMap(([route, { answers }]) =>
        [...answers].flatMap(([method, statuses]) =>
          [...statuses].map(([status, value]) => ({ value, labels: { listener, method, route, status } })),
        ),
      ),

    durations: () =>
      [...routes].flatMap(([route, { durations, sumSeconds }]) => {
        const labels = { listener, route };
        const upTo = durations.map((_, index) => durations.slice(0, index + 1).reduce((sum, next) => sum + next, 0));
        const name = DURATIONS.name;
        return [
          ...upTo.map((value, index) => ({
            value,
            labels: { le: BUCKETS_SECONDS[index] ?? "+Inf", ...labels },
            metricName: `${name}_bucket`,
          })),
          { value: sumSeconds, labels, metricName: `${name}_sum` },
          { value: upTo.at(-1) ?? 0, labels, metricName: `${name}_count` },
        ];
      }),
  };
}

const TOTALS = {
  name: "matchbook_http_requests_total",
  help: "Requests answered, by listener, method, route and status.",
  type: "counter",
  aggregator: "sum",
};
const DURATIONS = {
  name: "matchbook_http_request_duration_seconds",
  help: "Time from a request's headers to its answer.",
  type: "histogram",
  aggregator: "sum",
};

export function describeRequests(listeners: readonly RequestFigures[]): object[] {
  return [
    { ...TOTALS, values: listeners.flatMap((figures) => figures.totals()) },
    { ...DURATIONS, values: listeners.flatMap((figures) => figures.durations()) },
  ];
}
