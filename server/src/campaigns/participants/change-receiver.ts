// What operators decide about paying a participant: where it is paid, and whether it is paid for now. Each change holds the
// campaign's row, so that it is made before or after a payout run, never during one.
import { withChecksum } from "@matchbook/addresses";
import { addressKey } from "@matchbook/addresses/chains";
import type { Actor, ChangeDependencies } from "../../audit/audit.ts";
import type { Queryable } from "../../db/pool.ts";
import { fail } from "../../http/errors.ts";
import { findMerchant } from "../../merchants/queries.ts";
import { enqueueMail } from "../../outbox/mail.ts";
import { findOwnerOfParticipant } from "../payouts/queries.ts";
import { lockCampaign } from "../queries.ts";
import type { Campaign } from "../record.ts";
import { findParticipant } from "./queries.ts";
import { problemWithReceiver } from "./receiver.ts";
import { receiverMail } from "./receiver-mail.ts";
import { updateHeld, updateReceiver } from "./receiver-queries.ts";
import type { Participant } from "./record.ts";
import type { ChangeReceiverRequest } from "./schemas.ts";

export interface ReceiverDependencies extends ChangeDependencies {
  readonly mailsMerchants: boolean;
}

interface ParticipantOfCampaign {
  readonly campaign: Campaign;
  readonly participant: Participant;
}

/** The address that is already the receiver changes nothing and writes nothing. */
export async function changeReceiver(
  { db, clock, audit, mailsMerchants }: ReceiverDependencies,
  participantId: string,
  { address: given, reason }: ChangeReceiverRequest,
  actor: Actor,
): Promise<ParticipantOfCampaign> {
  return change(db, participantId, async (transaction, { campaign, participant }) => {
    const problem = problemWithReceiver(given, campaign);
    if (problem !== null) fail("VALIDATION_ERROR", `address ${problem}.`);
    const address = addressKey(given);
    const before = participant.receiver?.address ?? null;
    if (before === address) return;
    const [from, to] = [before && withChecksum(before), withChecksum(address)];
    const now = clock();
    const { merchantId } = campaign;
    const change = { ...describe(campaign, participant), receiver: { from, to }, reason };
    await actor.review?.(transaction, { subject: participantId, merchantId, change });
    await updateReceiver(transaction, merchantId, participantId, { address, setBy: "OPERATOR" }, now);
    const merchant = mailsMerchants ? await findMerchant(transaction, merchantId) : null;
    if (merchant !== null) {
      await enqueueMail(transaction, receiverMail(merchant, campaign, participant, { from, to, reason }), now);
    }
    await audit.record(transaction, {
      actor,
      action: "participant.receiver",
      subject: participantId,
      merchantId,
      detail: { campaignId: campaign.id, from, to, reason },
      date: now,
    });
  });
}

/** Holding one that is held, or releasing one that is not, changes nothing and writes nothing. */
export async function changeHold(
  { db, clock, audit }: ChangeDependencies,
  participantId: string,
  verb: "hold" | "release",
  reason: string,
  actor: Actor,
): Promise<ParticipantOfCampaign> {
  const held = verb === "hold";
  return change(db, participantId, async (transaction, { campaign, participant }) => {
    if (participant.held === held) return;
    const now = clock();
    const { merchantId } = campaign;
    const change = { ...describe(campaign, participant), held: { from: participant.held, to: held }, reason };
    await actor.review?.(transaction, { subject: participantId, merchantId, change });
    await updateHeld(transaction, merchantId, participantId, held, now);
    await audit.record(transaction, {
      actor,
      action: `participant.${verb}`,
      subject: participantId,
      merchantId,
      detail: { campaignId: campaign.id, reason },
      date: now,
    });
  });
}

/** Whose payouts are concerned, for a second person who has only this to look at. */
const describe = ({ id, displayName }: Campaign, { merchantUserId }: Participant) => ({
  campaignId: id,
  campaign: displayName,
  merchantUserId,
});

async function change(
  db: ChangeDependencies["db"],
  participantId: string,
  apply: (transaction: Queryable, before: ParticipantOfCampaign) => Promise<void>,
): Promise<ParticipantOfCampaign> {
  const owner = (await findOwnerOfParticipant(db, participantId)) ?? fail("PARTICIPANT_NOT_FOUND");
  return db.transaction(async (transaction) => {
    const campaign =
      (await lockCampaign(transaction, owner.merchantId, owner.campaignId)) ?? fail("CAMPAIGN_NOT_FOUND");
    const read = async () =>
      (await findParticipant(transaction, campaign, participantId)) ?? fail("PARTICIPANT_NOT_FOUND");
    await apply(transaction, { campaign, participant: await read() });
    return { campaign, participant: await read() };
  });
}
