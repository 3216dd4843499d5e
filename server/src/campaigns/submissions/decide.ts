// Decides a batch from what was read: what is written and what is answered. Pure, without a database.
import assert from "node:assert";
import { problemWithAddress } from "@matchbook/addresses";
import { formatUsd, max } from "../../amounts.ts";
import { AppError, errors } from "../../http/errors.ts";
import { WALLETS_PER_PARTICIPANT_MAX } from "../../limits.ts";
import { walletKey } from "../../qualification/record.ts";
import type { Evidence, JournalEntry, NamedWallet } from "../journal/record.ts";
import { chooseReceiver } from "../participants/receiver.ts";
import { earliest, type Participant, type Wallet } from "../participants/record.ts";
import { participantStatus } from "../participants/status.ts";
import type { Campaign } from "../record.ts";
import { type Match, matchOne } from "./match.ts";

/** One call of a merchant. It has an id of its own, by which its result can be found again. */
export interface Submission {
  readonly id: string;
  readonly merchantUserId: string;
  readonly profit: bigint;
  /** Each wallet once, as first spelled. */
  readonly wallets: readonly SubmittedWallet[];
}

export type SubmittedWallet = Omit<Wallet, "qualifiedDate">;

export interface State {
  readonly campaign: Pick<
    Campaign,
    | "status"
    | "multiplierMillionths"
    | "decimalPlaces"
    | "maxAmountPerUser"
    | "maxAmountTotal"
    | "committed"
    | "journalLength"
    | "payoutChainId"
    | "payoutTokenAddress"
    | "participantsPerWalletMax"
    | "minimumDepositMicros"
  >;
  /** By merchantUserId; only those that exist. */
  readonly participants: ReadonlyMap<string, Participant>;
  /** When each of the submitted wallets qualified, by `walletKey`; only those that do. */
  readonly qualified: ReadonlyMap<string, Date>;
  /** How many participants claimed each of the submitted wallets, by `walletKey`. Empty without a limit of claims. */
  readonly claims: ReadonlyMap<string, number>;
}

export interface ClaimedWallet extends SubmittedWallet {
  readonly participantId: string;
  readonly ordinal: number;
  readonly claimPosition: number;
}

/** Accepted, with the participant right after this submission, or refused. */
export type Decision =
  | {
      readonly accepted: true;
      /** Whether this submission creates the participant: true once per user, over all batches. */
      readonly created: boolean;
      readonly match: Match;
      readonly participant: Participant;
    }
  | { readonly accepted: false; readonly refusal: AppError };

export interface Decided {
  /** One per submission, at the same index. */
  readonly decisions: readonly Decision[];
  readonly participants: readonly Participant[];
  readonly wallets: readonly ClaimedWallet[];
  readonly journal: readonly JournalEntry[];
  readonly committed: bigint;
}

/**
 * Decides a batch in order of arrival, exactly as if each submission had come alone. A refused one changes nothing, neither
 * for its user nor for the others.
 */
export function decide(state: State, submissions: readonly Submission[], now: Date, newId: () => string): Decided {
  const { campaign } = state;
  const changed = new Map<string, Participant>();
  const claimed: ClaimedWallet[] = [];
  const claims = new Map(state.claims);
  const journal: JournalEntry[] = [];
  let { committed } = campaign;

  const decisions = submissions.map((submission): Decision => {
    const { merchantUserId, profit } = submission;
    const before = changed.get(merchantUserId) ?? state.participants.get(merchantUserId);
    const { wallets, named } = uniteWallets(before?.wallets ?? [], submission.wallets, state.qualified);
    const added = wallets.slice(before?.wallets.length ?? 0);
    const refusal = findRefusal(state, submission, wallets) ?? findClaimed(campaign, claims, added);
    if (refusal !== null) return { accepted: false, refusal };

    const cap = max(before?.cap ?? 0n, campaign.maxAmountPerUser); // A participant's cap is never lowered.
    const match = matchOne({
      profit,
      multiplierMillionths: campaign.multiplierMillionths,
      tokenDecimals: campaign.decimalPlaces,
      cap,
      matched: before?.matched ?? 0n,
      remaining: campaign.maxAmountTotal - committed,
    });
    committed += match.delta;
    // Set once, when there is something to pay: a later submission cannot send it elsewhere.
    const hasReceiver = before !== undefined && before.receiver !== null;
    const chosen = hasReceiver || match.next === 0n ? null : chooseReceiver(wallets, campaign);
    const participant = advance(before ?? newParticipant(newId(), merchantUserId, wallets, now), {
      profit,
      matched: match.next,
      cap,
      wallets,
      receiver: before?.receiver ?? chosen?.receiver ?? null,
      updateDate: now,
    });
    changed.set(merchantUserId, participant);

    const created = before === undefined;
    const position = campaign.journalLength + journal.length + 1;
    for (const [index, wallet] of added.entries()) {
      const { address, addressKey, chainId } = wallet;
      const ordinal = wallets.length - added.length + index;
      claimed.push({ participantId: participant.id, address, addressKey, chainId, ordinal, claimPosition: position });
      claims.set(walletKey(wallet), (claims.get(walletKey(wallet)) ?? 0) + 1);
    }
    journal.push({
      position,
      submissionId: submission.id,
      participantId: participant.id,
      merchantUserId,
      created,
      profit,
      cap,
      maxAmountTotal: campaign.maxAmountTotal,
      delta: match.delta,
      matchAfter: match.next,
      committedAfter: committed,
      clampedBy: match.clampedBy,
      date: now,
      evidence: evidenceOf(
        named,
        state.qualified,
        chosen && { ...(wallets[chosen.ordinal] as Wallet), ordinal: chosen.ordinal },
      ),
    });
    return { accepted: true, created, match, participant };
  });

  assert(committed >= campaign.committed && committed <= max(campaign.committed, campaign.maxAmountTotal));
  return { decisions, participants: [...changed.values()], wallets: claimed, journal, committed };
}

