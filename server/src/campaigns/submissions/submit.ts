// The submission engine. A campaign's budget is one row that every submission must lock, so submissions share the lock:
// each process runs one batch per campaign at a time, and submissions that arrive meanwhile form the next batch. A batch
// locks the row in one statement and reads in later ones, because a lock wait does not refresh a statement's snapshot: a
// single statement that locked and read could spend a budget twice.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { addressKey } from "@matchbook/addresses/chains";
import { recheck, refusalOf, type Signer } from "../../auth/credential.ts";
import type { Clock } from "../../clock.ts";
import { CommitUnknownError, isTooSlow, isUnavailable } from "../../db/failures.ts";
import type { Database, Queryable } from "../../db/pool.ts";
import { AppError, fail } from "../../http/errors.ts";
import {
  COMMIT_UNKNOWN_ATTEMPTS_MAX,
  COMMIT_UNKNOWN_PAUSE_MS,
  MERCHANT_CACHE_MARGIN_MS,
  SUBMISSION_BATCH_MAX,
  SUBMISSIONS_QUEUED_MAX,
} from "../../limits.ts";
import { walletKey } from "../../qualification/record.ts";
import type { Participant } from "../participants/record.ts";
import { findCampaign, lockCampaign } from "../queries.ts";
import type { Campaign } from "../record.ts";
import { type Decision, decide, type State, type Submission, type SubmittedWallet } from "./decide.ts";
import type { Match } from "./match.ts";
import { type BatchState, listRecorded, readBatch, writeBatch } from "./queries.ts";
import { createBatchQueue } from "./queue.ts";
import type { SubmitRequest } from "./schemas.ts";

/** An accepted submission, with the participant right after it. */
export interface Submitted {
  /** Whether this submission created the participant. */
  readonly created: boolean;
  readonly campaign: Campaign;
  readonly participant: Participant;
}

/** A submission and its signer. Null: a command on the host, which is not signed. */
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

export interface DryRunResult {
  readonly campaign: Campaign;
  readonly match: Match;
}

/** What a submission would earn now, with every refusal it would get. Nothing is stored. */
export async function dryRun(
  db: Database,
  clock: Clock,
  merchantId: string,
  campaignId: string,
  request: SubmitRequest,
): Promise<DryRunResult> {
  const submission = readSubmission(request);
  return db.transaction(
    async (transaction) => {
      const campaign = (await findCampaign(transaction, merchantId, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
      const state = await readState(transaction, campaign, [submission]);
      const [decision] = decide(state, [submission], clock(), randomUUID).decisions;
      if (decision === undefined || !decision.accepted) throw decision?.refusal;
      return { campaign, match: decision.match };
    },
    { isolation: "repeatable read" },
  );
}

/** Settles a batch. After an unexpected error its members are settled one by one, so that only the bad one fails. */
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
    const isExpected = error instanceof AppError || isUnavailable(error) || isTooSlow(error);
    if (isExpected || batch.length === 1) throw error;
    const results: PromiseSettledResult<Submitted>[] = [];
    for (const member of batch) {
      const alone = settleTogether(db, clock, merchantId, campaignId, [member]);
      results.push(...(await alone.catch((reason: unknown) => [{ status: "rejected", reason } as const])));
    }
    return results;
  }
}

