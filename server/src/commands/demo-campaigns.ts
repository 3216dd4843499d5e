import { createHash } from "node:crypto";
import { chainOf } from "@matchbook/addresses/chains";
import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import type { JournalChain } from "../campaigns/journal/chain.ts";
import { createCampaign, moveCampaign } from "../campaigns/lifecycle.ts";
import type { Participant } from "../campaigns/participants/record.ts";
import { createPayout, movePayout } from "../campaigns/payouts/payouts.ts";
import type { Campaign, CampaignStatus } from "../campaigns/record.ts";
import { createSubmissions } from "../campaigns/submissions/submit.ts";
import { DAY_MS } from "../limits.ts";
import { listQualifiedWallets } from "../qualification/queries.ts";

const PARTICIPANTS_MAX = 60;
const SUBMISSION_DAYS = 28;
const USDC_ON_BASE = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const USDC = { currency: "USDC", decimalPlaces: 6 } as const;
const BASE = 8453;

interface Season {
  readonly name: string;
  readonly startDay: number;
  readonly endDay: number;
  readonly status: CampaignStatus;
  readonly multiplier: number;
  readonly capTokens: number;
  readonly totalTokens: number;
}

// Days count from now. There is one campaign in each status, and one whose budget is nearly spent.
const SEASONS: readonly Season[] = [
  {
    name: "Double Profit Weeks",
    startDay: -45,
    endDay: 30,
    status: "ACTIVE",
    multiplier: 2,
    capTokens: 1_000,
    totalTokens: 250_000,
  },
  {
    name: "Spring Match",
    startDay: -240,
    endDay: -150,
    status: "ENDED",
    multiplier: 1.5,
    capTokens: 500,
    totalTokens: 40_000,
  },
  {
    name: "High Rollers",
    startDay: -60,
    endDay: 60,
    status: "ACTIVE",
    multiplier: 1,
    capTokens: 2_500,
    totalTokens: 60_000,
  },
  {
    name: "Weekend Boost",
    startDay: -20,
    endDay: 10,
    status: "PAUSED",
    multiplier: 2.5,
    capTokens: 300,
    totalTokens: 25_000,
  },
  {
    name: "Autumn Preview",
    startDay: 14,
    endDay: 74,
    status: "DRAFT",
    multiplier: 3,
    capTokens: 750,
    totalTokens: 100_000,
  },
  {
    name: "Last Call",
    startDay: -30,
    endDay: 5,
    status: "ACTIVE",
    multiplier: 2,
    capTokens: 1_500,
    totalTokens: 15_000,
  },
];

export interface DemoDependencies extends ChangeDependencies {
  readonly chain: JournalChain;
}

/** Makes a campaign through the same rules as the API, and returns the number of its participants. */
export async function fillCampaign(
  dependencies: DemoDependencies,
  merchantId: string,
  number: number,
  actor: Actor,
): Promise<number> {
  const season = SEASONS[number % SEASONS.length] as Season;
  const day = (offset: number) => new Date(dependencies.clock().getTime() + offset * DAY_MS).toISOString();
  const tokens = (count: number) => ({ amount: `${count}000000`, ...USDC });
  const request = {
    merchantId,
    type: "PER_TRADE_PROFIT_MATCH" as const,
    displayName: season.name,
    startDate: day(season.startDay),
    endDate: day(season.endDay),
    perTradeProfitMatch: {
      matchMultiplier: season.multiplier,
      maxAmountPerUser: tokens(season.capTokens),
      maxAmountTotal: tokens(season.totalTokens),
      payoutChainId: BASE,
      payoutTokenAddress: USDC_ON_BASE,
    },
  };
  const { campaign } = await createCampaign(dependencies, request, actor);
  const { id } = campaign;
  if (season.status === "DRAFT") return 0;
  await moveCampaign(dependencies, id, "activate", actor);
  const participants = await submitProfits(dependencies, campaign, season);
  await recordPayouts(dependencies, participants, actor);
  if (season.status === "PAUSED") await moveCampaign(dependencies, id, "pause", actor);
  if (season.status === "ENDED") await moveCampaign(dependencies, id, "end", actor);
  return new Set(participants.map(({ participant }) => participant.id)).size;
}

interface Entry {
  readonly participant: Participant;
  readonly dice: number;
}

// Submissions are spread over the last weeks of the window, so that there is a history to show.
async function submitProfits(
  { db, clock, chain }: DemoDependencies,
  campaign: Campaign,
  season: Season,
): Promise<Entry[]> {
  const { wallets } = await listQualifiedWallets(db, campaign, null, null, PARTICIPANTS_MAX);
  const endMs = clock().getTime() + Math.min(0, season.endDay) * DAY_MS;
  const beginMs = Math.max(endMs - SUBMISSION_DAYS * DAY_MS, clock().getTime() + season.startDay * DAY_MS);
  let nowMs = beginMs;
  const submissions = createSubmissions({ db, clock: () => new Date(nowMs), connections: 1, chain });
  const entries: Entry[] = [];
  for (const [index, { address, chainId }] of wallets.entries()) {
    if (!chainOf(chainId).isEvm) continue;
    nowMs = beginMs + Math.floor(((endMs - beginMs) * (index + 1)) / wallets.length);
    // All random values come from the address, so a wallet on two chains belongs to one user.
    const dice = createHash("sha256").update(address.toLowerCase()).digest().readUInt32BE();
    const request = {
      merchantUserId: `player-${dice % 100_000}`,
      wallets: [{ address, chain: { id: chainId } }],
      amount: { amount: String(dice % 9 === 0 ? 0 : 5_000_000 + (dice % 900_000_000)), ...USDC },
    };
    const { participant } = await submissions.submit(campaign.merchantId, campaign.id, request, null);
    entries.push({ participant, dice });
  }
  return entries;
}

// Two thirds have a payout, and a few of these failed.
async function recordPayouts(dependencies: ChangeDependencies, entries: readonly Entry[], actor: Actor): Promise<void> {
  const paid = new Set<string>();
  for (const { participant, dice } of entries) {
    if (dice % 3 === 0 || participant.receiver === null || paid.has(participant.id)) continue;
    paid.add(participant.id);
    const request = { amount: { amount: String(participant.matched), ...USDC } };
    const { payout } = await createPayout(dependencies, participant.id, request, null, actor);
    if (dice % 7 === 0) continue;
    const transactionHash = `0x${createHash("sha256").update(payout.id).digest("hex")}`;
    await movePayout(dependencies, payout.id, { status: "SUBMITTED", transactionHash }, actor);
    if (dice % 5 === 0) continue;
    const end =
      dice % 11 === 0
        ? { status: "FAILED" as const, reason: "The recipient's wallet refused the transfer." }
        : { status: "CONFIRMED" as const };
    await movePayout(dependencies, payout.id, end, actor);
  }
}
