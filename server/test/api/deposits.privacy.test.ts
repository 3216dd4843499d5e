import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, report, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

// Requests of every kind, accepted and refused, carry a canary as the payer reference. Afterwards it must be nowhere.
const CANARY = "canary-7f3a91-payer";
const SOURCE_WALLET = "0xcaca91caca91caca91caca91caca91caca91caca";

let service: Service;
let merchant: Merchant;
const answers: string[] = [];

beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  const event = depositEvent(merchant.id, { payerId: CANARY });
  const send = async (deposits: readonly unknown[]) => {
    const answer = await report(service, deposits);
    answers.push(JSON.stringify([answer.status, [...answer.headers], answer.body]));
    return answer;
  };
  await reported(service, [event]);
  await send([event]);
  await send([{ ...event, state: "FAILED", updateDate: "2026-03-01T00:00:00Z" }]);
  // Refused for each reason: schema, date, conflict, unknown merchant, size, syntax.
  expect((await send([{ ...event, payerId: `${CANARY}-other` }])).status).toBe(409);
  expect((await send([{ ...event, payerId: CANARY.repeat(40) }])).status).toBe(400);
  expect((await send([{ ...event, payerId: { [CANARY]: 1 } }])).status).toBe(400);
  expect((await send([{ ...event, payerId: `${CANARY}\0` }])).status).toBe(400);
  expect((await send([{ ...event, createDate: "never" }])).status).toBe(400);
  expect((await send([{ ...event, sourceWalletAddress: SOURCE_WALLET }])).status).toBe(400);
  expect((await send([{ ...event, merchantId: "00000000-0000-4000-8000-000000000000" }])).status).toBe(404);
  for (const body of [
    `{"deposits":[{"payerId":"${CANARY}"`,
    `["${CANARY}"]`,
    `{"deposits":"${CANARY.repeat(150_000)}"}`,
  ]) {
    const answer = await service.operator("/deposits", { body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    answers.push(JSON.stringify(answer.body));
  }
  // A failure in the database while the event is processed.
  await service.db.query("alter table deposits add constraint test_breaks check (token_symbol <> 'BREAKS')");
  const broken = await send([{ ...event, id: "breaks", token: { symbol: "BREAKS", address: "0x0" } }]);
  expect(broken.status).toBe(500);

  for (const path of ["/v1/merchant-deposits", "/v1/merchant-users", `/v1/merchant-deposits?userId=${CANARY}`]) {
    answers.push(JSON.stringify((await merchant.call(path)).body));
  }
  for (const path of ["/deposits", "/audit-log", "/merchants", "/tokens"]) {
    answers.push(JSON.stringify((await service.operator(path)).body));
  }
});
afterAll(() => service.close());

describe("a payer reference", () => {
  test("is in no answer", () => {
    expect(answers.join("\n")).not.toContain("canary");
    expect(answers.join("\n")).not.toContain(SOURCE_WALLET);
  });

  test("is in no log line, at any level", () => {
    expect(service.logged()).toContain("a request failed");
    expect(service.logged()).not.toContain("canary");
    expect(service.logged()).not.toContain(SOURCE_WALLET);
  });

  test("is in no metric", async () => {
    const response = await fetch(`${service.operatorUrl}/metrics`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    const text = await response.text();
    expect(text).toContain("/operator/v1/deposits");
    expect(text).not.toContain("canary");
  });

  test("is in no column of any table, neither as it is nor as a plain hash", async () => {
    const dump = await dumpTables();
    expect(dump).toContain(merchant.id);
    const forms = [
      "canary",
      SOURCE_WALLET,
      Buffer.from(CANARY).toString("hex"),
      Buffer.from(CANARY).toString("base64").replace(/=+$/, ""),
      ...["md5", "sha1", "sha256", "sha512"].flatMap((algorithm) =>
        [CANARY, `${merchant.id}/${CANARY}`, `${merchant.id}${CANARY}`].map((text) =>
          createHash(algorithm).update(text).digest("hex").slice(0, 12),
        ),
      ),
    ];
    for (const form of forms) expect(dump.toLowerCase()).not.toContain(form.toLowerCase());
  });
});

/** Every column of every table as text, UUIDs also without their dashes. */
async function dumpTables(): Promise<string> {
  const tables = await service.db.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await service.db.query<{ row: string }>(`select t::text as row from ${name} t`);
      return rows.map(({ row }) => row).join("\n");
    }),
  );
  const text = dumps.join("\n");
  return `${text}\n${text.replaceAll("-", "")}`;
}
