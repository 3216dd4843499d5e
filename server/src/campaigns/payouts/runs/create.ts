// A run reserves what is owed in one transaction that holds its campaigns. Submissions, single payouts and other runs change
// nothing of them meanwhile, so what is owed, open and paid always adds up to what is matched, and nothing is reserved twice.
import { createHash, randomUUID } from "node:crypto";
import { addressKey, chainOf } from "@matchbook/addresses/chains";
import type { Actor, ChangeDependencies } from "../../../audit/audit.ts";
import type { Queryable } from "../../../db/pool.ts";
import { fail } from "../../../http/errors.ts";
import { idOfKey } from "../../../http/idempotency.ts";
import { findMerchant } from "../../../merchants/queries.ts";
import { flagsOf, problemWithReceiver } from "../../participants/receiver.ts";
import { presentAmount } from "../../present.ts";
import { findCampaignOfAnyone } from "../../queries.ts";
import {
  type Candidate,
  findUnknownParticipant,
  listCampaignsOfParticipants,
  listCandidates,
  listLeftOut,
  listPayableCampaigns,
  lockCampaigns,
  type PayableCampaign,
} from "./payable-queries.ts";
import { findRequestHash, findRun, insertRun } from "./queries.ts";
import type { LeftOut, PayoutRun } from "./record.ts";
import { insertRows } from "./row-queries.ts";
import type { CreateRunRequest } from "./schemas.ts";

/** The campaigns of one run, which all pay the same token. */
interface Scope {
  readonly merchantId: string;
  readonly campaignId: string | null;
  readonly campaigns: readonly PayableCampaign[];
  readonly token: PayableCampaign;
}

/**
 * The same key with the same request is the same run, as it is now. Two operators at the same time make one run of the same amounts: the
 * second waits for the first and finds nothing owed, or what the first could not take.
 */
export async function createRun(
  { db, clock, audit }: ChangeDependencies,
  request: CreateRunRequest,
  idempotencyKey: string,
  actor: Actor,
): Promise<{ created: boolean; run: PayoutRun }> {
  const { merchantId, campaign } = await readOwner(db, request);
  const id = idOfKey(`payout-run/${merchantId}`, idempotencyKey);
  const requestHash = hashOf(request);
  const repeated = await findRepeated(db, merchantId, id, requestHash);
  if (repeated !== null) return { created: false, run: repeated };
  const participantIds = request.participantIds?.map((one) => one.toLowerCase()) ?? null;
  const unknown =
    participantIds && (await findUnknownParticipant(db, merchantId, campaign?.id ?? null, participantIds));
  if (unknown !== null) fail("PARTICIPANT_NOT_FOUND", `No such participant: ${unknown}.`);

  return db.transaction(async (transaction) => {
    const scope = await readScope(transaction, merchantId, campaign, request, participantIds);
    const campaignIds = scope.campaigns.map((one) => one.id);
    await lockCampaigns(transaction, merchantId, campaignIds);
    const raced = await findRepeated(transaction, merchantId, id, requestHash);
    if (raced !== null) return { created: false, run: raced };

    const { payoutChainId: chainId, payoutTokenAddress: tokenAddress, currency, decimalPlaces } = scope.token;
    const minimum = readMinimum(scope.token, request);
    const selection = { merchantId, campaignIds, payoutChainId: chainId, participantIds, minimum };
    const { payable, unusable } = sift(await listCandidates(transaction, selection), scope.token);
    const others = await listLeftOut(transaction, selection);
    const leftOutCount = others.count + unusable.length;
    if (payable.length === 0) {
      fail("NOTHING_OWED", `Nothing is owed that could be paid now; ${leftOutCount} participants were left out.`);
    }
    const now = clock();
    const payments = payable.map((candidate) => ({
      payoutId: randomUUID(),
      campaignId: candidate.campaignId,
      participantId: candidate.participantId,
      merchantUserId: candidate.merchantUserId,
      recipientAddress: candidate.receiverAddress,
      amount: candidate.owed,
      flags: flagsOf({ address: candidate.receiverAddress, setBy: candidate.receiverSetBy }, candidate.isShared),
      ordinal: candidate.payoutsCount + 1,
    }));
    const run = {
      merchantId,
      id,
      campaignId: scope.campaignId,
      chainId,
      tokenAddress,
      currency,
      decimalPlaces,
      note: request.note ?? null,
      requestHash,
      pendingCount: payments.length,
      reserved: payments.reduce((sum, { amount }) => sum + amount, 0n),
      leftOutCount,
      leftOut: [...unusable, ...others.first],
      createdBy: { id: actor.tokenId ?? null, name: actor.name },
    };
    // The same key for another campaign of the merchant does not wait for the same locks.
    if (!(await insertRun(transaction, run, now))) {
      const quicker = await findRepeated(transaction, merchantId, id, requestHash);
      return { created: false, run: quicker ?? fail("PAYOUT_RUN_NOT_FOUND") };
    }
    await insertRows(transaction, run, payments, now);
    const stored = (await findRun(transaction, merchantId, id)) ?? fail("PAYOUT_RUN_NOT_FOUND");
    await audit.record(transaction, {
      actor,
      action: "payout-run.create",
      subject: id,
      merchantId,
      detail: {
        campaignId: scope.campaignId,
        chainId,
        tokenAddress,
        payouts: payments.length,
        reserved: presentAmount(run.reserved, run),
        leftOut: leftOutCount,
        minimumAmount: request.minimumAmount,
        note: request.note,
      },
      date: now,
    });
    return { created: true, run: stored };
  });
}

