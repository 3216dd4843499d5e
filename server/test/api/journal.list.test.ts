import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let campaignId: string;
const participants: Record<string, string> = {};
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  const wallet = await qualify(service, merchant.id);
  campaignId = (await createActive(service, merchant.id)).id;
  for (let turn = 1; turn <= 5; turn++) {
    for (const user of ["ada", "bob", "cleo"].slice(0, turn === 5 ? 1 : 3)) {
      const { body } = await submit(merchant, campaignId, submission(user, [wallet], 100 * turn));
      participants[user] = body.id;
    }
  }
});
afterAll(() => service.close());

const list = (query = "") => service.operator(`/campaigns/${campaignId}/journal${query}`);
const positions = (pages: { position: number }[][]) => pages.flat().map(({ position }) => position);

describe("GET /operator/v1/campaigns/{campaignId}/journal?participantId=", () => {
  test("exactly the participant's submissions, newest first, with any page size", async () => {
    const all = (await readPages(service, `/campaigns/${campaignId}/journal`, 100)).flat();
    expect(all).toHaveLength(13);
    for (const [user, participantId] of Object.entries(participants)) {
      const own = all.filter((entry) => entry.participantId === participantId);
      expect(own.every((entry) => entry.merchantUserId === user)).toBe(true);
      for (const limit of [1, 2, 4, 5, 100]) {
        const pages = await readPages(
          service,
          `/campaigns/${campaignId}/journal?participantId=${participantId}`,
          limit,
        );
        expect(positions(pages), `${user}, limit ${limit}`).toEqual(own.map(({ position }) => position));
      }
    }
  });

  test("an id in capitals is the same id, and an unknown one has no submissions", async () => {
    const upper = await list(`?participantId=${participants.ada?.toUpperCase()}`);
    expect(upper.body.items).toHaveLength(5);
    const unknown = await list("?participantId=0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01");
    expect(unknown.body).toEqual({ items: [], nextCursor: null });
    const other = await createActive(service, merchant.id);
    const elsewhere = await service.operator(`/campaigns/${other.id}/journal?participantId=${participants.ada}`);
    expect(elsewhere.body).toEqual({ items: [], nextCursor: null });
  });

  test("400 for what is no id, and for a cursor of another participant or of the whole journal", async () => {
    expect((await list("?participantId=ada")).status).toBe(400);
    expect((await list("?participantId=")).status).toBe(400);
    const { nextCursor } = (await list(`?limit=1&participantId=${participants.ada}`)).body;
    const whole = (await list("?limit=1")).body.nextCursor;
    expect((await list(`?limit=1&participantId=${participants.bob}&cursor=${nextCursor}`)).status).toBe(400);
    expect((await list(`?limit=1&cursor=${nextCursor}`)).status).toBe(400);
    expect((await list(`?limit=1&participantId=${participants.ada}&cursor=${whole}`)).status).toBe(400);
    expect((await list(`?limit=5&participantId=${participants.ada}&cursor=${nextCursor}`)).body.items).toHaveLength(4);
  });

  test("viewers may look", async () => {
    const path = `/campaigns/${campaignId}/journal?participantId=${participants.ada}`;
    expect(await statusByRole(service, path)).toEqual(READERS);
  });
});

describe("what limited each match", () => {
  const token = (amount: bigint, decimalPlaces: number) => ({
    amount: String(amount),
    currency: "USDC",
    decimalPlaces,
  });

  async function campaignOf(cap: bigint, budget: bigint, { multiplier = 2, decimals = 6 } = {}): Promise<string> {
    const terms = {
      matchMultiplier: multiplier,
      maxAmountPerUser: token(cap, decimals),
      maxAmountTotal: token(budget, decimals),
    };
    return (await createActive(service, merchant.id, {}, terms)).id;
  }

  async function clampsOf(id: string): Promise<(string | null)[]> {
    const { body } = await service.operator(`/campaigns/${id}/journal?limit=100`);
    return body.items.map((entry: { clampedBy: string | null }) => entry.clampedBy).reverse();
  }

  test("nothing, the cap or the budget, as it was decided; a raised cap or budget changes no older row", async () => {
    const wallet = await qualify(service, merchant.id);
    const id = await campaignOf(1_000n, 1_500n);
    for (const [user, profit] of [
      ["a", 100], // 200 of 200
      ["a", 600], // The cap stops it at 1,000.
      ["a", 1], // Less than before.
      ["b", 250], // Exactly what is left.
      ["b", 251], // Nothing is left.
      ["c", 0],
    ] as const) {
      await submit(merchant, id, submission(user, [wallet], profit));
    }
    const decided = [null, "MAX_AMOUNT_PER_USER", null, null, "CAMPAIGN_BUDGET", null];
    expect(await clampsOf(id)).toEqual(decided);
    const raised = { maxAmountPerUser: { amount: "9000" }, maxAmountTotal: { amount: "90000" } };
    await service.operator(`/campaigns/${id}`, { method: "PATCH", body: { perTradeProfitMatch: raised } });
    await submit(merchant, id, submission("a", [wallet], 600));
    expect(await clampsOf(id)).toEqual([...decided, null]);
  });

  test("a dry run names the same limit as the submission after it", async () => {
    const wallet = await qualify(service, merchant.id);
    const id = await campaignOf(1_000n, 1_500n);
    for (const [user, profit] of [
      ["a", 400],
      ["a", 501],
      ["b", 501],
      ["c", 1],
    ] as const) {
      const body = submission(user, [wallet], profit);
      const dry = await merchant.call(`/v1/marketings/campaigns/${id}/participants?dryRun=true`, { body });
      await submit(merchant, id, body);
      expect((await clampsOf(id)).at(-1)).toBe(dry.body.clampedBy);
    }
    expect(await clampsOf(id)).toEqual([null, "MAX_AMOUNT_PER_USER", "CAMPAIGN_BUDGET", "CAMPAIGN_BUDGET"]);
  });

  test("the migration gives older rows exactly what was decided", async () => {
    const wallet = await qualify(service, merchant.id);
    for (const [multiplier, decimals] of [
      [2, 6],
      [0.333333, 0],
      [1.5, 18],
      [0.000001, 36],
    ] as const) {
      const one = 10n ** BigInt(decimals);
      const id = await campaignOf((one * 3n) / 2n + 1n, one * 4n, { multiplier, decimals });
      // Around the cap, the budget and the edges of the floor.
      const multiple = Math.ceil(1_000_000 / multiplier);
      for (const [index, share] of [0, 0.5, 1, 1.4, 1.5, 1.6, 0.2, 2, 0.9, 1, 1.1, 3].entries()) {
        const profit = Math.max(0, Math.floor(multiple * share) - (index % 2));
        await submit(merchant, id, submission(`user-${index % 4}`, [wallet], profit));
      }
    }
    const read = async () =>
      service.db.query<{ clamped_by: string | null }>(
        "select campaign_id, position, clamped_by from submission_journal order by campaign_id, position",
      );
    const decided = await read();
    expect(new Set(decided.map((row) => row.clamped_by)).size).toBe(3);
    await service.db.query("alter table submission_journal drop column clamped_by");
    const migration = readFileSync(new URL("../../migrations/0012_journal_clamp.sql", import.meta.url), "utf8");
    const statements = migration.replaceAll(/^--.*$/gm, "").split(";");
    for (const statement of statements.filter((text) => /\S/.test(text))) await service.db.query(statement);
    expect(await read()).toEqual(decided);
  });
});
