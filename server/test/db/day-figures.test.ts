// What migration 0017 makes of the deposits and submissions that were there before it.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createActive, findRewardDrift, qualify, submission, submit } from "../harness/campaigns.ts";
import { depositEvent, findDrift, reported } from "../harness/deposits.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("existing deposits and submissions are in the figures of their days", async () => {
  const { db } = service;
  for (let index = 0; index < 2; index++) {
    const merchant = await registerMerchant(service);
    const wallet = await qualify(service, merchant.id);
    const campaign = await createActive(service, merchant.id);
    await submit(merchant, campaign.id, submission("ada", [wallet], 500));
    await submit(merchant, campaign.id, submission("bob", [wallet], 700));
    await reported(
      service,
      ["COMPLETED", "PENDING", "FAILED", "COMPLETED"].map((state, day) => {
        const createDate = `2026-03-0${1 + day}T23:59:59.999Z`;
        return depositEvent(merchant.id, { state, createDate, updateDate: createDate });
      }),
    );
  }
  const read = () =>
    Promise.all([
      db.query(
        `select day, sum(pending_count) as pending, sum(completed_count) as completed, sum(failed_count) as failed,
                sum(completed_micros) as micros
         from deposit_days group by day order by day`,
      ),
      db.query("select * from reward_days order by merchant_id, campaign_id, day"),
    ]);
  const expected = await read();
  expect(expected.map((rows) => rows.length)).toEqual([5, 2]);

  await db.query("delete from deposit_days");
  await db.query("delete from reward_days");
  const migration = readFileSync(new URL("../../migrations/0017_lanes.sql", import.meta.url), "utf8");
  const inserts = migration.match(/^insert into [^;]*;/gm) ?? [];
  expect(inserts).toHaveLength(2);
  for (const statement of inserts) await db.query(statement);

  expect(await read()).toEqual(expected);
  expect([...(await findDrift(db)), ...(await findRewardDrift(db))]).toEqual([]);
});
