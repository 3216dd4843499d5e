// Payouts happen elsewhere; here operators record them. Open plus confirmed payouts never exceed the match: whoever
// records one holds the campaign's row, so neither another payout nor a submission moves the participant meanwhile.
import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { problemWithRecipient, problemWithTransactionHash } from "../addresses.ts";
import { formatUnits } from "../amounts.ts";
import { addressKey } from "../chains.ts";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import type { Actor, Audit } from "../operators/audit.ts";
import type { Participant } from "./participant.ts";
import { findParticipant, presentPayout } from "./participant-queries.ts";
import {
  findOwnerOfParticipant,
  findOwnerOfPayout,
  findPayout,
  findPayoutByIdempotencyKey,
  insertPayout,
  insertPayoutEvent,
  type Owner,
  type StoredPayout,
  updatePayout,
  updateStanding,
} from "./payout-queries.ts";
import type { CreatePayoutRequest, Payout, PayoutStatusRequest } from "./payout-schemas.ts";
import { type Campaign, lockCampaign, tokenOf } from "./queries.ts";
import { owed, type PayoutStatus, participantStatus, type Standing } from "./status.ts";

export interface PayoutDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

/** The same key with the same body is the same payout, so that a repeated click records one. */
export async function createPayout(
  { db, clock, audit }: PayoutDependencies,
  participantId: string,
  request: CreatePayoutRequest,
  idempotencyKey: string | null,
  actor: Actor,
): Promise<{ created: boolean; payout: Payout }> {
  const owner = (await findOwnerOfParticipant(db, participantId)) ?? fail("PARTICIPANT_NOT_FOUND");
  return db.transaction(async (transaction) => {
    const { campaign, participant } = await lock(transaction, owner);
    const known = idempotencyKey === null ? null : await findPayoutByIdempotencyKey(transaction, owner, idempotencyKey);
    if (known !== null) {
      if (!isSameRequest(campaign, known, request)) fail("IDEMPOTENCY_KEY_REUSED");
      return { created: false, payout: presentPayout(campaign, known) };
    }
    const amount = readAmount(campaign, request);
    checkRecipient(campaign, request);
    if (amount > owed(participant)) {
      const { currency, decimalPlaces } = tokenOf(campaign);
      const rest = formatUnits(owed(participant), decimalPlaces);
      fail(
        "PAYOUT_EXCEEDS_MATCH",
        `Open and confirmed payouts would exceed the match; ${rest} ${currency} is still owed.`,
      );
    }
    const now = clock();
    const ordinal = participant.payoutsCount + 1;
    const { payoutChainId: chainId, payoutTokenAddress: tokenAddress } = campaign.perTradeProfitMatch;
    const { recipientAddress } = request;
    const id = randomUUID();
    await insertPayout(
      transaction,
      owner,
      { id, ordinal, amount, chainId, tokenAddress, recipientAddress, idempotencyKey },
      now,
    );
    await insertPayoutEvent(transaction, owner.merchantId, id, { ordinal: 1, status: "PENDING", reason: null }, now);
    await restate(transaction, owner, participant, {
      payoutsOpen: participant.payoutsOpen + amount,
      payoutsCount: ordinal,
      lastPayoutFailed: false,
      now,
    });
    const stored = (await findPayout(transaction, owner.merchantId, id)) ?? fail("PAYOUT_NOT_FOUND");
    await audit.record(transaction, {
      actor,
      action: "payout.create",
      subject: id,
      merchantId: owner.merchantId,
      detail: { campaignId: campaign.id, participantId, amount: request.amount, recipientAddress },
      date: now,
    });
    return { created: true, payout: presentPayout(campaign, stored) };
  });
}

const NEXT: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  PENDING: ["SUBMITTED", "FAILED"],
  SUBMITTED: ["CONFIRMED", "FAILED"],
  CONFIRMED: [],
  FAILED: [],
};

