// The submission engine. A campaign's budget is one row that every submission must lock, so submissions share the lock, and
// submissions to different campaigns share the transaction: what arrives while batches are in flight forms the next batch.
//
// A batch locks its campaigns in one statement and reads in later ones, because a lock wait does not refresh a statement's
// snapshot: a single statement that locked and read could spend a budget twice. A batch of many campaigns waits for no lock; one
// that waits has a single campaign. So batches are part of no deadlock.
import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { addressKey } from "@matchbook/addresses/chains";
import { refusalOf, type Signer } from "../../auth/credential.ts";
import type { Clock } from "../../clock.ts";
import type { BatchScope } from "../../config.ts";
import { CommitUnknownError, isTooSlow, isUnavailable } from "../../db/failures.ts";
import type { Database, Queryable } from "../../db/pool.ts";
import { AppError, fail } from "../../http/errors.ts";
import {
  COMMIT_UNKNOWN_ATTEMPTS_MAX,
  COMMIT_UNKNOWN_PAUSE_MS,
  MERCHANT_CACHE_MARGIN_MS,
  SUBMISSION_BATCH_CAMPAIGNS_MAX,
  SUBMISSION_BATCH_WALLETS_MAX,
  SUBMISSION_BATCHES_MAX,
  SUBMISSION_SHARE_WALLETS_MAX,
  SUBMISSIONS_QUEUED_MAX,
} from "../../limits.ts";
import { listCredentials } from "../../merchants/queries.ts";
import { walletKey } from "../../qualification/record.ts";
import type { JournalChain } from "../journal/chain.ts";
import type { Participant } from "../participants/record.ts";
import { type CampaignKey, findCampaign, type LockedCampaign, lockCampaign, lockFreeCampaigns } from "../queries.ts";
import type { Campaign } from "../record.ts";
import { type Decision, decide, type State, type Submission, type SubmittedWallet } from "./decide.ts";
import type { Match } from "./match.ts";
import { type BatchState, listRecorded, readBatch, writeBatch } from "./queries.ts";
import { createBatchQueue, type Group, type Outcome } from "./queue.ts";
import type { SubmitRequest } from "./schemas.ts";

/** An accepted submission, with the participant right after it. */
export interface Submitted {
  /** Whether this submission created the participant. */
  readonly created: boolean;
  readonly campaign: Campaign;
  readonly participant: Participant;
}

interface Member {
  readonly submission: Submission;
  /** Null: a command on the host, which is not signed. */
  readonly signer: Signer | null;
  /** A COMMIT with this submission was not answered. */
  mayBeRecorded: boolean;
}

export interface SubmissionOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** The connections of `db`. Campaigns that wait for a lock take at most half of them. */
  readonly connections: number;
  readonly chain: JournalChain;
  /** Whether a batch may hold campaigns of several merchants. */
  readonly batchScope?: BatchScope;
}

type Dependencies = Pick<SubmissionOptions, "db" | "clock" | "chain">;

export type Submissions = ReturnType<typeof createSubmissions>;

export function createSubmissions({ db, clock, connections, chain, batchScope = "all" }: SubmissionOptions) {
  const dependencies = { db, clock, chain };
  const queue = createBatchQueue<Member, Submitted>({
    settle: (groups) => settle(dependencies, groups),
    settleAlone: (group) => settleAlone(dependencies, group),
    sizeOf: ({ submission }) => submission.wallets.length,
    batchMax: SUBMISSION_BATCH_WALLETS_MAX,
    shareMax: SUBMISSION_SHARE_WALLETS_MAX,
    campaignsMax: SUBMISSION_BATCH_CAMPAIGNS_MAX,
    queuedMax: SUBMISSIONS_QUEUED_MAX,
    batchesMax: SUBMISSION_BATCHES_MAX,
    aloneMax: Math.max(1, Math.floor(connections / 2)),
    oneMerchant: batchScope === "merchant",
  });
  return {
    submit: (
      merchantId: string,
      campaignId: string,
      request: SubmitRequest,
      signer: Signer | null,
    ): Promise<Submitted> =>
      queue.add(merchantId, campaignId, { submission: readSubmission(request), signer, mayBeRecorded: false }),
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
      const [state] = await readStates(transaction, [{ campaign, submissions: [submission] }]);
      const [decision] = decide(state as State, [submission], clock(), randomUUID).decisions;
      if (decision === undefined || !decision.accepted) throw decision?.refusal;
      return { campaign, match: decision.match };
    },
    { isolation: "repeatable read" },
  );
}

