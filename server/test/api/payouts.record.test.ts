import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  BASE,
  createActive,
  depositBody,
  IN_WINDOW,
  ingest,
  newAddress,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const HASH = `0x${"ab".repeat(32)}`;

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
let participant: { id: string };
let wallet: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  wallet = newAddress();
  await ingest(service, depositBody(merchant.id, wallet));
});
beforeEach(async () => {
  campaign = await createActive(service, merchant.id);
  participant = (await submit(merchant, campaign.id, submission("user-1", [wallet], 500))).body;
});
afterAll(() => service.close());

const record = (amount: number | string, key: string = randomUUID(), change: object = {}) =>
  service.operator(`/participants/${participant.id}/payouts`, {
    body: { amount: usdc(amount), recipientAddress: wallet, ...change },
    headers: { "idempotency-key": key },
  });
const move = (id: string, status: string, more: object = {}) =>
  service.operator(`/payouts/${id}/status`, { body: { status, ...more } });
const read = async () =>
  (await merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants?id=${participant.id}`)).body;
const holdsUp = async () => {
  const { ok, checks } = (await service.operator("/invariants")).body;
  expect(ok, JSON.stringify(checks)).toBe(true);
};
const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

describe("POST /operator/v1/participants/{participantId}/payouts", () => {
  test("201 with a PENDING payout in the campaign's token and chain, which the merchant sees, too", async () => {
    const answer = await record(400);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      runId: null,
      status: "PENDING",
      cancelled: false,
      amount: usdc(400),
      chainId: BASE,
      tokenAddress: TOKEN,
      recipientAddress: wallet,
      transactionHash: null,
      failureReason: null,
      proof: null,
      statusHistory: [{ status: "PENDING", date: answer.body.createDate, reason: null }],
      createDate: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updateDate: answer.body.createDate,
    });
    expect(await read()).toMatchObject({ status: "MATCHED", payouts: [answer.body] });
    expect(await lastAudit()).toMatchObject({
      action: "payout.create",
      subject: answer.body.id,
      merchantId: merchant.id,
      detail: { participantId: participant.id, amount: usdc(400) },
    });
  });

  test("400 without an Idempotency-Key, or with one that is no visible text, and nothing is recorded", async () => {
    const body = { amount: usdc(1), recipientAddress: wallet };
    for (const headers of [{}, { "idempotency-key": "" }, { "idempotency-key": "a b" }] as Record<string, string>[]) {
      const answer = await service.operator(`/participants/${participant.id}/payouts`, { body, headers });
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.error.message).toContain("idempotency-key");
    }
    expect((await read()).payouts).toEqual([]);
  });

  test("a repeated click with the same Idempotency-Key records one payout: 201, then 200 with the same", async () => {
    const key = randomUUID();
    const first = await record(400, key);
    const again = await record(400, key);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    await move(first.body.id, "FAILED");
    expect((await record(400, key)).body).toMatchObject({ id: first.body.id, status: "FAILED" });
    expect((await read()).payouts).toHaveLength(1);
  });

  test("ten concurrent clicks with the same key record one payout", async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => record(400, key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test("409 IDEMPOTENCY_KEY_REUSED for the same key with another body", async () => {
    const key = randomUUID();
    await record(400, key);
    for (const answer of [await record(401, key), await record(400, key, { recipientAddress: OTHER })]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    }
    expect((await read()).payouts).toHaveLength(1);
  });

  test("without a key each call is a payout of its own", async () => {
    expect((await record(400)).status).toBe(201);
    expect((await record(400)).status).toBe(201);
    expect((await read()).payouts).toHaveLength(2);
  });

  test("422 PAYOUT_EXCEEDS_MATCH above what is owed, and the message says what is", async () => {
    expect((await record(1_001)).body.error.code).toBe("PAYOUT_EXCEEDS_MATCH");
    await record(600);
    const answer = await record(401);
    expect([answer.status, answer.body.error.code]).toEqual([422, "PAYOUT_EXCEEDS_MATCH"]);
    expect(answer.body.error.message).toContain("0.0004 USDC is still owed");
    expect((await record(400)).status).toBe(201);
    expect((await record(1)).body.error.code).toBe("PAYOUT_EXCEEDS_MATCH");
  });

  test("twenty racing payouts never exceed the match", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => record(300)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(17);
  });

  test.each<[string, () => Promise<{ status: number; body: { error: { code: string; message: string } } }>, string]>([
    ["an amount of 0", () => record(0), "amount.amount must be above 0"],
    ["another currency", () => record(1, undefined, { amount: { ...usdc(1), currency: "DAI" } }), "campaign's token"],
    ["other decimals", () => record(1, undefined, { amount: { ...usdc(1), decimalPlaces: 18 } }), "campaign's token"],
    ["a long recipient", () => record(1, undefined, { recipientAddress: "a".repeat(129) }), "recipientAddress must be"],
    ["a blank recipient", () => record(1, undefined, { recipientAddress: " " }), "recipientAddress must be"],
    [
      "a recipient with a line break",
      () => record(1, undefined, { recipientAddress: "0x1\n" }),
      "recipientAddress must",
    ],
    [
      "a recipient that turns around",
      () => record(1, undefined, { recipientAddress: "\u202e0x1" }),
      "recipientAddress",
    ],
    [
      "words as recipient",
      () => record(1, undefined, { recipientAddress: "not-an-address" }),
      "recipientAddress does not start with 0x; an EVM address is 42: 0x and 40 hexadecimal digits.",
    ],
    [
      "a recipient with a wrong checksum",
      () => record(1, undefined, { recipientAddress: OTHER.replace("E", "e") }),
      "recipientAddress does not match its checksum",
    ],
    ["the zero address", () => record(1, undefined, { recipientAddress: `0x${"0".repeat(40)}` }), "zero address"],
    [
      "the token's own contract",
      () => record(1, undefined, { recipientAddress: TOKEN.toLowerCase() }),
      "recipientAddress is the token's own contract",
    ],
    ["a long key", () => record(1, "k".repeat(256)), "idempotency-key must be"],
    ["a key with a space", () => record(1, "k k"), "idempotency-key must be"],
    ["a chain of one's own", () => record(1, undefined, { chainId: 1 }), "chainId is not a known field"],
  ])("400 VALIDATION_ERROR: %s", async (_name, call, message) => {
    const answer = await call();
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
  });

  test("goes to the receiver, or to another address that an operator names, which the audit log tells apart", async () => {
    expect((await record(1, undefined, { recipientAddress: undefined })).body.recipientAddress).toBe(wallet);
    expect((await record(1, undefined, { recipientAddress: wallet.toLowerCase() })).body.recipientAddress).toBe(wallet);
    const elsewhere = await record(1, undefined, { recipientAddress: OTHER });
    expect([elsewhere.status, elsewhere.body.recipientAddress]).toEqual([201, OTHER]);
    const { items } = (await service.operator("/audit-log?action=payout.create&limit=2")).body;
    expect(items.map(({ detail }: { detail: object }) => detail)).toMatchObject([
      { recipientAddress: OTHER, isReceiver: false },
      { isReceiver: true },
    ]);
  });

  test("404 PARTICIPANT_NOT_FOUND for an unknown participant", async () => {
    for (const id of ["nonsense", "00000000-0000-4000-8000-000000000000"]) {
      const body = { amount: usdc(1) };
      const headers = { "idempotency-key": "unknown" };
      const answer = await service.operator(`/participants/${id}/payouts`, { body, headers });
      expect([answer.status, answer.body.error.code]).toEqual([404, "PARTICIPANT_NOT_FOUND"]);
    }
  });

  test("payouts are recorded in any campaign status", async () => {
    await service.operator(`/campaigns/${campaign.id}/end`, { method: "POST" });
    const { body } = await record(1_000);
    await move(body.id, "SUBMITTED");
    expect((await move(body.id, "CONFIRMED")).status).toBe(200);
    expect((await read()).status).toBe("PAID");
  });
});

describe("POST /operator/v1/payouts/{payoutId}/status", () => {
  test("PENDING → SUBMITTED → CONFIRMED, with its trail and hash; all of the match confirmed is PAID", async () => {
    const { id } = (await record(1_000)).body;
    const submitted = await move(id, "SUBMITTED", { transactionHash: HASH });
    expect(submitted.body).toMatchObject({ status: "SUBMITTED", transactionHash: HASH });
    expect((await read()).status).toBe("MATCHED");
    const confirmed = await move(id, "CONFIRMED", { reason: "12 confirmations" });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body).toMatchObject({
      status: "CONFIRMED",
      transactionHash: HASH,
      failureReason: null,
      statusHistory: [
        { status: "PENDING", reason: null },
        { status: "SUBMITTED", reason: null },
        { status: "CONFIRMED", reason: "12 confirmations" },
      ],
    });
    expect(await read()).toMatchObject({ status: "PAID", payouts: [confirmed.body] });
    expect(await lastAudit()).toMatchObject({
      action: "payout.status",
      subject: id,
      detail: { campaignId: campaign.id, participantId: participant.id, from: "SUBMITTED", to: "CONFIRMED" },
    });
  });

  test("a failed last payout is FAILED with its reason; what failed is owed again; the next payout is MATCHED again", async () => {
    const { id } = (await record(1_000)).body;
    await move(id, "SUBMITTED");
    const failed = await move(id, "FAILED", { reason: "The recipient is blocked." });
    expect(failed.body).toMatchObject({
      status: "FAILED",
      cancelled: false,
      failureReason: "The recipient is blocked.",
    });
    expect((await read()).status).toBe("FAILED");
    expect((await record(1_000)).status).toBe(201);
    expect((await read()).status).toBe("MATCHED");
  });

  test("only the payout recorded last makes a participant FAILED, and only while none is open", async () => {
    const older = (await record(300)).body;
    const last = (await record(200)).body;
    await move(last.id, "SUBMITTED");
    await move(last.id, "FAILED");
    expect((await read()).status).toBe("MATCHED");
    await move(older.id, "SUBMITTED");
    await move(older.id, "FAILED");
    expect((await read()).status).toBe("FAILED");
    const [first, second] = [(await record(300)).body, (await record(200)).body];
    await move(second.id, "SUBMITTED");
    await move(second.id, "CONFIRMED");
    await move(first.id, "FAILED");
    expect((await read()).status).toBe("MATCHED");
  });

  test("a cancelled payout is FAILED with cancelled: true, and does not make its participant FAILED", async () => {
    const { id } = (await record(1_000)).body;
    const cancelled = await move(id, "FAILED", { reason: "Wrong address." });
    expect(cancelled.body).toMatchObject({ status: "FAILED", cancelled: true, failureReason: "Wrong address." });
    expect(await read()).toMatchObject({ status: "MATCHED", payouts: [{ id, cancelled: true }] });
    expect((await service.operator(`/campaigns/${campaign.id}/participants?status=FAILED`)).body.items).toEqual([]);
    const lines = (await service.operator(`/campaigns/${campaign.id}/owed.csv`)).body.trim().split("\r\n");
    expect(lines).toHaveLength(2);
    await holdsUp();
  });

  test("a payout that fails with a transaction hash was sent, so it is not cancelled", async () => {
    const { id } = (await record(1_000)).body;
    const failed = await move(id, "FAILED", { reason: "Reverted.", transactionHash: HASH });
    expect(failed.body).toMatchObject({ status: "FAILED", cancelled: false, transactionHash: HASH });
    expect((await read()).status).toBe("FAILED");
    await holdsUp();
  });

  test("the last payout that was not cancelled decides", async () => {
    const sent = (await record(300)).body;
    await move(sent.id, "SUBMITTED");
    const cancelled = (await record(200)).body;
    await move(cancelled.id, "FAILED");
    expect((await read()).status).toBe("MATCHED");
    await move(sent.id, "FAILED");
    expect((await read()).status).toBe("FAILED");
    const again = (await record(300)).body;
    expect((await read()).status).toBe("MATCHED");
    await move(again.id, "FAILED");
    // The failure before it still needs a new payout.
    expect((await read()).status).toBe("FAILED");
    await holdsUp();
  });

  test("a raised match after PAID is MATCHED again, and only the difference is owed", async () => {
    const { id } = (await record(1_000)).body;
    await move(id, "SUBMITTED");
    await move(id, "CONFIRMED");
    const raised = await submit(merchant, campaign.id, submission("user-1", [wallet], 600));
    expect(raised.body).toMatchObject({ status: "MATCHED", amountMatched: usdc(1_200) });
    expect(raised.body.payouts[0].status).toBe("CONFIRMED");
    expect((await record(201)).body.error.code).toBe("PAYOUT_EXCEEDS_MATCH");
    expect((await record(200)).status).toBe(201);
  });

  const legal: Record<string, string[]> = {
    PENDING: ["SUBMITTED", "FAILED"],
    SUBMITTED: ["CONFIRMED", "FAILED"],
    CONFIRMED: [],
    FAILED: [],
  };
  const wrong = Object.keys(legal).flatMap((from) =>
    Object.keys(legal)
      .filter((to) => !legal[from]?.includes(to))
      .map((to) => [from, to] as const),
  );
  test.each(wrong)("409 PAYOUT_TRANSITION_INVALID: %s → %s", async (from, to) => {
    const { id } = (await record(1)).body;
    const steps: Record<string, string[]> = {
      PENDING: [],
      SUBMITTED: ["SUBMITTED"],
      CONFIRMED: ["SUBMITTED", "CONFIRMED"],
      FAILED: ["FAILED"],
    };
    for (const step of steps[from] ?? []) await move(id, step);
    const answer = await move(id, to);
    expect([answer.status, answer.body.error.code]).toEqual([409, "PAYOUT_TRANSITION_INVALID"]);
  });

  test.each([
    ["a long hash", { transactionHash: "0".repeat(129) }, "transactionHash must be"],
    ["a blank hash", { transactionHash: " " }, "transactionHash must be"],
    ["a hash with a line break", { transactionHash: "0xabc\n" }, "transactionHash must be"],
    ["a short hash", { transactionHash: "0xabc" }, "transactionHash is 5 characters long"],
    ["a hash without 0x", { transactionHash: HASH.slice(2) }, "transactionHash does not start with 0x"],
    ["an empty reason", { reason: "" }, "reason must be"],
    ["a blank reason", { reason: " \n " }, "reason must be"],
    ["a long reason", { reason: "r".repeat(1_001) }, "reason must be"],
  ])("400 VALIDATION_ERROR: %s, and the payout stays", async (_name, change, message) => {
    const { id } = (await record(1)).body;
    const answer = await move(id, "SUBMITTED", change);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
    expect((await read()).payouts[0].status).toBe("PENDING");
  });

  test("404 PAYOUT_NOT_FOUND, 400 for an unknown status", async () => {
    expect((await move("00000000-0000-4000-8000-000000000000", "FAILED")).body.error.code).toBe("PAYOUT_NOT_FOUND");
    const { id } = (await record(1)).body;
    expect((await move(id, "PAID")).status).toBe(400);
  });
});

describe("GET /operator/v1/campaigns/{campaignId}/owed.csv", () => {
  const owed = (id: string, query = "") => service.operator(`/campaigns/${id}/owed.csv${query}`);
  const HEADER =
    "report_only_not_for_payment,participant_id,merchant_user_id,receiver_address,owed_amount,owed_currency,payout_token,flags\r\n";
  const line = (user: string, id: string, receiver: string, amount: string, flags = "") =>
    `OWED,${id},${user},${receiver},${amount},USDC,${TOKEN},${flags}\r\n`;

  test("one line per participant in decimal token units, to its receiver; no column is one that Safe's airdrop pays", async () => {
    const early = newAddress();
    await ingest(service, depositBody(merchant.id, early, { createDate: "2026-01-02T00:00:00.000Z" }));
    const { id } = (await submit(merchant, campaign.id, submission("user-2", [wallet, early], 750_000))).body;
    await submit(merchant, campaign.id, submission("user-3", [early], 0));
    const answer = await owed(campaign.id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.body).toBe(
      HEADER +
        line("user-1", participant.id, wallet, "0.001", "SHARED_WALLET") +
        line("user-2", id, wallet, "1.5", "SHARED_WALLET"),
    );
    for (const column of ["token_type", "token_address", "receiver", "amount", "value"]) {
      expect(HEADER.trim().split(",")).not.toContain(column);
    }
  });

  test("open and confirmed payouts are subtracted, failed ones are owed again; a held participant is marked", async () => {
    const first = (await record(300)).body;
    const second = (await record(200)).body;
    await move(first.id, "SUBMITTED");
    await move(first.id, "CONFIRMED");
    expect((await owed(campaign.id)).body).toBe(HEADER + line("user-1", participant.id, wallet, "0.0005"));
    await move(second.id, "FAILED");
    expect((await owed(campaign.id)).body).toBe(HEADER + line("user-1", participant.id, wallet, "0.0007"));
    await service.operator(`/participants/${participant.id}/hold`, { body: { reason: "Looks odd." } });
    expect((await owed(campaign.id)).body).toContain(`\r\nHELD,${participant.id}`);
    await service.operator(`/participants/${participant.id}/release`, { body: { reason: "It is fine." } });
    await record(700);
    expect((await owed(campaign.id)).body).toBe(HEADER);
  });

  test("those without a receiver are listed apart, and no user id becomes a formula", async () => {
    const elsewhere = newAddress();
    await ingest(service, depositBody(merchant.id, elsewhere, { chainId: 1 }));
    const body = { ...submission('=cmd|"x",1', [], 500), wallets: [{ address: elsewhere, chain: { id: 1 } }] };
    const { id } = (await submit(merchant, campaign.id, body)).body;
    expect((await owed(campaign.id)).body).not.toContain(id);
    const missing = await owed(campaign.id, "?receiver=missing");
    expect(missing.body).toBe(`${HEADER}OWED,${id},"'=cmd|""x"",1",,0.001,USDC,${TOKEN},\r\n`);
  });

  test("thousands of participants come whole, each once", async () => {
    const big = await createActive(service, merchant.id);
    await service.db.query(
      `insert into participants
         select $1, gen_random_uuid(), $2, 'user-' || n, 'MATCHED', $3, 1, 2, 2, 0, 0, 0, false,
                $3::timestamptz + (n / 10) * interval '1 ms', $3
         from generate_series(1, 2500) n`,
      [merchant.id, big.id, IN_WINDOW],
    );
    const { body } = await owed(big.id, "?receiver=missing");
    const lines = body.trimEnd().split("\r\n").slice(1);
    expect(new Set(lines.map((line: string) => line.split(",")[2])).size).toBe(2_500);
    expect(lines).toHaveLength(2_500);
  });

  test("404 for an unknown campaign, 400 for an unknown parameter", async () => {
    expect((await owed("nonsense")).body.error.code).toBe("CAMPAIGN_NOT_FOUND");
    expect((await owed(campaign.id, "?receiver=none")).status).toBe(400);
  });
});
