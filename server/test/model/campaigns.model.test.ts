// Random runs of everything that moves a campaign, against the model. A failure prints its seed and path; to replay it:
//   MATCHBOOK_MODEL_SEED=… MATCHBOOK_MODEL_PATH=… npx vitest run server/test/model
// and to look harder: MATCHBOOK_MODEL_RUNS=5000.
import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatMultiplier } from "../../src/amounts.ts";
import { createAudit } from "../../src/audit/audit.ts";
import { createCampaign, editCampaign, moveCampaign } from "../../src/campaigns/lifecycle.ts";
import { presentListedParticipant } from "../../src/campaigns/participants/present.ts";
import { listParticipants } from "../../src/campaigns/participants/queries.ts";
import { createPayout, movePayout } from "../../src/campaigns/payouts/payouts.ts";
import { findCampaign } from "../../src/campaigns/queries.ts";
import { createSubmissions, dryRun, type Submitted } from "../../src/campaigns/submissions/submit.ts";
import { ingest } from "../../src/deposits/ingest.ts";
import { AppError } from "../../src/http/errors.ts";
import { createKeyring } from "../../src/keyring.ts";
import { verifyInvariants } from "../../src/oversight/invariants.ts";
import { findQualifiedWallets, listQualifiedWallets } from "../../src/qualification/queries.ts";
import type { QualifiedWallet } from "../../src/qualification/record.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { DELIVERY } from "../harness/deposits.ts";
import { generateKeys } from "../harness/merchant.ts";
import { TEST_CHAIN } from "../harness/service.ts";
import { type Command, DEPOSITS, type Member, runs, WALLETS } from "./commands.ts";
import { ModelCampaign, type ModelDeposit, type ModelParticipant, type Wallet } from "./model.ts";