/**
 * Settles a mixed batch. A campaign that somebody else has locked is left to be settled alone. After an unexpected error all
 * campaigns are, so that only the bad one fails.
 */
async function settle(dependencies: Dependencies, groups: readonly Group<Member>[]): Promise<Outcome<Submitted>[]> {
  try {
    return await settleTogether(dependencies, groups, lockFreeCampaigns);
  } catch (error) {
    if (isUnavailable(error) || (isTooSlow(error) && groups.length === 1)) throw error;
    return groups.map(() => "alone");
  }
}

/** Settles one campaign's submissions. After an unexpected error they are settled one by one, so that only the bad one fails. */
async function settleAlone(
  dependencies: Dependencies,
  group: Group<Member>,
): Promise<readonly PromiseSettledResult<Submitted>[]> {
  const lock: Lock = async (transaction) => [
    (await lockCampaign(transaction, group.merchantId, group.campaignId)) ?? fail("CAMPAIGN_NOT_FOUND"),
  ];
  const run = async (items: readonly Member[]) => {
    const [results] = await settleTogether(dependencies, [{ ...group, items }], lock);
    assert(results !== undefined && results !== "alone");
    return results;
  };
  try {
    return await run(group.items);
  } catch (error) {
    const isExpected = error instanceof AppError || isUnavailable(error) || isTooSlow(error);
    if (isExpected || group.items.length === 1) throw error;
    const results: PromiseSettledResult<Submitted>[] = [];
    for (const member of group.items) {
      results.push(...(await run([member]).catch((reason: unknown) => [{ status: "rejected", reason } as const])));
    }
    return results;
  }
}

/** Locks campaigns. Null for those that it could not lock. */
type Lock = (transaction: Queryable, keys: readonly CampaignKey[]) => Promise<readonly (LockedCampaign | null)[]>;

