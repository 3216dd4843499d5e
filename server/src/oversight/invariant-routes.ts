import { Type } from "typebox";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import type { Listener } from "../http/listener.ts";
import { INVARIANTS_TIMEOUT_MS } from "../limits.ts";
import { checks } from "./invariant-queries.ts";
import { verifyInvariants } from "./invariants.ts";

const Verdict = Type.Object(
  {
    ok: Type.Boolean(),
    checks: Type.Array(
      Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() }, { title: "InvariantCheck" }),
    ),
    date: Type.String({ format: "date-time", description: "When the snapshot was taken." }),
  },
  { title: "Invariants" },
);

export async function invariantRoutes(app: Listener, { db, clock }: { db: Database; clock: Clock }): Promise<void> {
  app.get(
    "/invariants",
    {
      schema: {
        tags: ["Invariants"],
        operationId: "checkInvariants",
        summary: "Recompute the money and rollup rules from the base tables",
        description: "One snapshot, one run at a time. It reads everything: ask for one merchant where that is enough.",
        querystring: Type.Object(
          { merchantId: Type.Optional(Type.String({ format: "uuid" })) },
          { additionalProperties: false },
        ),
        response: { 200: Verdict },
      },
      config: { handlerTimeoutMs: INVARIANTS_TIMEOUT_MS * checks.length },
    },
    async ({ query }) => verifyInvariants(db, clock, query.merchantId?.toLowerCase() ?? null),
  );
}