const TOO_MANY_WALLETS = new AppError(
  "VALIDATION_ERROR",
  `wallets would give this participant more than ${WALLETS_PER_PARTICIPANT_MAX} wallets over all of its submissions.`,
);

/** The reasons to refuse a submission that do not depend on what others claimed. The first one that applies is answered. */
function findRefusal({ campaign, qualified }: State, submission: Submission, wallets: readonly Wallet[]) {
  if (campaign.status !== "ACTIVE") return new AppError("CAMPAIGN_NOT_ACTIVE");
  // One of the wallets of this very submission, not of an earlier one.
  const qualifies = submission.wallets.some((wallet) => qualified.has(walletKey(wallet)));
  if (!qualifies) return notQualified(campaign, submission.wallets);
  return wallets.length > WALLETS_PER_PARTICIPANT_MAX ? TOO_MANY_WALLETS : null;
}

/** Only wallets that are new for the participant are looked at: to name one again is no second claim. */
function findClaimed(
  { participantsPerWalletMax }: State["campaign"],
  claims: ReadonlyMap<string, number>,
  added: readonly Wallet[],
): AppError | null {
  if (participantsPerWalletMax === null) return null;
  const taken = added.find((wallet) => (claims.get(walletKey(wallet)) ?? 0) >= participantsPerWalletMax);
  if (taken === undefined) return null;
  const others = participantsPerWalletMax === 1 ? "another participant" : `${participantsPerWalletMax} participants`;
  const message = `${subjectOf(taken.address)} is already claimed by ${others} of this campaign.`;
  return new AppError("WALLET_CLAIMED", message);
}

/** Text of a stranger's choice is quoted only if it looks like an address. */
function subjectOf(address: string): string {
  return /^[!-~]{1,70}$/.test(address) ? `The address ${address}` : "A submitted address";
}

/** A mistyped address does not qualify. It is accepted like any other text, so this message is where its sender learns of it. */
function notQualified({ minimumDepositMicros }: State["campaign"], wallets: readonly SubmittedWallet[]): AppError {
  const minimum =
    minimumDepositMicros === null ? "" : ` A deposit counts from ${formatUsd(minimumDepositMicros)} USD on.`;
  const message = `${errors.NO_QUALIFYING_WALLET[1]}${minimum}`;
  for (const { address, chainId } of wallets) {
    const problem = problemWithAddress(address, chainId);
    if (problem === null) continue;
    return new AppError("NO_QUALIFYING_WALLET", `${message} ${subjectOf(address)} ${problem}.`);
  }
  return new AppError("NO_QUALIFYING_WALLET", message);
}

/** The user's wallets with those of this submission added at the end, and which of them the submission named. */
function uniteWallets(
  before: readonly Wallet[],
  submitted: readonly SubmittedWallet[],
  qualified: ReadonlyMap<string, Date>,
): { wallets: readonly Wallet[]; named: readonly NamedWallet[] } {
  const ordinals = new Map(before.map((wallet, ordinal) => [walletKey(wallet), ordinal]));
  const wallets = [...before];
  const named = submitted.map((wallet): NamedWallet => {
    const key = walletKey(wallet);
    const ordinal = ordinals.get(key) ?? wallets.length;
    if (ordinal === wallets.length) wallets.push({ ...wallet, qualifiedDate: qualified.get(key) ?? null });
    return { ...wallet, ordinal };
  });
  return { wallets, named };
}

function evidenceOf(
  named: readonly NamedWallet[],
  qualified: ReadonlyMap<string, Date>,
  receiver: NamedWallet | null,
): Evidence {
  const wallet = named.find((one) => qualified.has(walletKey(one)));
  const qualifiedDate = wallet && qualified.get(walletKey(wallet));
  assert(wallet !== undefined && qualifiedDate !== undefined, "an accepted submission has a qualifying wallet");
  return { wallets: named, qualifiedOrdinal: wallet.ordinal, qualifiedDate, receiver };
}

function newParticipant(id: string, merchantUserId: string, wallets: readonly Wallet[], now: Date): Participant {
  const qualifiedDate = wallets.find((wallet) => wallet.qualifiedDate !== null)?.qualifiedDate;
  assert(qualifiedDate !== null && qualifiedDate !== undefined, "an accepted submission has a qualifying wallet");
  return {
    id,
    merchantUserId,
    status: "QUALIFIED",
    qualifiedDate,
    profit: 0n,
    matched: 0n,
    cap: 0n,
    payoutsOpen: 0n,
    payoutsConfirmed: 0n,
    payoutsCount: 0,
    lastPayoutFailed: false,
    receiver: null,
    held: false,
    createDate: now,
    updateDate: now,
    wallets: [],
    payouts: [],
  };
}

type Change = Pick<Participant, "profit" | "matched" | "cap" | "wallets" | "receiver" | "updateDate">;

function advance(before: Participant, change: Change): Participant {
  const after = { ...before, ...change };
  return { ...after, status: participantStatus(after), qualifiedDate: earliest(before.qualifiedDate, after.wallets) };
}