// When COMMIT was sent and not answered, the batch may have taken effect. It runs again, and submissions that are in the
// journal get the recorded result instead of a second effect. After a connection lost before COMMIT nothing was stored, and
// the pool retries the transaction itself.
async function settleTogether(
  dependencies: Dependencies,
  groups: readonly Group<Member>[],
  lock: Lock,
): Promise<Outcome<Submitted>[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await dependencies.db.transaction((transaction) => settleOnce(transaction, dependencies, groups, lock));
    } catch (error) {
      // The next run reads the credential again and refuses those who signed with the old one.
      if (error instanceof CredentialEndedError && attempt < COMMIT_UNKNOWN_ATTEMPTS_MAX) continue;
      const members = groups.flatMap(({ items }) => items);
      if (error instanceof CommitUnknownError) for (const member of members) member.mayBeRecorded = true;
      const isUnknown = members.some(({ mayBeRecorded }) => mayBeRecorded);
      if (!isUnknown || !isUnavailable(error) || attempt === COMMIT_UNKNOWN_ATTEMPTS_MAX) throw error;
      await pause(COMMIT_UNKNOWN_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** A member's credential ended while its batch was being written. */
class CredentialEndedError extends Error {}

async function settleOnce(
  transaction: Queryable,
  { clock, chain }: Pick<Dependencies, "clock" | "chain">,
  groups: readonly Group<Member>[],
  lock: Lock,
): Promise<Outcome<Submitted>[]> {
  // A backend whose client is gone may still be committing. It holds its rows until it is done, so after this lock the
  // journal says for certain whether a lost batch took effect.
  const locked = await lock(
    transaction,
    groups.map(({ merchantId, campaignId }) => ({ merchantId, id: campaignId })),
  );
  const parts = groups.flatMap(({ items }, index) => {
    const campaign = locked[index] ?? null;
    return campaign === null ? [] : [{ campaign, items }];
  });
  if (parts.length === 0) return groups.map(() => "alone");
  const recorded = await findRecorded(transaction, parts);
  const now = clock();

  const readAtMs = performance.now();
  const states = await readStates(
    transaction,
    parts.map(({ campaign, items }) => ({ campaign, submissions: items.map(({ submission }) => submission) })),
  );
  const decided = parts.map((part, index) => decidePart(part, states[index] as PartState, recorded, now));
  const changed = decided.filter(({ decided: { journal } }) => journal.length > 0);
  if (changed.length > 0) {
    const chained = changed.map(({ campaign, decided: one }) => ({
      campaign,
      decided: one,
      links: chain.extend(campaign, campaign.journalHead, one.journal),
    }));
    await writeBatch(transaction, chained, now);
    // A suspension is answered MERCHANT_CACHE_MS and this margin after its commit. A batch that a busy database takes longer to
    // read and write must not commit after that answer.
    if (performance.now() - readAtMs > MERCHANT_CACHE_MARGIN_MS) {
      await recheckSigners(
        transaction,
        changed.flatMap(({ signers }) => signers),
      );
    }
  }
  const results = decided.values();
  return locked.map((campaign) => (campaign === null ? "alone" : (results.next().value?.results ?? [])));
}

/** The submissions to a campaign that this transaction has locked. */
interface Part {
  readonly campaign: LockedCampaign;
  readonly items: readonly Member[];
}

type PartState = State & Pick<BatchState, "credential">;
type Recorded = ReadonlyMap<string, { readonly created: boolean }>;

function decidePart({ campaign, items }: Part, { credential, ...state }: PartState, recorded: Recorded, now: Date) {
  // A merchant may have been suspended, or its key swapped, while its submissions waited. Their neighbours go on. What took
  // effect before is repeated, not judged again.
  const refusalOfSigner = ({ signer }: Member) => (signer === null ? null : refusalOf(credential, signer));
  const fresh = items.filter((member) => !recorded.has(member.submission.id) && refusalOfSigner(member) === null);
  const decided = decide(
    state,
    fresh.map(({ submission }) => submission),
    now,
    randomUUID,
  );
  const decisions = new Map(fresh.map(({ submission }, index) => [submission.id, decided.decisions[index]]));
  const results = items.map((member): PromiseSettledResult<Submitted> => {
    const { id, merchantUserId } = member.submission;
    const known = recorded.get(id);
    if (known !== undefined) {
      // Matches never fall, so the participant as it is now has at least what the lost answer promised.
      const participant = state.participants.get(merchantUserId) as Participant;
      return { status: "fulfilled", value: { created: known.created, campaign, participant } };
    }
    const decision = decisions.get(id);
    return decision === undefined
      ? { status: "rejected", reason: refusalOfSigner(member) }
      : toResult(campaign, decision);
  });
  return { campaign, decided, results, signers: fresh.flatMap(({ signer }) => signer ?? []) };
}

async function findRecorded(transaction: Queryable, parts: readonly Part[]): Promise<Recorded> {
  const recorded = new Map<string, { readonly created: boolean }>();
  for (const { campaign, items } of parts) {
    const ids = items.filter(({ mayBeRecorded }) => mayBeRecorded).map(({ submission }) => submission.id);
    if (ids.length === 0) continue;
    const found = await listRecorded(transaction, campaign.merchantId, campaign.id, ids);
    for (const [id, entry] of found) recorded.set(id, entry);
  }
  return recorded;
}

async function recheckSigners(transaction: Queryable, signers: readonly Signer[]): Promise<void> {
  const credentials = await listCredentials(transaction, [...new Set(signers.map(({ merchantId }) => merchantId))]);
  const isEnded = (signer: Signer) => refusalOf(credentials.get(signer.merchantId) ?? null, signer) !== null;
  if (signers.some(isEnded)) throw new CredentialEndedError();
}

async function readStates(
  transaction: Queryable,
  parts: readonly { readonly campaign: Campaign; readonly submissions: readonly Submission[] }[],
): Promise<PartState[]> {
  const requests = parts.map(({ campaign, submissions }) => {
    const wallets = submissions.flatMap((submission) => submission.wallets);
    return {
      campaign,
      merchantUserIds: [...new Set(submissions.map(({ merchantUserId }) => merchantUserId))],
      wallets: [...new Map(wallets.map((wallet) => [walletKey(wallet), wallet])).values()],
    };
  });
  const found = await readBatch(transaction, requests);
  return parts.map(({ campaign }, index) => {
    const { participants, qualified, claims, credential } = found[index] as BatchState;
    return {
      campaign,
      participants: new Map(participants.map((participant) => [participant.merchantUserId, participant])),
      qualified: new Map(qualified.map((wallet) => [walletKey(wallet), wallet.qualifiedDate])),
      claims: new Map(claims.map((wallet) => [walletKey(wallet), wallet.count])),
      credential,
    };
  });
}

function toResult(campaign: Campaign, decision: Decision): PromiseSettledResult<Submitted> {
  if (!decision.accepted) return { status: "rejected", reason: decision.refusal };
  const { created, participant } = decision;
  return { status: "fulfilled", value: { created, campaign, participant } };
}
