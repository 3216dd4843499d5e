import assert from "node:assert";
import { randomUUID } from "node:crypto";
import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import type { Queryable } from "../db/pool.ts";
import { listApprovedMerchants } from "../deposits/queries.ts";
import { fail } from "../http/errors.ts";
import { idOfKey } from "../http/idempotency.ts";
import { presentTerms } from "./present.ts";
import {
  type Creation,
  findCampaignOfAnyone,
  findCreation,
  insertCampaign,
  lockCampaign,
  updateStatus,
  updateTerms,
} from "./queries.ts";
import type { Campaign, CampaignStatus } from "./record.ts";
import type { CreateCampaignRequest, EditCampaignRequest } from "./schemas.ts";
import {
  changesBetween,
  checkEdit,
  findRaise,
  hashTerms,
  mergeTerms,
  problemWithPayoutToken,
  readTerms,
} from "./terms.ts";
import { recordTerms } from "./terms-queries.ts";

/** A merchant has one campaign per idempotency key, and only the request that created it may repeat the key. */
export function creationOf(
  { merchantId, ...request }: CreateCampaignRequest,
  idempotencyKey: string | undefined,
): Creation {
  if (idempotencyKey === undefined) return { id: randomUUID(), requestHash: null };
  const id = idOfKey(`operator/${merchantId.toLowerCase()}`, idempotencyKey);
  return { id, requestHash: hashTerms(readTerms(request)) };
}

/**
 * A new campaign is a DRAFT. Deposits that are already in its window qualify their wallets immediately. A repeated creation
 * answers the campaign as it is now and writes nothing, not even to the audit log.
 */
export async function createCampaign(
  { db, clock, audit }: ChangeDependencies,
  { merchantId: givenMerchantId, ...request }: CreateCampaignRequest,
  actor: Actor,
  creation: Creation = { id: randomUUID(), requestHash: null },
): Promise<{ created: boolean; campaign: Campaign }> {
  const terms = readTerms(request);
  const merchantId = givenMerchantId.toLowerCase();
  const known = await findRepeated(db, merchantId, creation);
  if (known !== null) return { created: false, campaign: known };
  const problem = problemWithPayoutToken(terms);
  if (problem !== null) fail("VALIDATION_ERROR", problem);
  return db.transaction(async (transaction) => {
    const approved = await listApprovedMerchants(transaction, [merchantId]);
    if (approved.length === 0) fail("MERCHANT_NOT_FOUND", "No approved merchant has this merchantId.");
    const now = clock();
    const campaign = await insertCampaign(transaction, merchantId, creation, terms, now);
    // Another request with the same key was quicker. The insert waited for it to commit.
    if (campaign === null) {
      const raced = await findRepeated(transaction, merchantId, creation);
      assert(raced !== null, "campaigns are never deleted");
      return { created: false, campaign: raced };
    }
    await recordTerms(transaction, merchantId, campaign.id, now);
    await audit.record(transaction, {
      actor,
      action: "campaign.create",
      subject: campaign.id,
      merchantId,
      detail: { ...request },
      date: now,
    });
    return { created: true, campaign };
  });
}

async function findRepeated(
  db: Queryable,
  merchantId: string,
  { id, requestHash }: Creation,
): Promise<Campaign | null> {
  const known = await findCreation(db, merchantId, id);
  if (known === null) return null;
  if (requestHash !== null && !known.requestHash?.equals(requestHash)) fail("IDEMPOTENCY_KEY_REUSED");
  return known.campaign;
}

/** An edit that changes nothing succeeds and writes nothing. */
export async function editCampaign(
  { db, clock, audit }: ChangeDependencies,
  campaignId: string,
  edit: EditCampaignRequest,
  actor: Actor,
): Promise<Campaign> {
  const { merchantId } = (await findCampaignOfAnyone(db, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
  return db.transaction(async (transaction) => {
    const campaign = await lock(transaction, merchantId, campaignId);
    const after = mergeTerms(campaign, edit);
    checkEdit(campaign, after);
    const changes = changesBetween(campaign, after);
    if (Object.keys(changes).length === 0) return campaign;
    if (changes.payoutChainId !== undefined || changes.payoutTokenAddress !== undefined) {
      const problem = problemWithPayoutToken(after);
      if (problem !== null) fail("VALIDATION_ERROR", problem);
    }
    const raise = findRaise(campaign, after);
    if (raise !== null) {
      await actor.review?.(transaction, { subject: campaignId, merchantId, change: changes, ...raise });
    }
    const now = clock();
    const edited = await updateTerms(transaction, merchantId, campaignId, after, now);
    await recordTerms(transaction, merchantId, campaignId, now);
    await audit.record(transaction, {
      actor,
      action: "campaign.edit",
      subject: campaignId,
      merchantId,
      detail: changes,
      date: now,
    });
    return edited;
  });
}

interface Move {
  readonly from: readonly CampaignStatus[];
  readonly to: CampaignStatus;
}

/** DRAFT → ACTIVE ↔ PAUSED → ENDED, and ACTIVE → ENDED. ENDED is final. Repeating a move is an error. */
export const moves = {
  activate: { from: ["DRAFT"], to: "ACTIVE" },
  pause: { from: ["ACTIVE"], to: "PAUSED" },
  resume: { from: ["PAUSED"], to: "ACTIVE" },
  end: { from: ["ACTIVE", "PAUSED"], to: "ENDED" },
} as const satisfies Record<string, Move>;

/** Waits for the batch in flight. A submission answered before counts; one decided later sees the new status. */
export async function moveCampaign(
  { db, clock, audit }: ChangeDependencies,
  campaignId: string,
  verb: keyof typeof moves,
  actor: Actor,
  reason?: string,
): Promise<Campaign> {
  const { merchantId } = (await findCampaignOfAnyone(db, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
  const { from, to }: Move = moves[verb];
  return db.transaction(async (transaction) => {
    const campaign = await lock(transaction, merchantId, campaignId);
    const { status } = campaign;
    if (!from.includes(status)) {
      fail("CAMPAIGN_TRANSITION_INVALID", `The campaign is ${status}; ${verb} needs ${from.join(" or ")}.`);
    }
    // A draft can still be mended. Users may count on a campaign that was active before, so it stays usable.
    const problem = status === "DRAFT" ? problemWithPayoutToken(campaign) : null;
    if (problem !== null) fail("CAMPAIGN_TRANSITION_INVALID", `Edit the draft first: ${problem}`);
    if (verb === "activate") {
      const change = { status: { from: status, to }, terms: presentTerms(campaign), reason };
      await actor.review?.(transaction, { subject: campaignId, merchantId, change });
    }
    const now = clock();
    const moved = await updateStatus(transaction, merchantId, campaignId, to, now);
    await recordTerms(transaction, merchantId, campaignId, now);
    await audit.record(transaction, {
      actor,
      action: `campaign.${verb}`,
      subject: campaignId,
      merchantId,
      detail: { from: status, to, reason },
      date: now,
    });
    return moved;
  });
}

async function lock(transaction: Queryable, merchantId: string, campaignId: string): Promise<Campaign> {
  return (await lockCampaign(transaction, merchantId, campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
}
