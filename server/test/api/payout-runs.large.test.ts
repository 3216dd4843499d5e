// Ten thousand participants, the most that a run holds: created, exported, submitted and settled.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createActive, IN_WINDOW, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const COUNT = 10_000;
const HASH = `0x${"ab".repeat(32)}`;

let service: Service;
let merchant: Merchant;
let campaignId: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  campaignId = (await createActive(service, merchant.id)).id;
  // Five more than fit. Each is owed a different amount, to a wallet that it submitted.
  await service.db.query(
    `with added as (
       insert into participants
         (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
          payouts_open, payouts_confirmed, payouts_count, last_payout_failed, create_date, update_date,
          receiver_address, receiver_set_by)
       select $1, gen_random_uuid(), $2, 'user-' || n, 'MATCHED', $3, n, n, n, 0, 0, 0, false,
              $3::timestamptz + n * interval '1 ms', $3, '0x' || lpad(to_hex(n), 40, '0'), 'SUBMISSION'
       from generate_series(1, $4::integer) n
       returning merchant_id, id, campaign_id, receiver_address, amount_matched
     )
     insert into participant_wallets
       (merchant_id, participant_id, address_key, chain_id, campaign_id, address, ordinal, claim_position)
     select merchant_id, id, receiver_address, 8453, campaign_id, receiver_address, 0, amount_matched
     from added`,
    [merchant.id, campaignId, IN_WINDOW, COUNT + 5],
  );
});
afterAll(() => service.close());

const create = () =>
  service.operator("/payout-runs", { body: { campaignId }, headers: { "idempotency-key": randomUUID() } });
const act = async (id: string, verb: string, body: object = {}) => {
  const answer = await service.operator(`/payout-runs/${id}/${verb}`, { body });
  expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBe(200);
  return answer.body;
};
const sumTo = (count: number) => usdc((count * (count + 1)) / 2);

test("10,000 owed participants are reserved, exported, submitted and settled, and the rest fits in the next run", async () => {
  const created = await create();
  expect(created.status).toBe(201);
  const { id } = created.body;
  expect(created.body).toMatchObject({
    counts: { payouts: COUNT },
    totals: { reserved: sumTo(COUNT) },
    leftOutCount: 0,
  });
  expect((await create()).body).toMatchObject({ counts: { payouts: 5 } });
  expect((await create()).body.error.code).toBe("NOTHING_OWED");

  await act(id, "approve");
  const { files } = await act(id, "export", { format: "safe-builder" });
  expect(files).toHaveLength(50);
  interface Transfer {
    contractInputsValues: { to: string; value: string };
  }
  const transfers: Transfer[] = files.flatMap(({ transactions }: { transactions: Transfer[] }) => transactions);
  expect(files.every(({ transactions }: { transactions: Transfer[] }) => transactions.length === 200)).toBe(true);
  expect(new Set(transfers.map(({ contractInputsValues: { to } }) => to)).size).toBe(COUNT);
  const lines: string[] = (await act(id, "export", { format: "csv" })).trimEnd().split("\r\n").slice(1);
  expect(lines.map((line) => line.split(",")[3])).toEqual(transfers.map((one) => one.contractInputsValues.value));

  await act(id, "submit", { transactionHashes: [HASH] });
  const results = lines.map((line, index) => ({
    payoutId: line.split(",")[0],
    ...(index === 0 ? { status: "FAILED", reason: "Reverted." } : { status: "CONFIRMED", transactionHash: HASH }),
  }));
  expect(await act(id, "results?dryRun=true", { results })).toEqual({
    dryRun: true,
    confirmed: COUNT - 1,
    failed: 1,
    errors: [],
  });
  expect(await act(id, "results", { results })).toMatchObject({
    status: "SETTLED",
    counts: { payouts: COUNT, pending: 0, submitted: 0, confirmed: COUNT - 1, failed: 1 },
    totals: { reserved: sumTo(COUNT), failed: usdc(1) },
  });
  const rows = await service.db.query(
    `select status, count(*)::integer as count, sum(payouts_open) as open, sum(amount_matched - payouts_open - payouts_confirmed) as owed
     from participants group by status order by status`,
  );
  expect(rows).toEqual([
    { status: "FAILED", count: 1, open: "0", owed: "1" },
    { status: "MATCHED", count: 5, open: String(5 * COUNT + 15), owed: "0" },
    { status: "PAID", count: COUNT - 1, open: "0", owed: "0" },
  ]);
  const { checks } = (await service.operator(`/invariants?merchantId=${merchant.id}`)).body;
  const ofPayouts = checks.filter(({ name }: { name: string }) => /^payout/.test(name));
  expect(ofPayouts.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
}, 120_000);