const RUNS = Number(process.env.MATCHBOOK_MODEL_RUNS ?? 120);
const replay = {
  ...(process.env.MATCHBOOK_MODEL_SEED === undefined ? {} : { seed: Number(process.env.MATCHBOOK_MODEL_SEED) }),
  ...(process.env.MATCHBOOK_MODEL_PATH === undefined ? {} : { path: process.env.MATCHBOOK_MODEL_PATH }),
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const PUBLIC_KEY = generateKeys().publicKeyPem;
const ACTOR = { name: "model", requestId: null };
const CHAINS = [8453, 792703809];
const TOKEN_ADDRESS = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

const dayStart = (day: number) => new Date(Date.UTC(2026, 0, day));
const microsOf = (deposit: number) => 1 + (deposit % 3);
const walletOf = (index: number): Wallet => ({
  address: `0x${String(index % WALLETS).repeat(40)}`,
  chainId: CHAINS[index < WALLETS ? 0 : 1] as number,
});

describe("campaigns, deposits, submissions and payouts", () => {
  test(
    `do what the model does, in ${RUNS} random runs`,
    async () => {
      await fc.assert(
        fc.asyncProperty(runs, async (commands) => {
          const run = await startRun();
          for (const command of commands) await run.apply(command);
          await run.compare();
        }),
        { numRuns: RUNS, ...replay },
      );
    },
    RUNS * 5_000 + 60_000,
  );
});

/** A merchant of its own with no campaign yet, in the service and in the model. */
async function startRun() {
  const { db } = database;
  const merchantId = randomUUID();
  await db.query(
    `insert into merchants (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'model', 'ACTIVE', 'ECDSA_P256_SHA256', $4, $2, 'model@shop.example', 'shop.example', $3, $3)`,
    [merchantId, randomBytes(33), dayStart(1), PUBLIC_KEY],
  );
  let ticks = 0;
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ticks++);
  const dependencies = { db, clock, audit: createAudit(createKeyring("x".repeat(32), "production")) };
  const engines = [0, 1].map(() => createSubmissions({ db, clock, connections: 4, chain: TEST_CHAIN }));
  const deposits = new Map<number, ModelDeposit>();
  const campaigns: {
    id: string;
    model: ModelCampaign;
    participants: Map<string, string>;
    payouts: Map<string, string[]>;
  }[] = [];
  const token = (amount: bigint, { decimals }: ModelCampaign) => ({
    amount: String(amount),
    currency: "TOK",
    decimalPlaces: decimals,
  });

  async function apply(command: Command): Promise<void> {
    switch (command.kind) {
      case "deposit": {
        // Each deposit has its own wallet and day for good; only its state moves, and the newest event counts.
        const wallet = walletOf(command.deposit % (WALLETS * 2));
        const day = 1 + ((command.deposit * 5) % 11);
        const update = clock();
        const micros = microsOf(command.deposit);
        await ingest(
          db,
          [
            {
              merchantId,
              id: `deposit-${command.deposit}`,
              userId: "00000000-0000-4000-8000-000000000001",
              status: command.completed ? "completed" : "failed",
              amountMicros: BigInt(micros),
              chainId: wallet.chainId,
              tokenSymbol: "USDC",
              tokenAddress: TOKEN_ADDRESS,
              walletAddress: wallet.address,
              createDate: dayStart(day),
              updateDate: update,
            },
          ],
          DELIVERY,
        );
        deposits.set(command.deposit, { ...wallet, day, micros, completed: command.completed });
        return;
      }
      case "create": {
        if (campaigns.length === 2) return;
        const { firstDay, days, multiplierMillionths, decimals, cap, total, participantsPerWallet, minimumMicros } =
          command.terms;
        const model = new ModelCampaign(deposits, {
          firstDay,
          lastDay: firstDay + days,
          multiplierMillionths: BigInt(multiplierMillionths),
          decimals,
          cap: BigInt(cap),
          total: BigInt(total),
          participantsPerWallet,
          minimumMicros,
        });
        const { campaign: created } = await createCampaign(
          dependencies,
          {
            merchantId,
            type: "PER_TRADE_PROFIT_MATCH",
            displayName: "model",
            startDate: dayStart(model.firstDay).toISOString(),
            endDate: dayStart(model.lastDay).toISOString(),
            perTradeProfitMatch: {
              matchMultiplier: formatMultiplier(BigInt(multiplierMillionths)),
              maxAmountPerUser: token(model.cap, model),
              maxAmountTotal: token(model.total, model),
              payoutChainId: CHAINS[0] as number,
              payoutTokenAddress: TOKEN_ADDRESS,
              participantsPerWalletMax: participantsPerWallet,
              minimumDepositUsd: minimumMicros === null ? null : `0.00000${minimumMicros}`,
            },
          },
          ACTOR,
        );
        campaigns.push({ id: created.id, model, participants: new Map(), payouts: new Map() });
        return;
      }
      case "move":
        return move(command.campaign, command.verb);
      case "edit":
        return edit(command);
      case "burst":
        return burst(command.campaign, command.members, command.pause);
      case "payout":
        return payout(command);
      case "payout-status":
        return payoutStatus(command);
    }
  }

  async function move(index: number, verb: "activate" | "pause" | "resume" | "end"): Promise<void> {
    const campaign = campaigns[index];
    if (campaign === undefined) return;
    const { model } = campaign;
    const from = { activate: ["DRAFT"], pause: ["ACTIVE"], resume: ["PAUSED"], end: ["ACTIVE", "PAUSED"] }[verb];
    const legal = from.includes(model.status);
    const code = await codeOf(moveCampaign(dependencies, campaign.id, verb, ACTOR));
    expect(code).toBe(legal ? null : "CAMPAIGN_TRANSITION_INVALID");
    if (legal) model.status = ({ activate: "ACTIVE", pause: "PAUSED", resume: "ACTIVE", end: "ENDED" } as const)[verb];
  }

  async function edit(command: Command & { kind: "edit" }): Promise<void> {
    const campaign = campaigns[command.campaign];
    if (campaign === undefined) return;
    const { model } = campaign;
    const [cap, total] = [model.cap + BigInt(command.moreCap), model.total + BigInt(command.moreTotal)];
    const lastDay = model.lastDay + command.moreDays;
    if (cap < 0n || total < 0n || lastDay <= model.firstDay) return;
    const legal = model.status === "DRAFT" || (cap >= model.cap && total >= model.total && lastDay >= model.lastDay);
    const code = await codeOf(
      editCampaign(
        dependencies,
        campaign.id,
        {
          endDate: dayStart(lastDay).toISOString(),
          perTradeProfitMatch: { maxAmountPerUser: { amount: String(cap) }, maxAmountTotal: { amount: String(total) } },
        },
        ACTOR,
      ),
    );
    expect(code).toBe(legal ? null : "CAMPAIGN_EDIT_INVALID");
    if (!legal) return;
    Object.assign(model, { cap, total, lastDay });
  }

  /** Concurrent submissions, on two engines, perhaps while the campaign is paused. What took effect is in the journal, in order. */
  async function burst(index: number, members: readonly Member[], withPause: boolean): Promise<void> {
    const campaign = campaigns[index];
    if (campaign === undefined) return;
    const { model, id } = campaign;
    const before = await journalOf(id);
    const results = members.map((member) =>
      (engines[member.engine] as (typeof engines)[0]).submit(
        merchantId,
        id,
        {
          merchantUserId: `user-${member.user}`,
          wallets: member.wallets.map(walletOf).map(({ address, chainId }) => ({ address, chain: { id: chainId } })),
          amount: { amount: String(member.profit), currency: "USDC", decimalPlaces: 6 },
        },
        null,
      ),
    );
    const pausing = withPause && model.status === "ACTIVE";
    const paused = pausing ? moveCampaign(dependencies, id, "pause", ACTOR) : null;
    const settled = await Promise.allSettled(results);
    await paused;

    const accepted: { member: Member; submitted: Submitted }[] = [];
    const claimed: Member[] = [];
    for (const [position, result] of settled.entries()) {
      const member = members[position] as Member;
      if (result.status === "fulfilled") {
        accepted.push({ member, submitted: result.value });
        continue;
      }
      if (!(result.reason instanceof AppError)) throw result.reason;
      const { code } = result.reason;
      const expected = model.refusal(`user-${member.user}`, member.wallets.map(walletOf));
      // Whether a wallet was taken depends on the others of the burst, so that is looked at when all have taken effect.
      if (code === "WALLET_CLAIMED") claimed.push(member);
      else if (!(pausing && code === "CAMPAIGN_NOT_ACTIVE")) expect(code).toBe(expected);
    }
    const rows = (await journalOf(id)).slice(before.length);
    expect(rows).toHaveLength(accepted.length);
    for (const row of rows) {
      // Two submissions of one user with one profit and the same wallets are alike; any of them may be the row's.
      const at = accepted.findIndex(
        ({ member, submitted }) =>
          submitted.participant.id === row.participant_id &&
          member.profit === BigInt(row.trade_profit) &&
          submitted.created === row.created &&
          submitted.participant.matched === BigInt(row.match_after) &&
          isNamedBy(row.wallets, member, submitted),
      );
      expect(at).not.toBe(-1);
      const [{ member, submitted }] = accepted.splice(at, 1) as [(typeof accepted)[0]];
      const wallets = submitted.participant.wallets;
      expect(model.refusal(`user-${member.user}`, member.wallets.map(walletOf))).toBeNull();
      const outcome = model.accept(`user-${member.user}`, member.wallets.map(walletOf), member.profit);
      expect([submitted.created, submitted.participant.matched, BigInt(row.committed_after)]).toEqual([
        outcome.created,
        outcome.participant.matched,
        model.committed,
      ]);
      expect(wallets).toHaveLength(outcome.participant.wallets.length);
      campaign.participants.set(outcome.participant.user, submitted.participant.id);
    }
    for (const { user, wallets } of claimed) {
      expect(model.refusal(`user-${user}`, wallets.map(walletOf))).toBe("WALLET_CLAIMED");
    }
    if (pausing) model.status = "PAUSED";
  }

  async function payout(command: Command & { kind: "payout" }): Promise<void> {
    const campaign = campaigns[command.campaign];
    const participant = campaign?.model.participant(`user-${command.user}`);
    if (campaign === undefined || participant === undefined) return;
    const { model } = campaign;
    const amount =
      (ModelCampaign.owed(participant) * BigInt(command.percent) + 99n) / 100n + (command.percent > 100 ? 1n : 0n);
    const key = `key-${command.key}`;
    const known = participant.payouts.find((item) => item.key === key);
    const recorded = campaign.participants.get(participant.user) as string;
    const attempt = createPayout(dependencies, recorded, { amount: token(amount, model) }, key, ACTOR);
    let expected: string | null = null;
    if (known !== undefined) expected = known.amount === amount ? null : "IDEMPOTENCY_KEY_REUSED";
    else if (amount === 0n) expected = "VALIDATION_ERROR";
    else if (participant.receiver === null) expected = "PARTICIPANT_WITHOUT_RECEIVER";
    else if (amount > ModelCampaign.owed(participant)) expected = "PAYOUT_EXCEEDS_MATCH";
    expect(await codeOf(attempt)).toBe(expected);
    if (expected !== null) return;
    const { created, payout: stored } = await attempt;
    expect(created).toBe(known === undefined);
    if (!created) return;
    expect(stored.recipientAddress.toLowerCase()).toBe(participant.receiver?.address);
    participant.payouts.push({ amount, key, status: "PENDING", cancelled: false });
    campaign.payouts.set(recorded, [...(campaign.payouts.get(recorded) ?? []), stored.id]);
  }

  async function payoutStatus(command: Command & { kind: "payout-status" }): Promise<void> {
    const campaign = campaigns[command.campaign];
    const participant = campaign?.model.participant(`user-${command.user}`);
    const target = participant?.payouts[command.payout];
    if (campaign === undefined || participant === undefined || target === undefined) return;
    const recorded = campaign.participants.get(participant.user) as string;
    const id = campaign.payouts.get(recorded)?.[command.payout] as string;
    const legal =
      (target.status === "PENDING" && ["SUBMITTED", "FAILED"].includes(command.status)) ||
      (target.status === "SUBMITTED" && ["CONFIRMED", "FAILED"].includes(command.status));
    expect(await codeOf(movePayout(dependencies, id, { status: command.status }, ACTOR))).toBe(
      legal ? null : "PAYOUT_TRANSITION_INVALID",
    );
    if (!legal) return;
    target.cancelled = target.status === "PENDING" && command.status === "FAILED";
    target.status = command.status;
  }

  /** Whether the row's wallets, places among the participant's, are those of the member. */
  function isNamedBy(ordinals: Buffer, member: Member, { participant }: Submitted): boolean {
    const keyOf = (wallet: { address: string; chainId: number } | undefined) =>
      `${wallet?.address.toLowerCase()} ${wallet?.chainId}`;
    const named = Array.from({ length: ordinals.length / 2 }, (_, index) =>
      keyOf(participant.wallets[ordinals.readUInt16BE(index * 2)]),
    );
    return named.join() === [...new Set(member.wallets.map(walletOf).map(keyOf))].join();
  }

  function journalOf(campaignId: string) {
    return db.query<{
      participant_id: string;
      trade_profit: string;
      created: boolean;
      match_after: string;
      committed_after: string;
      wallets: Buffer;
    }>(
      `select participant_id, trade_profit, created, match_after, committed_after, wallets
       from submission_journal where merchant_id = $1 and campaign_id = $2 order by position`,
      [merchantId, campaignId],
    );
  }

  /** Everything a merchant can read is what the model says. */
  async function compare(): Promise<void> {
    for (const { id, model } of campaigns) {
      const campaign = await findCampaign(db, merchantId, id);
      if (campaign === null) throw new Error("The campaign is gone.");
      expect([campaign.status, campaign.committed]).toEqual([model.status, model.committed]);
      const stored = await listParticipants(db, campaign, null, null, 100);
      const shown = stored.map((participant) => presentListedParticipant(campaign, participant));
      const byUser = <Item extends { merchantUserId: string }>(items: Item[]) =>
        items.sort((a, b) => (a.merchantUserId < b.merchantUserId ? -1 : 1));
      expect(byUser(shown)).toEqual(byUser(model.participants.map((item) => expectedParticipant(model, item))));

      const all = Array.from({ length: WALLETS * 2 }, (_, index) => walletOf(index));
      const describeWallet = (wallet: QualifiedWallet) =>
        `${wallet.addressKey},${wallet.chainId} ${wallet.qualifiedDate.toISOString()}`;
      const expected = all
        .map((wallet) => ({ ...wallet, day: model.qualifiedDay(wallet) }))
        .filter(({ day }) => day !== null)
        .map(({ address, chainId, day }) => `${address},${chainId} ${dayStart(day as number).toISOString()}`);
      const { wallets: listed } = await listQualifiedWallets(db, campaign, null, null, 100);
      expect(listed.map(describeWallet).sort()).toEqual([...expected].sort());
      const addresses = [...new Set(all.map(({ address }) => address))].sort();
      const checked = await findQualifiedWallets(db, campaign, addresses, null, null, 100);
      expect(checked.map(describeWallet).sort()).toEqual([...expected].sort());
      for (const wallet of all) {
        const request = {
          merchantUserId: "somebody else",
          wallets: [{ address: wallet.address, chain: { id: wallet.chainId } }],
          amount: { amount: "1", currency: "USDC" as const, decimalPlaces: 6 as const },
        };
        expect(await codeOf(dryRun(db, clock, merchantId, id, request))).toBe(
          model.refusal(request.merchantUserId, [wallet]),
        );
      }
    }
    const verdict = await verifyInvariants({ db, clock, chain: TEST_CHAIN }, merchantId);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
  }

  function expectedParticipant(model: ModelCampaign, participant: ModelParticipant) {
    const live = participant.wallets.map((wallet) => model.qualifiedDay(wallet) ?? Number.POSITIVE_INFINITY);
    return {
      id: expect.any(String),
      campaignId: expect.any(String),
      merchantUserId: participant.user,
      status: ModelCampaign.statusOf(participant),
      qualifiedDate: dayStart(Math.min(participant.firstDay, ...live)).toISOString(),
      tradeProfit: { amount: String(participant.profit), currency: "USDC", decimalPlaces: 6 },
      amountMatched: token(participant.matched, model),
      maxMatchPerUser: token(participant.cap, model),
      associatedWallets: participant.wallets.map((wallet) => {
        const day = model.qualifiedDay(wallet);
        return {
          address: wallet.address,
          chainId: wallet.chainId === CHAINS[0] ? wallet.chainId : null,
          chainName: wallet.chainId === CHAINS[0] ? "Base" : "Solana",
          qualifiedDate: day === null ? null : dayStart(day).toISOString(),
        };
      }),
      walletCount: participant.wallets.length,
      payouts: participant.payouts.map(({ amount, status }) =>
        expect.objectContaining({ status, amount: token(amount, model) }),
      ),
      createDate: expect.any(String),
      updateDate: expect.any(String),
    };
  }

  return { apply, compare };
}

async function codeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test("the deposits of the runs cover every wallet", () => {
  expect(DEPOSITS).toBeGreaterThanOrEqual(WALLETS * 2);
});
