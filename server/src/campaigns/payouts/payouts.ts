// The transfers happen elsewhere; here operators record them. Open plus confirmed payouts never exceed the match: every
// change holds the campaign's row, so no other payout and no submission changes the participant at the same time.
import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { problemWithTransactionHash } from "@matchbook/addresses";
import { addressKey } from "@matchbook/addresses/chains";
import { formatUnits } from "../../amounts.ts";
import type { Actor, ChangeDependencies } from "../../audit/audit.ts";
import type { Queryable } from "../../db/pool.ts";
import { fail } from "../../http/errors.ts";
import { idOfKey } from "../../http/idempotency.ts";
import { findParticipant } from "../participants/queries.ts";
import { problemWithReceiver, type Receiver } from "../participants/receiver.ts";
import type { Participant } from "../participants/record.ts";
import { type Balance, hasLastFailed, owed, participantStatus } from "../participants/status.ts";
import { presentAmount } from "../present.ts";
import { lockCampaign } from "../queries.ts";
import type { Campaign } from "../record.ts";
import {
  findOwnerOfParticipant,
  findOwnerOfPayout,
  findPayout,
  findPayoutByIdempotencyKey,
  insertPayout,
  insertPayoutEvent,
  type Owner,
  updateBalance,
  updatePayout,
} from "./queries.ts";
import type { Payout, PayoutStatus } from "./record.ts";
import { recountRun } from "./runs/queries.ts";
import type { CreatePayoutRequest, PayoutStatusRequest, ReversePayoutRequest } from "./schemas.ts";

/** A recorded or moved payout, with the campaign whose token it is in. */
export interface PayoutOfCampaign {
  readonly campaign: Campaign;
  readonly payout: Payout;
}

/** The same key with the same body is the same payout, so that a repeated request records one. */
export async function createPayout(
  { db, clock, audit }: ChangeDependencies,
  participantId: string,
  request: CreatePayoutRequest,
  idempotencyKey: string | null,
  actor: Actor,
): Promise<PayoutOfCampaign & { created: boolean }> {
  const owner = (await findOwnerOfParticipant(db, participantId)) ?? fail("PARTICIPANT_NOT_FOUND");
  return db.transaction(async (transaction) => {
    const { campaign, participant } = await lock(transaction, owner);
    const known = idempotencyKey === null ? null : await findPayoutByIdempotencyKey(transaction, owner, idempotencyKey);
    if (known !== null) {
      if (!isSameRequest(campaign, known, request)) fail("IDEMPOTENCY_KEY_REUSED");
      return { created: false, campaign, payout: known };
    }
    const amount = readAmount(campaign, request);
    checkRecipient(campaign, request);
    const recipientAddress = recipientOf(participant, request);
    if (amount > owed(participant)) {
      const rest = formatUnits(owed(participant), campaign.decimalPlaces);
      fail(
        "PAYOUT_EXCEEDS_MATCH",
        `Open and confirmed payouts would exceed the match; ${rest} ${campaign.currency} is still owed.`,
      );
    }
    const id = idempotencyKey === null ? randomUUID() : idOfKey(`payout/${participantId}`, idempotencyKey);
    const { payoutChainId: chainId, payoutTokenAddress: tokenAddress } = campaign;
    if (!isReceiver(participant.receiver, recipientAddress)) {
      await actor.review?.(transaction, {
        subject: id,
        merchantId: owner.merchantId,
        change: {
          campaignId: campaign.id,
          participantId,
          amount: request.amount,
          receiver: { from: participant.receiver?.address ?? null, to: recipientAddress },
        },
        amount: { chainId, tokenAddress, value: amount },
      });
    }
    const now = clock();
    const ordinal = participant.payoutsCount + 1;
    await insertPayout(
      transaction,
      owner,
      { id, ordinal, amount, chainId, tokenAddress, recipientAddress, idempotencyKey },
      now,
    );
    await insertPayoutEvent(transaction, owner.merchantId, id, { ordinal: 1, status: "PENDING", reason: null }, now);
    await saveBalance(transaction, owner, participant, {
      payoutsOpen: participant.payoutsOpen + amount,
      payoutsCount: ordinal,
      // It is open now, and the last one.
      lastPayoutFailed: false,
      now,
    });
    const stored = (await findPayout(transaction, owner.merchantId, id)) ?? fail("PAYOUT_NOT_FOUND");
    await audit.record(transaction, {
      actor,
      action: "payout.create",
      subject: id,
      merchantId: owner.merchantId,
      detail: {
        campaignId: campaign.id,
        participantId,
        amount: request.amount,
        recipientAddress,
        isReceiver: isReceiver(participant.receiver, recipientAddress),
      },
      date: now,
    });
    return { created: true, campaign, payout: stored };
  });
}

