import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, createDraft, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let wallet: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  wallet = await qualify(service, merchant.id);
});
afterAll(() => service.close());

const read = (id: string) => service.operator(`/campaigns/${id}/burndown`);
const BUDGET = 100_000_000_000;

describe("GET /operator/v1/campaigns/{campaignId}/burndown", () => {
  test("no point while nothing was submitted", async () => {
    const { id } = await createDraft(service, merchant.id);
    const answer = await read(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ maxAmountTotal: usdc(BUDGET), committed: usdc(0), points: [] });
  });

  test("every submission of a short journal is a point, in order, with what was committed after it", async () => {
    const { id } = await createActive(service, merchant.id);
    for (const [user, profit] of [
      ["ada", 10],
      ["bob", 5],
      ["ada", 3],
      ["ada", 20],
    ] as const) {
      expect((await submit(merchant, id, submission(user, [wallet], profit))).status).toBeLessThan(300);
    }
    const { body } = await read(id);
    const journal = (await service.operator(`/campaigns/${id}/journal`)).body.items.reverse();
    expect(body).toEqual({
      maxAmountTotal: usdc(BUDGET),
      committed: usdc(50),
      points: [20, 30, 30, 50].map((committed, index) => ({ date: journal[index].date, committed: usdc(committed) })),
    });
  });

  test("101 points of a journal of thousands, with its first and its last row, each looked up by its key", async () => {
    const { id } = await createActive(service, merchant.id);
    const rows = 4_321;
    await submit(merchant, id, submission("ada", [wallet], 1));
    await service.db.query(
      `insert into submission_journal
         (merchant_id, campaign_id, position, submission_id, participant_id, created, trade_profit, max_match,
          max_amount_total, delta, match_after, committed_after, date)
       select j.merchant_id, j.campaign_id, n, gen_random_uuid(), j.participant_id, false, j.trade_profit, j.max_match,
              j.max_amount_total, 1, j.match_after, n + 1, '2026-02-01Z'::timestamptz + n * interval '1 minute'
       from submission_journal j
       cross join generate_series(2, $2::integer) n
       where j.campaign_id = $1`,
      [id, rows],
    );
    await service.db.query(
      "update campaigns set journal_length = $2::integer, committed = $2::integer + 1 where id = $1",
      [id, rows],
    );
    const { body } = await read(id);
    expect(body.points).toHaveLength(101);
    expect(body.points[0].committed).toEqual(usdc(2));
    expect(body.points.at(-1)).toEqual({ date: expect.any(String), committed: usdc(rows + 1) });
    expect(body.committed).toEqual(usdc(rows + 1));
    const amounts = body.points.map((point: { committed: { amount: string } }) => Number(point.committed.amount));
    const steps = amounts.slice(1).map((amount: number, index: number) => amount - amounts[index]);
    expect(steps.every((step: number) => step === 43 || step === 44)).toBe(true);
    const dates = body.points.map((point: { date: string }) => point.date);
    expect(dates.slice(1)).toEqual([...dates.slice(1)].sort());
  });

  test("404 for an unknown campaign, 400 for a parameter, and viewers may look", async () => {
    const { id } = await createDraft(service, merchant.id);
    for (const unknown of ["0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01", "none"]) {
      const answer = await read(unknown);
      expect([answer.status, answer.body.error.code]).toEqual([404, "CAMPAIGN_NOT_FOUND"]);
    }
    expect((await service.operator(`/campaigns/${id}/burndown?points=5`)).status).toBe(400);
    expect(await statusByRole(service, `/campaigns/${id}/burndown`)).toEqual(READERS);
  });
});
