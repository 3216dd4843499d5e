// What migration 0023 makes of journals and campaigns from before it.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditNews } from "../../src/oversight/background/steps.ts";
import { verifyInvariants } from "../../src/oversight/invariants.ts";
import { createActive, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { type Service, startService, TEST_CHAIN } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const brokenChecks = async () => {
  const { checks } = await verifyInvariants({ db: service.db, clock: () => new Date(), chain: TEST_CHAIN }, null);
  return checks.filter(({ ok }) => !ok);
};

test("old rows stay valid without digests, the chain begins behind them, and a change of them is found from then on", async () => {
  const { db } = service;
  const merchant = await registerMerchant(service);
  const wallet = await qualify(service, merchant.id);
  const { id } = await createActive(service, merchant.id, {}, { maxAmountPerUser: usdc(100) });
  const submitFor = (user: string) => submit(merchant, id, submission(user, [wallet], 500));
  await submitFor("ada");
  // The cap of the first row is lower than any that the history knows.
  await service.operator(`/campaigns/${id}`, {
    method: "PATCH",
    body: { perTradeProfitMatch: { maxAmountPerUser: usdc(200) } },
  });
  await submitFor("bob");

  await db.query("drop table campaign_terms, audit_walks, journal_checkpoints, audit_findings, audit_figures");
  for (const column of ["wallets", "qualified_wallet", "qualified_date", "receiver_wallet", "key_version", "digest"]) {
    await db.query(`alter table submission_journal drop column ${column}`);
  }
  for (const column of ["journal_key_version", "journal_digest", "chained_after"]) {
    await db.query(`alter table campaigns drop column ${column}`);
  }
  const migration = readFileSync(new URL("../../migrations/0023_audit.sql", import.meta.url), "utf8");
  for (const text of migration.split(/;\n/).filter((part) => part.trim() !== "")) await db.query(text);
  // What 0024 adds to it.
  await db.query(`alter table campaign_terms
    add column participants_per_wallet_max integer, add column minimum_deposit_micros numeric(21, 0)`);

  expect(await brokenChecks()).toEqual([]);
  expect((await submitFor("cleo")).status).toBe(201);
  expect((await submitFor("ada")).status).toBe(200);
  const rows = await db.query("select digest is not null as chained from submission_journal order by position");
  expect(rows).toEqual([false, false, true, true].map((chained) => ({ chained })));
  expect(await brokenChecks()).toEqual([]);

  expect(await auditNews({ db, clock: () => new Date(), chain: TEST_CHAIN })).toBe("done");
  expect(await brokenChecks()).toEqual([]);
  await db.query("update submission_journal set submission_id = gen_random_uuid() where position = 2");
  expect(await brokenChecks()).toEqual([
    expect.objectContaining({ detail: expect.stringContaining("up to position 2, which are from before the chain") }),
  ]);
});
