import { randomUUID } from "node:crypto";
import { keccak256, toHex } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  BASE,
  createActive,
  depositBody,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATORS, READERS, statusByRole } from "../harness/roles.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const HASH = `0x${"ab".repeat(32)}`;
const OTHER_HASH = `0x${"cd".repeat(32)}`;

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  merchant = await registerMerchant(service);
  campaign = await createActive(service, merchant.id);
});
afterAll(() => service.close());

interface Person {
  readonly id: string;
  readonly user: string;
  readonly wallet: string;
}

/** Users who are owed 1,000 units each, to a wallet of their own. */
async function owed(count: number, campaignId = campaign.id): Promise<Person[]> {
  const wallets = Array.from({ length: count }, newAddress);
  await qualify(service, merchant.id, wallets);
  const people: Person[] = [];
  for (const [index, wallet] of wallets.entries()) {
    const user = `user-${index}-${randomUUID().slice(0, 4)}`;
    const answer = await submit(merchant, campaignId, submission(user, [wallet], 500));
    people.push({ id: answer.body.id, user, wallet });
  }
  return people;
}

const create = (body: object = { campaignId: campaign.id }, key: string = randomUUID()) =>
  service.operator("/payout-runs", { body, headers: { "idempotency-key": key } });
const act = (id: string, verb: string, body: object = {}, query = "") =>
  service.operator(`/payout-runs/${id}/${verb}${query}`, { body });
const read = async (id: string) => (await service.operator(`/payout-runs/${id}`)).body;
const rowsOf = async (id: string) => (await service.operator(`/payout-runs/${id}/payouts?limit=100`)).body.items;
const participantOf = async (id: string) =>
  (await service.operator(`/campaigns/${campaign.id}/participants?id=${id}`)).body;
const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];

const STEPS: Record<string, [verb: string, body: object][]> = {
  DRAFT: [],
  APPROVED: [["approve", {}]],
  EXPORTED: [
    ["approve", {}],
    ["export", { format: "csv" }],
  ],
  SUBMITTED: [
    ["approve", {}],
    ["export", { format: "csv" }],
    ["submit", { transactionHashes: [HASH] }],
  ],
  CANCELLED: [["cancel", {}]],
};

/** A run of everything owed, brought to this status. */
async function runIn(status: string) {
  const created = await create();
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { id } = created.body;
  if (status === "SETTLED") {
    await advance(id, "SUBMITTED");
    const results = (await rowsOf(id)).map((row: { id: string }) => ({ payoutId: row.id, status: "CONFIRMED" }));
    await act(id, "results", { results });
  } else await advance(id, status);
  const run = await read(id);
  expect(run.status).toBe(status);
  return run;
}
async function advance(id: string, status: string): Promise<void> {
  for (const [verb, body] of STEPS[status] ?? []) expect((await act(id, verb, body)).status).toBe(200);
}

/** Every rule of the money, and what is owed, open and paid of each participant adds up to its match. */
async function holdsUp(): Promise<void> {
  const { ok, checks } = (await service.operator(`/invariants?merchantId=${merchant.id}`)).body;
  expect(ok, JSON.stringify(checks)).toBe(true);
}

