import { type Static, Type } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import { fail } from "../../http/errors.ts";
import { readIdStart } from "../../http/id-start.ts";
import { byDateAndId, type Cursors, pageQuery } from "../../http/pagination.ts";
import { uuidOr } from "../../http/path-ids.ts";
import { SEARCH_LENGTH_MAX } from "../../limits.ts";
import type { Campaign } from "../record.ts";
import { presentListedParticipant, presentParticipantForOperator, presentWallet, withAllWallets } from "./present.ts";
import { findParticipant, findParticipantOfUser, listParticipants, listWallets } from "./queries.ts";
import { listShared } from "./receiver-queries.ts";
import type { ListedParticipant, Participant } from "./record.ts";
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

/** Operators also look for a participant by what the console shows of its id. */
export const OperatorParticipantsQuery = Type.Object(
  {
    ...ParticipantsQuery.properties,
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: SEARCH_LENGTH_MAX,
        description: "The merchant's user id, exactly, or the start of the participant's id. Answers a page.",
        examples: ["user-1042"],
      }),
    ),
  },
  { additionalProperties: false },
);

interface Reading {
  readonly db: Queryable;
  readonly cursors: Cursors;
}

/** A page, or one participant when the filter names one. */
export function readParticipants(reading: Reading, campaign: Campaign, filter: Static<typeof ParticipantsQuery>) {
  return read(reading, "merchant", campaign, filter, async (participants) =>
    participants.map((participant) => presentListedParticipant(campaign, participant)),
  );
}

/** The same with what operators see beyond it. */
export function readOperatorParticipants(
  reading: Reading,
  campaign: Campaign,
  filter: Static<typeof OperatorParticipantsQuery>,
) {
  return read(reading, "operator", campaign, filter, (participants) =>
    presentForOperator(reading.db, campaign, participants),
  );
}

export async function presentForOperator(
  db: Queryable,
  campaign: Campaign,
  participants: readonly ListedParticipant[],
) {
  const ids = participants.map(({ id }) => id);
  const shared = ids.length === 0 ? new Set<string>() : await listShared(db, campaign, ids);
  return participants.map((participant) =>
    presentParticipantForOperator(campaign, participant, shared.has(participant.id)),
  );
}

type Present<Item> = (participants: readonly ListedParticipant[]) => Promise<Item[]>;

// `audience` keeps the cursors of operators and merchants apart.
async function read<Item>(
  { db, cursors }: Reading,
  audience: "merchant" | "operator",
  campaign: Campaign,
  filter: Static<typeof OperatorParticipantsQuery>,
  present: Present<Item>,
) {
  const { cursor, id, merchantUserId, status = null, search = null } = filter;
  const { merchantId } = campaign;
  if (id !== undefined || merchantUserId !== undefined) {
    if (search !== null) fail("VALIDATION_ERROR", "search cannot be combined with id or merchantUserId.");
    // This answer has no pages, so any cursor is refused.
    cursors.open([audience, merchantId, "participant"], cursor);
    const participant = await findOne(db, campaign, id?.toLowerCase(), merchantUserId);
    const [item] = await present([withAllWallets(participant ?? fail("PARTICIPANT_NOT_FOUND"))]);
    return item as Item;
  }
  const page = await cursors.readPage(filter, {
    scope: [audience, merchantId, "participants", campaign.id, status, ...(search === null ? [] : [search])],
    list: (after, count) =>
      listParticipants(db, campaign, status, after, count, search === null ? null : searchOf(search)),
    positionOf: byDateAndId,
    present: (participant) => participant,
  });
  return { ...page, items: await present(page.items) };
}

export const ParticipantWalletsQuery = Type.Object(pageQuery, { additionalProperties: false });

/** A page of all wallets of one participant. */
export async function readParticipantWallets(
  { db, cursors }: Reading,
  audience: "merchant" | "operator",
  campaign: Campaign,
  participantId: string,
  query: Static<typeof ParticipantWalletsQuery>,
) {
  const id = uuidOr("PARTICIPANT_NOT_FOUND", participantId);
  return cursors.readPage(query, {
    scope: [audience, campaign.merchantId, "participant-wallets", campaign.id, id],
    list: async (after, count) => {
      const wallets = await listWallets(db, campaign, id, after, count);
      // Every participant has a wallet.
      return wallets.length === 0 && after === null ? fail("PARTICIPANT_NOT_FOUND") : wallets;
    },
    positionOf: ({ ordinal }) => [String(ordinal)],
    present: presentWallet,
  });
}

function searchOf(text: string) {
  return { merchantUserId: text, ids: readIdStart(text) };
}

// If both are given, they must name the same participant.
async function findOne(
  db: Queryable,
  campaign: Campaign,
  id: string | undefined,
  merchantUserId: string | undefined,
): Promise<Participant | null> {
  if (merchantUserId === undefined) return id === undefined ? null : findParticipant(db, campaign, id);
  const participant = await findParticipantOfUser(db, campaign, merchantUserId);
  return participant === null || (id !== undefined && participant.id !== id) ? null : participant;
}