const NEXT: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  PENDING: ["SUBMITTED", "FAILED"],
  SUBMITTED: ["CONFIRMED", "FAILED"],
  CONFIRMED: [],
  FAILED: [],
};

/** PENDING → SUBMITTED → CONFIRMED or FAILED; PENDING → FAILED cancels. The amount of a failed payout is owed again. */
export async function movePayout(
  { db, clock, audit }: ChangeDependencies,
  payoutId: string,
  request: PayoutStatusRequest,
  actor: Actor,
): Promise<PayoutOfCampaign> {
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
    // An exported run may still be sent: a row of it that failed here would be owed again, and paid twice.
    if (payout.runId !== null && payout.status === "PENDING") {
      fail(
        "PAYOUT_TRANSITION_INVALID",
        `The payout belongs to the payout run ${payout.runId}. Submit or cancel the run instead.`,
      );
    }
    const now = clock();
    const transactionHash = request.transactionHash ?? payout.transactionHash;
    const failureReason = status === "FAILED" ? reason : null;
    // One with a transaction hash was sent, even if no one recorded that before it failed.
    const cancelled = payout.status === "PENDING" && status === "FAILED" && transactionHash === null;
    await updatePayout(transaction, merchantId, payoutId, { status, cancelled, transactionHash, failureReason }, now);
    await insertPayoutEvent(
      transaction,
      merchantId,
      payoutId,
      { ordinal: payout.statusHistory.length + 1, status, reason },
      now,
    );
    if (status !== "SUBMITTED") await close(transaction, owner, participant, { ...payout, status, cancelled }, now);
    if (payout.runId !== null) await recountRun(transaction, merchantId, payout.runId, now);
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
    return { campaign, payout: moved };
  });
}

/**
 * CONFIRMED → FAILED: the money did not arrive, or came back. The amount is owed again. The run of the payout stays settled, so
 * it is not sent again by that run. Repeating it changes nothing and writes nothing.
 */
export async function reversePayout(
  { db, clock, audit }: ChangeDependencies,
  payoutId: string,
  { reason }: ReversePayoutRequest,
  actor: Actor,
): Promise<PayoutOfCampaign> {
  const owner = (await findOwnerOfPayout(db, payoutId)) ?? fail("PAYOUT_NOT_FOUND");
  const { merchantId, participantId } = owner;
  return db.transaction(async (transaction) => {
    const { campaign, participant } = await lock(transaction, owner);
    const payout = (await findPayout(transaction, merchantId, payoutId)) ?? fail("PAYOUT_NOT_FOUND");
    if (isReversed(payout)) return { campaign, payout };
    if (payout.status !== "CONFIRMED") {
      fail("PAYOUT_TRANSITION_INVALID", `The payout is ${payout.status}; only a CONFIRMED one can be reversed.`);
    }
    const { transactionHash, amount, runId, statusHistory } = payout;
    const paid = {
      campaignId: campaign.id,
      participantId,
      runId,
      amount: presentAmount(amount, campaign),
      transactionHash,
      reason,
    };
    const change = { status: { from: payout.status, to: "FAILED" }, ...paid };
    await actor.review?.(transaction, { subject: payoutId, merchantId, change });
    const now = clock();
    const failed = { status: "FAILED", cancelled: false, transactionHash, failureReason: reason } as const;
    await updatePayout(transaction, merchantId, payoutId, failed, now);
    const event = { ordinal: statusHistory.length + 1, status: failed.status, reason };
    await insertPayoutEvent(transaction, merchantId, payoutId, event, now);
    await saveBalance(transaction, owner, participant, {
      payoutsConfirmed: participant.payoutsConfirmed - amount,
      lastPayoutFailed: hasLastFailed(replaced(participant.payouts, { ...payout, ...failed })),
      now,
    });
    if (runId !== null) await recountRun(transaction, merchantId, runId, now);
    const reversed = (await findPayout(transaction, merchantId, payoutId)) ?? fail("PAYOUT_NOT_FOUND");
    await audit.record(transaction, {
      actor,
      action: "payout.reverse",
      subject: payoutId,
      merchantId,
      detail: paid,
      date: now,
    });
    return { campaign, payout: reversed };
  });
}