describe("POST /operator/v1/payout-runs", () => {
  test("201 with a DRAFT that reserves everything owed, and the rows say whom it pays", async () => {
    const people = await owed(3);
    const answer = await create({ campaignId: campaign.id, note: "November" });
    expect(answer.status).toBe(201);
    const { id, createDate } = answer.body;
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchantId: merchant.id,
      campaignId: campaign.id,
      status: "DRAFT",
      chainId: BASE,
      tokenAddress: TOKEN,
      counts: { payouts: 3, pending: 3, submitted: 0, confirmed: 0, failed: 0 },
      totals: { reserved: usdc(3_000), confirmed: usdc(0), failed: usdc(0) },
      leftOutCount: 0,
      leftOut: [],
      note: "November",
      createdBy: { id: null, name: expect.any(String) },
      approvedBy: null,
      createDate,
      updateDate: createDate,
    });
    expect(await read(id)).toEqual(answer.body);
    expect(await rowsOf(id)).toEqual(
      people.map(({ id: participantId, user, wallet }) =>
        expect.objectContaining({
          runId: id,
          status: "PENDING",
          amount: usdc(1_000),
          recipientAddress: wallet,
          participantId,
          merchantUserId: user,
          campaignId: campaign.id,
          flags: [],
          proof: null,
          statusHistory: [{ status: "PENDING", date: createDate, reason: null }],
        }),
      ),
    );
    expect((await service.operator(`/campaigns/${campaign.id}/owed.csv`)).body.trim().split("\r\n")).toHaveLength(1);
    expect(await lastAudit()).toMatchObject({
      action: "payout-run.create",
      subject: id,
      merchantId: merchant.id,
      detail: { campaignId: campaign.id, payouts: 3, reserved: usdc(3_000), leftOut: 0, note: "November" },
    });
    await holdsUp();
  });

  test("a repeat with the same Idempotency-Key is the same run, 200; with another request 409; without a key 400", async () => {
    await owed(1);
    const key = randomUUID();
    const first = await create({ campaignId: campaign.id }, key);
    const again = await create({ campaignId: campaign.id.toUpperCase() }, key);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(codeOf(await create({ campaignId: campaign.id, note: "other" }, key))).toEqual([
      409,
      "IDEMPOTENCY_KEY_REUSED",
    ]);
    const bare = await service.operator("/payout-runs", { body: { campaignId: campaign.id } });
    expect(codeOf(bare)).toEqual([400, "VALIDATION_ERROR"]);
    expect(bare.body.error.message).toContain("idempotency-key is required");
  });

  test("who is held, has no receiver or is owed too little is left out with the reason", async () => {
    const [paid, held] = await owed(2);
    await service.operator(`/participants/${held?.id}/hold`, { body: { reason: "Looks odd." } });
    const elsewhere = newAddress();
    await ingest(service, depositBody(merchant.id, elsewhere, { chainId: 1 }));
    const wallets = [{ address: elsewhere, chain: { id: 1 } }];
    const lost = (await submit(merchant, campaign.id, { ...submission("lost", [], 500), wallets })).body;
    const small = await qualify(service, merchant.id);
    const little = (await submit(merchant, campaign.id, submission("little", [small], 5))).body;
    const { body } = await create({ campaignId: campaign.id, minimumAmount: usdc(11) });
    expect(body.counts.payouts).toBe(1);
    expect((await rowsOf(body.id))[0].participantId).toBe(paid?.id);
    expect(body.leftOutCount).toBe(3);
    expect(body.leftOut).toEqual([
      { participantId: held?.id, merchantUserId: held?.user, owed: usdc(1_000), reason: "HELD" },
      { participantId: lost.id, merchantUserId: "lost", owed: usdc(1_000), reason: "NO_RECEIVER" },
      { participantId: little.id, merchantUserId: "little", owed: usdc(10), reason: "BELOW_MINIMUM" },
    ]);
    // The answer stays when those participants change later.
    await service.operator(`/participants/${held?.id}/release`, { body: { reason: "It is fine." } });
    expect((await read(body.id)).leftOut).toEqual(body.leftOut);
    const nothing = await create({ campaignId: campaign.id, minimumAmount: usdc(1_001) });
    expect(codeOf(nothing)).toEqual([422, "NOTHING_OWED"]);
    expect(nothing.body.error.message).toContain("3 participants were left out");
  });

  test("pays only the named participants", async () => {
    const [one, other] = await owed(2);
    const { body } = await create({ campaignId: campaign.id, participantIds: [other?.id] });
    expect((await rowsOf(body.id)).map((row: { participantId: string }) => row.participantId)).toEqual([other?.id]);
    const rest = await create();
    expect((await rowsOf(rest.body.id)).map((row: { participantId: string }) => row.participantId)).toEqual([one?.id]);
    const unknown = await create({ campaignId: campaign.id, participantIds: [one?.id, randomUUID()] });
    expect(codeOf(unknown)).toEqual([404, "PARTICIPANT_NOT_FOUND"]);
  });

  test("wallets of several participants and changed receivers are flagged in the rows and the CSV", async () => {
    const shared = await qualify(service, merchant.id);
    for (const user of ["one", "other"]) await submit(merchant, campaign.id, submission(user, [shared], 500));
    const [changed] = await owed(1);
    await service.operator(`/participants/${changed?.id}/receiver`, {
      method: "PUT",
      body: { address: newAddress(), reason: "Ticket 4711" },
    });
    const { id } = (await create()).body;
    expect((await rowsOf(id)).map((row: { flags: string[] }) => row.flags)).toEqual([
      ["SHARED_WALLET"],
      ["SHARED_WALLET"],
      ["RECEIVER_CHANGED"],
    ]);
    await act(id, "approve");
    const { body } = await act(id, "export", { format: "csv" });
    expect(body.match(/,SHARED_WALLET\r\n/g)).toHaveLength(2);
    expect(body.match(/,RECEIVER_CHANGED\r\n/g)).toHaveLength(1);
  });

  test("with merchantId pays all of its campaigns with one token; several tokens must be named", async () => {
    const second = await createActive(service, merchant.id);
    await owed(1);
    const [, heldOne] = await owed(2, second.id);
    await service.operator(`/participants/${heldOne?.id}/hold`, { body: { reason: "a look" } });
    const { body } = await create({ merchantId: merchant.id });
    expect(body.leftOut).toMatchObject([{ campaignId: second.id, participantId: heldOne?.id, reason: "HELD" }]);
    expect(body).toMatchObject({ campaignId: null, counts: { payouts: 2 }, totals: { reserved: usdc(2_000) } });
    const campaigns = (await rowsOf(body.id)).map((row: { campaignId: string }) => row.campaignId);
    expect(campaigns.sort()).toEqual([campaign.id, second.id].sort());

    const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
    const third = await createActive(service, merchant.id, {}, { payoutTokenAddress: OTHER });
    await owed(1, third.id);
    await owed(1);
    const ambiguous = await create({ merchantId: merchant.id });
    expect(codeOf(ambiguous)).toEqual([422, "PAYOUT_TOKEN_AMBIGUOUS"]);
    for (const token of [TOKEN, OTHER]) expect(ambiguous.body.error.message).toContain(token);
    const named = await create({ merchantId: merchant.id, chainId: BASE, tokenAddress: OTHER.toLowerCase() });
    expect(named.body).toMatchObject({ tokenAddress: OTHER, counts: { payouts: 1 } });

    // Participants who are named say by themselves which token they are paid in.
    const idsOf = (people: readonly Person[]) => people.map((person) => person.id);
    const inOne = idsOf(await owed(1));
    const inOther = idsOf(await owed(1, third.id));
    const both = await create({ merchantId: merchant.id, participantIds: [...inOne, ...inOther] });
    expect(codeOf(both)).toEqual([422, "PAYOUT_TOKEN_AMBIGUOUS"]);
    const excluded = await create({ merchantId: merchant.id, participantIds: inOther, tokenAddress: TOKEN });
    expect(codeOf(excluded)).toEqual([422, "PAYOUT_TOKEN_AMBIGUOUS"]);
    const chosen = await create({ merchantId: merchant.id, participantIds: inOther });
    expect(chosen.body).toMatchObject({ tokenAddress: OTHER, counts: { payouts: 1 } });

    // The same contract counted with other decimals: such amounts have no sum.
    const decimals = { maxAmountPerUser: { ...usdc(5_000), decimalPlaces: 18 } };
    const total = { maxAmountTotal: { ...usdc(100_000), decimalPlaces: 18 } };
    const odd = await createActive(service, merchant.id, {}, { ...decimals, ...total });
    await owed(1, odd.id);
    const refused = await create({ merchantId: merchant.id, tokenAddress: TOKEN });
    expect(codeOf(refused)).toEqual([422, "PAYOUT_TOKEN_AMBIGUOUS"]);
    expect(refused.body.error.message).toContain(odd.id);
    await holdsUp();
  });

  test.each<[string, () => object, number, string]>([
    ["nothing owed", () => ({ campaignId: campaign.id }), 422, "NOTHING_OWED"],
    ["nothing owed by the merchant", () => ({ merchantId: merchant.id }), 422, "NOTHING_OWED"],
    ["neither campaign nor merchant", () => ({}), 400, "VALIDATION_ERROR"],
    ["both", () => ({ campaignId: campaign.id, merchantId: merchant.id }), 400, "VALIDATION_ERROR"],
    ["a token for a campaign", () => ({ campaignId: campaign.id, chainId: BASE }), 400, "VALIDATION_ERROR"],
    [
      "a minimum in another token",
      () => ({ campaignId: campaign.id, minimumAmount: { ...usdc(1), decimalPlaces: 18 } }),
      400,
      "VALIDATION_ERROR",
    ],
    ["an unknown campaign", () => ({ campaignId: randomUUID() }), 404, "CAMPAIGN_NOT_FOUND"],
    ["an unknown merchant", () => ({ merchantId: randomUUID() }), 404, "MERCHANT_NOT_FOUND"],
    ["an unknown field", () => ({ campaignId: campaign.id, all: true }), 400, "VALIDATION_ERROR"],
    ["a note with NUL", () => ({ campaignId: campaign.id, note: "a\u0000b" }), 400, "VALIDATION_ERROR"],
  ])("refuses %s", async (_name, body, status, code) => {
    expect(codeOf(await create(body()))).toEqual([status, code]);
  });

  test("a viewer may look and not touch", async () => {
    await owed(1);
    const { id } = (await create()).body;
    expect(await statusByRole(service, `/payout-runs/${id}`)).toEqual(READERS);
    const cancel = { body: { confirmNotSent: true, reason: "A test." } };
    await act(id, "approve");
    const format = { body: { format: "csv" } };
    expect(await statusByRole(service, `/payout-runs/${id}/export`, format)).toEqual(OPERATORS);
    expect(await statusByRole(service, `/payout-runs/${id}/cancel`, cancel)).toEqual(OPERATORS);
  });
});

