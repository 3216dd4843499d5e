import { afterAll, beforeAll, expect, test } from "vitest";
import { createSubmissions } from "../../src/campaigns/submissions/submit.ts";
import type { Database } from "../../src/db/pool.ts";
import { committedOf, createActive, depositBody, ingest, newAddress, submission } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService, TEST_CHAIN } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

test("a member that makes the whole batch fail for an unexpected reason fails alone", async () => {
  const { id } = await createActive(service, merchant.id);
  const wallet = newAddress();
  await ingest(service, depositBody(merchant.id, wallet));
  // A database that cannot bear one user's name stands for the bug we did not think of.
  const db: Database = {
    ...service.db,
    query: service.db.query.bind(service.db),
    transaction: (work, options) =>
      service.db.transaction(
        (transaction) =>
          work({
            query: (text, values) => {
              if (
                text.includes("insert into participants") &&
                values?.some((value) => String(value).includes("poison"))
              ) {
                return Promise.reject(new Error("This user breaks everything."));
              }
              return transaction.query(text, values);
            },
          }),
        options,
      ),
  };
  const submissions = createSubmissions({ db, clock: () => new Date(), connections: 4, chain: TEST_CHAIN });
  const results = await Promise.allSettled(
    ["a", "poison", "b", "c"].map((user) =>
      submissions.submit(merchant.id, id, submission(user, [wallet], 100) as never, null),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(await committedOf(service, id)).toBe(600n);
});