/** PENDING → SUBMITTED → CONFIRMED or FAILED; a PENDING one that fails was cancelled. What failed is owed again. */
export async function movePayout(
  { db, clock, audit }: PayoutDependencies,
  payoutId: string,
  request: PayoutStatusRequest,
  actor: Actor,
): Promise<Payout> {
  const owner = (await findOwnerOfPayout(db, payoutId)) ?? fail("PAYOUT_NOT_FOUND");
  const { merchantId } = owner;
  return db.transaction(async (transaction) => {
    const { campaign, participant } = await lock(transaction, owner);
    const payout = (await findPayout(transaction, merchantId, payoutId)) ?? fail("PAYOUT_NOT_FOUND");
    const { status, reason = null } = request;
    checkTransactionHash(payout, request);
    if (!NEXT[payout.status].includes(status)) {
      fail("PAYOUT_TRANSITION_INVALID", `The payout is ${payout.status}, which ${describeNext(payout.status)}.`);
    }
    const now = clock();
    const transactionHash = request.transactionHash ?? payout.transactionHash;
    const failureReason = status === "FAILED" ? reason : null;
    await updatePayout(transaction, merchantId, payoutId, { status, transactionHash, failureReason }, now);
    await insertPayoutEvent(
      transaction,
      merchantId,
      payoutId,
      { ordinal: payout.statusHistory.length + 1, status, reason },
      now,
    );
    if (status !== "SUBMITTED") await close(transaction, owner, participant, payout, status, now);
    const moved = (await findPayout(transaction, merchantId, payoutId)) ?? fail("PAYOUT_NOT_FOUND");
    await audit.record(transaction, {
      actor,
      action: "payout.status",
      subject: payoutId,
      merchantId,
      detail: {
        campaignId: campaign.id,
        participantId: owner.participantId,
        from: payout.status,
        to: status,
        transactionHash,
        reason,
      },
      date: now,
    });
    return presentPayout(campaign, moved);
  });
}

async function close(
  transaction: Queryable,
  owner: Owner,
  participant: Participant,
  payout: StoredPayout,
  status: PayoutStatus,
  now: Date,
): Promise<void> {
  const amount = BigInt(payout.amount);
  const isLast = payout.ordinal === participant.payoutsCount;
  await restate(transaction, owner, participant, {
    payoutsOpen: participant.payoutsOpen - amount,
    payoutsConfirmed: participant.payoutsConfirmed + (status === "CONFIRMED" ? amount : 0n),
    lastPayoutFailed: isLast ? status === "FAILED" : participant.lastPayoutFailed,
    now,
  });
}

async function restate(
  transaction: Queryable,
  owner: Owner,
  participant: Participant,
  { now, ...change }: Partial<Standing> & { payoutsCount?: number; now: Date },
): Promise<void> {
  const next = { ...participant, ...change };
  assert(
    next.payoutsOpen >= 0n && next.payoutsOpen + next.payoutsConfirmed <= next.matched,
    "payouts never exceed the match",
  );
  await updateStanding(transaction, owner, { ...next, status: participantStatus(next) }, now);
}

async function lock(transaction: Queryable, { merchantId, campaignId, participantId }: Owner) {
  const campaign = (await lockCampaign(transaction, merchantId, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
  const participant = await findParticipant(transaction, merchantId, campaignId, participantId);
  return { campaign, participant: participant ?? fail("PARTICIPANT_NOT_FOUND") };
}

function readAmount(campaign: Campaign, { amount }: CreatePayoutRequest): bigint {
  const { currency, decimalPlaces } = tokenOf(campaign);
  if (amount.currency !== currency || amount.decimalPlaces !== decimalPlaces) {
    fail(
      "VALIDATION_ERROR",
      `amount must be in the campaign's token: ${currency} with ${decimalPlaces} decimal places.`,
    );
  }
  const units = BigInt(amount.amount);
  return units > 0n ? units : fail("VALIDATION_ERROR", "amount.amount must be above 0.");
}

function checkRecipient({ perTradeProfitMatch }: Campaign, { recipientAddress }: CreatePayoutRequest): void {
  const { payoutChainId, payoutTokenAddress } = perTradeProfitMatch;
  const problem = problemWithRecipient(recipientAddress, payoutChainId);
  if (problem !== null) fail("VALIDATION_ERROR", `recipientAddress ${problem}.`);
  if (addressKey(recipientAddress) === addressKey(payoutTokenAddress)) {
    fail("VALIDATION_ERROR", "recipientAddress is the token's own contract; what is sent there is lost.");
  }
}

function checkTransactionHash({ chainId }: StoredPayout, { transactionHash }: PayoutStatusRequest): void {
  const problem = transactionHash === undefined ? null : problemWithTransactionHash(transactionHash, chainId);
  if (problem !== null) fail("VALIDATION_ERROR", `transactionHash ${problem}.`);
}

function isSameRequest(
  campaign: Campaign,
  payout: StoredPayout,
  { amount, recipientAddress }: CreatePayoutRequest,
): boolean {
  const { currency, decimalPlaces } = tokenOf(campaign);
  return (
    payout.amount === amount.amount &&
    currency === amount.currency &&
    decimalPlaces === amount.decimalPlaces &&
    payout.recipientAddress === recipientAddress
  );
}

function describeNext(status: PayoutStatus): string {
  const next = NEXT[status];
  return next.length === 0 ? "is final" : `can only become ${next.join(" or ")}`;
}
