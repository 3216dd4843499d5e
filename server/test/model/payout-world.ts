// Commands applied to the service and to a ledger that is kept apart, and the comparison of the two.
import { randomBytes, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createAudit } from "../../src/audit/audit.ts";
import { createCampaign, moveCampaign } from "../../src/campaigns/lifecycle.ts";
import { changeHold } from "../../src/campaigns/participants/change-receiver.ts";
import { createPayout, movePayout, reversePayout } from "../../src/campaigns/payouts/payouts.ts";
import { listOwed } from "../../src/campaigns/payouts/queries.ts";
import { createRun } from "../../src/campaigns/payouts/runs/create.ts";
import { approveRun, cancelRun, exportRun, importResults, submitRun } from "../../src/campaigns/payouts/runs/moves.ts";
import { findRun } from "../../src/campaigns/payouts/runs/queries.ts";
import type { PayoutRun } from "../../src/campaigns/payouts/runs/record.ts";
import { listRunPayouts } from "../../src/campaigns/payouts/runs/row-queries.ts";
import { findCampaign } from "../../src/campaigns/queries.ts";
import { createSubmissions } from "../../src/campaigns/submissions/submit.ts";
import type { Database } from "../../src/db/pool.ts";
import { ingest } from "../../src/deposits/ingest.ts";
import { overruleDeposit } from "../../src/deposits/overrule.ts";
import type { DepositStatus } from "../../src/deposits/record.ts";
import { AppError } from "../../src/http/errors.ts";
import { createKeyring } from "../../src/keyring.ts";
import { verifyInvariants } from "../../src/oversight/invariants.ts";
import { DELIVERY } from "../harness/deposits.ts";
import { generateKeys } from "../harness/merchant.ts";
import { TEST_CHAIN } from "../harness/service.ts";
import { type Command, USERS } from "./payout-commands.ts";

const ACTOR = { name: "model", requestId: null };
const CHAIN = 8453;
const TOKENS = ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"] as const;
const HASH = `0x${"ab".repeat(32)}`;

interface Entry {
  readonly campaign: number;
  readonly participantId: string;
  readonly amount: bigint;
  readonly runId: string | null;
  status: "PENDING" | "SUBMITTED" | "CONFIRMED" | "FAILED";
  reversed: boolean;
}

const statusOf = (state: "COMPLETED" | "FAILED"): DepositStatus => (state === "COMPLETED" ? "completed" : "failed");

