import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type MailServer, startMailServer } from "../harness/mail-server.ts";
import { asMerchant, generateKeys, type Merchant, registerMerchant, signHeader } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const MINUTE_MS = 60_000;
const EMAIL = "contact@shop.example";

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
let mailServer: MailServer;
let service: Service;
let sandbox: Service;
let merchant: Merchant;
beforeAll(async () => {
  mailServer = await startMailServer();
  const { variables } = mailServer;
  service = await startService({ variables, clock });
  sandbox = await startService({ environment: "sandbox", variables, clock });
});
afterAll(async () => {
  await Promise.all([service.close(), sandbox.close()]);
  await mailServer.close();
});
beforeEach(async () => {
  merchant = await registerMerchant(service, { email: EMAIL, domain: "shop.example" });
  await nothingDue(service);
  mailServer.mails.length = 0;
});

/** Every job that is due has been done. */
const nothingDue = (at: Service) =>
  vi.waitFor(
    async () => {
      const due = await at.db.query("select id from outbox where next_attempt_date <= $1 or under_way", [clock()]);
      expect(due).toEqual([]);
    },
    { timeout: 10_000, interval: 10 },
  );

const add = (domain: string, as: Merchant = merchant) =>
  as.call("/v1/merchant-domains", {
    body: { domain },
    headers: { "x-merchant-authorization": signHeader(as.id, as.keys.privateKey, clock()) },
  });
const whitelist = async (...domains: string[]) => {
  for (const domain of domains) expect((await add(domain)).status).toBe(201);
};
const mails = async () => {
  await nothingDue(service);
  return mailServer.mails.map(({ to, subject, text }) => ({ to, subject, text }));
};
/** The domains that each mail lists. */
const listed = async () =>
  (await mails()).map(({ text }) => [...text.matchAll(/^ {2}(\S+)$/gm)].map(([, name]) => name));
const fingerprintOf = async () => (await service.operator(`/merchants/${merchant.id}`)).body.keyFingerprint;

describe("only the merchant's contact gets a mail", () => {
  test("when its key is swapped, with both fingerprints; not for the key it has", async () => {
    const before = await fingerprintOf();
    const swap = (publicKey: string) =>
      service.operator(`/merchants/${merchant.id}/public-key`, { method: "PUT", body: { publicKey } });
    await swap(merchant.keys.publicKeyPem);
    expect(await mails()).toEqual([]);
    await swap(generateKeys().publicKeyPem);
    const sent = await mails();
    expect(sent).toMatchObject([{ to: [EMAIL], subject: expect.stringContaining("key") }]);
    for (const part of [before, await fingerprintOf(), merchant.id]) expect(sent[0]?.text).toContain(part);
  });

  test("when it is suspended and when it is reinstated, once for each", async () => {
    for (const [verb, subject] of [
      ["suspend", /suspended/],
      ["reinstate", /active again/],
    ] as const) {
      mailServer.mails.length = 0;
      for (let call = 0; call < 2; call++) {
        await service.operator(`/merchants/${merchant.id}/${verb}`, { method: "POST" });
      }
      expect(await mails()).toMatchObject([{ to: [EMAIL], subject: expect.stringMatching(subject) }]);
    }
  });

  test("and none about a change that did not happen", async () => {
    const other = await registerMerchant(service, { email: "other@shop.example" });
    await nothingDue(service);
    mailServer.mails.length = 0;
    await service.operator(`/merchants/${merchant.id}/public-key`, {
      method: "PUT",
      body: { publicKey: other.keys.publicKeyPem },
    });
    await whitelist("shop.example", "localhost:3000");
    expect((await add("not a domain")).status).toBe(400);
    expect(await mails()).toEqual([]);
  });
});

