import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, report } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { call, type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const event = (change: Record<string, unknown> = {}) => depositEvent(merchant.id, change);
const entries = async () =>
  (await service.operator("/audit-log?limit=100")).body.items.filter(
    ({ action }: { action: string }) => action === "deposits.ingest",
  );

describe("the audit row of POST /operator/v1/deposits", () => {
  test("tells who sent the batch, what became of its events, and the digest of its bytes", async () => {
    const { id, token } = (await service.operator("/tokens", { body: { name: "hosted flow", role: "ingest" } })).body;
    const known = event({ state: "CREATED" });
    await report(service, [known]);
    const deposits = [
      event(),
      { ...known, state: "COMPLETED", updateDate: "2026-01-16T12:00:00.000Z" },
      { ...known, state: "CREATED" },
      { ...known, state: "COMPLETED", updateDate: "2026-01-16T12:00:00.000Z" },
    ];
    // White space and escapes are part of the bytes.
    const body = `{ "deposits" :\n ${JSON.stringify(deposits).replace("USDC", "\\u0055SDC")} }\n`;
    const url = `${service.operatorUrl}/operator/v1/deposits`;
    const answer = await call(url, { body, headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const outcomes = answer.body.results.map((result: { outcome: string }) => result.outcome);
    expect(outcomes).toEqual(["created", "updated", "stale", "unchanged"]);
    const bodySha256 = createHash("sha256").update(body).digest("base64url");
    const [entry] = await entries();
    expect(entry).toMatchObject({ actor: `hosted flow (${id})`, requestId: answer.headers.get("x-request-id") });
    expect(entry.detail).toEqual({
      received: 4,
      created: 1,
      updated: 1,
      unchanged: 1,
      stale: 1,
      refused: 0,
      bodySha256,
    });
  });

  test("is one row a batch, also for one that is repeated", async () => {
    const before = (await entries()).length;
    const deposits = Array.from({ length: 50 }, () => event());
    await report(service, deposits);
    await report(service, deposits);
    const [again, first] = await entries();
    expect((await entries()).length).toBe(before + 2);
    expect(first.detail).toMatchObject({ received: 50, created: 50, unchanged: 0 });
    expect(again.detail).toMatchObject({
      received: 50,
      created: 0,
      unchanged: 50,
      bodySha256: first.detail.bodySha256,
    });
  });

  test("is not there for a batch that is refused, for nothing of it is stored", async () => {
    const before = (await entries()).length;
    const known = event();
    await report(service, [known]);
    expect((await report(service, [event(), { ...known, chainId: 1 }])).status).toBe(409);
    expect((await report(service, [{ ...known, state: "NONE" }])).status).toBe(400);
    expect((await entries()).length).toBe(before + 1);
  });

  test("racing batches of many merchants leave a whole chain", async () => {
    const merchants = [merchant, await registerMerchant(service), await registerMerchant(service)];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => report(service, [depositEvent(merchants[n % 3]?.id ?? "")])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect((await service.operator("/audit-log/verification")).body).toMatchObject({ ok: true });
  });
});