// When COMMIT was sent and not answered, the batch may have taken effect. It runs again, and submissions that are in the
// journal get the recorded result instead of a second effect. After a connection lost before COMMIT nothing was stored, and
// the pool retries the transaction itself.
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
      // The next run reads the credential again and refuses those who signed with the old one.
      if (error instanceof CredentialEndedError && attempt < COMMIT_UNKNOWN_ATTEMPTS_MAX) continue;
      mayBeRecorded ||= error instanceof CommitUnknownError;
      if (!mayBeRecorded || !isUnavailable(error) || attempt === COMMIT_UNKNOWN_ATTEMPTS_MAX) throw error;
      await pause(COMMIT_UNKNOWN_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** A member's credential ended while its batch was being written. */
class CredentialEndedError extends Error {}

async function settleOnce(
  transaction: Queryable,
  clock: Clock,
  merchantId: string,
  campaignId: string,
  batch: readonly Member[],
  mayBeRecorded: boolean,
): Promise<PromiseSettledResult<Submitted>[]> {
  // A backend whose client is gone may still be committing. It holds this row until it is done, so after this lock the
  // journal says for certain whether a lost batch took effect.
  const campaign = (await lockCampaign(transaction, merchantId, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
  const submissions = batch.map(({ submission }) => submission);
  const ids = submissions.map(({ id }) => id);
  const recorded = mayBeRecorded
    ? await listRecorded(transaction, merchantId, campaignId, ids)
    : new Map<string, never>();
  const now = clock();

  const readAtMs = performance.now();
  const { credential, ...state } = await readState(transaction, campaign, submissions);
  // A merchant may have been suspended, or its key swapped, while its submissions waited. Their neighbours go on. What took
  // effect before is repeated, not judged again.
  const refusals = new Map(
    batch.map(({ submission, signer }) => [submission.id, signer === null ? null : refusalOf(credential, signer)]),
  );
  const fresh = submissions.filter(({ id }) => !recorded.has(id) && refusals.get(id) === null);
  const decided = decide(state, fresh, now, randomUUID);
  if (decided.journal.length > 0) {
    await writeBatch(transaction, campaign, decided, now);
    // A suspension is answered MERCHANT_CACHE_MS and this margin after its commit. A large batch takes longer to write (1 s
    // for 24,000 wallets beside three others), and must not commit after that answer.
    if (performance.now() - readAtMs > MERCHANT_CACHE_MARGIN_MS) await recheckMembers(transaction, batch, refusals);
  }

  const decisions = new Map(fresh.map(({ id }, index) => [id, decided.decisions[index]]));
  return submissions.map(({ id, merchantUserId }) => {
    const known = recorded.get(id);
    if (known !== undefined) {
      // Matches never fall, so the participant as it is now has at least what the lost answer promised.
      const participant = state.participants.get(merchantUserId) as Participant;
      return { status: "fulfilled", value: { created: known.created, campaign, participant } };
    }
    const refusal = refusals.get(id) ?? null;
    return refusal === null
      ? toResult(campaign, decisions.get(id) as Decision)
      : { status: "rejected", reason: refusal };
  });
}

async function recheckMembers(
  transaction: Queryable,
  batch: readonly Member[],
  refusals: ReadonlyMap<string, AppError | null>,
): Promise<void> {
  const signers = new Map<string, Signer>();
  for (const { submission, signer } of batch) {
    if (signer !== null && refusals.get(submission.id) === null)
      signers.set(`${signer.isBound} ${signer.publicKey}`, signer);
  }
  for (const signer of signers.values()) {
    await recheck(transaction, signer).catch((error: unknown) => {
      throw error instanceof AppError ? new CredentialEndedError() : error;
    });
  }
}

async function readState(
  transaction: Queryable,
  campaign: Campaign,
  batch: readonly Submission[],
): Promise<State & Pick<BatchState, "credential">> {
  const users = [...new Set(batch.map(({ merchantUserId }) => merchantUserId))];
  const wallets = new Map(
    batch.flatMap((submission) => submission.wallets.map((wallet) => [walletKey(wallet), wallet])),
  );
  const found = await readBatch(transaction, campaign, users, [...wallets.values()]);
  return {
    campaign,
    participants: new Map(found.participants.map((participant) => [participant.merchantUserId, participant])),
    qualified: new Map(found.qualified.map((wallet) => [walletKey(wallet), wallet.qualifiedDate])),
    credential: found.credential,
  };
}

function toResult(campaign: Campaign, decision: Decision): PromiseSettledResult<Submitted> {
  if (!decision.accepted) return { status: "rejected", reason: decision.refusal };
  const { created, participant } = decision;
  return { status: "fulfilled", value: { created, campaign, participant } };
}
