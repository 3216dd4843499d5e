import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCK_KEYS, tryLock } from "../../src/db/locks.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/limits.ts";
import { auditAgain, auditNews } from "../../src/oversight/background/steps.ts";
import type { WALKED } from "../../src/oversight/checks/checks.ts";
import { rechain, withDamage } from "../harness/books.ts";
import { createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService, TEST_CHAIN } from "../harness/service.ts";

type Table = keyof typeof WALKED;

let service: Service;
let merchant: Merchant;
let campaignId: string;
let wallet: string;
let now = new Date("2026-11-16T12:00:00.000Z");
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  wallet = newAddress();
  await qualify(service, merchant.id, [wallet]);
  campaignId = (await createActive(service, merchant.id, {}, { maxAmountPerUser: usdc(100) })).id;
  for (const user of ["ada", "bob", "cleo"]) await submitFor(user);
});
afterAll(() => service.close());

const submitFor = (user: string) => submit(merchant, campaignId, submission(user, [wallet], 1_000));
const dependencies = () => ({ db: service.db, clock: () => now, chain: TEST_CHAIN });
const latest = async () => (await service.operator("/invariants/latest")).body;
const checked = async (start: string): Promise<number> => {
  const { checks } = await latest();
  return Number.parseInt(checks.find(({ name }: { name: string }) => name.startsWith(start)).detail, 10);
};
const broken = async (): Promise<string[]> =>
  (await latest()).checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ name }: { name: string }) => name);

/** What the loop does in a minute. */
async function auditNewsNow(): Promise<void> {
  now = new Date(now.getTime() + MINUTE_MS);
  while ((await auditNews(dependencies())) === "more");
}

/** One round through a table. */
async function readAllAgain(table: Table): Promise<void> {
  do now = new Date(now.getTime() + HOUR_MS);
  while ((await auditAgain(dependencies(), table)) === "more");
}

describe("GET /operator/v1/invariants/latest", () => {
  test("not ok until the first round is done, and then ok, with how much was checked and until when", async () => {
    expect(await latest()).toMatchObject({ ok: false, date: null, coveredUntil: null });
    await auditNewsNow();
    const body = await latest();
    expect(body).toEqual({
      ok: true,
      checks: expect.any(Array),
      date: now.toISOString(),
      coveredUntil: now.toISOString(),
    });
    expect(await checked("journal: every digest")).toBe(3);
    expect(await checked("I2: every participant")).toBe(3);
    expect(await statusByRole(service, "/invariants/latest")).toEqual(READERS);
  });

  test("only what is new is read: nothing without a submission, one row after one", async () => {
    await auditNewsNow();
    expect(await checked("I2: every cap")).toBe(3);
    await submitFor("dora");
    await auditNewsNow();
    expect(await checked("I2: every cap")).toBe(4);
    expect((await latest()).coveredUntil).toBe(now.toISOString());
  });

  test("a round is due once a minute, and one process at a time does a step", async () => {
    expect(await auditNews(dependencies())).toBe("idle");
    now = new Date(now.getTime() + MINUTE_MS);
    await service.db.transaction(async (transaction) => {
      expect(await tryLock(transaction, LOCK_KEYS.backgroundAudit)).toBe(true);
      expect(await auditNews(dependencies())).toBe("idle");
    });
    expect(await auditNews(dependencies())).toBe("done");
  });

  test("a step that is lost before its end is done again", async () => {
    await submitFor("emil");
    const before = await checked("I2: every cap");
    now = new Date(now.getTime() + MINUTE_MS);
    const lost = auditNews({
      ...dependencies(),
      db: {
        ...service.db,
        transaction: (work, options) =>
          service.db.transaction(async (transaction) => {
            await work(transaction);
            throw new Error("lost");
          }, options),
      },
    });
    await expect(lost).rejects.toThrow("lost");
    expect(await checked("I2: every cap")).toBe(before);
    expect(await auditNews(dependencies())).toBe("done");
    expect(await checked("I2: every cap")).toBe(before + 1);
  });

  test("a match above its cap is found with the next round, stays, and is forgotten when it is repaired", async () => {
    await submitFor("fred");
    await withDamage(
      service.db,
      [
        "update submission_journal set max_match = 150, match_after = 150, delta = 150 where position = 6",
        "update participants set max_match = 150, amount_matched = 150 where merchant_user_id = 'fred'",
        "update submission_journal set committed_after = committed_after + 50 where position = 6",
        "update campaigns set committed = committed + 50",
      ],
      async () => {
        await rechain(service.db);
        await auditNewsNow();
        expect(await broken()).toEqual([expect.stringMatching(/^I2: every cap/)]);
        await auditNewsNow();
        expect((await latest()).ok).toBe(false);
        const { text } = await readMetrics();
        expect(text).toContain("matchbook_audit_findings 1");
      },
    );
    await auditNewsNow();
    expect((await latest()).ok).toBe(true);
  });

  test.each<[Table, string, string]>([
    [
      "journal",
      "journal: every digest",
      "update submission_journal set submission_id = gen_random_uuid() where position = 2",
    ],
    ["campaigns", "terms:", "update campaigns set max_amount_per_user = 1"],
    [
      "participants",
      "I2: every participant",
      "update participants set trade_profit = 1 where merchant_user_id = 'ada'",
    ],
    ["users", "I5: the figures", "update deposit_users set completed_count = 7"],
  ])(
    "damage to old rows of %s is found when they are read again, and forgotten when it is repaired",
    async (table, check, damage) => {
      await withDamage(service.db, damage, async () => {
        await auditNewsNow();
        expect(await broken()).toEqual([]);
        await readAllAgain(table);
        expect(await broken()).toEqual([expect.stringMatching(new RegExp(`^${check}`))]);
      });
      await auditNewsNow();
      expect(await broken()).toEqual([]);
    },
  );

  test("a journal whose end was cut off is found, although everything that is left adds up", async () => {
    const cut = [
      "delete from submission_journal where position = 6",
      `do $do$ begin
         perform set_config('session_replication_role', 'replica', true);
         delete from participants where merchant_user_id = 'fred';
       end $do$`,
      `update campaigns c set journal_length = 5, committed = committed - 100, journal_digest = j.digest
       from submission_journal j where j.campaign_id = c.id and j.position = 5`,
      "update reward_days set amount = amount - 100",
    ];
    await withDamage(service.db, cut, async () => {
      await auditNewsNow();
      expect(await broken()).toEqual([expect.stringMatching(/^journal: every journal still/)]);
      // Rows that fit what is left do not hide it.
      for (const user of ["gail", "hugo"]) await submitFor(user);
      for (let minute = 0; minute < 3; minute++) {
        await auditNewsNow();
        expect(await broken()).toContainEqual(expect.stringMatching(/^journal: every journal still/));
      }
      await readAllAgain("journal");
      await readAllAgain("campaigns");
      await auditNewsNow();
      expect(await broken()).toContainEqual(expect.stringMatching(/^journal: every journal still/));
    });
    await auditNewsNow();
    expect((await latest()).ok).toBe(true);
  });
});

