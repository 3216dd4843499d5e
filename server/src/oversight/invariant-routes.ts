import { Type } from "typebox";
import type { JournalChain } from "../campaigns/journal/chain.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import type { Listener } from "../http/listener.ts";
import { INVARIANTS_CHAIN_MAX_MS, INVARIANTS_TIMEOUT_MS } from "../limits.ts";
import { FULL_GROUPS } from "./checks/checks.ts";
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

export interface InvariantDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly chain: JournalChain;
}

export async function invariantRoutes(app: Listener, dependencies: InvariantDependencies): Promise<void> {
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
      config: { handlerTimeoutMs: INVARIANTS_TIMEOUT_MS * FULL_GROUPS.length + INVARIANTS_CHAIN_MAX_MS },
    },
    async ({ query }) =>
      verifyInvariants(dependencies, query.merchantId?.toLowerCase() ?? null, { chainMaxMs: INVARIANTS_CHAIN_MAX_MS }),
  );
}