describe("the states of a payout run", () => {
  const legal: Record<string, string[]> = {
    approve: ["DRAFT"],
    cancel: ["DRAFT", "APPROVED"],
    export: ["APPROVED", "EXPORTED", "SUBMITTED", "SETTLED"],
    submit: ["EXPORTED", "SUBMITTED"],
    results: ["SUBMITTED", "SETTLED"],
  };
  const bodies: Record<string, (rows: { id: string }[]) => object> = {
    approve: () => ({}),
    cancel: () => ({}),
    export: () => ({ format: "json" }),
    submit: () => ({ transactionHashes: [HASH] }),
    results: (rows) => ({ results: rows.map(({ id }) => ({ payoutId: id, status: "CONFIRMED" })) }),
  };
  test.each(["DRAFT", "APPROVED", "EXPORTED", "SUBMITTED", "SETTLED", "CANCELLED"])(
    "409 PAYOUT_RUN_TRANSITION_INVALID for every move that %s does not allow, and nothing changes",
    async (status) => {
      await owed(1);
      const run = await runIn(status);
      const rows = await rowsOf(run.id);
      for (const [verb, from] of Object.entries(legal)) {
        if (from.includes(status)) continue;
        const answer = await act(run.id, verb, bodies[verb]?.(rows));
        expect([verb, ...codeOf(answer)]).toEqual([verb, 409, "PAYOUT_RUN_TRANSITION_INVALID"]);
      }
      expect(await read(run.id)).toEqual(run);
    },
  );

  test("approved, exported, submitted and settled: counts, totals, trails, statuses and who approved", async () => {
    const people = await owed(2);
    const { id } = (await create()).body;
    const approved = await act(id, "approve", { reason: "Checked." });
    expect(approved.body).toMatchObject({ status: "APPROVED", approvedBy: { id: null, name: expect.any(String) } });
    await act(id, "export", { format: "csv" });
    expect((await read(id)).status).toBe("EXPORTED");
    const submitted = await act(id, "submit", { transactionHashes: [HASH] });
    expect(submitted.body).toMatchObject({
      status: "SUBMITTED",
      counts: { payouts: 2, pending: 0, submitted: 2, confirmed: 0, failed: 0 },
    });
    const [first, second] = await rowsOf(id);
    const settled = await act(id, "results", {
      results: [
        { payoutId: first.id, status: "CONFIRMED" },
        { payoutId: second.id, status: "FAILED", reason: "The receiver is blocked." },
      ],
    });
    expect(settled.body).toMatchObject({
      status: "SETTLED",
      counts: { payouts: 2, pending: 0, submitted: 0, confirmed: 1, failed: 1 },
      totals: { reserved: usdc(2_000), confirmed: usdc(1_000), failed: usdc(1_000) },
    });
    expect((await rowsOf(id))[1]).toMatchObject({
      status: "FAILED",
      cancelled: false,
      transactionHash: HASH,
      failureReason: "The receiver is blocked.",
      statusHistory: [{ status: "PENDING" }, { status: "SUBMITTED" }, { status: "FAILED" }],
    });
    expect((await participantOf(people[0]?.id ?? "")).status).toBe("PAID");
    expect((await participantOf(people[1]?.id ?? "")).status).toBe("FAILED");
    // What failed is owed again, and to it alone.
    const next = await create();
    expect((await rowsOf(next.body.id)).map((row: { participantId: string }) => row.participantId)).toEqual([
      people[1]?.id,
    ]);
    const actions = (await service.operator(`/audit-log?merchantId=${merchant.id}&limit=6`)).body.items;
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      "payout-run.create",
      "payout-run.results",
      "payout-run.submit",
      "payout-run.export",
      "payout-run.approve",
      "payout-run.create",
    ]);
    await holdsUp();
  });

  test("cancelling releases what was reserved; its payouts count as no failure", async () => {
    const [person] = await owed(1);
    const run = await runIn("APPROVED");
    const cancelled = await act(run.id, "cancel", { reason: "Wrong month." });
    expect(cancelled.body).toMatchObject({
      status: "CANCELLED",
      counts: { payouts: 1, pending: 0, failed: 1 },
      totals: { reserved: usdc(1_000), failed: usdc(1_000) },
    });
    expect((await rowsOf(run.id))[0]).toMatchObject({
      status: "FAILED",
      cancelled: true,
      failureReason: "Wrong month.",
    });
    expect((await participantOf(person?.id ?? "")).status).toBe("MATCHED");
    expect((await create()).body.totals.reserved).toEqual(usdc(1_000));
    await holdsUp();
  });

  test("an exported run is cancelled only with confirmNotSent and a reason", async () => {
    await owed(1);
    const run = await runIn("EXPORTED");
    for (const body of [
      {},
      { reason: "Not sent." },
      { confirmNotSent: true },
      { confirmNotSent: false, reason: "x" },
    ]) {
      expect(codeOf(await act(run.id, "cancel", body))).toEqual([409, "PAYOUT_RUN_TRANSITION_INVALID"]);
    }
    const done = await act(run.id, "cancel", { confirmNotSent: true, reason: "Not sent." });
    expect(done.body.status).toBe("CANCELLED");
    expect((await lastAudit()).detail).toMatchObject({ from: "EXPORTED", confirmNotSent: true, reason: "Not sent." });
  });

  test("a participant that is held, or gets another receiver, after the run was made stops its approval and export", async () => {
    const [one] = await owed(2);
    const draft = (await create()).body;
    await service.operator(`/participants/${one?.id}/hold`, { body: { reason: "Looks odd." } });
    const refused = await act(draft.id, "approve");
    expect(codeOf(refused)).toEqual([409, "PAYOUT_RUN_TRANSITION_INVALID"]);
    expect(refused.body.error.message).toContain("1 of its participants were held and 0 got another receiver");
    await service.operator(`/participants/${one?.id}/release`, { body: { reason: "It is fine." } });
    expect((await act(draft.id, "approve")).status).toBe(200);
    const change = { address: newAddress(), reason: "Ticket 4711" };
    await service.operator(`/participants/${one?.id}/receiver`, { method: "PUT", body: change });
    expect(codeOf(await act(draft.id, "export", { format: "csv" }))).toEqual([409, "PAYOUT_RUN_TRANSITION_INVALID"]);
  });

  test("a row cannot be moved by itself before the run was submitted; after that it counts for the run", async () => {
    await owed(1);
    const run = await runIn("EXPORTED");
    const [row] = await rowsOf(run.id);
    const moveRow = (status: string) => service.operator(`/payouts/${row.id}/status`, { body: { status } });
    for (const status of ["FAILED", "SUBMITTED"]) {
      const answer = await moveRow(status);
      expect(codeOf(answer)).toEqual([409, "PAYOUT_TRANSITION_INVALID"]);
      expect(answer.body.error.message).toContain(run.id);
    }
    await act(run.id, "submit", { transactionHashes: [HASH] });
    expect((await moveRow("CONFIRMED")).status).toBe(200);
    expect(await read(run.id)).toMatchObject({ status: "SETTLED", counts: { confirmed: 1 } });
    await holdsUp();
  });

  test("404 PAYOUT_RUN_NOT_FOUND", async () => {
    for (const id of ["nonsense", randomUUID()]) {
      expect((await read(id)).error.code).toBe("PAYOUT_RUN_NOT_FOUND");
      expect(codeOf(await act(id, "approve"))).toEqual([404, "PAYOUT_RUN_NOT_FOUND"]);
      expect(codeOf(await act(id, "export", { format: "csv" }))).toEqual([404, "PAYOUT_RUN_NOT_FOUND"]);
    }
  });
});

