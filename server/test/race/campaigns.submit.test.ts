import { afterEach, describe, expect, test } from "vitest";
import {
  committedOf,
  createActive,
  depositBody,
  findRewardDrift,
  ingest,
  newAddress,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { untilBlocked } from "../harness/locks.ts";
import { asMerchant, type Merchant, registerMerchant, signHeader } from "../harness/merchant.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

let database: TestDatabase;
let processes: Service[] = [];
let merchants: Merchant[] = [];

/** Several server processes on one database, and one merchant that may call any of them. */
async function start(count: number): Promise<Service> {
  database = await createTestDatabase();
  processes = await Promise.all(Array.from({ length: count }, () => startService({ database })));
  const [first] = processes;
  if (first === undefined) throw new Error("no process");
  const { id, keys } = await registerMerchant(first);
  merchants = processes.map((service) => asMerchant(service, id, keys));
  return first;
}

afterEach(async () => {
  await Promise.all(processes.map((service) => service.close()));
  await database.drop();
});

const merchantAt = (index: number): Merchant => merchants[index % merchants.length] as Merchant;
const matchOf = ({ body }: Answer) => BigInt(body.amountMatched.amount);
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

async function storedMatches(service: Service, campaignId: string): Promise<Map<string, bigint>> {
  const rows = await service.db.query<{ merchant_user_id: string; amount_matched: string }>(
    "select merchant_user_id, amount_matched from participants where campaign_id = $1",
    [campaignId],
  );
  return new Map(rows.map((row) => [row.merchant_user_id, BigInt(row.amount_matched)]));
}

describe("racing submissions", () => {
  test("300 from three processes on one budget: the matches are the committed amount are the budget, and none is shed", async () => {
    const service = await start(3);
    const merchantId = merchantAt(0).id;
    const budget = 200_000n;
    const terms = { maxAmountTotal: usdc(budget), maxAmountPerUser: usdc(1_000) };
    const campaign = await createActive(service, merchantId, {}, terms);
    const wallet = newAddress();
    await ingest(service, depositBody(merchantId, wallet));
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        submit(merchantAt(index), campaign.id, submission(`user-${index}`, [wallet], 400 + index)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(201));
    expect(sum(answers.map(matchOf))).toBe(budget);
    expect(await committedOf(service, campaign.id)).toBe(budget);
    expect(sum([...(await storedMatches(service, campaign.id)).values()])).toBe(budget);
  });

  test("300 of thirty users: exactly one 201 each, no answered match ever falls, and the journal adds up", async () => {
    const service = await start(3);
    const merchantId = merchantAt(0).id;
    const campaign = await createActive(
      service,
      merchantId,
      {},
      { maxAmountTotal: usdc(20_000), maxAmountPerUser: usdc(1_000) },
    );
    const wallet = newAddress();
    await ingest(service, depositBody(merchantId, wallet));
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const user = `user-${index % 30}`;
        const answer = await submit(merchantAt(index * 7), campaign.id, submission(user, [wallet], (index * 37) % 600));
        return { user, answer };
      }),
    );
    const stored = await storedMatches(service, campaign.id);
    for (let user = 0; user < 30; user++) {
      const own = answers.filter((answer) => answer.user === `user-${user}`).map(({ answer }) => answer);
      expect(own.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(own.filter(({ status }) => status === 200)).toHaveLength(9);
      for (const answer of own) expect(matchOf(answer) <= (stored.get(`user-${user}`) ?? 0n)).toBe(true);
    }
    expect(sum([...stored.values()])).toBe(await committedOf(service, campaign.id));
    expect(await findRewardDrift(service.db)).toEqual([]);
    const verdict = await service.operator("/invariants");
    expect(verdict.body).toMatchObject({ ok: true });
  });

  test("a paused campaign accepts nothing after the operator was answered", async () => {
    const service = await start(2);
    const merchantId = merchantAt(0).id;
    const campaign = await createActive(service, merchantId);
    const wallet = newAddress();
    await ingest(service, depositBody(merchantId, wallet));
    let paused = false;
    let submitted = 0;
    const clients = Array.from({ length: 20 }, async (_, client) => {
      for (let round = 0; ; round++) {
        const sentAfterPause = paused;
        const answer = await submit(merchantAt(client), campaign.id, submission(`${client}-${round}`, [wallet]));
        if (answer.status === 422) return;
        submitted++;
        expect(sentAfterPause).toBe(false);
      }
    });
    while (submitted < 40) await new Promise((resolve) => setImmediate(resolve));
    expect((await service.operator(`/campaigns/${campaign.id}/pause`, { method: "POST" })).status).toBe(200);
    paused = true;
    await Promise.all(clients);
    expect((await storedMatches(service, campaign.id)).size).toBe(submitted);
  });

  test("a bad member fails alone: its neighbours in the same batch are matched", async () => {
    const service = await start(1);
    const merchantId = merchantAt(0).id;
    const campaign = await createActive(service, merchantId);
    const wallet = newAddress();
    await ingest(service, depositBody(merchantId, wallet));
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        submit(merchantAt(0), campaign.id, submission(`user-${index}`, [index % 3 === 0 ? newAddress() : wallet])),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 422 : 201)),
    );
    expect((await storedMatches(service, campaign.id)).size).toBe(40);
  });

  test("a client that hangs up loses and doubles nothing", async () => {
    const service = await start(1);
    const merchantId = merchantAt(0).id;
    const campaign = await createActive(service, merchantId);
    const wallet = newAddress();
    await ingest(service, depositBody(merchantId, wallet));
    // While somebody else holds the campaign's row, submissions wait in their batch.
    const [gate, held] = [deferred(), deferred()];
    const holder = service.db.transaction(async (transaction) => {
      await transaction.query("select 1 from campaigns where merchant_id = $1 and id = $2 for update", [
        merchantId,
        campaign.id,
      ]);
      held.resolve();
      await gate.promise;
    });
    await held.promise;
    const impatient = new AbortController();
    const lost = fetch(`${service.publicUrl}/v1/marketings/campaigns/${campaign.id}/participants`, {
      method: "POST",
      signal: impatient.signal,
      headers: {
        "content-type": "application/json",
        "x-merchant-authorization": signHeader(merchantId, merchantAt(0).keys.privateKey),
      },
      body: JSON.stringify(submission("impatient", [wallet], 500)),
    });
    await untilBlocked(service.db);
    impatient.abort();
    await expect(lost).rejects.toThrow();
    gate.resolve();
    await holder;
    await waitFor(async () => (await storedMatches(service, campaign.id)).size === 1);
    const again = await submit(merchantAt(0), campaign.id, submission("impatient", [wallet], 500));
    expect([again.status, matchOf(again)]).toEqual([200, 1_000n]);
    expect(await committedOf(service, campaign.id)).toBe(1_000n);
  });
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
