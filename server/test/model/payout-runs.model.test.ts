// Random runs of everything that pays, against a ledger that is kept apart. A failure prints its seed and path; to replay it:
//   MATCHBOOK_MODEL_SEED=… MATCHBOOK_MODEL_PATH=… npx vitest run server/test/model/payout-runs.model.test.ts
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { command } from "./payout-commands.ts";
import { startWorld } from "./payout-world.ts";

const RUNS = Number(process.env.MATCHBOOK_MODEL_RUNS ?? 25);
const replay = {
  ...(process.env.MATCHBOOK_MODEL_SEED === undefined ? {} : { seed: Number(process.env.MATCHBOOK_MODEL_SEED) }),
  ...(process.env.MATCHBOOK_MODEL_PATH === undefined ? {} : { path: process.env.MATCHBOOK_MODEL_PATH }),
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test(
  `what is owed, open and paid adds up to what is matched, in ${RUNS} random runs`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 25, maxLength: 50, size: "max" }), async (commands) => {
        const world = await startWorld(database.db);
        for (const one of commands) await world.apply(one);
        await world.compare();
        await world.settle();
        await world.compare();
        await world.finish();
        await world.compare();
      }),
      { numRuns: RUNS, ...replay },
    );
  },
  RUNS * 5_000 + 60_000,
);
