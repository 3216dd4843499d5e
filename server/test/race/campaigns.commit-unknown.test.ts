import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSubmissions, type Submissions } from "../../src/campaigns/submissions/submit.ts";
import { CommitUnknownError } from "../../src/db/failures.ts";
import type { Database } from "../../src/db/pool.ts";
import {
  committedOf,
  createActive,
  depositBody,
  ingest,
  newAddress,
  submission,
  submit,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService, TEST_CHAIN } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let wallet: string;
let campaignId: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  wallet = newAddress();
  await ingest(service, depositBody(merchant.id, wallet));
});
beforeEach(async () => {
  campaignId = (await createActive(service, merchant.id)).id;
});
afterAll(() => service.close());

type Fate = "committed" | "rolled back" | "answered";

/** The engine on a database that loses the answer to COMMIT as listed, one outcome per transaction. */
function engine(...fates: Fate[]): { submissions: Submissions; transactions: () => number } {
  let transactions = 0;
  const db: Database = {
    ...service.db,
    query: service.db.query.bind(service.db),
    async transaction(work, options) {
      const fate = fates[transactions++] ?? "answered";
      const lost = new CommitUnknownError(new Error("Connection terminated unexpectedly"));
      if (fate === "rolled back") {
        const undo = new Error("undo");
        await service.db
          .transaction(async (transaction) => {
            await work(transaction);
            throw undo;
          }, options)
          .catch((error: unknown) => {
            if (error !== undo) throw error;
          });
        throw lost;
      }
      const result = await service.db.transaction(work, options);
      if (fate === "committed") throw lost;
      return result;
    },
  };
  const clock = () => new Date();
  return {
    submissions: createSubmissions({ db, clock, connections: 4, chain: TEST_CHAIN }),
    transactions: () => transactions,
  };
}

const journalLength = async () => (await service.operator(`/campaigns/${campaignId}/journal`)).body.items.length;

describe("a COMMIT whose answer was lost", () => {
  test.each<[string, Fate[]]>([
    ["had taken effect", ["committed"]],
    ["had taken effect, and the answer to the next try is lost as well", ["committed", "committed"]],
    ["had not taken effect", ["rolled back"]],
    ["had not taken effect, then had", ["rolled back", "committed"]],
  ])("%s: the batch is answered once, 201 and 200 as recorded, and counted once", async (_name, fates) => {
    const { submissions, transactions } = engine(...fates);
    const users = ["a", "b", "a", "c"];
    const results = await Promise.all(
      users.map((user, index) =>
        submissions.submit(merchant.id, campaignId, submission(user, [wallet], 100 * (index + 1)) as never, null),
      ),
    );
    expect(transactions()).toBe(fates.length + 1);
    expect(results.map(({ created }) => created)).toEqual([true, true, false, true]);
    expect(results.at(-1)?.participant.matched).toBe(800n);
    expect(await journalLength()).toBe(4);
    expect(await committedOf(service, campaignId)).toBe(BigInt(600 + 400 + 800));
    expect((await service.operator(`/invariants?merchantId=${merchant.id}`)).body.ok).toBe(true);
  });

  test("a refused member of such a batch is decided again, its neighbours are repeated", async () => {
    const { submissions } = engine("committed");
    const results = await Promise.allSettled([
      submissions.submit(merchant.id, campaignId, submission("a", [wallet], 1) as never, null),
      submissions.submit(merchant.id, campaignId, submission("b", [newAddress()], 1) as never, null),
    ]);
    expect(results).toMatchObject([
      { status: "fulfilled", value: { created: true } },
      { status: "rejected", reason: { code: "NO_QUALIFYING_WALLET" } },
    ]);
    expect(await journalLength()).toBe(1);
  });

  test("a database that stays away is reported to the caller, and submitting again is safe", async () => {
    const { submissions } = engine(...(Array(20).fill("committed") as Fate[]));
    const lost = submissions.submit(merchant.id, campaignId, submission("a", [wallet], 100) as never, null);
    await expect(lost).rejects.toBeInstanceOf(CommitUnknownError);
    const again = await submit(merchant, campaignId, submission("a", [wallet], 100));
    expect([again.status, again.body.amountMatched.amount]).toEqual([200, "200"]);
    expect(await journalLength()).toBe(2);
    expect(await committedOf(service, campaignId)).toBe(200n);
  });

  test("a connection that is cut in the middle of a batch costs the client nothing but time", async () => {
    let cut = 0;
    const answers = await service.db.transaction(async (transaction) => {
      await transaction.query("select 1 from campaigns where merchant_id = $1 and id = $2 for update", [
        merchant.id,
        campaignId,
      ]);
      const waiting = ["a", "b", "c"].map((user) => submit(merchant, campaignId, submission(user, [wallet], 100)));
      while (cut === 0) {
        const rows = await service.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
        );
        cut = rows.length;
      }
      return waiting;
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await committedOf(service, campaignId)).toBe(600n);
  });
});