describe("POST /operator/v1/payout-runs/{runId}/export", () => {
  test("csv has the payout ids, and user ids that no spreadsheet runs", async () => {
    const wallet = await qualify(service, merchant.id);
    const { id: participantId } = (await submit(merchant, campaign.id, submission("=1+1", [wallet], 750_000))).body;
    const run = await runIn("APPROVED");
    const answer = await act(run.id, "export", { format: "csv" });
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain(`payout-run-${run.id}-csv.csv`);
    const [row] = await rowsOf(run.id);
    expect(answer.body).toBe(
      "payout_id,receiver,amount,amount_base_units,currency,token_address,chain_id,participant_id,merchant_user_id,campaign_id,flags\r\n" +
        `${row.id},${wallet},1.5,1500000,USDC,${TOKEN},${BASE},${participantId},"'=1+1",${campaign.id},\r\n`,
    );
  });

  test.each(["+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20A1"])(
    "no spreadsheet runs the user id %j",
    async (user) => {
      await submit(merchant, campaign.id, submission(user, [await qualify(service, merchant.id)], 500));
      const run = await runIn("APPROVED");
      expect((await act(run.id, "export", { format: "csv" })).body).toContain(`,"'${user}",`);
    },
  );

  test("safe-airdrop has the columns of Safe's CSV airdrop", async () => {
    const people = await owed(2);
    const run = await runIn("APPROVED");
    const { body } = await act(run.id, "export", { format: "safe-airdrop" });
    expect(body).toBe(
      `token_type,token_address,receiver,amount,id\r\n${people
        .map(({ wallet }) => `erc20,${TOKEN},${wallet},0.001,\r\n`)
        .join("")}`,
    );
  });

  test("safe-builder is a batch whose checksum Safe's transaction builder accepts", async () => {
    const [person] = await owed(1);
    const run = await runIn("APPROVED");
    const { body } = await act(run.id, "export", { format: "safe-builder" });
    expect(Object.keys(body)).toEqual(["files"]);
    const [file] = body.files;
    expect(file).toMatchObject({ version: "1.0", chainId: "8453", createdAt: Date.parse(run.createDate) });
    expect(file.transactions).toEqual([
      {
        to: TOKEN,
        value: "0",
        data: null,
        contractMethod: {
          inputs: [
            { internalType: "address", name: "to", type: "address" },
            { internalType: "uint256", name: "value", type: "uint256" },
          ],
          name: "transfer",
          payable: false,
        },
        contractInputsValues: { to: person?.wallet, value: "1000" },
      },
    ]);
    // As the builder checks it: without the checksum, and with a name that anybody may change.
    const { checksum, ...meta } = file.meta;
    expect(keccak256(toHex(sortedText({ ...file, meta: { ...meta, name: null } })))).toBe(checksum);
  });

  test("json has the payout ids and base units", async () => {
    const [person] = await owed(1);
    const run = await runIn("APPROVED");
    const { body } = await act(run.id, "export", { format: "json" });
    const [row] = await rowsOf(run.id);
    expect(body).toEqual({
      runId: run.id,
      merchantId: merchant.id,
      campaignId: campaign.id,
      chainId: BASE,
      tokenAddress: TOKEN,
      payouts: [
        {
          payoutId: row.id,
          campaignId: campaign.id,
          participantId: person?.id,
          merchantUserId: person?.user,
          recipientAddress: person?.wallet,
          flags: [],
          amount: usdc(1_000),
        },
      ],
    });
  });

  test("two exports cannot pay twice: the same bytes in every state, and a second run finds nothing owed", async () => {
    await owed(2);
    const run = await runIn("APPROVED");
    const exportAll = async () =>
      Promise.all(
        ["csv", "safe-airdrop", "safe-builder", "json"].map(
          async (format) => JSON.stringify((await act(run.id, "export", { format })).body) as string,
        ),
      );
    const first = await exportAll();
    expect(codeOf(await create())).toEqual([422, "NOTHING_OWED"]);
    await act(run.id, "submit", { transactionHashes: [HASH] });
    expect(await exportAll()).toEqual(first);
    const [row] = await rowsOf(run.id);
    await act(run.id, "results", { results: [{ payoutId: row.id, status: "FAILED" }] });
    expect(await exportAll()).toEqual(first);
    expect((await lastAudit()).action).toBe("payout-run.export");
  });

  test("Safe's formats are for EVM chains alone", async () => {
    const solana = 792703809;
    const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    const wallet = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
    campaign = await createActive(service, merchant.id, {}, { payoutChainId: solana, payoutTokenAddress: mint });
    await ingest(service, depositBody(merchant.id, wallet, { chainId: solana }));
    const wallets = [{ address: wallet, chain: { id: solana } }];
    await submit(merchant, campaign.id, { ...submission("sol", [], 500), wallets });
    const run = await runIn("APPROVED");
    for (const format of ["safe-airdrop", "safe-builder"]) {
      expect(codeOf(await act(run.id, "export", { format }))).toEqual([400, "VALIDATION_ERROR"]);
    }
    expect((await read(run.id)).status).toBe("APPROVED");
    expect((await act(run.id, "export", { format: "csv" })).body).toContain(`${wallet},0.001`);
    expect(codeOf(await act(run.id, "export", { format: "xml" }))).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("POST /operator/v1/payout-runs/{runId}/submit", () => {
  test("rows may be submitted one transaction after the other, and a repeat changes nothing", async () => {
    await owed(2);
    const run = await runIn("EXPORTED");
    const [one, other] = await rowsOf(run.id);
    const part = { payouts: [{ payoutId: one.id, transactionHash: HASH }] };
    const first = await act(run.id, "submit", part);
    expect(first.body).toMatchObject({ status: "SUBMITTED", counts: { pending: 1, submitted: 1 } });
    const before = await lastAudit();
    expect((await act(run.id, "submit", part)).body).toEqual(first.body);
    expect(await lastAudit()).toEqual(before);
    await act(run.id, "submit", { payouts: [{ payoutId: other.id, transactionHash: OTHER_HASH }] });
    const hashes = (await rowsOf(run.id)).map((row: { transactionHash: string }) => row.transactionHash);
    expect(hashes).toEqual([HASH, OTHER_HASH]);
  });

  test("422 PAYOUT_RESULTS_INVALID names each wrong line, and nothing is applied", async () => {
    await owed(2);
    const run = await runIn("EXPORTED");
    const [one, other] = await rowsOf(run.id);
    const answer = await act(run.id, "submit", {
      payouts: [
        { payoutId: one.id, transactionHash: HASH },
        { payoutId: other.id, transactionHash: "0x1" },
        { payoutId: one.id.toUpperCase(), transactionHash: HASH },
        { payoutId: randomUUID(), transactionHash: HASH },
      ],
    });
    expect(codeOf(answer)).toEqual([422, "PAYOUT_RESULTS_INVALID"]);
    expect(answer.body.error.details).toEqual([
      { index: 1, payoutId: other.id, code: "VALIDATION_ERROR", message: expect.stringContaining("66: 0x") },
      { index: 2, payoutId: one.id, code: "VALIDATION_ERROR", message: expect.stringContaining("earlier line") },
      { index: 3, payoutId: expect.any(String), code: "PAYOUT_NOT_FOUND", message: expect.any(String) },
    ]);
    expect(await read(run.id)).toEqual(run);
  });

  test("400 for several hashes, for none, for both ways together, and a row's hash cannot be replaced", async () => {
    await owed(1);
    const run = await runIn("EXPORTED");
    const [row] = await rowsOf(run.id);
    const payouts = [{ payoutId: row.id, transactionHash: HASH }];
    for (const body of [{}, { transactionHashes: [HASH, OTHER_HASH] }, { transactionHashes: [HASH], payouts }]) {
      expect(codeOf(await act(run.id, "submit", body))).toEqual([400, "VALIDATION_ERROR"]);
    }
    await act(run.id, "submit", { payouts });
    expect(codeOf(await act(run.id, "submit", { transactionHashes: [OTHER_HASH] }))).toEqual([
      422,
      "PAYOUT_RESULTS_INVALID",
    ]);
  });
});

describe("POST /operator/v1/payout-runs/{runId}/results", () => {
  test("with line errors nothing is applied; dryRun lists them and what would happen", async () => {
    await owed(3);
    const run = await runIn("SUBMITTED");
    const [one, two, three] = await rowsOf(run.id);
    const results = [
      { payoutId: one.id, status: "CONFIRMED" },
      { payoutId: two.id, status: "FAILED", reason: "Reverted." },
      { payoutId: randomUUID(), status: "CONFIRMED" },
      { payoutId: three.id, status: "CONFIRMED", transactionHash: "nonsense" },
      { payoutId: one.id, status: "FAILED" },
    ];
    const preview = await act(run.id, "results", { results }, "?dryRun=true");
    expect(preview.status).toBe(200);
    expect(preview.body).toMatchObject({ dryRun: true, confirmed: 1, failed: 1 });
    expect(preview.body.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [2, "PAYOUT_NOT_FOUND"],
      [3, "VALIDATION_ERROR"],
      [4, "VALIDATION_ERROR"],
    ]);
    const answer = await act(run.id, "results", { results });
    expect(codeOf(answer)).toEqual([422, "PAYOUT_RESULTS_INVALID"]);
    expect(answer.body.error.details).toEqual(preview.body.errors);
    expect(await read(run.id)).toEqual(run);
    const good = await act(run.id, "results", { results: results.slice(0, 2) }, "?dryRun=true");
    expect(good.body).toEqual({ dryRun: true, confirmed: 1, failed: 1, errors: [] });
    expect(await read(run.id)).toEqual(run);
  });

  test("a repeat changes nothing; a final result cannot be turned around", async () => {
    await owed(2);
    const run = await runIn("SUBMITTED");
    const [one] = await rowsOf(run.id);
    const confirm = { results: [{ payoutId: one.id, status: "CONFIRMED", transactionHash: HASH }] };
    const first = await act(run.id, "results", confirm);
    expect(first.body).toMatchObject({ status: "SUBMITTED", counts: { submitted: 1, confirmed: 1 } });
    expect((await act(run.id, "results", confirm)).body).toEqual(first.body);
    const turned = await act(run.id, "results", { results: [{ payoutId: one.id, status: "FAILED" }] });
    expect(turned.body.error.details).toMatchObject([{ code: "PAYOUT_TRANSITION_INVALID" }]);
  });

  test("a row that was never sent fails as cancelled with a reason, and cannot be confirmed", async () => {
    const [, person] = await owed(2);
    const run = await runIn("EXPORTED");
    const [one, other] = await rowsOf(run.id);
    await act(run.id, "submit", { payouts: [{ payoutId: one.id, transactionHash: HASH }] });
    const early = await act(run.id, "results", { results: [{ payoutId: other.id, status: "CONFIRMED" }] });
    expect(early.body.error.details).toMatchObject([{ index: 0, code: "PAYOUT_TRANSITION_INVALID" }]);
    const silent = await act(run.id, "results", { results: [{ payoutId: other.id, status: "FAILED" }] });
    expect(silent.body.error.details).toMatchObject([{ index: 0, code: "VALIDATION_ERROR" }]);
    const results = [
      { payoutId: one.id, status: "CONFIRMED" },
      { payoutId: other.id, status: "FAILED", reason: "Not in the batch." },
    ];
    expect((await act(run.id, "results", { results })).body.status).toBe("SETTLED");
    expect((await rowsOf(run.id))[1]).toMatchObject({ status: "FAILED", cancelled: true });
    expect((await participantOf(person?.id ?? "")).status).toBe("MATCHED");
    await holdsUp();
  });
});

describe("GET /operator/v1/payout-runs", () => {
  test("lists runs newest first, filtered and paged, and the rows of one in pages", async () => {
    const ids: string[] = [];
    for (let made = 0; made < 3; made++) {
      await owed(2);
      ids.unshift((await create()).body.id);
    }
    await act(ids[1] ?? "", "cancel");
    const list = async (query: string) => (await service.operator(`/payout-runs?${query}`)).body;
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    expect(idsOf(await list(`merchantId=${merchant.id}`))).toEqual(ids);
    expect(idsOf(await list(`campaignId=${campaign.id}&status=DRAFT`))).toEqual([ids[0], ids[2]]);
    const page = await list(`merchantId=${merchant.id}&limit=2`);
    expect(idsOf(page)).toEqual(ids.slice(0, 2));
    expect(idsOf(await list(`merchantId=${merchant.id}&limit=2&cursor=${page.nextCursor}`))).toEqual(ids.slice(2));
    expect((await service.operator(`/payout-runs?status=OPEN`)).status).toBe(400);

    const rows = await service.operator(`/payout-runs/${ids[0]}/payouts?limit=1`);
    const next = await service.operator(`/payout-runs/${ids[0]}/payouts?limit=1&cursor=${rows.body.nextCursor}`);
    expect([...idsOf(rows.body), ...idsOf(next.body)]).toEqual(
      (await rowsOf(ids[0] ?? "")).map(({ id }: { id: string }) => id),
    );
    expect(next.body.nextCursor).toBeNull();
  });
});

/** The text that Safe's transaction builder hashes, written from its documentation. */
function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${JSON.stringify(entries.map(([key]) => key))}${entries.map(([, member]) => `${sortedText(member)},`).join("")}}`;
  }
  return JSON.stringify(value);
}
