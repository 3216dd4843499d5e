import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listLinks } from "../../src/campaigns/journal/queries.ts";
import { createSubmissions } from "../../src/campaigns/submissions/submit.ts";
import type { Database } from "../../src/db/pool.ts";
import { BASE, createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService, TEST_CHAIN } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let campaign: { merchantId: string; id: string };
const [first, second] = [newAddress(), newAddress()];
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  await qualify(service, merchant.id, [first]);
  const { id } = await createActive(service, merchant.id, {}, { maxAmountTotal: usdc(3_000) });
  campaign = { merchantId: merchant.id, id };
});
afterAll(() => service.close());

describe("GET /operator/v1/campaigns/{campaignId}/journal", () => {
  test("shows the wallets that each submission named, and the receiver it set", async () => {
    await submit(merchant, campaign.id, submission("ada", [first.toLowerCase(), second], 0));
    await submit(merchant, campaign.id, submission("ada", [first], 100));
    await submit(merchant, campaign.id, submission("ada", [second, first], 200));
    const { items } = (await service.operator(`/campaigns/${campaign.id}/journal`)).body;
    const on = (address: string) => ({ address, chainId: BASE, chainName: "Base" });
    expect(items.map((item: { wallets: unknown; receiver: unknown }) => [item.wallets, item.receiver])).toEqual([
      [[on(second), on(first.toLowerCase())], null],
      [[on(first.toLowerCase())], first],
      [[on(first.toLowerCase()), on(second)], null],
    ]);
  });

  test("null for submissions from before the wallets were recorded", async () => {
    const other = await createActive(service, merchant.id);
    await submit(merchant, other.id, submission("ada", [first], 100));
    await service.db.query("update submission_journal set wallets = null, digest = null where campaign_id = $1", [
      other.id,
    ]);
    const { items } = (await service.operator(`/campaigns/${other.id}/journal`)).body;
    expect(items[0]).toMatchObject({ wallets: null, receiver: null });
  });
});

test("each row's digest covers the row before it, and the campaign has the last one", async () => {
  const links = await listLinks(service.db, { ...campaign, position: 0 }, { ...campaign, position: 10 }, 10);
  expect(links.map(({ entry }) => entry.position)).toEqual([1, 2, 3]);
  let previous: Buffer = Buffer.alloc(0);
  for (const { entry, keyVersion, digest } of links) {
    expect(keyVersion).toBe(1);
    expect(TEST_CHAIN.digestOf(1, previous, campaign, entry)).toEqual(digest);
    previous = digest as Buffer;
  }
  const [head] = await service.db.query("select journal_digest, journal_key_version from campaigns where id = $1", [
    campaign.id,
  ]);
  expect(head).toEqual({ journal_digest: previous, journal_key_version: 1 });
});

test("a submission takes three statements, as before the chain: lock, read, write", async () => {
  let statements = 0;
  const counting: Database = {
    ...service.db,
    transaction: (work, options) =>
      service.db.transaction(
        (transaction) =>
          work({
            query: (...args) => {
              statements++;
              return transaction.query(...args);
            },
          }),
        options,
      ),
  };
  const engine = createSubmissions({ db: counting, clock: () => new Date(), connections: 2, chain: TEST_CHAIN });
  const other = await createActive(service, merchant.id);
  const request = {
    ...submission("ada", [first], 100),
    amount: { amount: "100", currency: "USDC", decimalPlaces: 6 } as const,
  };
  await engine.submit(merchant.id, other.id, request, null);
  expect(statements).toBe(3);
});

test("a change of the terms or the status is kept, with the last submission before it", async () => {
  const body = { perTradeProfitMatch: { maxAmountTotal: usdc(4_000) } };
  await service.operator(`/campaigns/${campaign.id}`, { method: "PATCH", body });
  await service.operator(`/campaigns/${campaign.id}`, { method: "PATCH", body });
  await service.operator(`/campaigns/${campaign.id}/pause`, { body: {} });
  const rows = await service.db.query(
    "select ordinal, after_position, status, max_amount_total from campaign_terms where campaign_id = $1 order by ordinal",
    [campaign.id],
  );
  expect(rows).toEqual([
    { ordinal: 1, after_position: 0, status: "DRAFT", max_amount_total: "3000" },
    { ordinal: 2, after_position: 0, status: "ACTIVE", max_amount_total: "3000" },
    { ordinal: 3, after_position: 3, status: "ACTIVE", max_amount_total: "4000" },
    { ordinal: 4, after_position: 3, status: "PAUSED", max_amount_total: "4000" },
  ]);
});
