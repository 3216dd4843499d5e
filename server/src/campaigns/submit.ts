// The submission engine. A campaign's budget is one row that every submission must wait for, so submissions share the
// wait: each process keeps one batch per campaign in flight, and what arrives meanwhile is the next. A batch locks the row
// in one statement and reads in later ones, because a lock wait does not refresh a statement's snapshot: a statement that
// locked and read at once could spend a budget twice.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { refusalOf, type Signer } from "../auth/credential.ts";
import { addressKey } from "../chains.ts";
import type { Clock } from "../clock.ts";
import { CommitUnknownError, isTooSlow, isUnavailable } from "../db/failures.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { AppError, fail } from "../http/errors.ts";
import {
  COMMIT_UNKNOWN_ATTEMPTS_MAX,
  COMMIT_UNKNOWN_PAUSE_MS,
  SUBMISSION_BATCH_MAX,
  SUBMISSIONS_QUEUED_MAX,
} from "../limits.ts";
import { type Decision, decide, type State, type Submission, type SubmittedWallet } from "./decide.ts";
import { type Participant, walletKey } from "./participant.ts";
import { type BatchState, presentParticipant, readBatch } from "./participant-queries.ts";
import type { Participant as ParticipantAnswer, SubmitRequest } from "./participant-schemas.ts";
import { type Campaign, findCampaign, lockCampaign, stateOf, tokenOf } from "./queries.ts";
import { createBatchQueue } from "./queue.ts";
import { listRecorded, writeBatch } from "./submission-queries.ts";

export interface Submitted {
  /** Whether this submission brought the participant into being. */
  readonly created: boolean;
  readonly participant: ParticipantAnswer;
}

/** A submission, and whose signature brought it; null: an operator's own command, which nobody signed. */
interface Member {
  readonly submission: Submission;
  readonly signer: Signer | null;
}

export interface SubmissionOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly batchesPerMerchantMax: number;
}

export type Submissions = ReturnType<typeof createSubmissions>;

export function createSubmissions({ db, clock, batchesPerMerchantMax }: SubmissionOptions) {
  const queue = createBatchQueue<Member, Submitted>({
    run: (merchantId, campaignId, items) => settle(db, clock, merchantId, campaignId, items),
    batchMax: SUBMISSION_BATCH_MAX,
    queuedMax: SUBMISSIONS_QUEUED_MAX,
    batchesPerMerchantMax,
  });
  return {
    submit: (
      merchantId: string,
      campaignId: string,
      request: SubmitRequest,
      signer: Signer | null,
    ): Promise<Submitted> => queue.add(merchantId, campaignId, { submission: readSubmission(request), signer }),
    get waiting() {
      return queue.waiting;
    },
  };
}

export function readSubmission(request: SubmitRequest): Submission {
  const wallets = new Map<string, SubmittedWallet>();
  for (const { address, chain } of request.wallets) {
    const wallet = { address, addressKey: addressKey(address), chainId: chain.id };
    if (!wallets.has(walletKey(wallet))) wallets.set(walletKey(wallet), wallet);
  }
  return {
    id: randomUUID(),
    merchantUserId: request.merchantUserId,
    profit: BigInt(request.amount.amount),
    wallets: [...wallets.values()],
  };
}

