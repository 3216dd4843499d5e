import { Type } from "typebox";
import type { JournalChain } from "../campaigns/journal/chain.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import type { Listener } from "../http/listener.ts";
import { INVARIANTS_CHAIN_MAX_MS, INVARIANTS_TIMEOUT_MS } from "../limits.ts";
import { readStoredVerdict } from "./background/background.ts";
import { FULL_STEPS, verifyInvariants } from "./invariants.ts";

const Checks = Type.Array(
  Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() }, { title: "InvariantCheck" }),
);

const OptionalDate = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

const StoredVerdict = Type.Object(
  {
    ok: Type.Boolean(),
    checks: Checks,
    date: OptionalDate("When the audit last checked anything; null before its first step."),
    coveredUntil: OptionalDate("Submissions accepted before this are checked; null until the first round is done."),
  },
  { title: "LatestInvariants" },
);

const Verdict = Type.Object(
  {
    ok: Type.Boolean(),
    checks: Checks,
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
      config: { handlerTimeoutMs: INVARIANTS_TIMEOUT_MS * FULL_STEPS + INVARIANTS_CHAIN_MAX_MS },
    },
    async ({ query }) =>
      verifyInvariants(dependencies, query.merchantId?.toLowerCase() ?? null, { chainMaxMs: INVARIANTS_CHAIN_MAX_MS }),
  );

  app.get(
    "/invariants/latest",
    {
      schema: {
        tags: ["Invariants"],
        operationId: "getLatestInvariants",
        summary: "The stored verdict of the background audit",
        description:
          "Reads no base tables, so it is quick at any size. What is new is checked every minute. All rows are read again in " +
          "turn, which takes hours or days. `ok` is false until the first round is done.",
        response: { 200: StoredVerdict },
      },
    },
    async () => {
      const verdict = await readStoredVerdict(dependencies);
      return {
        ...verdict,
        date: verdict.date?.toISOString() ?? null,
        coveredUntil: verdict.coveredUntil?.toISOString() ?? null,
      };
    },
  );
}
