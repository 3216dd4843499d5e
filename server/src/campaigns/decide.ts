// From what was read to what is written and answered: the whole decision about a batch, without a database.
import assert from "node:assert";
import { AppError } from "../http/errors.ts";
import { WALLETS_PER_PARTICIPANT_MAX } from "../limits.ts";
import { type Accepted, type CampaignState, match } from "./match.ts";
import { earliest, type Participant, type Wallet, walletKey } from "./participant.ts";
import { participantStatus } from "./status.ts";

/** One call of a merchant, with an id of its own by which its outcome can be found again. */
export interface Submission {
  readonly id: string;
  readonly merchantUserId: string;
  readonly profit: bigint;
  /** Each wallet once, as first spelled. */
  readonly wallets: readonly SubmittedWallet[];
}

export type SubmittedWallet = Omit<Wallet, "qualifiedDate">;

export interface State {
  readonly campaign: CampaignState;
  /** The journal's last position. */
  readonly journalLength: number;
  /** By merchantUserId; only those that exist. */
  readonly participants: ReadonlyMap<string, Participant>;
  /** When each of the submitted wallets qualified, by `walletKey`; only those that do. */
  readonly qualified: ReadonlyMap<string, Date>;
}

export interface JournalRow {
  readonly position: number;
  readonly submissionId: string;
  readonly participantId: string;
  readonly created: boolean;
  readonly profit: bigint;
  readonly cap: bigint;
  readonly delta: bigint;
  readonly matchAfter: bigint;
  readonly committedAfter: bigint;
}

export interface ClaimedWallet extends SubmittedWallet {
  readonly participantId: string;
  readonly ordinal: number;
  readonly claimPosition: number;
}

/** Accepted, with the participant right after this submission, or refused. */
export type Decision =
  | { readonly accepted: true; readonly outcome: Accepted; readonly participant: Participant }
  | { readonly accepted: false; readonly refusal: AppError };

export interface Decided {
  /** One per submission, at the same index. */
  readonly decisions: readonly Decision[];
  readonly participants: readonly Participant[];
  readonly wallets: readonly ClaimedWallet[];
  readonly journal: readonly JournalRow[];
  readonly committed: bigint;
}

/**
 * Decides a batch in order of arrival, exactly as if each submission had come alone. A refused one leaves nothing behind,
 * neither for its user nor for its neighbours.
 */
export function decide(state: State, submissions: readonly Submission[], now: Date, newId: () => string): Decided {
  const unions = uniteWallets(state, submissions);
  const admitted = submissions.filter((_submission, index) => unions[index] !== null);
  const outcomes = match(
    { campaign: state.campaign, participants: state.participants },
    admitted.map(({ merchantUserId, profit, wallets }) => ({
      merchantUserId,
      profit,
      qualifies: wallets.some((wallet) => state.qualified.has(walletKey(wallet))),
    })),
  );

  const running = new Map<string, Participant>();
  const claimed: ClaimedWallet[] = [];
  const journal: JournalRow[] = [];
  let nextOutcome = 0;
  const decisions = submissions.map((submission, index): Decision => {
    const wallets = unions[index];
    if (wallets === null || wallets === undefined) return { accepted: false, refusal: TOO_MANY_WALLETS };
    const outcome = outcomes[nextOutcome++];
    assert(outcome !== undefined);
    if (!outcome.accepted) return { accepted: false, refusal: new AppError(outcome.code) };

    const { merchantUserId, profit } = submission;
    const before = running.get(merchantUserId) ?? state.participants.get(merchantUserId);
    assert(outcome.created === (before === undefined));
    const participant = advance(
      before ?? newcomer(newId(), merchantUserId, wallets, now),
      profit,
      wallets,
      outcome,
      now,
    );
    running.set(merchantUserId, participant);
    const position = state.journalLength + journal.length + 1;
    for (let ordinal = before?.wallets.length ?? 0; ordinal < wallets.length; ordinal++) {
      const { address, addressKey, chainId } = wallets[ordinal] as Wallet;
      claimed.push({ participantId: participant.id, address, addressKey, chainId, ordinal, claimPosition: position });
    }
    journal.push({
      position,
      submissionId: submission.id,
      participantId: participant.id,
      created: outcome.created,
      profit,
      cap: outcome.cap,
      delta: outcome.delta,
      matchAfter: outcome.next,
      committedAfter: outcome.committed,
    });
    return { accepted: true, outcome, participant };
  });
  return {
    decisions,
    participants: [...running.values()],
    wallets: claimed,
    journal,
    committed: journal.at(-1)?.committedAfter ?? state.campaign.committed,
  };
}

const TOO_MANY_WALLETS = new AppError(
  "VALIDATION_ERROR",
  `wallets would give this participant more than ${WALLETS_PER_PARTICIPANT_MAX} wallets over all of its submissions.`,
);

// The user's wallets after each submission, or null where they would be too many. Only a submission that will be accepted
// leaves its wallets to the next one of the same user.
function uniteWallets(state: State, submissions: readonly Submission[]): (readonly Wallet[] | null)[] {
  const running = new Map<string, readonly Wallet[]>();
  return submissions.map(({ merchantUserId, wallets }) => {
    const before = running.get(merchantUserId) ?? state.participants.get(merchantUserId)?.wallets ?? [];
    const known = new Set(before.map(walletKey));
    const added = wallets.filter((wallet) => !known.has(walletKey(wallet)));
    const union = [
      ...before,
      ...added.map((wallet) => ({ ...wallet, qualifiedDate: state.qualified.get(walletKey(wallet)) ?? null })),
    ];
    const willBeAccepted =
      state.campaign.status === "ACTIVE" && wallets.some((wallet) => state.qualified.has(walletKey(wallet)));
    if (!willBeAccepted) return before;
    if (union.length > WALLETS_PER_PARTICIPANT_MAX) return null;
    running.set(merchantUserId, union);
    return union;
  });
}

function newcomer(id: string, merchantUserId: string, wallets: readonly Wallet[], now: Date): Participant {
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
    createDate: now,
    updateDate: now,
    wallets: [],
    payouts: [],
  };
}

function advance(
  before: Participant,
  profit: bigint,
  wallets: readonly Wallet[],
  outcome: Accepted,
  now: Date,
): Participant {
  const after = { ...before, profit, matched: outcome.next, cap: outcome.cap, wallets, updateDate: now };
  return { ...after, status: participantStatus(after), qualifiedDate: earliest(before.qualifiedDate, wallets) };
}
