import { Type } from "typebox";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { METRICS_CONTENT_TYPE } from "../http/metrics.ts";
import { READINESS_REMEMBERED_MS } from "../limits.ts";

export interface HealthOptions {
  readonly isDraining: () => boolean;
  /** Strangers do not learn what is wrong, and cause at most one question to the database a second. */
  readonly audience: "operators" | "strangers";
  /** Null when the database is reachable and has this program's schema. */
  readonly findProblem: () => Promise<string | null>;
}

const Healthy = Type.Object({ ok: Type.Literal(true) }, { title: "Health", examples: [{ ok: true }] });
const ok = { ok: true } as const;

/** For load balancers; these need no token. */
export async function healthRoutes(app: Listener, options: HealthOptions): Promise<void> {
  const { isDraining } = options;
  const isPublic = options.audience === "strangers";
  const findProblem = isPublic ? remembering(options.findProblem, READINESS_REMEMBERED_MS) : options.findProblem;
  const refuse = (problem: string) => fail("SERVICE_UNAVAILABLE", isPublic ? "Send requests elsewhere." : problem);

  app.get(
    "/healthz",
    {
      schema: {
        tags: ["Health"],
        operationId: "getHealth",
        summary: "Is the process alive?",
        hide: isPublic,
        response: { 200: Healthy },
      },
    },
    async () => ok,
  );

  app.get(
    "/readyz",
    {
      schema: {
        tags: ["Health"],
        operationId: "getReadiness",
        summary: "Should requests be sent here?",
        hide: isPublic,
        description: "200 while the database is reachable and migrated and the process is not about to stop; else 503.",
        response: { 200: Healthy },
      },
    },
    async () => {
      if (isDraining()) refuse("The process is stopping.");
      // A database that does not answer throws, which is a 503 as well.
      const problem = await findProblem();
      if (problem !== null) refuse(problem);
      return ok;
    },
  );
}

/** The last answer, unless it is older than this. Callers at the same time share one. */
function remembering<Result>(ask: () => Promise<Result>, rememberedMs: number): () => Promise<Result> {
  let last: { readonly answer: Promise<Result>; readonly askedMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (last === null || nowMs - last.askedMs > rememberedMs) last = { answer: ask(), askedMs: nowMs };
    return last.answer;
  };
}

export async function metricsRoute(app: Listener, options: { collect: () => Promise<string> }): Promise<void> {
  app.get(
    "/metrics",
    {
      schema: {
        tags: ["Health"],
        operationId: "getMetrics",
        summary: "Figures of all processes, for Prometheus",
        response: { 200: { content: { "text/plain": { schema: Type.String() } } } },
      },
      // The metrics are text. Errors are JSON, as everywhere.
      serializerCompiler: () => (answer) => (typeof answer === "string" ? answer : JSON.stringify(answer)),
    },
    async (_request, reply) => reply.type(METRICS_CONTENT_TYPE).send(await options.collect()),
  );
}
