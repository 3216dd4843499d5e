// Random runs of everything that pays, against a ledger that is kept apart. A failure prints its seed and path; to replay it:
//   MATCHBOOK_MODEL_SEED=… MATCHBOOK_MODEL_PATH=… npx vitest run server/test/model/payout-runs.model.test.ts
import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAudit } from "../../src/audit/audit.ts";
import { createCampaign, moveCampaign } from "../../src/campaigns/lifecycle.ts";
import { changeHold } from "../../src/campaigns/participants/change-receiver.ts";
import { createPayout, movePayout } from "../../src/campaigns/payouts/payouts.ts";
import { listOwed } from "../../src/campaigns/payouts/queries.ts";
import { createRun } from "../../src/campaigns/payouts/runs/create.ts";
import { approveRun, cancelRun, exportRun, importResults, submitRun } from "../../src/campaigns/payouts/runs/moves.ts";
import { findRun } from "../../src/campaigns/payouts/runs/queries.ts";
import type { PayoutRun } from "../../src/campaigns/payouts/runs/record.ts";
import { listRunPayouts } from "../../src/campaigns/payouts/runs/row-queries.ts";
import { findCampaign } from "../../src/campaigns/queries.ts";
import { createSubmissions } from "../../src/campaigns/submissions/submit.ts";
import { ingest } from "../../src/deposits/ingest.ts";
import { AppError } from "../../src/http/errors.ts";
import { createKeyring } from "../../src/keyring.ts";
import { verifyInvariants } from "../../src/oversight/invariants.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { DELIVERY } from "../harness/deposits.ts";
import { generateKeys } from "../harness/merchant.ts";

const RUNS = Number(process.env.MATCHBOOK_MODEL_RUNS ?? 25);
const replay = {
  ...(process.env.MATCHBOOK_MODEL_SEED === undefined ? {} : { seed: Number(process.env.MATCHBOOK_MODEL_SEED) }),
  ...(process.env.MATCHBOOK_MODEL_PATH === undefined ? {} : { path: process.env.MATCHBOOK_MODEL_PATH }),
};
const ACTOR = { name: "model", requestId: null };
const CHAIN = 8453;
const TOKENS = ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"] as const;
const HASH = `0x${"ab".repeat(32)}`;
const USERS = 3;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// Campaigns 0 and 1 pay the first token, campaign 2 the second. User 2 has no wallet on the payout chain.
const campaign = fc.nat(2);
const user = fc.nat(USERS - 1);
// Mostly the same few runs: one that wanders meets nothing twice.
const index = fc.constantFrom(0, 0, 0, 1, 1, 2);
const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("submit" as const), campaign, user, profit: fc.nat(50) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("run" as const),
      campaign: fc.option(campaign),
      token: fc.nat(1),
      minimum: fc.nat(20),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      run: index,
      verb: fc.constantFrom(
        ...(["forward", "forward", "forward", "forward", "forward"] as const),
        ...(["approve", "export", "submit", "cancel", "cancel for sure"] as const),
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("results" as const),
      run: index,
      lines: fc.array(fc.tuple(fc.nat(3), fc.constantFrom("CONFIRMED" as const, "FAILED" as const)), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hold" as const), campaign, user, held: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("payout" as const), campaign, user, amount: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("payout-status" as const),
      payout: fc.nat(5),
      status: fc.constantFrom("SUBMITTED" as const, "CONFIRMED" as const, "FAILED" as const),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

test(
  `what is owed, open and paid adds up to what is matched, in ${RUNS} random runs`,
  async () => {
    const made: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 25, maxLength: 50, size: "max" }), async (commands) => {
        const world = await startWorld();
        for (const one of commands) await world.apply(one);
        await world.compare();
        await world.settle();
        await world.compare();
        made.push(...(await world.statuses()));
      }),
      { numRuns: RUNS, ...replay },
    );
    // Otherwise little was tested.
    expect(made.length).toBeGreaterThan(RUNS);
    expect(new Set(made)).toContain("SETTLED");
    expect(new Set(made)).toContain("CANCELLED");
  },
  RUNS * 5_000 + 60_000,
);

interface Entry {
  readonly campaign: number;
  readonly participantId: string;
  readonly amount: bigint;
  readonly runId: string | null;
  status: "PENDING" | "SUBMITTED" | "CONFIRMED" | "FAILED";
}

