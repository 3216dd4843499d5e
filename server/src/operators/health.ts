import { Type } from "typebox";
import type { Listener } from "../http/listener.ts";
import { METRICS_CONTENT_TYPE } from "../http/metrics.ts";
import { OPERATOR_ROLES } from "./roles.ts";

export interface HealthOptions {
  readonly isDraining: () => boolean;
  /** Null when the database is reachable and has the schema this program was built for. */
  readonly findProblem: () => Promise<string | null>;
}

const Health = Type.Object(
  { ok: Type.Boolean(), reason: Type.Union([Type.String(), Type.Null()]) },
  { examples: [{ ok: true, reason: null }] },
);

/** For load balancers; these need no token. */
export async function healthRoutes(app: Listener, { isDraining, findProblem }: HealthOptions): Promise<void> {
  app.get(
    "/healthz",
    { schema: { tags: ["Health"], summary: "Is the process alive?", response: { 200: Health } } },
    async () => ({ ok: true, reason: null }),
  );

  app.get(
    "/readyz",
    {
      schema: {
        tags: ["Health"],
        summary: "Should requests be sent here?",
        description: "200 while the database is reachable and migrated and the process is not about to stop; else 503.",
        response: { 200: Health, 503: Health },
      },
    },
    async (request, reply) => {
      const reason = isDraining()
        ? "The process is stopping."
        : await findProblem().catch((error: Error) => {
            request.log.warn({ reason: error.message }, "not ready");
            return "The database cannot be reached.";
          });
      return reply.code(reason === null ? 200 : 503).send({ ok: reason === null, reason });
    },
  );
}

export async function metricsRoute(app: Listener, options: { collect: () => Promise<string> }): Promise<void> {
  app.get(
    "/metrics",
    {
      schema: {
        tags: ["Health"],
        summary: "Figures of all processes, for Prometheus",
        response: { 200: { content: { "text/plain": { schema: Type.String() } } } },
      },
      config: { roles: OPERATOR_ROLES },
      serializerCompiler: () => (text) => String(text),
    },
    async (_request, reply) => reply.type(METRICS_CONTENT_TYPE).send(await options.collect()),
  );
}