describe("mail about whitelisted domains", () => {
  test("the first goes out immediately, the next an hour later with all that were added since", async () => {
    await whitelist("one.example");
    expect(await listed()).toEqual([["one.example"]]);
    await whitelist("two.example", "three.example:8443", "two.example");
    // It is planned, not late, so no alarm goes off.
    const { jobs } = (await service.operator("/overview")).body;
    expect(jobs).toContainEqual({ kind: "mail", waiting: 0, stuck: 0, givenUp: 0 });
    aheadMs += 59 * MINUTE_MS;
    await whitelist("four.example");
    expect(await listed()).toEqual([["one.example"]]);
    aheadMs += 2 * MINUTE_MS;
    expect(await listed()).toEqual([["one.example"], ["two.example", "three.example:8443", "four.example"]]);
    expect(mailServer.mails.map(({ to }) => to)).toEqual([[EMAIL], [EMAIL]]);

    // An hour counts from the second mail now.
    aheadMs += 30 * MINUTE_MS;
    await whitelist("five.example");
    expect(await listed()).toHaveLength(2);
    aheadMs += 31 * MINUTE_MS;
    expect((await listed()).slice(2)).toEqual([["five.example"]]);
    aheadMs += 120 * MINUTE_MS;
    await whitelist("six.example");
    expect((await listed()).slice(3)).toEqual([["six.example"]]);
  });

  test("racing calls at two services are two mails at most, and none is left out", async () => {
    const second = await startService({ variables: mailServer.variables, clock, database: service.database });
    try {
      const elsewhere = asMerchant(second, merchant.id, merchant.keys);
      const domains = Array.from({ length: 10 }, (_, index) => `race-${index}.example`);
      const answers = await Promise.all(
        domains.map((domain, index) => add(domain, index % 2 === 0 ? merchant : elsewhere)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
      await nothingDue(service);
      const atOnce = mailServer.mails.length;
      expect(atOnce).toBe(1);
      aheadMs += 61 * MINUTE_MS;
      expect((await listed()).flat().sort()).toEqual(domains);
      expect(mailServer.mails.length).toBeLessThanOrEqual(2);
    } finally {
      await second.close();
    }
  });

  test("what waits for the mail server takes later domains along", async () => {
    const down = await startMailServer();
    await down.close();
    const offline = await startService({ variables: down.variables, clock });
    try {
      const own = await registerMerchant(offline, { email: EMAIL });
      await offline.db.query("delete from outbox");
      const tried = (domain: string) =>
        vi.waitFor(
          async () => {
            const rows = await offline.db.query<{ payload: { text: string }; under_way: boolean }>(
              "select payload, under_way from outbox where attempts > 0",
            );
            expect(rows).toMatchObject([{ under_way: false }]);
            expect(rows[0]?.payload.text).toContain(domain);
          },
          { timeout: 10_000, interval: 10 },
        );
      expect((await add("one.example", own)).status).toBe(201);
      await tried("one.example");
      expect((await add("two.example", own)).status).toBe(201);
      await tried("two.example");
    } finally {
      await offline.close();
    }
  });

  test("an eleventh domain, which is refused, sends no mail", async () => {
    for (let index = 0; index < 10; index++) await whitelist(`fill-${index}.example`);
    aheadMs += 61 * MINUTE_MS;
    await nothingDue(service);
    mailServer.mails.length = 0;
    aheadMs += 61 * MINUTE_MS;
    expect((await add("eleventh.example")).status).toBe(422);
    expect(await mails()).toEqual([]);
  });
});

test("the sandbox sends none of these, for anybody may register any address there", async () => {
  const own = await registerMerchant(sandbox, { email: "victim@elsewhere.example" });
  expect((await add("one.example", own)).status).toBe(201);
  await sandbox.operator(`/merchants/${own.id}/public-key`, {
    method: "PUT",
    body: { publicKey: generateKeys().publicKeyPem },
  });
  await sandbox.operator(`/merchants/${own.id}/suspend`, { method: "POST" });
  await sandbox.operator(`/merchants/${own.id}/reinstate`, { method: "POST" });
  expect(await sandbox.db.query("select id from outbox where kind = 'mail'")).toEqual([]);
  expect(mailServer.mails).toEqual([]);
});
