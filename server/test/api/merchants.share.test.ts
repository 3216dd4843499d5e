import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import { createActive, depositBody, ingest, newAddress, qualify, submission, submit } from "../harness/campaigns.ts";
import { createTestDatabase } from "../harness/database.ts";
import { untilBlocked } from "../harness/locks.ts";
import { type Merchant, registerMerchant, signHeader } from "../harness/merchant.ts";
import { until } from "../harness/program.ts";
import { type Answer, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

// Of the ten connections of a process, six serve merchants and deposits, and one merchant reads with three of them.
const READS_RUNNING = 3;
const READS_IN_PROGRESS = 100;
const SUBMISSIONS_IN_PROGRESS = 400;
const BATCHES_IN_PROGRESS = 16;

let service: Service;
let whale: Merchant;
let small: Merchant;
let whaleCampaign: string;
let smallCampaign: string;
let smallWallet: string;
beforeAll(async () => {
  service = await startService();
  whale = await registerMerchant(service);
  small = await registerMerchant(service);
  whaleCampaign = (await createActive(service, whale.id)).id;
  smallCampaign = (await createActive(service, small.id)).id;
  smallWallet = await qualify(service, small.id);
  await ingest(service, depositBody(whale.id, newAddress(), { id: "held" }));
});
afterAll(() => service.close());

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();
const participantsOf = (campaignId: string) => `/v1/marketings/campaigns/${campaignId}/participants`;

/** Runs `during` while statements wait for what `lock` holds. They give up after five seconds. */
async function whileLocked<T>(lock: string, during: (db: Queryable) => Promise<T>): Promise<T> {
  return service.db.transaction(async (transaction) => {
    await transaction.query(lock);
    return during(service.db);
  });
}

async function metric(line: string, of: Service = service): Promise<number> {
  const answer = await fetch(`${of.operatorUrl}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const [, value] =
    (await answer.text())
      .split("\n")
      .find((text) => text.startsWith(`${line} `))
      ?.split(" ") ?? [];
  return Number(value);
}

function expectRateLimited(answer: Answer | undefined, name: string, quota: number): void {
  expect(answer).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMITED" } } });
  expect(Object.keys(answer?.body)).toEqual(["error"]);
  expect(answer?.headers.get("retry-after")).toBe("1");
  expect(answer?.headers.get("ratelimit")).toBe(`"${name}";r=0;t=1`);
  expect(answer?.headers.get("ratelimit-policy")).toBe(`"${name}";q=${quota};qu="concurrent-requests"`);
  expect(answer?.headers.get("x-request-id")).toBeTruthy();
}

describe("a merchant that sends more than its share", () => {
  test("of reads gets 429 itself, while another merchant reads", async () => {
    const refusedBefore = await metric('matchbook_share_refused_total{share="requests"}');
    const flood = await whileLocked("lock table participants in access exclusive mode", async (db) => {
      const reads = times(150, () => whale.call(`${participantsOf(whaleCampaign)}?limit=100`));
      await untilBlocked(db, { count: READS_RUNNING });
      const answers = await Promise.all(times(10, () => small.call("/v1/merchant-deposits?limit=100")));
      expect(statusesOf(answers)).toEqual([200]);
      expect(await metric('matchbook_share_merchants_at_limit{share="requests"}')).toBe(1);
      expect(await metric('matchbook_share_waiting{share="requests"}')).toBeGreaterThan(0);
      return reads;
    });
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(150 - READS_IN_PROGRESS);
    expectRateLimited(refused[0], "requests", READS_IN_PROGRESS);
    expect(refused[0]?.body.error.message).toContain("at most 100 at a time");
    const refusedNow = (await metric('matchbook_share_refused_total{share="requests"}')) - (refusedBefore || 0);
    expect(refusedNow).toBe(refused.length);
    expect(await metric('matchbook_share_waiting{share="requests"}')).toBe(0);
  });

  test("of submissions gets 429 itself, while another merchant submits and reads", async () => {
    const wallet = await qualify(service, whale.id);
    const lock = `select from campaigns where id = '${whaleCampaign}' for update`;
    const flood = await whileLocked(lock, async (db) => {
      const submissions = times(450, (n) => submit(whale, whaleCampaign, submission(`user-${n}`, [wallet])));
      await untilBlocked(db);
      await until(async () => (await metric('matchbook_share_refused_total{share="submissions"}')) >= 50);
      const answers = await Promise.all(
        times(10, (n) => submit(small, smallCampaign, submission(`user-${n}`, [smallWallet]))),
      );
      expect(statusesOf(answers)).toEqual([201]);
      expect((await small.call("/v1/merchant-deposits")).status).toBe(200);
      return submissions;
    });
    const answers = await Promise.all(flood);
    expectRateLimited(
      answers.find(({ status }) => status === 429),
      "submissions",
      SUBMISSIONS_IN_PROGRESS,
    );
  });

  test("of deposit batches: the sender gets 429 for them, and batches of other merchants are stored", async () => {
    const event = (n: number) =>
      depositBody(whale.id, newAddress(), { id: "held", updateDate: `2026-02-01T00:00:0${n % 10}.000Z` });
    const send = (...deposits: object[]) => service.operator("/deposits", { body: { deposits } });
    const flood = await whileLocked("select from deposits where id = 'held' for update", async (db) => {
      // One deposit of another merchant does not change whose batch it is.
      const batches = times(40, (n) => send(event(n), event(n), depositBody(small.id, newAddress())));
      await untilBlocked(db);
      const answers = await Promise.all(times(5, () => send(depositBody(small.id, newAddress()))));
      expect(statusesOf(answers)).toEqual([200]);
      expect((await small.call("/v1/merchant-deposits")).status).toBe(200);
      return batches;
    });
    const answers = await Promise.all(flood);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(40 - BATCHES_IN_PROGRESS);
    expectRateLimited(
      answers.find(({ status }) => status === 429),
      "deposits",
      BATCHES_IN_PROGRESS,
    );
  });

  test("leaves its places when it hangs up while it waits", async () => {
    await whileLocked("lock table participants in access exclusive mode", async (db) => {
      const header = signHeader(whale.id, whale.keys.privateKey);
      const request = `GET ${participantsOf(whaleCampaign)} HTTP/1.1\r\nhost: a\r\nx-merchant-authorization: ${header}\r\n\r\n`;
      const sockets = times(READS_IN_PROGRESS, () => connect(Number(new URL(service.publicUrl).port), "127.0.0.1"));
      for (const socket of sockets) socket.write(request);
      await untilBlocked(db, { count: READS_RUNNING });
      await until(async () => (await metric('matchbook_share_waiting{share="requests"}')) > READS_IN_PROGRESS / 2);
      for (const socket of sockets) socket.destroy();
      await until(async () => (await metric('matchbook_share_waiting{share="requests"}')) === 0);
    });
    expect((await whale.call(participantsOf(whaleCampaign))).status).toBe(200);
  });
});

test("beside 500 reads of the largest pages, another merchant's read waits for a few answers and not for the line", async () => {
  const wallets = times(100, newAddress);
  for (let batch = 0; batch < 3; batch++) {
    await ingest(service, ...wallets.map((wallet) => depositBody(whale.id, wallet)));
  }
  let answered = 0;
  let isOver = false;
  const flood = times(500, async () => {
    const answer = await whale.call("/v1/merchant-deposits?limit=100");
    if (answer.status === 200) answered++;
    return answer;
  });
  const over = Promise.all(flood).finally(() => {
    isOver = true;
  });
  await until(() => answered >= 10);
  const waited: number[] = [];
  while (!isOver) {
    const before = answered;
    expect((await small.call("/v1/merchant-deposits?limit=1")).status).toBe(200);
    waited.push(answered - before);
  }
  for (const { status } of await over) expect([200, 429]).toContain(status);
  // Without turns it would wait for the whole line, which has up to a hundred requests. Measured: 3 or 4.
  const median = waited.toSorted((a, b) => a - b)[Math.floor(waited.length / 2)];
  expect(median).toBeLessThan(5 * READS_RUNNING);
});

describe("operators", () => {
  test("whose reports hold all their connections take none from merchants, submissions, deposits and origin checks", async () => {
    const reports = await whileLocked("lock table applications in access exclusive mode", async (db) => {
      const held = times(30, () => service.operator("/applications"));
      await untilBlocked(db, { count: 2 });
      const origin = encodeURIComponent("https://shop.example");
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all([
          small.call("/v1/merchant-deposits"),
          submit(small, smallCampaign, submission(`round-${round}`, [smallWallet])),
          service.operator("/deposits", { body: { deposits: [depositBody(small.id, newAddress())] } }),
          service.operator(`/merchants/${small.id}/origins/check?origin=${origin}`),
          fetch(`${service.operatorUrl}/readyz`),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200]);
      }
      return held;
    });
    for (const { status } of await Promise.all(reports)) expect([200, 503]).toContain(status);
  });
});

test.each([1, 2, 4])(
  "a process with %i connections serves everybody and opens no more than these",
  async (poolSize) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const process = await startService({ database, poolSize });
    onTestFinished(() => process.close());
    const merchant = await registerMerchant(process);
    const campaign = await createActive(process, merchant.id);
    const wallet = await qualify(process, merchant.id);
    const answers = await Promise.all([
      ...times(6, () => merchant.call("/v1/merchant-deposits")),
      ...times(6, (n) => submit(merchant, campaign.id, submission(`user-${n}`, [wallet]))),
      ...times(3, () => process.operator("/deposits", { body: { deposits: [depositBody(merchant.id, wallet)] } })),
      ...times(3, () => process.operator("/overview")),
      ...times(3, () => process.call(`/v1/merchants/${merchant.id}/public-key`)),
    ]);
    expect(statusesOf(answers)).toEqual([200, 201]);
    const [row] = await database.db.query<{ count: number }>(
      "select count(*)::integer as count from pg_stat_activity where datname = current_database() and usename = 'matchbook_runtime'",
    );
    expect(row?.count).toBeGreaterThan(0);
    expect(row?.count).toBeLessThanOrEqual(poolSize);
  },
);

describe("PATCH /operator/v1/merchants/{merchantId} rateLimit", () => {
  const edit = (body: unknown) => service.operator(`/merchants/${small.id}`, { method: "PATCH", body });

  test("sets a merchant's own limits, null takes them back, and each change is in the audit log", async () => {
    expect((await service.operator(`/merchants/${small.id}`)).body.rateLimit).toBeNull();
    const limited = await edit({ rateLimit: { requests: 1, submissions: 2 } });
    expect(limited).toMatchObject({ status: 200, body: { rateLimit: { requests: 1, submissions: 2 } } });
    expect((await service.operator(`/merchants/${small.id}`)).body.rateLimit).toEqual({ requests: 1, submissions: 2 });
    // The same again changes nothing, and no other change touches it.
    await edit({ rateLimit: { submissions: 2, requests: 1 } });
    expect((await edit({ displayName: "Small Shop" })).body.rateLimit).toEqual({ requests: 1, submissions: 2 });

    const path = participantsOf(smallCampaign);
    const [held] = await whileLocked("lock table participants in access exclusive mode", async (db) => {
      const first = small.call(path);
      await untilBlocked(db);
      expectRateLimited(await small.call(path), "requests", 1);
      return [first];
    });
    expect((await held)?.status).toBe(200);

    expect((await edit({ rateLimit: null })).body.rateLimit).toBeNull();
    const { body } = await service.operator(`/audit-log?merchantId=${small.id}&action=merchant.rate-limit`);
    expect(body.items.map(({ detail }: { detail: unknown }) => detail)).toEqual([
      { from: { requests: 1, submissions: 2 }, to: null },
      { from: null, to: { requests: 1, submissions: 2 } },
    ]);
  });

  test("limits the deposit batches of a merchant, too", async () => {
    expect((await edit({ rateLimit: { depositBatches: 1 } })).status).toBe(200);
    await ingest(service, depositBody(small.id, newAddress(), { id: "held-by-small" }));
    const send = () =>
      service.operator("/deposits", {
        body: { deposits: [depositBody(small.id, newAddress(), { id: "held-by-small" })] },
      });
    const [held] = await whileLocked("select from deposits where id = 'held-by-small' for update", async (db) => {
      const batch = send();
      await untilBlocked(db);
      expectRateLimited(await send(), "deposits", 1);
      return [batch];
    });
    // Its wallet differs from that of the stored deposit.
    expect((await held)?.status).toBe(409);
    expect((await edit({ rateLimit: null })).status).toBe(200);
  });

  test("400 for anything else, and nothing is changed", async () => {
    for (const rateLimit of [
      {},
      [],
      5,
      "5",
      true,
      { requests: 0 },
      { requests: 1_001 },
      { requests: 1.5 },
      { other: 5 },
    ]) {
      const answer = await edit({ rateLimit });
      expect(answer, JSON.stringify(rateLimit)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR" } },
      });
    }
    expect((await service.operator(`/merchants/${small.id}`)).body.rateLimit).toBeNull();
  });
});
