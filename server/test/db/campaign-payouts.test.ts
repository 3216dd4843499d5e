// What migration 0024 makes of campaigns that paid before they had payout figures of their own.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createActive, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("a campaign's open and confirmed amounts are counted from its participants", async () => {
  const merchant = await registerMerchant(service);
  const campaigns = [await createActive(service, merchant.id), await createActive(service, merchant.id)];
  const [paying, quiet] = campaigns.map(({ id }) => id);
  for (const [user, moves] of [
    ["a", ["SUBMITTED", "CONFIRMED"]],
    ["b", ["SUBMITTED"]],
    ["c", ["FAILED"]],
  ] as const) {
    const wallet = await qualify(service, merchant.id);
    const { id } = (await submit(merchant, paying ?? "", submission(user, [wallet], 500))).body;
    const headers = { "idempotency-key": randomUUID() };
    const payout = await service.operator(`/participants/${id}/payouts`, { body: { amount: usdc(300) }, headers });
    for (const status of moves) await service.operator(`/payouts/${payout.body.id}/status`, { body: { status } });
  }
  const read = () =>
    service.db.query(
      "select id, payouts_open, payouts_confirmed from campaigns where id = any($1) order by payouts_open",
      [[paying ?? "", quiet ?? ""]],
    );
  const before = await read();
  expect(before).toEqual([
    { id: quiet, payouts_open: "0", payouts_confirmed: "0" },
    { id: paying, payouts_open: "300", payouts_confirmed: "300" },
  ]);

  await service.db.query(
    "alter table campaigns drop column payouts_open cascade, drop column payouts_confirmed cascade",
  );
  const file = new URL("../../migrations/0024_campaign_options_and_owed.sql", import.meta.url);
  const [, figures = ""] = readFileSync(file, "utf8").split("-- What the payouts of all participants add up to");
  const [counted = ""] = figures.split("-- The list of all payouts");
  await service.db.transaction(async (transaction) => {
    for (const text of `--${counted}`.split(/;\n/).filter((part) => /^\s*[a-z]/m.test(part)))
      await transaction.query(text);
  });
  expect(await read()).toEqual(before);
});
