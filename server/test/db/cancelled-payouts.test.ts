// What migration 0014 makes of payouts that were cancelled before there was a word for it.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createActive, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

test("existing cancelled payouts are marked, and their participants are FAILED no more", async () => {
  const wallet = await qualify(service, merchant.id);
  const campaign = await createActive(service, merchant.id);
  const payout = async (participantId: string, ...steps: string[]) => {
    const { body } = await service.operator(`/participants/${participantId}/payouts`, {
      body: { amount: usdc(100), recipientAddress: wallet },
      headers: { "idempotency-key": String(Math.random()) },
    });
    for (const status of steps) await service.operator(`/payouts/${body.id}/status`, { body: { status } });
  };
  const people: Record<string, string[][]> = {
    cancelled: [["FAILED"]],
    failed: [["SUBMITTED", "FAILED"]],
    "failed, then cancelled": [["SUBMITTED", "FAILED"], ["FAILED"]],
    "confirmed, then cancelled": [["SUBMITTED", "CONFIRMED"], ["FAILED"]],
    "open and cancelled": [["SUBMITTED"], ["FAILED"]],
  };
  for (const [user, payouts] of Object.entries(people)) {
    const { id } = (await submit(merchant, campaign.id, submission(user, [wallet], 500))).body;
    for (const steps of payouts) await payout(id, ...steps);
  }
  const read = async () => {
    const { items } = (await service.operator(`/campaigns/${campaign.id}/participants`)).body;
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item.
    return items.map(({ updateDate: _, ...participant }: any) => participant);
  };
  const expected = await read();
  expect(expected.map(({ status }: { status: string }) => status)).toEqual([
    "MATCHED",
    "FAILED",
    "FAILED",
    "MATCHED",
    "MATCHED",
  ]);

  // As the program before it left them: the last payout decided, cancelled or not.
  await service.db.query("alter table payouts drop column cancelled");
  await service.db.query(
    `update participants p
     set last_payout_failed = o.failed,
         status = case when o.failed and p.payouts_open = 0 and p.payouts_confirmed < p.amount_matched then 'FAILED' else p.status end
     from (
       select distinct on (participant_id) participant_id, status = 'FAILED' as failed
       from payouts order by participant_id, ordinal desc
     ) o
     where o.participant_id = p.id`,
  );
  const migration = readFileSync(new URL("../../migrations/0014_console_filters.sql", import.meta.url), "utf8");
  const [payouts = ""] = migration.split("-- The filters of the audit log");
  for (const statement of payouts.split(/;\n/).filter((text) => text.trim() !== "")) await service.db.query(statement);

  expect(await read()).toEqual(expected);
  const { ok, checks } = (await service.operator("/invariants")).body;
  expect(ok, JSON.stringify(checks)).toBe(true);
});