async function startWorld() {
  const { db } = database;
  const merchantId = randomUUID();
  await db.query(
    `insert into merchants (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'model', 'ACTIVE', 'ECDSA_P256_SHA256', $4, $2, 'model@shop.example', 'shop.example', $3, $3)`,
    [merchantId, randomBytes(33), new Date(), generateKeys().publicKeyPem],
  );
  let ticks = 0;
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ticks++);
  const dependencies = { db, clock, audit: createAudit(createKeyring("x".repeat(32), "production")) };
  const engine = createSubmissions({ db, clock, connections: 2 });
  const amountOf = (amount: bigint) => ({ amount: String(amount), currency: "TOK", decimalPlaces: 6 });
  const walletOf = (who: number) => ({
    address: `0x${String(who + 1).repeat(40)}`,
    chain: { id: who === USERS - 1 ? 1 : CHAIN },
  });
  await ingest(
    db,
    Array.from({ length: USERS }, (_, who) => ({
      merchantId,
      id: `deposit-${who}`,
      userId: "00000000-0000-4000-8000-000000000001",
      status: "completed" as const,
      amountMicros: 1n,
      chainId: walletOf(who).chain.id,
      tokenSymbol: "USDC",
      tokenAddress: TOKENS[0],
      walletAddress: walletOf(who).address,
      createDate: new Date(Date.UTC(2026, 0, 5)),
      updateDate: clock(),
    })),
    DELIVERY,
  );
  const campaigns: string[] = [];
  for (const token of [TOKENS[0], TOKENS[0], TOKENS[1]]) {
    const { campaign: created } = await createCampaign(
      dependencies,
      {
        merchantId,
        type: "PER_TRADE_PROFIT_MATCH",
        displayName: "model",
        startDate: "2026-01-01T00:00:00Z",
        endDate: "2026-02-01T00:00:00Z",
        perTradeProfitMatch: {
          matchMultiplier: 2,
          maxAmountPerUser: amountOf(70n),
          maxAmountTotal: amountOf(150n),
          payoutChainId: CHAIN,
          payoutTokenAddress: token,
        },
      },
      ACTOR,
    );
    await moveCampaign(dependencies, created.id, "activate", ACTOR);
    campaigns.push(created.id);
  }

  // The ledger: every match as it was answered, and every payout with what was said about it.
  const matched = new Map<string, { campaign: number; user: number; amount: bigint; held: boolean }>();
  const participantOf = new Map<string, string>();
  const entries = new Map<string, Entry>();
  const runs: string[] = [];
  const sum = (list: readonly Entry[]) => list.reduce((total, { amount }) => total + amount, 0n);
  const ofParticipant = (id: string, ...statuses: Entry["status"][]) =>
    sum([...entries.values()].filter((one) => one.participantId === id && statuses.includes(one.status)));
  const owedTo = (id: string) =>
    (matched.get(id)?.amount ?? 0n) - ofParticipant(id, "PENDING", "SUBMITTED", "CONFIRMED");
  const rowsOf = (runId: string) => [...entries].filter(([, { runId: of }]) => of === runId);

  async function apply(one: Command): Promise<void> {
    switch (one.kind) {
      case "submit": {
        const { participant } = await engine.submit(
          merchantId,
          campaigns[one.campaign] as string,
          {
            merchantUserId: `user-${one.user}`,
            wallets: [walletOf(one.user)],
            amount: { amount: String(one.profit), currency: "USDC", decimalPlaces: 6 },
          },
          null,
        );
        const held = matched.get(participant.id)?.held ?? false;
        matched.set(participant.id, { campaign: one.campaign, user: one.user, amount: participant.matched, held });
        participantOf.set(`${one.campaign}/${one.user}`, participant.id);
        return;
      }
      case "run":
        return run(one);
      case "move":
        return move(one);
      case "results":
        return results(one);
      case "hold": {
        const id = participantOf.get(`${one.campaign}/${one.user}`);
        const known = id === undefined ? undefined : matched.get(id);
        if (id === undefined || known === undefined) return;
        await changeHold(dependencies, id, one.held ? "hold" : "release", "A test.", ACTOR);
        known.held = one.held;
        return;
      }
      case "payout": {
        const id = participantOf.get(`${one.campaign}/${one.user}`);
        if (id === undefined) return;
        const amount = BigInt(one.amount);
        const legal = canBePaid(id) && amount > 0n && amount <= owedTo(id);
        const made = await attempt(createPayout(dependencies, id, { amount: amountOf(amount) }, randomUUID(), ACTOR));
        expect(made !== null).toBe(legal);
        if (made === null) return;
        const { payout } = made;
        entries.set(payout.id, {
          campaign: one.campaign,
          participantId: id,
          amount,
          runId: null,
          status: "PENDING",
        });
        return;
      }
      case "payout-status": {
        const [id, entry] = [...entries][one.payout] ?? [];
        if (id === undefined || entry === undefined) return;
        const { status } = entry;
        const legal =
          (status === "SUBMITTED" && one.status !== "SUBMITTED") ||
          (status === "PENDING" && one.status !== "CONFIRMED" && entry.runId === null);
        const moved = await attempt(movePayout(dependencies, id, { status: one.status }, ACTOR));
        expect(moved !== null).toBe(legal);
        if (moved !== null) entry.status = one.status;
      }
    }
  }

  function canBePaid(id: string): boolean {
    const known = matched.get(id);
    return known !== undefined && known.user !== USERS - 1 && known.amount > 0n && !known.held;
  }

  async function run(one: Command & { kind: "run" }): Promise<void> {
    const scope = (of: number) => (one.campaign === null ? Math.floor(of / 2) === one.token : of === one.campaign);
    const minimum = BigInt(one.minimum);
    const expected = [...matched].filter(
      ([id, known]) => scope(known.campaign) && canBePaid(id) && owedTo(id) > 0n && owedTo(id) >= minimum,
    );
    const made = await attempt(
      createRun(
        dependencies,
        {
          ...(one.campaign === null
            ? { merchantId, chainId: CHAIN, tokenAddress: TOKENS[one.token] as string }
            : { campaignId: campaigns[one.campaign] as string }),
          minimumAmount: amountOf(minimum),
        },
        randomUUID(),
        ACTOR,
      ),
    );
    expect(made !== null).toBe(expected.length > 0);
    if (made === null) return;
    const rows = await listRunPayouts(db, made.run, null, 100);
    expect(new Map(rows.map(({ participantId, amount }) => [participantId, amount]))).toEqual(
      new Map(expected.map(([id]) => [id, owedTo(id)])),
    );
    for (const { id, participantId, amount } of rows) {
      const of = matched.get(participantId)?.campaign ?? -1;
      entries.set(id, { campaign: of, participantId, amount, runId: made.run.id, status: "PENDING" });
    }
    runs.push(made.run.id);
  }

  async function move({ run: at, verb: asked }: Command & { kind: "move" }): Promise<void> {
    const id = runs[at];
    if (id === undefined) return;
    const { status } = (await findRun(db, merchantId, id)) as PayoutRun;
    const next = ({ DRAFT: "approve", APPROVED: "export", EXPORTED: "submit" } as Record<string, typeof asked>)[status];
    const verb = asked === "forward" ? (next ?? "submit") : asked;
    const rows = rowsOf(id).map(([, entry]) => entry);
    const isHeld = rows.some(({ participantId }) => matched.get(participantId)?.held === true);
    switch (verb) {
      case "approve": {
        const done = await attempt(approveRun(dependencies, id, ACTOR));
        expect(done !== null).toBe(status === "DRAFT" && !isHeld);
        return;
      }
      case "export": {
        const done = await attempt(exportRun(dependencies, id, "json", ACTOR));
        const legal = !["DRAFT", "CANCELLED"].includes(status) && !(status === "APPROVED" && isHeld);
        expect(done !== null).toBe(legal);
        return;
      }
      case "submit": {
        const done = await attempt(submitRun(dependencies, id, { transactionHashes: [HASH] }, ACTOR));
        const legal =
          ["EXPORTED", "SUBMITTED"].includes(status) &&
          rows.every((entry) => entry.status === "PENDING" || entry.status === "SUBMITTED");
        expect(done !== null).toBe(legal);
        if (done !== null) for (const entry of rows) entry.status = "SUBMITTED";
        return;
      }
      default: {
        const request = verb === "cancel" ? {} : { confirmNotSent: true, reason: "A test." };
        const done = await attempt(cancelRun(dependencies, id, request, ACTOR));
        const legal = ["DRAFT", "APPROVED", ...(verb === "cancel" ? [] : ["EXPORTED"])].includes(status);
        expect(done !== null).toBe(legal);
        if (done !== null) for (const entry of rows) entry.status = "FAILED";
      }
    }
  }

  async function results({ run: at, lines }: Command & { kind: "results" }): Promise<void> {
    const id = runs[at];
    if (id === undefined) return;
    const { status } = (await findRun(db, merchantId, id)) as PayoutRun;
    const rows = rowsOf(id);
    const named = lines.flatMap(([row, result]) => {
      const [payoutId, entry] = rows[row] ?? [];
      return payoutId === undefined || entry === undefined ? [] : [{ payoutId, entry, result }];
    });
    if (named.length === 0) return;
    const legal =
      ["SUBMITTED", "SETTLED"].includes(status) &&
      new Set(named.map(({ payoutId }) => payoutId)).size === named.length &&
      named.every(({ entry, result }) => entry.status === "SUBMITTED" || entry.status === result);
    const done = await attempt(
      importResults(
        dependencies,
        id,
        { results: named.map(({ payoutId, result }) => ({ payoutId, status: result })) },
        ACTOR,
      ),
    );
    expect(done !== null).toBe(legal);
    if (done !== null) for (const { entry, result } of named) entry.status = result;
  }

  /** The service's own figures are those of the ledger: per participant, campaign, token and run. */
  async function compare(): Promise<void> {
    const tokens = new Map<string, { matched: bigint; owed: bigint; open: bigint; paid: bigint }>();
    for (const [at, campaignId] of campaigns.entries()) {
      const stored = await findCampaign(db, merchantId, campaignId);
      if (stored === null) throw new Error("The campaign is gone.");
      const { rows } = await listOwed(db, stored, null, 1_000);
      const owed = new Map(rows.map((row) => [row.participantId, row.owed]));
      const members = [...matched].filter(([, known]) => known.campaign === at);
      const total = tokens.get(stored.payoutTokenAddress) ?? { matched: 0n, owed: 0n, open: 0n, paid: 0n };
      for (const [id, { amount }] of members) {
        const open = ofParticipant(id, "PENDING", "SUBMITTED");
        const paid = ofParticipant(id, "CONFIRMED");
        expect((owed.get(id) ?? 0n) + open + paid).toBe(amount);
        total.matched += amount;
        total.owed += owed.get(id) ?? 0n;
        total.open += open;
        total.paid += paid;
      }
      tokens.set(stored.payoutTokenAddress, total);
      expect(stored.committed).toBe(members.reduce((all, [, { amount }]) => all + amount, 0n));
    }
    for (const total of tokens.values()) expect(total.owed + total.open + total.paid).toBe(total.matched);
    for (const id of runs) {
      const stored = (await findRun(db, merchantId, id)) as PayoutRun;
      const rows = rowsOf(id).map(([, entry]) => entry);
      const sumOf = (status: Entry["status"]) => sum(rows.filter((entry) => entry.status === status));
      expect([stored.reserved, stored.confirmed, stored.failed]).toEqual([
        sum(rows),
        sumOf("CONFIRMED"),
        sumOf("FAILED"),
      ]);
      const isOpen = rows.some(({ status }) => status === "PENDING" || status === "SUBMITTED");
      expect(["SETTLED", "CANCELLED"].includes(stored.status)).toBe(!isOpen);
    }
    const verdict = await verifyInvariants(db, clock, merchantId);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
  }

  /** Whatever happened before, every run that was not cancelled can be paid to its end. */
  async function settle(): Promise<void> {
    for (const { campaign: of, user: who, held } of [...matched.values()]) {
      if (held) await apply({ kind: "hold", campaign: of, user: who, held: false });
    }
    for (const [at, id] of runs.entries()) {
      for (const verb of ["approve", "export", "submit"] as const) await move({ kind: "move", run: at, verb });
      for (const [row, [, entry]] of rowsOf(id).entries()) {
        if (entry.status !== "SUBMITTED") continue;
        await results({ kind: "results", run: at, lines: [[row, "CONFIRMED"]] });
      }
    }
    for (const status of await statuses()) expect(["SETTLED", "CANCELLED"]).toContain(status);
  }

  async function statuses(): Promise<string[]> {
    return Promise.all(runs.map(async (id) => ((await findRun(db, merchantId, id)) as PayoutRun).status));
  }

  for (const at of campaigns.keys()) {
    for (let who = 0; who < USERS; who++) await apply({ kind: "submit", campaign: at, user: who, profit: 10 });
  }
  return { apply, compare, settle, statuses };
}

/** Null when it was refused. Any other failure is one. */
async function attempt<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  }
}
