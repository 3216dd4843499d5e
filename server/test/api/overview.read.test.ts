import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAllFailedPayouts, listFailedPayouts, listFullBudgets } from "../../src/oversight/overview-queries.ts";
import { createActive, createDraft, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { applicationBody, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { scansOf } from "../harness/plans.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const read = async (at = service) => {
  const answer = await at.operator("/overview");
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

describe("GET /operator/v1/overview", () => {
  test("of an empty environment: every field, and nothing to do", async () => {
    expect(await read()).toEqual({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      mailConfigured: false,
      applicationsPending: 0,
      merchants: { active: 0, suspended: 0 },
      campaigns: { active: 0, paused: 0 },
      jobs: [
        { kind: "mail", waiting: 0, stuck: 0, givenUp: 0 },
        { kind: "registry", waiting: 0, stuck: 0, givenUp: 0 },
        { kind: "chain", waiting: 0, stuck: 0, givenUp: 0 },
      ],
      stuckJobs: [],
      failedPayouts: { count: 0, participants: [] },
      budgetsNearlySpent: [],
    });
  });

  test("says whether mail is sent or only logged", async () => {
    const mail = {
      SMTP_URL: "smtp://127.0.0.1:2525",
      MAIL_FROM: "matchbook@ours.example",
      OPERATOR_EMAIL: "ops@ours.example",
    };
    const fresh = await startService({ variables: mail });
    try {
      expect((await read(fresh)).mailConfigured).toBe(true);
    } finally {
      await fresh.close();
    }
  });

  test("400 for a parameter, and viewers may look", async () => {
    expect((await service.operator("/overview?days=1")).status).toBe(400);
    expect(await statusByRole(service, "/overview")).toEqual(READERS);
  });

  test("counts what waits and what runs", async () => {
    for (const domain of ["one.example", "two.example", "three.example"]) {
      await service.call("/v1/merchants/applications", { body: applicationBody({ domain }) });
    }
    const active = await registerMerchant(service);
    const suspended = await registerMerchant(service);
    await service.operator(`/merchants/${suspended.id}/suspend`, { method: "POST" });
    await createDraft(service, active.id);
    await createActive(service, active.id);
    await createActive(service, active.id);
    const paused = await createActive(service, active.id);
    await service.operator(`/campaigns/${paused.id}/pause`, { method: "POST" });
    const ended = await createActive(service, active.id);
    await service.operator(`/campaigns/${ended.id}/end`, { method: "POST" });
    expect(await read()).toMatchObject({
      applicationsPending: 3,
      merchants: { active: 1, suspended: 1 },
      campaigns: { active: 2, paused: 1 },
    });
  });
});

describe("the jobs of the overview", () => {
  const secret = "ada@secret.example";
  // Nothing is due within the test, so only the test changes these.
  const insertJob = async (
    kind: string,
    attempts: number,
    given: { up?: boolean; error?: string; minute?: number },
  ) => {
    const id = randomUUID();
    const payload = JSON.stringify({ to: secret, subject: secret, text: secret, merchantId: randomUUID() });
    await service.db.query(
      `insert into outbox (id, kind, payload, attempts, next_attempt_date, last_error, create_date)
       values ($1, $2, $3::text::jsonb, $4, $5, $6, $7)`,
      [
        id,
        kind,
        payload,
        attempts,
        given.up === true ? null : new Date(Date.now() + 3_600_000),
        given.error ?? null,
        new Date(Date.UTC(2026, 0, 1, 0, given.minute ?? 0)),
      ],
    );
    return id;
  };

  test("are counted by kind: waiting, the stuck among them, and given up; the oldest troubled ones are shown", async () => {
    await service.db.query("delete from outbox");
    await insertJob("mail", 1, { minute: 9 });
    // Planned for an hour from now and not tried yet: nothing is late.
    await insertJob("mail", 0, { minute: 10 });
    await insertJob("mail", 2, { error: "SMTP: CONN ECONNREFUSED failed", minute: 8 });
    const stuck = await insertJob("mail", 3, { error: "SMTP: CONN ECONNREFUSED failed", minute: 7 });
    const quoting = await insertJob("mail", 200, { up: true, error: `550 <${secret}>: unknown`, minute: 5 });
    const registry = await insertJob("registry", 12, { error: "The domain registry answered 500.", minute: 6 });
    await insertJob("of-another-version", 200, { up: true, minute: 1 });
    const { jobs, stuckJobs } = await read();
    expect(jobs).toEqual([
      { kind: "mail", waiting: 3, stuck: 1, givenUp: 1 },
      { kind: "registry", waiting: 1, stuck: 1, givenUp: 0 },
      { kind: "chain", waiting: 0, stuck: 0, givenUp: 0 },
    ]);
    expect(stuckJobs).toEqual([
      {
        id: quoting,
        kind: "mail",
        attempts: 200,
        lastError: "The mail could not be sent.",
        createDate: "2026-01-01T00:05:00.000Z",
        nextAttemptDate: null,
      },
      {
        id: registry,
        kind: "registry",
        attempts: 12,
        lastError: "The domain registry answered 500.",
        createDate: "2026-01-01T00:06:00.000Z",
        nextAttemptDate: expect.stringMatching(/Z$/),
      },
      {
        id: stuck,
        kind: "mail",
        attempts: 3,
        lastError: "SMTP: CONN ECONNREFUSED failed",
        createDate: "2026-01-01T00:07:00.000Z",
        nextAttemptDate: expect.stringMatching(/Z$/),
      },
    ]);
    expect(JSON.stringify(await read())).not.toContain("@");
  });

  test("are shown twenty at most, oldest first, of both kinds together", async () => {
    await service.db.query("delete from outbox");
    const ids = [];
    for (let minute = 0; minute < 24; minute++) {
      ids.push(await insertJob(minute % 2 === 0 ? "mail" : "registry", 5, { minute }));
    }
    const { stuckJobs } = await read();
    expect(stuckJobs.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 20));
    await service.db.query("delete from outbox");
  });
});

describe("the failed payouts of the overview", () => {
  let merchant: Merchant;
  let wallet: string;
  let campaign: { id: string };
  beforeAll(async () => {
    merchant = await registerMerchant(service);
    wallet = await qualify(service, merchant.id);
    campaign = await createActive(service, merchant.id, { displayName: "Failing" });
  });
  const payout = async (participantId: string, amount: number, status?: string) => {
    const { body } = await service.operator(`/participants/${participantId}/payouts`, {
      body: { amount: usdc(amount), recipientAddress: wallet },
      headers: { "idempotency-key": randomUUID() },
    });
    for (const next of status === "FAILED" ? ["SUBMITTED", "FAILED"] : status === "CANCELLED" ? ["FAILED"] : []) {
      await service.operator(`/payouts/${body.id}/status`, { body: { status: next } });
    }
    if (status === "SUBMITTED") await service.operator(`/payouts/${body.id}/status`, { body: { status } });
    return body;
  };

  test("leave out payouts that were cancelled before they were sent", async () => {
    const idOf = async (user: string) => (await submit(merchant, campaign.id, submission(user, [wallet], 500))).body.id;
    await payout(await idOf("cancelled"), 1_000, "CANCELLED");
    expect((await read()).failedPayouts).toEqual({ count: 0, participants: [] });
    // A payout that failed still needs attention after the one recorded next was cancelled.
    const both = await idOf("failed-then-cancelled");
    await payout(both, 1_000, "FAILED");
    await payout(both, 1_000, "CANCELLED");
    expect((await read()).failedPayouts).toMatchObject({ count: 1, participants: [{ participantId: both }] });
    const { id } = await payout(both, 1_000, "SUBMITTED");
    await service.operator(`/payouts/${id}/status`, { body: { status: "CONFIRMED" } });
    expect((await read()).failedPayouts.count).toBe(0);
  });

  test("are the participants whose last payout failed, with what they are owed, the last change first", async () => {
    const participants: Record<string, { id: string }> = {};
    for (const user of ["ada", "bob", "cleo", "dan"]) {
      participants[user] = (await submit(merchant, campaign.id, submission(user, [wallet], 500))).body;
    }
    const idOf = (user: string) => participants[user]?.id ?? "";
    const { id } = await payout(idOf("bob"), 400, "SUBMITTED");
    await service.operator(`/payouts/${id}/status`, { body: { status: "CONFIRMED" } });
    await payout(idOf("bob"), 100, "FAILED");
    await payout(idOf("cleo"), 100, "FAILED");
    await payout(idOf("cleo"), 100);
    await payout(idOf("ada"), 1_000, "FAILED");
    const { failedPayouts } = await read();
    expect(failedPayouts).toEqual({
      count: 2,
      participants: [
        ["ada", 1_000],
        ["bob", 600],
      ].map(([user, owed]) => ({
        merchantId: merchant.id,
        campaignId: campaign.id,
        campaignName: "Failing",
        participantId: idOf(String(user)),
        merchantUserId: user,
        amountOwed: usdc(owed ?? 0),
        updateDate: expect.stringMatching(/Z$/),
      })),
    });
    // Bob submits again: still failed, now the last to change.
    await submit(merchant, campaign.id, submission("bob", [wallet], 600));
    const [first] = (await read()).failedPayouts.participants;
    expect(first).toMatchObject({ merchantUserId: "bob", amountOwed: usdc(800) });
  });

  test("are counted up to a thousand, ten are shown, and only that many rows are looked at", async () => {
    await service.db.query(
      `insert into participants
         (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
          payouts_open, payouts_confirmed, payouts_count, last_payout_failed, create_date, update_date)
       select p.merchant_id, gen_random_uuid(), p.campaign_id, 'crowd-' || n, case when n <= 1200 then 'FAILED' else 'MATCHED' end,
              p.qualified_date, p.trade_profit, p.amount_matched, p.max_match, 0, 0, 1, true,
              p.create_date + n * interval '1 ms', p.update_date
       from participants p, generate_series(1, 20000) n
       where p.merchant_user_id = 'ada' and p.campaign_id = $1`,
      [campaign.id],
    );
    await service.db.query(
      `insert into payouts (merchant_id, id, campaign_id, participant_id, ordinal, status, amount, chain_id, token_address,
                            recipient_address, create_date, update_date)
       select merchant_id, id, campaign_id, id, 1, 'FAILED', 1, 1, 'token', 'recipient', create_date, create_date
       from participants where status = 'FAILED' and merchant_user_id like 'crowd-%'`,
    );
    await service.db.query(
      `insert into payout_events (merchant_id, payout_id, ordinal, status, date)
       select merchant_id, id, 2, 'SUBMITTED', create_date from payouts where token_address = 'token'`,
    );
    const { count, participants } = (await read()).failedPayouts;
    expect([count, participants.length]).toEqual([1_000, 10]);
    await service.db.query("analyze participants");
    const scans = await scansOf(service.database, (db) => listFailedPayouts(db, 1_000, 10), /^participants$/);
    expect(scans).toEqual(["Index Scan using participants_failed on participants"]);
  });

  test("are all listed, newest participant first, page by page", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer = await service.operator(
        `/overview/failed-payouts?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      seen.push(...answer.body.items.map(({ merchantUserId }: { merchantUserId: string }) => merchantUserId));
      cursor = answer.body.nextCursor;
    }
    expect(seen).toHaveLength(1_202);
    expect(new Set(seen).size).toBe(1_202);
    expect(seen.slice(0, 2)).toEqual(["crowd-1200", "crowd-1199"]);
    expect(seen).toContain("bob");
    expect(seen).not.toContain("cancelled");
    const first = await service.operator("/overview/failed-payouts?limit=1");
    expect(first.body.items[0]).toMatchObject({ campaignName: "Failing", amountOwed: { currency: "USDC" } });
    expect((await service.operator("/overview/failed-payouts?cursor=x")).status).toBe(400);
    expect(await statusByRole(service, "/overview/failed-payouts")).toEqual(READERS);
    const scans = await scansOf(service.database, (db) => listAllFailedPayouts(db, null, 101), /^participants$/);
    expect(scans).toEqual(["Index Scan using participants_failed on participants"]);
  });
});

describe("the budgets of the overview", () => {
  test("are those of active campaigns with at least 80 % committed, the fullest first, ten at most", async () => {
    const fresh = await startService();
    try {
      const merchant = await registerMerchant(fresh);
      const wallet = await qualify(fresh, merchant.id);
      const spend = async (committed: number, budget: number, change: object = {}) => {
        const terms = { maxAmountPerUser: usdc(budget), maxAmountTotal: usdc(budget) };
        const { id } = await createActive(fresh, merchant.id, change, terms);
        if (committed > 0) await submit(merchant, id, submission("ada", [wallet], committed / 2));
        return id as string;
      };
      await spend(0, 0);
      await spend(79_998, 100_000);
      const full = await spend(1_000, 1_000, { displayName: "Full" });
      const most = await spend(99_998, 100_000);
      const eighty = await spend(800, 1_000);
      const paused = await spend(1_000, 1_000);
      await fresh.operator(`/campaigns/${paused}/pause`, { method: "POST" });
      const { budgetsNearlySpent } = await read(fresh);
      expect(budgetsNearlySpent[0]).toEqual({
        merchantId: merchant.id,
        campaignId: full,
        displayName: "Full",
        committed: usdc(1_000),
        maxAmountTotal: usdc(1_000),
        share: 1,
      });
      expect(
        budgetsNearlySpent.map((item: { campaignId: string; share: number }) => [item.campaignId, item.share]),
      ).toEqual([
        [full, 1],
        [most, 0.9999],
        [eighty, 0.8],
      ]);
      await fresh.db.query(
        `insert into campaigns
         select merchant_id, gen_random_uuid(), type, status, display_name, start_date, end_date, match_multiplier, currency,
                decimal_places, max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address,
                journal_length, create_date, update_date
         from campaigns, generate_series(1, 12) n where id = $1`,
        [full],
      );
      const shown = (await read(fresh)).budgetsNearlySpent;
      expect(shown.map((item: { share: number }) => item.share)).toEqual(Array(10).fill(1));
    } finally {
      await fresh.close();
    }
  });

  test("are looked for among the active campaigns alone", async () => {
    const merchant = await registerMerchant(service);
    await createActive(service, merchant.id);
    await service.db.query(
      `insert into campaigns
       select merchant_id, gen_random_uuid(), type, 'ENDED', display_name, start_date, end_date, match_multiplier, currency,
              decimal_places, max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address,
              journal_length, create_date, update_date
       from campaigns, generate_series(1, 20000) n where merchant_id = $1`,
      [merchant.id],
    );
    await service.db.query("analyze campaigns");
    const scans = await scansOf(service.database, (db) => listFullBudgets(db, 10_000, 10), /^campaigns$/);
    expect(scans).toEqual(["Index Scan using campaigns_of_all_by_status on campaigns"]);
  });
});