describe("rows from before the chain", () => {
  // As the migration leaves them.
  const UNCHAIN = [
    `update submission_journal set digest = null, key_version = null, wallets = null, qualified_wallet = null,
       qualified_date = null, receiver_wallet = null where position <= 4`,
    "update campaigns set chained_after = 4",
    "delete from journal_checkpoints",
  ];

  test("are digested when they are first checked, the chain goes on behind them, and a later change is found", async () => {
    await withDamage(service.db, UNCHAIN, async () => {
      await rechain(service.db);
      await auditNewsNow();
      expect(await broken()).toEqual([]);
      await readAllAgain("journal");
      expect(await broken()).toEqual([]);
      expect((await service.operator("/invariants")).body.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);

      await service.db.query("update submission_journal set date = date - interval '1 hour' where position = 3");
      await readAllAgain("journal");
      expect(await broken()).toEqual([expect.stringMatching(/^journal: every digest/)]);
      const full = (await service.operator("/invariants")).body.checks;
      const wrong = full.filter(({ ok, name }: { ok: boolean; name: string }) => !ok && name.startsWith("journal"));
      expect(wrong).toEqual([expect.objectContaining({ detail: expect.stringContaining("before the chain") })]);

      await service.db.query("update submission_journal set date = date + interval '1 hour' where position = 3");
      await readAllAgain("journal");
      expect(await broken()).toEqual([]);
    });
  });
});

async function readMetrics() {
  const answer = await fetch(`${service.operatorUrl}/metrics`, {
    headers: { authorization: "Bearer test-operator-token-0123456789abcdef" },
  });
  return { text: await answer.text() };
}

test("a running service does these steps by itself, and stops in the middle of them", async () => {
  const running = await startService({ auditTickMs: 20 });
  await registerMerchant(running);
  await expect.poll(async () => (await running.operator("/invariants/latest")).body.ok, { timeout: 20_000 }).toBe(true);
  await running.close();
});
