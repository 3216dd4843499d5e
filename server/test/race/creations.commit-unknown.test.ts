import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campaignBody } from "../harness/campaigns.ts";
import { type CuttableDatabase, createCuttableDatabase } from "../harness/cuttable-database.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { until } from "../harness/program.ts";
import { type Service, startService } from "../harness/service.ts";

const GATE = 4711;

let database: CuttableDatabase;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  database = await createCuttableDatabase();
  service = await startService({ database });
  merchant = await registerMerchant(service);
  // The last thing a COMMIT does here is to wait at a gate, so that the line can be cut while it is in progress.
  await database.db.query(
    `create function wait_at_gate() returns trigger language plpgsql
     as 'begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end'`,
  );
  for (const table of ["campaigns", "operator_tokens"]) {
    await database.db.query(
      `create constraint trigger gate after insert on ${table} deferrable initially deferred
       for each row execute function wait_at_gate()`,
    );
  }
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

describe("a creation whose COMMIT took effect but was not answered", () => {
  test.each<[path: string, body: () => object]>([
    ["/campaigns", () => campaignBody(merchant.id)],
    ["/tokens", () => ({ name: "hosted flow", role: "ingest" })],
  ])("POST %s: 503, and the repeat is answered 200 with what was made", async (path, body) => {
    const create = () => service.operator(path, { body: body(), headers: { "idempotency-key": "lost" } });
    const before = (await service.operator(path)).body.items.length;
    const lost = await database.db.transaction(async (transaction) => {
      await transaction.query("select pg_advisory_xact_lock($1)", [GATE]);
      const answer = create();
      await until(async () => {
        const waiting = await database.db.query("select 1 from pg_locks where locktype = 'advisory' and not granted");
        return waiting.length === 1;
      });
      await database.cut();
      return answer;
    });
    await database.mend();
    expect([lost.status, lost.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    await until(async () => (await service.operator(path)).body.items?.length === before + 1);
    const again = await create();
    const listed = (await service.operator(path)).body.items;
    expect(again.status).toBe(200);
    expect(listed).toHaveLength(before + 1);
    expect(listed[0]).toEqual(again.body);
    expect((await service.operator("/audit-log?limit=1")).body.items[0].subject).toBe(again.body.id);
  });

  test("one that did not take effect is made by the repeat", async () => {
    const create = (key: string) =>
      service.operator("/campaigns", { body: campaignBody(merchant.id), headers: { "idempotency-key": key } });
    const key = randomUUID();
    await database.cut();
    expect((await create(key)).status).toBe(503);
    await database.mend();
    expect((await create(key)).status).toBe(201);
  });
});
