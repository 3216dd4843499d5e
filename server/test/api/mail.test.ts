import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { HOUR_MS, OUTBOX_ATTEMPTS_MAX, OUTBOX_BACKOFF_LAST_MS, OUTBOX_LEASE_MS } from "../../src/limits.ts";
import { enqueue, nextAttempt, runDueJobs } from "../../src/outbox/outbox.ts";
import { createTestDatabase } from "../harness/database.ts";
import {
  MAIL_FROM,
  type MailServer,
  OPERATOR_EMAIL,
  startCredulousMailServer,
  startMailServer,
} from "../harness/mail-server.ts";
import { applicationBody, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const apply = async (service: Service, change: Record<string, unknown> = {}) => {
  const answer = await service.call("/v1/merchants/applications", { body: applicationBody(change) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body;
};
const approve = (service: Service, id: string) => service.operator(`/applications/${id}/approve`, { body: {} });
const reject = (service: Service, id: string, reason: string) =>
  service.operator(`/applications/${id}/reject`, { body: { reason } });

/** Waits until every job is done. */
const outboxEmpty = (service: Service) =>
  vi.waitFor(async () => expect(await service.db.query("select kind, last_error from outbox")).toEqual([]), {
    timeout: 10_000,
    interval: 10,
  });

describe("mail through SMTP", () => {
  let mailServer: MailServer;
  let service: Service;
  beforeAll(async () => {
    mailServer = await startMailServer();
    service = await startService({ variables: mailServer.variables });
  });
  afterAll(async () => {
    await service.close();
    await mailServer.close();
  });
  beforeEach(() => {
    mailServer.mails.length = 0;
  });
  const sentTo = (recipient: string) => mailServer.mails.filter(({ to }) => to.includes(recipient));

  test("an application sends a mail to the operator alone, with what a review needs", async () => {
    const { applicationId } = await apply(service, { email: "new@shop.example", domain: "new-shop.example" });
    await outboxEmpty(service);
    expect(mailServer.mails).toHaveLength(1);
    const [mail] = mailServer.mails;
    expect(mail).toMatchObject({ from: MAIL_FROM, to: [OPERATOR_EMAIL] });
    expect(mail?.subject).toContain("new-shop.example");
    expect(mail?.text).toContain(applicationId);
    expect(mail?.text).toContain("new@shop.example");
  });

  test("an approval sends a mail to the merchant alone", async () => {
    const { applicationId, merchantId } = await apply(service, { email: "approved@shop.example" });
    await outboxEmpty(service);
    mailServer.mails.length = 0;
    expect((await approve(service, applicationId)).status).toBe(200);
    await outboxEmpty(service);
    expect(mailServer.mails).toHaveLength(1);
    expect(mailServer.mails[0]).toMatchObject({ from: MAIL_FROM, to: ["approved@shop.example"] });
    expect(mailServer.mails[0]?.text).toMatch(/approved/i);
    expect(mailServer.mails[0]?.text).toContain(merchantId);
  });

  test("a rejection sends a mail to the merchant alone, with the reason", async () => {
    const { applicationId } = await apply(service, { email: "rejected@shop.example" });
    await outboxEmpty(service);
    mailServer.mails.length = 0;
    await reject(service, applicationId, "The domain »shop« does not resolve.");
    await outboxEmpty(service);
    expect(mailServer.mails).toHaveLength(1);
    expect(mailServer.mails[0]).toMatchObject({ from: MAIL_FROM, to: ["rejected@shop.example"] });
    expect(mailServer.mails[0]?.text).toContain("The domain »shop« does not resolve.");
  });

  test("changes that did not happen send no mail", async () => {
    const { keys } = await registerMerchant(service);
    const clash = await apply(service, { publicKey: keys.publicKeyPem, email: "clash@shop.example" });
    const decided = await apply(service, { email: "decided@shop.example" });
    await approve(service, decided.applicationId);
    expect((await approve(service, clash.applicationId)).status).toBe(409);
    expect((await reject(service, decided.applicationId, "No.")).status).toBe(409);
    await service.call("/v1/merchants/applications", { body: applicationBody({ email: "bad" }) });
    await outboxEmpty(service);
    expect(sentTo("clash@shop.example")).toEqual([]);
    expect(sentTo("decided@shop.example")).toHaveLength(1);
    expect(sentTo(OPERATOR_EMAIL)).toHaveLength(3);
  });

  test("fields with line breaks, dots and headers in them add no header and no recipient", async () => {
    const attack = "evil@attacker.example";
    const injection = `Text\r\nBcc: ${attack}\r\nX-Evil: yes\r\n\r\n.\r\nMAIL FROM:<${attack}>\r\nRCPT TO:<${attack}>\r\n`;
    const { applicationId } = await apply(service, { email: "injected@shop.example", description: injection });
    const approval = (displayName: string) =>
      service.operator(`/applications/${applicationId}/approve`, { body: { displayName } });
    expect((await approval(injection)).status).toBe(400);
    expect((await approval(injection.replaceAll(/\s+/g, " "))).status).toBe(200);
    const other = await apply(service, { email: "injected-too@shop.example", description: injection });
    await reject(service, other.applicationId, injection);
    await outboxEmpty(service);
    expect(mailServer.mails.length).toBe(4);
    for (const mail of mailServer.mails) {
      expect(mail.to).toHaveLength(1);
      expect(mail.to[0]).toMatch(/@(platform|shop)\.example$/);
      expect(mail.from).toBe(MAIL_FROM);
      const names = mail.headers.map(([name]) => name);
      expect(names).not.toContain("bcc");
      expect(names).not.toContain("cc");
      expect(names).not.toContain("x-evil");
      expect(names.filter((name) => name === "to")).toHaveLength(1);
      expect(JSON.stringify(mail.headers)).not.toContain(attack);
    }
  });

  test("odd addresses reach one mailbox of their own host, or are refused", async () => {
    const credulous = await startCredulousMailServer();
    const odd = await startService({
      variables: { ...credulous.variables, OPERATOR_EMAIL: `Review Team <${OPERATOR_EMAIL}>` },
    });
    try {
      for (const email of [
        '"evil@attacker.example, x"@shop.example',
        '"<evil@attacker.example>"@shop.example',
        '"evil@attacker.example\\" <x>"@shop.example',
        '"evil@attacker.example> "@shop.example',
        '"x> RCPT TO:<evil@attacker.example"@shop.example',
        "!#$%&'*+-/=?^_`{|}~@shop.example",
      ]) {
        credulous.recipients.length = 0;
        const answer = await odd.call("/v1/merchants/applications", { body: applicationBody({ email }) });
        if (answer.status === 400) continue;
        expect(answer.status, email).toBe(202);
        await reject(odd, answer.body.applicationId, "No.");
        await outboxEmpty(odd);
        const recipients = credulous.recipients.filter((recipient) => recipient !== OPERATOR_EMAIL);
        expect(credulous.recipients, "the operator, named or not").toContain(OPERATOR_EMAIL);
        expect(recipients, email).toEqual([expect.stringMatching(/^([^"\s<>,@]+|"[^<>]*")@shop\.example$/)]);
      }
    } finally {
      await odd.close();
      await credulous.close();
    }
  });

  test("two services on one outbox send each mail once", async () => {
    const second = await startService({ variables: mailServer.variables, database: service.database });
    try {
      const receipts = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          apply(index % 2 === 0 ? service : second, { email: `once-${index}@shop.example` }),
        ),
      );
      await Promise.all(receipts.map(({ applicationId }) => reject(second, applicationId, "No.")));
      await outboxEmpty(service);
      expect(sentTo(OPERATOR_EMAIL)).toHaveLength(12);
      for (let index = 0; index < 12; index++) expect(sentTo(`once-${index}@shop.example`)).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  test("the sandbox tells a stranger nothing", async () => {
    const sandbox = await startService({ environment: "sandbox", variables: mailServer.variables });
    try {
      await apply(sandbox, { email: "stranger@shop.example" });
      await outboxEmpty(sandbox);
      expect(sentTo("stranger@shop.example")).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });
});

describe("mail that cannot be sent at first", () => {
  let now = Date.now();
  const clock = () => new Date(now);
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  /** An attempt has ended once its error is noted. */
  const attempts = (service: Service, count: number) =>
    vi.waitFor(
      async () => {
        const [job] = await service.db.query<{ attempts: number; last_error: string | null }>(
          "select attempts, last_error from outbox",
        );
        expect(job?.attempts).toBe(count);
        expect(job?.last_error).toEqual(expect.any(String));
      },
      { timeout: 10_000, interval: 10 },
    );

  test("arrives once the server that was down is up, and the request did not wait for it", async () => {
    const first = await startMailServer();
    await first.close();
    const service = await startService({ variables: first.variables, clock });
    closing.push(() => service.close());
    await apply(service, { domain: "patient.example" });
    await attempts(service, 1);
    await service.db.query("update outbox set last_error = null");
    now += HOUR_MS;
    await attempts(service, 2);
    const mailServer = await startMailServer({ port: first.port });
    closing.push(() => mailServer.close());
    now += HOUR_MS;
    await outboxEmpty(service);
    expect(mailServer.mails.map(({ to }) => to)).toEqual([[OPERATOR_EMAIL]]);
  });

  test("arrives after a service restart", async () => {
    const first = await startMailServer();
    await first.close();
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const stopped = await startService({ variables: first.variables, clock, database });
    await apply(stopped);
    await attempts(stopped, 1);
    await stopped.close();
    const mailServer = await startMailServer({ port: first.port });
    closing.push(() => mailServer.close());
    now += HOUR_MS;
    const service = await startService({ variables: first.variables, clock, database });
    closing.push(() => service.close());
    await outboxEmpty(service);
    expect(mailServer.mails).toHaveLength(1);
  });

  test("keeps a stopping service no longer than a moment when the server hangs", async () => {
    const hanging = createServer();
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    const { port } = hanging.address() as AddressInfo;
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const service = await startService({
      variables: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM, OPERATOR_EMAIL },
      database,
    });
    const connected = new Promise<Socket>((resolve) => hanging.once("connection", resolve));
    await apply(service);
    const socket = await connected;
    const start = performance.now();
    await service.close();
    expect(performance.now() - start).toBeLessThan(6_000);
    const [job] = await database.db.query("select id from outbox");
    expect(job, "the mail is not lost").toBeDefined();
    socket.destroy();
    await new Promise<void>((resolve) => hanging.close(() => resolve()));
  });

  test("arrives once when the server refuses it once, and not before its time", async () => {
    let refusals = 0;
    const mailServer = await startMailServer({
      refuse: () => (refusals++ === 0 ? Object.assign(new Error("Try again later"), { responseCode: 451 }) : null),
    });
    closing.push(() => mailServer.close());
    const service = await startService({ variables: mailServer.variables, clock });
    closing.push(() => service.close());
    await apply(service);
    await attempts(service, 1);
    const [job] = await service.db.query<{ next_attempt_date: Date }>("select next_attempt_date from outbox");
    expect(job?.next_attempt_date.getTime()).toBeGreaterThan(now);
    now = job?.next_attempt_date.getTime() ?? 0;
    await outboxEmpty(service);
    expect(mailServer.mails).toHaveLength(1);
    expect(refusals).toBe(2);
  });
});

describe("the outbox", () => {
  test("waits longer after each failure, at most an hour, and gives up after many", () => {
    const now = new Date("2026-11-15T09:30:00.000Z");
    const waits = Array.from({ length: OUTBOX_ATTEMPTS_MAX - 1 }, (_, index) => {
      const next = nextAttempt(index + 1, now);
      return (next?.getTime() ?? 0) - now.getTime();
    });
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits.at(-1)).toBe(OUTBOX_BACKOFF_LAST_MS);
    expect(nextAttempt(OUTBOX_ATTEMPTS_MAX, now)).toBeNull();
  });

  test("a job is done by one of many, again when it failed, and by another when its worker died", async () => {
    const { db, drop } = await createTestDatabase();
    let now = Date.parse("2026-11-15T09:30:00.000Z");
    const clock = () => new Date(now);
    const log = { warn() {} };
    const done: string[] = [];
    const work = (worker: string, handler: () => Promise<void> = async () => {}) =>
      runDueJobs(
        { db, clock, log, pollIntervalMs: 1 },
        {
          kind: "test",
          concurrency: 4,
          run: async () => {
            await handler();
            done.push(worker);
          },
        },
      );
    try {
      await db.transaction((transaction) => enqueue(transaction, "test", {}, clock()));
      await Promise.all(["a", "b", "c", "d"].map((worker) => work(worker)));
      expect(done).toHaveLength(1);

      await enqueue(db, "test", {}, clock());
      await work("failing", async () => {
        throw new Error("not now");
      });
      await work("early");
      expect(done).toHaveLength(1);
      now += HOUR_MS;
      await work("later");
      expect(done.at(-1)).toBe("later");

      // A worker that never comes back holds its job for the length of its lease.
      await enqueue(db, "test", {}, clock());
      let release = () => {};
      let lost: Promise<unknown> = Promise.resolve();
      await new Promise<void>((started) => {
        lost = work("lost", () => {
          started();
          return new Promise((resolve) => {
            release = resolve;
          });
        });
      });
      await work("early");
      expect(done).toHaveLength(2);
      now += OUTBOX_LEASE_MS;
      await work("heir");
      expect(done.at(-1)).toBe("heir");
      expect(await db.query("select id from outbox")).toEqual([]);
      release();
      await lost;
    } finally {
      await drop();
    }
  });

  test("a job of rolled-back work does not exist, and one of an unknown kind waits for a program that knows it", async () => {
    const { db, drop } = await createTestDatabase();
    const now = new Date();
    const run = vi.fn(async () => {});
    try {
      await expect(
        db.transaction(async (transaction) => {
          await enqueue(transaction, "test", {}, now);
          throw new Error("undo");
        }),
      ).rejects.toThrow("undo");
      expect(await db.query("select id from outbox")).toEqual([]);
      await enqueue(db, "of-another-version", {}, now);
      const options = { db, clock: () => now, log: { warn() {} }, pollIntervalMs: 1 };
      expect(await runDueJobs(options, { kind: "test", concurrency: 4, run })).toBe(0);
      expect(await db.query("select attempts from outbox")).toEqual([{ attempts: 0 }]);
      expect(await runDueJobs(options, { kind: "of-another-version", concurrency: 4, run })).toBe(1);
      expect(run).toHaveBeenCalledOnce();
    } finally {
      await drop();
    }
  });

  test("an attempt that fails after its lease has ended leaves the job to the process that has it now", async () => {
    const { db, drop } = await createTestDatabase();
    let now = Date.parse("2026-11-15T09:30:00.000Z");
    const options = { db, clock: () => new Date(now), log: { warn() {} }, pollIntervalMs: 1 };
    const begin = async () => {
      let fail = (_error: Error) => {};
      const failing = new Promise<void>((_, reject) => {
        fail = reject;
      });
      let attempt: Promise<unknown> = Promise.resolve();
      await new Promise<void>((started) => {
        const run = () => {
          started();
          return failing;
        };
        attempt = runDueJobs(options, { kind: "test", concurrency: 1, run });
      });
      return async () => {
        fail(new Error("no answer"));
        await attempt;
      };
    };
    const read = () => db.query<object>("select attempts, next_attempt_date, under_way from outbox");
    try {
      await enqueue(db, "test", {}, new Date(now));
      const failLate = await begin();
      now += OUTBOX_LEASE_MS;
      const fail = await begin();
      const held = await read();
      expect(held).toEqual([{ attempts: 2, next_attempt_date: new Date(now + OUTBOX_LEASE_MS), under_way: true }]);
      await failLate();
      expect(await read()).toEqual(held);
      await fail();
      expect(await read()).toMatchObject([{ attempts: 2, under_way: false }]);
    } finally {
      await drop();
    }
  });
});

test("without SMTP_URL mail is logged", async () => {
  const service = await startService();
  try {
    const { applicationId } = await apply(service, { email: "logged@shop.example" });
    await reject(service, applicationId, "Because of a logged reason.");
    await outboxEmpty(service);
    const lines = service
      .logged()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    const mails = lines.filter((line) => line.subject !== undefined || line.mail !== undefined);
    expect(mails).toHaveLength(2);
    expect(JSON.stringify(mails)).toContain("logged@shop.example");
    expect(JSON.stringify(mails)).toContain("Because of a logged reason.");
  } finally {
    await service.close();
  }
});