/** What a submission would earn now, with every refusal it would get. Nothing is stored. */
export async function dryRun(
  db: Database,
  clock: Clock,
  merchantId: string,
  campaignId: string,
  request: SubmitRequest,
) {
  const submission = readSubmission(request);
  return db.transaction(
    async (transaction) => {
      const campaign = (await findCampaign(transaction, merchantId, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
      const state = await readState(transaction, campaign, [submission]);
      const [decision] = decide(state, [submission], clock(), randomUUID).decisions;
      if (decision === undefined || !decision.accepted) throw decision?.refusal;
      const { next, delta, clampedBy } = decision.outcome;
      const token = tokenOf(campaign);
      const { maxAmountTotal, committed } = state.campaign;
      return {
        dryRun: true as const,
        amountMatched: { amount: next.toString(), ...token },
        delta: { amount: delta.toString(), ...token },
        clampedBy,
        remainingBudget: { amount: (maxAmountTotal - committed).toString(), ...token },
      };
    },
    { isolation: "repeatable read" },
  );
}

/** Settles a batch. One that fails for a reason nobody foresaw is settled one by one, so that only the bad one fails. */
async function settle(
  db: Database,
  clock: Clock,
  merchantId: string,
  campaignId: string,
  batch: readonly Member[],
): Promise<PromiseSettledResult<Submitted>[]> {
  try {
    return await settleTogether(db, clock, merchantId, campaignId, batch);
  } catch (error) {
    const foreseen = error instanceof AppError || isUnavailable(error) || isTooSlow(error);
    if (foreseen || batch.length === 1) throw error;
    const results: PromiseSettledResult<Submitted>[] = [];
    for (const member of batch) {
      const alone = settleTogether(db, clock, merchantId, campaignId, [member]);
      results.push(...(await alone.catch((reason: unknown) => [{ status: "rejected", reason } as const])));
    }
    return results;
  }
}

// When COMMIT was sent and not answered, the batch may have taken effect. It is run again, and what the journal knows is
// repeated instead of done twice. A connection lost earlier took everything with it; the pool runs that again by itself.
async function settleTogether(
  db: Database,
  clock: Clock,
  merchantId: string,
  campaignId: string,
  batch: readonly Member[],
): Promise<PromiseSettledResult<Submitted>[]> {
  let mayBeRecorded = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((transaction) =>
        settleOnce(transaction, clock, merchantId, campaignId, batch, mayBeRecorded),
      );
    } catch (error) {
      mayBeRecorded ||= error instanceof CommitUnknownError;
      if (!mayBeRecorded || !isUnavailable(error) || attempt === COMMIT_UNKNOWN_ATTEMPTS_MAX) throw error;
      await pause(COMMIT_UNKNOWN_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

async function settleOnce(
  transaction: Queryable,
  clock: Clock,
  merchantId: string,
  campaignId: string,
  batch: readonly Member[],
  mayBeRecorded: boolean,
): Promise<PromiseSettledResult<Submitted>[]> {
  // A backend whose client is gone may still be committing. It holds this row until it is done, so the wait is also
  // what makes the journal's answer final.
  const campaign = (await lockCampaign(transaction, merchantId, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
  const submissions = batch.map(({ submission }) => submission);
  const ids = submissions.map(({ id }) => id);
  const recorded = mayBeRecorded
    ? await listRecorded(transaction, merchantId, campaignId, ids)
    : new Map<string, never>();
  const now = clock();

  const { credential, ...state } = await readState(transaction, campaign, submissions);
  // A merchant may have been suspended, or its key swapped, while its submissions waited. Their neighbours go on. What took
  // effect before is repeated, not judged again.
  const refusals = new Map(
    batch.map(({ submission, signer }) => [submission.id, signer === null ? null : refusalOf(credential, signer)]),
  );
  const fresh = submissions.filter(({ id }) => !recorded.has(id) && refusals.get(id) === null);
  const decided = decide(state, fresh, now, randomUUID);
  if (decided.journal.length > 0) await writeBatch(transaction, campaign, decided, now);

  const decisions = new Map(fresh.map(({ id }, index) => [id, decided.decisions[index]]));
  return submissions.map(({ id, merchantUserId }) => {
    const known = recorded.get(id);
    if (known !== undefined) {
      const participant = state.participants.get(merchantUserId) as Participant;
      return { status: "fulfilled", value: repeat(campaign, participant, known) };
    }
    const refusal = refusals.get(id) ?? null;
    return refusal === null ? answer(campaign, decisions.get(id) as Decision) : { status: "rejected", reason: refusal };
  });
}

async function readState(
  transaction: Queryable,
  campaign: Campaign,
  batch: readonly Submission[],
): Promise<State & Pick<BatchState, "credential">> {
  const { merchantId, id } = campaign;
  const users = [...new Set(batch.map(({ merchantUserId }) => merchantUserId))];
  const wallets = new Map(
    batch.flatMap((submission) => submission.wallets.map((wallet) => [walletKey(wallet), wallet])),
  );
  const found = await readBatch(transaction, merchantId, id, users, [...wallets.values()]);
  return {
    campaign: stateOf(campaign),
    journalLength: campaign.journalLength,
    participants: new Map(found.participants.map((participant) => [participant.merchantUserId, participant])),
    qualified: new Map(found.qualified.map((wallet) => [walletKey(wallet), wallet.qualifiedDate])),
    credential: found.credential,
  };
}

function answer(campaign: Campaign, decision: Decision): PromiseSettledResult<Submitted> {
  if (!decision.accepted) return { status: "rejected", reason: decision.refusal };
  const participant = presentParticipant(campaign, decision.participant);
  return { status: "fulfilled", value: { created: decision.outcome.created, participant } };
}

// Matches never fall, so the participant as it is now honours whatever the lost answer would have said.
function repeat(campaign: Campaign, participant: Participant, { created }: { created: boolean }): Submitted {
  return { created, participant: presentParticipant(campaign, participant) };
}
