import { type Static, Type } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import { fail } from "../../http/errors.ts";
import { type Cursors, pageQuery } from "../../http/pagination.ts";
import { PAGE_LIMIT_DEFAULT } from "../../limits.ts";
import type { Campaign } from "../record.ts";
import { presentParticipant } from "./present.ts";
import { findParticipant, findParticipantOfUser, listParticipants } from "./queries.ts";
import type { Participant } from "./record.ts";
import { MerchantUserId, ParticipantStatusSchema } from "./schemas.ts";

export const ParticipantsQuery = Type.Object(
  {
    ...pageQuery,
    id: Type.Optional(Type.String({ format: "uuid", description: "Answers this one participant." })),
    merchantUserId: Type.Optional(MerchantUserId),
    status: Type.Optional(ParticipantStatusSchema),
  },
  { additionalProperties: false },
);

/** A page, or one participant when the filter names one. `audience` keeps the cursors of operators and merchants apart. */
export async function readParticipants(
  { db, cursors }: { db: Queryable; cursors: Cursors },
  audience: string,
  campaign: Campaign,
  filter: Static<typeof ParticipantsQuery>,
) {
  const { limit = PAGE_LIMIT_DEFAULT, cursor, id, merchantUserId, status = null } = filter;
  const { merchantId } = campaign;
  if (id !== undefined || merchantUserId !== undefined) {
    // This answer has no pages, so any cursor is refused.
    cursors.open([audience, merchantId, "participant"], cursor);
    const participant = await findOne(db, campaign, id?.toLowerCase(), merchantUserId);
    return presentParticipant(campaign, participant ?? fail("PARTICIPANT_NOT_FOUND"));
  }
  const scope = [audience, merchantId, "participants", campaign.id, status];
  const found = await listParticipants(db, merchantId, campaign.id, status, cursors.open(scope, cursor), limit + 1);
  const page = cursors.page(scope, found, limit, (item) => [item.createDate.toISOString(), item.id]);
  return { ...page, items: page.items.map((item) => presentParticipant(campaign, item)) };
}

// If both are given, they must name the same participant.
async function findOne(
  db: Queryable,
  { merchantId, id: campaignId }: Campaign,
  id: string | undefined,
  merchantUserId: string | undefined,
): Promise<Participant | null> {
  if (merchantUserId === undefined) return id === undefined ? null : findParticipant(db, merchantId, campaignId, id);
  const participant = await findParticipantOfUser(db, merchantId, campaignId, merchantUserId);
  return participant === null || (id !== undefined && participant.id !== id) ? null : participant;
}