/** A merchant with campaigns and users of its own in this database. */
export async function startWorld(db: Database) {
  const merchantId = randomUUID();
  await db.query(
    `insert into merchants (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'model', 'ACTIVE', 'ECDSA_P256_SHA256', $4, $2, 'model@shop.example', 'shop.example', $3, $3)`,
    [merchantId, randomBytes(33), new Date(), generateKeys().publicKeyPem],
  );
  let ticks = 0;
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ticks++);
  const dependencies = { db, clock, audit: createAudit(createKeyring("x".repeat(32), "production")) };
  const engine = createSubmissions({ db, clock, connections: 2, chain: TEST_CHAIN });
  const amountOf = (amount: bigint) => ({ amount: String(amount), currency: "TOK", decimalPlaces: 6 });
  const walletOf = (who: number) => ({
    address: `0x${String(who + 1).repeat(40)}`,
    chain: { id: who === USERS - 1 ? 1 : CHAIN },
  });
  // Each user has one deposit. It qualifies while it is completed: by the flow's word, or by an operator's.
  const flow = new Map<number, DepositStatus>();
  const ruling = new Map<number, DepositStatus>();
  const isQualified = (who: number) => (ruling.get(who) ?? flow.get(who)) === "completed";
  const depositOf = (who: number, status: DepositStatus) => ({
    merchantId,
    id: `deposit-${who}`,
    userId: "00000000-0000-4000-8000-000000000001",
    status,
    amountMicros: 1n,
    chainId: walletOf(who).chain.id,
    tokenSymbol: "USDC",
    tokenAddress: TOKENS[0],
    walletAddress: walletOf(who).address,
    createDate: new Date(Date.UTC(2026, 0, 5)),
    updateDate: clock(),
  });
  async function reportDeposit(who: number, status: DepositStatus): Promise<void> {
    const [result] = await ingest(db, [depositOf(who, status)], DELIVERY);
    flow.set(who, status);
    expect(result).toMatchObject({ status: ruling.get(who) ?? status });
  }
  for (let who = 0; who < USERS; who++) await reportDeposit(who, "completed");
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
        const submitted = await attempt(
          engine.submit(
            merchantId,
            campaigns[one.campaign] as string,
            {
              merchantUserId: `user-${one.user}`,
              wallets: [walletOf(one.user)],
              amount: { amount: String(one.profit), currency: "USDC", decimalPlaces: 6 },
            },
            null,
          ),
        );
        expect(submitted !== null).toBe(isQualified(one.user));
        if (submitted === null) return;
        const { participant } = submitted;
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
          reversed: false,
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
        return;
      }
      case "reverse": {
        const [id, entry] = [...entries][one.payout] ?? [];
        if (id !== undefined && entry !== undefined) await reverse(id, entry);
        return;
      }
      case "deposit":
        return reportDeposit(one.user, statusOf(one.state));
      case "overrule": {
        const key = { merchantId, id: `deposit-${one.user}` };
        await overruleDeposit(dependencies, key, { state: one.state, reason: "A test." }, ACTOR);
        if (one.state === null) ruling.delete(one.user);
        else ruling.set(one.user, statusOf(one.state));
      }
    }
  }

  /** Legal once for each payout that was confirmed; a repeat answers the same and changes nothing. */
  async function reverse(id: string, entry: Entry): Promise<void> {
    const done = await attempt(reversePayout(dependencies, id, { reason: "A test." }, ACTOR));
    expect(done !== null).toBe(entry.status === "CONFIRMED" || entry.reversed);
    if (done === null) return;
    expect(done.payout.status).toBe("FAILED");
    entry.status = "FAILED";
    entry.reversed = true;
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
      entries.set(id, { campaign: of, participantId, amount, runId: made.run.id, status: "PENDING", reversed: false });
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
        const done = await attempt(
          submitRun({ ...dependencies, provenChains: new Set() }, id, { transactionHashes: [HASH] }, ACTOR),
        );
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
    const verdict = await verifyInvariants({ db, clock, chain: TEST_CHAIN }, merchantId);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
  }

  /** Every run that was not cancelled can be paid to its end. */
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

  /**
   * Takes back all that was paid or is open, so that everything that is matched is owed again. Then one run is cancelled, and one
   * is paid and reversed: so each of the random runs has seen every way to its end.
   */
  async function finish(): Promise<void> {
    const failed = { status: "FAILED", reason: "A test." } as const;
    for (const [id, entry] of entries) {
      if (entry.status === "PENDING" || entry.status === "SUBMITTED") {
        await movePayout(dependencies, id, failed, ACTOR);
        entry.status = "FAILED";
      }
      if (entry.status !== "CONFIRMED") continue;
      await reverse(id, entry);
      await reverse(id, entry);
    }
    for (const [id, { amount }] of matched) expect(owedTo(id)).toBe(amount);
    await run({ kind: "run", campaign: 0, token: 0, minimum: 0 });
    await move({ kind: "move", run: runs.length - 1, verb: "cancel" });
    await run({ kind: "run", campaign: 0, token: 0, minimum: 0 });
    const last = runs.length - 1;
    for (const verb of ["approve", "export", "submit"] as const) await move({ kind: "move", run: last, verb });
    const rows = rowsOf(runs[last] ?? "");
    await results({ kind: "results", run: last, lines: rows.map((_, row) => [row, "CONFIRMED"]) });
    for (const [id, entry] of rows) await reverse(id, entry);
    const ends = await statuses();
    expect(ends.slice(-2)).toEqual(["CANCELLED", "SETTLED"]);
  }

  async function statuses(): Promise<string[]> {
    return Promise.all(runs.map(async (id) => ((await findRun(db, merchantId, id)) as PayoutRun).status));
  }

  for (const at of campaigns.keys()) {
    for (let who = 0; who < USERS; who++) await apply({ kind: "submit", campaign: at, user: who, profit: 10 });
  }
  return { apply, compare, settle, finish };
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
