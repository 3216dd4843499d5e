import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { HOUR_MS } from "../../src/limits.ts";
import { shownMailFailure } from "../../src/outbox/mail.ts";
import { enqueue, runDueJobs } from "../../src/outbox/outbox.ts";
import { createTestDatabase } from "../harness/database.ts";
import { type MailServer, OPERATOR_EMAIL, startMailServer } from "../harness/mail-server.ts";
import { applicationBody } from "../harness/merchant.ts";
import { OPERATORS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let mailServer: MailServer;
let refusing = true;
let service: Service;
beforeAll(async () => {
  const refusal = (recipient: string) =>
    Object.assign(new Error(`<${recipient}>: mailbox unavailable`), { responseCode: 450 });
  mailServer = await startMailServer({ refuse: (recipient) => (refusing ? refusal(recipient) : null) });
  service = await startService({ variables: mailServer.variables });
});
afterAll(async () => {
  await service.close();
  await mailServer.close();
});
beforeEach(async () => {
  await service.db.query("delete from outbox");
  mailServer.mails.length = 0;
  refusing = true;
});

const retry = (id: string, body?: unknown) => service.operator(`/jobs/${id}/retry`, { method: "POST", body });
const newestAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

/** A mail that was refused once, and then waits as the change says. */
async function failedMail(change: string): Promise<string> {
  const applied = await service.call("/v1/merchants/applications", { body: applicationBody() });
  expect(applied.status).toBe(202);
  const id = await vi.waitFor(
    async () => {
      const [job] = await service.db.query<{ id: string; last_error: string | null }>(
        "select id, last_error from outbox",
      );
      expect(job?.last_error).toEqual(expect.any(String));
      return job?.id ?? "";
    },
    { timeout: 10_000, interval: 10 },
  );
  await service.db.query(`update outbox set ${change}`);
  return id;
}

const GIVEN_UP = "attempts = 200, next_attempt_date = null";
const STUCK = "attempts = 7, next_attempt_date = now() + interval '15 minutes'";

describe("POST /operator/v1/jobs/{jobId}/retry", () => {
  test.each([
    ["given up", GIVEN_UP, 200],
    ["stuck", STUCK, 7],
  ])("a mail that was %s goes out, and the log says who wanted it", async (_name, change, attempts) => {
    const id = await failedMail(change);
    refusing = false;
    const answer = await retry(id);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toEqual({
      id,
      kind: "mail",
      attempts,
      lastError: expect.stringMatching(/^SMTP: .*450 failed$/),
      createDate: expect.stringMatching(/Z$/),
      nextAttemptDate: expect.stringMatching(/Z$/),
    });
    expect(Math.abs(Date.parse(answer.body.nextAttemptDate) - Date.now())).toBeLessThan(10_000);
    expect(await newestAudit()).toMatchObject({
      action: "job.retry",
      subject: id,
      merchantId: null,
      detail: { kind: "mail", attempts },
      requestId: answer.headers.get("x-request-id"),
    });
    await vi.waitFor(() => expect(mailServer.mails.map(({ to }) => to)).toEqual([[OPERATOR_EMAIL]]), {
      timeout: 10_000,
      interval: 10,
    });
    await vi.waitFor(async () => expect((await retry(id)).status).toBe(404), { timeout: 10_000, interval: 10 });
  });

  test("a mail that fails once more is given up again, and the answer never names its recipient", async () => {
    const id = await failedMail(GIVEN_UP);
    const first = await retry(id);
    await vi.waitFor(
      async () => {
        const [job] = await service.db.query("select attempts, next_attempt_date from outbox");
        expect(job).toEqual({ attempts: 201, next_attempt_date: null });
      },
      { timeout: 10_000, interval: 10 },
    );
    const { stuckJobs } = (await service.operator("/overview")).body;
    expect(stuckJobs).toMatchObject([{ id, attempts: 201, nextAttemptDate: null }]);
    for (const shown of [JSON.stringify(first.body), JSON.stringify(stuckJobs)]) {
      expect(shown).not.toContain("@");
      expect(shown).not.toContain("mailbox unavailable");
    }
  });

  test("a job that is being done right now is left alone, so that it is not done twice", async () => {
    const id = randomUUID();
    await service.db.query(
      `insert into outbox (id, kind, payload, attempts, next_attempt_date, create_date, under_way)
       values ($1, 'mail', '{}', 5, now() + interval '1 minute', now(), true)`,
      [id],
    );
    const [before] = await service.db.query<{ next_attempt_date: Date }>("select next_attempt_date from outbox");
    const newest = await newestAudit();
    const answer = await retry(id);
    expect(answer.status).toBe(200);
    expect(answer.body.nextAttemptDate).toBe(before?.next_attempt_date.toISOString());
    expect(await newestAudit()).toEqual(newest);
  });

  test("a job is in progress from its claim until it failed", async () => {
    const { db, drop } = await createTestDatabase();
    let now = Date.now();
    const seen: unknown[] = [];
    const inProgress = async () =>
      (await db.query<{ under_way: boolean }>("select under_way from outbox"))[0]?.under_way;
    const handler = async () => {
      seen.push(await inProgress());
      throw new Error("not now");
    };
    const options = { db, clock: () => new Date(now), log: { warn() {} }, pollIntervalMs: 1 };
    try {
      await enqueue(db, "test", {}, new Date(now));
      for (let turn = 0; turn < 2; turn++) {
        seen.push(await inProgress());
        await runDueJobs(options, { kind: "test", concurrency: 1, run: handler });
        now += HOUR_MS;
      }
      expect([...seen, await inProgress()]).toEqual([false, true, false, true, false]);
    } finally {
      await drop();
    }
  });

  test("404 JOB_NOT_FOUND for a job that is not there, and for what is no id", async () => {
    const newest = await newestAudit();
    for (const unknown of ["0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01", "none"]) {
      const answer = await retry(unknown);
      expect([answer.status, answer.body.error.code]).toEqual([404, "JOB_NOT_FOUND"]);
    }
    expect(await newestAudit()).toEqual(newest);
  });

  test("400 for a body with fields, and only operators may", async () => {
    const id = await failedMail("next_attempt_date = now() + interval '1 hour'");
    expect((await retry(id, { now: true })).status).toBe(400);
    expect(await statusByRole(service, `/jobs/${id}/retry`, { method: "POST" })).toEqual(OPERATORS);
  });
});

test("why a mail failed is shown only in words that are our own", () => {
  for (const own of ["SMTP: RCPT TO EENVELOPE 450 failed", "SMTP: CONN ECONNREFUSED failed", "SMTP:  failed"]) {
    expect(shownMailFailure(own)).toBe(own);
  }
  for (const other of ["<ada@shop.example>: unknown", "SMTP: 550 ada@shop.example failed", "x SMTP: A failed\ny"]) {
    expect(shownMailFailure(other)).toBe("The mail could not be sent.");
  }
});