/** A confirmed payout fails in one way only. */
function isReversed({ status, statusHistory }: Payout): boolean {
  return status === "FAILED" && statusHistory.some((event) => event.status === "CONFIRMED");
}

function replaced(payouts: readonly Payout[], changed: Payout): Payout[] {
  return payouts.map((payout) => (payout.id === changed.id ? changed : payout));
}

async function close(
  transaction: Queryable,
  owner: Owner,
  participant: Participant,
  closed: Payout,
  now: Date,
): Promise<void> {
  const { amount, status } = closed;
  await saveBalance(transaction, owner, participant, {
    payoutsOpen: participant.payoutsOpen - amount,
    payoutsConfirmed: participant.payoutsConfirmed + (status === "CONFIRMED" ? amount : 0n),
    lastPayoutFailed: hasLastFailed(replaced(participant.payouts, closed)),
    now,
  });
}

async function saveBalance(
  transaction: Queryable,
  owner: Owner,
  participant: Participant,
  { now, ...change }: Partial<Balance> & { payoutsCount?: number; now: Date },
): Promise<void> {
  const next = { ...participant, ...change };
  assert(
    next.payoutsOpen >= 0n && next.payoutsConfirmed >= 0n && next.payoutsOpen + next.payoutsConfirmed <= next.matched,
    "payouts never exceed the match",
  );
  await updateBalance(transaction, owner, { ...next, status: participantStatus(next) }, now);
}

async function lock(transaction: Queryable, { merchantId, campaignId, participantId }: Owner) {
  const campaign = (await lockCampaign(transaction, merchantId, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
  const participant = await findParticipant(transaction, campaign, participantId);
  return { campaign, participant: participant ?? fail("PARTICIPANT_NOT_FOUND") };
}

function readAmount(campaign: Campaign, { amount }: CreatePayoutRequest): bigint {
  const { currency, decimalPlaces } = campaign;
  if (amount.currency !== currency || amount.decimalPlaces !== decimalPlaces) {
    fail(
      "VALIDATION_ERROR",
      `amount must be in the campaign's token: ${currency} with ${decimalPlaces} decimal places.`,
    );
  }
  const units = BigInt(amount.amount);
  return units > 0n ? units : fail("VALIDATION_ERROR", "amount.amount must be above 0.");
}

function checkRecipient(campaign: Campaign, { recipientAddress }: CreatePayoutRequest): void {
  const problem = recipientAddress === undefined ? null : problemWithReceiver(recipientAddress, campaign);
  if (problem !== null) fail("VALIDATION_ERROR", `recipientAddress ${problem}.`);
}

/** The participant's receiver, unless an operator names another address for this one payout. The audit log says which. */
function recipientOf({ held, receiver }: Participant, { recipientAddress }: CreatePayoutRequest): string {
  if (held) fail("PARTICIPANT_HELD");
  if (recipientAddress !== undefined && !isReceiver(receiver, recipientAddress)) return recipientAddress;
  return receiver?.address ?? fail("PARTICIPANT_WITHOUT_RECEIVER");
}

function isReceiver(receiver: Receiver | null, address: string): boolean {
  return receiver !== null && addressKey(receiver.address) === addressKey(address);
}

function checkTransactionHash({ chainId }: Payout, { transactionHash }: PayoutStatusRequest): void {
  const problem = transactionHash === undefined ? null : problemWithTransactionHash(transactionHash, chainId);
  if (problem !== null) fail("VALIDATION_ERROR", `transactionHash ${problem}.`);
}

function isSameRequest(campaign: Campaign, payout: Payout, { amount, recipientAddress }: CreatePayoutRequest): boolean {
  return (
    payout.amount === BigInt(amount.amount) &&
    campaign.currency === amount.currency &&
    campaign.decimalPlaces === amount.decimalPlaces &&
    (recipientAddress === undefined || addressKey(payout.recipientAddress) === addressKey(recipientAddress))
  );
}

function describeNext(status: PayoutStatus): string {
  const next = NEXT[status];
  return next.length === 0 ? "is final" : `can only become ${next.join(" or ")}`;
}
