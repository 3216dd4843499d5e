import { generateKeyPair, Matchbook, MatchbookError } from "@matchbook/sdk";
import { describe, expect, test } from "vitest";
import { usdc } from "../../cli/amounts.ts";
import { Pace } from "../../cli/pace.ts";
import type { SubmissionRow } from "../../cli/submission-file.ts";
import type { Entry } from "../../cli/submission-journal.ts";
import { submitRows } from "../../cli/submit-rows.ts";

const CONCURRENCY = 4;

type Reply = (merchantUserId: string) => Response;

const refuse = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ error: { code, message: "No." } }), { status, headers });
const accept = () => new Response("{}", { status: 201 });

function rowsOf(count: number): SubmissionRow[] {
  return Array.from({ length: count }, (_, index) => ({
    line: index + 2,
    merchantUserId: `user-${index}`,
    profit: "1",
    wallets: "1:a",
    submission: { merchantUserId: `user-${index}`, wallets: [{ address: "a", chain: { id: 1 } }], amount: usdc(1n) },
  }));
}

/** Submits to a fake service, four rows in parallel. */
async function submitTo(reply: Reply, rows: SubmissionRow[], patienceMs = 10_000) {
  const entries: Entry[] = [];
  const waits: string[] = [];
  let inProgress = 0;
  let inProgressMax = 0;
  const client = new Matchbook({
    baseUrl: "http://127.0.0.1",
    merchantId: "m-1",
    privateKey: (await generateKeyPair()).privateKey,
    retries: 0,
    fetch: async (_url, init) => {
      inProgressMax = Math.max(inProgressMax, ++inProgress);
      // Signing takes longer for some rows than for others, so the first calls wait for each other.
      do await new Promise((resolve) => setImmediate(resolve));
      while (inProgressMax < CONCURRENCY);
      inProgress--;
      return reply(JSON.parse(String(init?.body)).merchantUserId);
    },
  });
  const failure = await submitRows(rows, {
    client,
    campaignId: "c-1",
    concurrency: CONCURRENCY,
    pace: new Pace(patienceMs, ({ code }) => waits.push(code)),
    answered: (entry) => entries.push(entry),
  }).catch((error: unknown) => error);
  return { entries, waits, inProgressMax, failure };
}

describe("submitting many rows", () => {
  test("limits the calls in progress and answers each row once", async () => {
    const { entries, inProgressMax, failure } = await submitTo(accept, rowsOf(50));
    expect(failure).toBeUndefined();
    expect(new Set(entries.map(({ line }) => line)).size).toBe(50);
    expect(inProgressMax).toBe(CONCURRENCY);
  });

  test("all rows wait as long as the service asks, and then continue", async () => {
    let calls = 0;
    const startedAt = performance.now();
    const { entries, waits, failure } = await submitTo(
      () => (calls++ < 4 ? refuse(503, "OVERLOADED", { "retry-after": "1" }) : accept()),
      rowsOf(20),
    );
    expect(failure).toBeUndefined();
    expect(entries).toHaveLength(20);
    expect(waits).toEqual(Array(4).fill("OVERLOADED"));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    expect(calls).toBe(24);
  });

  test("a refused row does not stop the other rows", async () => {
    const { entries, failure } = await submitTo(
      (user) => (user === "user-3" ? refuse(422, "NO_QUALIFYING_WALLET") : accept()),
      rowsOf(10),
    );
    expect(failure).toBeUndefined();
    expect(entries.find(({ line }) => line === 5)).toEqual({ line: 5, code: "NO_QUALIFYING_WALLET", message: "No." });
    expect(entries).toHaveLength(10);
  });

  test("an error that is not about a row ends the run, and every answer is kept", async () => {
    let calls = 0;
    const reply = () => (calls++ < 10 ? accept() : refuse(422, "CAMPAIGN_NOT_ACTIVE"));
    const { entries, failure } = await submitTo(reply, rowsOf(100));
    expect(failure).toBeInstanceOf(MatchbookError);
    expect(failure).toMatchObject({ code: "CAMPAIGN_NOT_ACTIVE" });
    expect(entries).toHaveLength(10);
  });

  test("stops when the service does not answer for longer than the patience", async () => {
    const { failure } = await submitTo(() => refuse(503, "OVERLOADED", { "retry-after": "60" }), rowsOf(5));
    expect(failure).toMatchObject({ code: "OVERLOADED", retryAfterMs: 60_000 });
  });
});