async function readOwner(db: Queryable, { campaignId, merchantId, chainId, tokenAddress }: CreateRunRequest) {
  if ((campaignId === undefined) === (merchantId === undefined)) {
    fail("VALIDATION_ERROR", "Send either campaignId or merchantId.");
  }
  if (campaignId !== undefined) {
    if (chainId !== undefined || tokenAddress !== undefined) {
      fail("VALIDATION_ERROR", "chainId and tokenAddress go with merchantId; a campaign has one token.");
    }
    const campaign = (await findCampaignOfAnyone(db, campaignId.toLowerCase())) ?? fail("CAMPAIGN_NOT_FOUND");
    return { merchantId: campaign.merchantId, campaign };
  }
  const merchant = (await findMerchant(db, String(merchantId).toLowerCase())) ?? fail("MERCHANT_NOT_FOUND");
  return { merchantId: merchant.merchantId, campaign: null };
}

async function readScope(
  transaction: Queryable,
  merchantId: string,
  campaign: PayableCampaign | null,
  { chainId, tokenAddress }: CreateRunRequest,
  participantIds: readonly string[] | null,
): Promise<Scope> {
  if (campaign !== null) return { merchantId, campaignId: campaign.id, campaigns: [campaign], token: campaign };
  const all =
    participantIds === null
      ? await listPayableCampaigns(transaction, merchantId)
      : await listCampaignsOfParticipants(transaction, merchantId, participantIds);
  const campaigns = all.filter(
    (one) =>
      (chainId === undefined || one.payoutChainId === chainId) &&
      (tokenAddress === undefined || addressKey(one.payoutTokenAddress) === addressKey(tokenAddress)),
  );
  // Everyone who is named is either paid or refused with a message.
  if (participantIds !== null && campaigns.length < all.length) {
    fail(
      "PAYOUT_TOKEN_AMBIGUOUS",
      "Some of the participants named are paid in another token. Make a run for each token.",
    );
  }
  const [token] = campaigns;
  if (token === undefined) fail("NOTHING_OWED");
  const tokens = new Map(campaigns.map((one) => [contractOf(one), one]));
  if (tokens.size > 1) {
    const named = [...tokens.values()].map(
      (one) => `${one.currency} ${one.payoutTokenAddress} on ${one.payoutChainId} (${chainOf(one.payoutChainId).name})`,
    );
    fail(
      "PAYOUT_TOKEN_AMBIGUOUS",
      `The merchant's campaigns pay several tokens. Name one by chainId and tokenAddress: ${named.join("; ")}.`,
    );
  }
  // Amounts that are counted differently have no sum.
  const other = campaigns.find(
    ({ currency, decimalPlaces }) => currency !== token.currency || decimalPlaces !== token.decimalPlaces,
  );
  if (other !== undefined) {
    fail(
      "PAYOUT_TOKEN_AMBIGUOUS",
      `The campaigns ${token.id} and ${other.id} count the same token with other decimals or another symbol. Make a run for each campaign.`,
    );
  }
  return { merchantId, campaignId: null, campaigns, token };
}

const contractOf = ({ payoutChainId, payoutTokenAddress }: PayableCampaign) =>
  `${payoutChainId}/${addressKey(payoutTokenAddress)}`;

function readMinimum({ currency, decimalPlaces }: PayableCampaign, { minimumAmount }: CreateRunRequest): bigint {
  if (minimumAmount === undefined) return 0n;
  if (minimumAmount.currency !== currency || minimumAmount.decimalPlaces !== decimalPlaces) {
    fail(
      "VALIDATION_ERROR",
      `minimumAmount must be in the run's token: ${currency} with ${decimalPlaces} decimal places.`,
    );
  }
  return BigInt(minimumAmount.amount);
}

/** Receivers stored before the rules about addresses may be unusable. */
function sift(candidates: readonly Candidate[], token: PayableCampaign) {
  const payable: Candidate[] = [];
  const unusable: LeftOut[] = [];
  for (const candidate of candidates) {
    const { campaignId, participantId, merchantUserId, owed, receiverAddress } = candidate;
    if (problemWithReceiver(receiverAddress, token) === null) payable.push(candidate);
    else unusable.push({ campaignId, participantId, merchantUserId, owed, reason: "NO_RECEIVER" });
  }
  return { payable, unusable };
}

async function findRepeated(
  db: Queryable,
  merchantId: string,
  id: string,
  requestHash: Buffer,
): Promise<PayoutRun | null> {
  const known = await findRequestHash(db, merchantId, id);
  if (known === null) return null;
  if (!known.equals(requestHash)) fail("IDEMPOTENCY_KEY_REUSED");
  return findRun(db, merchantId, id);
}

// Two spellings of one request are one request: ids in any case and order, an EVM address in any case.
function hashOf({
  campaignId,
  merchantId,
  chainId,
  tokenAddress,
  minimumAmount,
  participantIds,
  note,
}: CreateRunRequest) {
  const parts = [
    campaignId?.toLowerCase(),
    merchantId?.toLowerCase(),
    chainId,
    tokenAddress === undefined ? undefined : addressKey(tokenAddress),
    minimumAmount && [minimumAmount.amount, minimumAmount.currency, minimumAmount.decimalPlaces],
    participantIds && [...new Set(participantIds.map((one) => one.toLowerCase()))].sort(),
    note,
  ];
  return createHash("sha256")
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest();
}
