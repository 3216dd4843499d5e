import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { merchantOf, signerOf } from "../auth/authenticate.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { QualifiedWalletsQuery, readQualifiedWallets } from "../qualification/read-wallets.ts";
import { QualifiedWallet } from "../qualification/schemas.ts";
import { presentParticipant } from "./participants/present.ts";
import {
  ParticipantsQuery,
  ParticipantWalletsQuery,
  readParticipants,
  readParticipantWallets,
} from "./participants/read-participants.ts";
import { AssociatedWallet, Participant, ParticipantOrPage } from "./participants/schemas.ts";
import { presentCampaign } from "./present.ts";
import { findCampaign, listCampaigns } from "./queries.ts";
import { Campaign } from "./schemas.ts";
import { presentDryRun } from "./submissions/present.ts";
import { DryRun, SubmitRequest } from "./submissions/schemas.ts";
import { dryRun, type Submissions } from "./submissions/submit.ts";

export interface CampaignRouteOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly submissions: Submissions;
}

export async function campaignRoutes(app: Listener, options: CampaignRouteOptions): Promise<void> {
  const { db, clock, cursors, submissions } = options;
  const campaignId = (params: { campaignId: string }) => uuidOr("CAMPAIGN_NOT_FOUND", params.campaignId);
  const campaignOf = async (request: FastifyRequest & { params: { campaignId: string } }) =>
    (await findCampaign(db, merchantOf(request), campaignId(request.params))) ?? fail("CAMPAIGN_NOT_FOUND");

  app.get(
    "/v1/marketings/campaigns",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "listCampaigns",
        summary: "List your campaigns, newest first",
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: pageOf(Campaign) },
      },
    },
    async (request) => {
      const merchantId = merchantOf(request);
      return cursors.readPage(request.query, {
        scope: ["merchant", merchantId, "campaigns"],
        list: (after, count) => listCampaigns(db, { merchantId, status: null }, after, count),
        positionOf: byDateAndId,
        present: presentCampaign,
      });
    },
  );

  app.get(
    "/v1/marketings/campaigns/:campaignId",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "getCampaign",
        summary: "Read a campaign",
        params: pathIds("campaignId"),
        response: { 200: Campaign },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async (request) => presentCampaign(await campaignOf(request)),
  );

  app.get(
    "/v1/marketings/campaigns/:campaignId/qualifiedWallets",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "listQualifiedWallets",
        summary: "List or check the wallets that qualify",
        description:
          "Wallets with a completed deposit in the campaign window. With `address`, repeated up to 100 times, only those " +
          "of the given addresses that qualify are answered, all on one page unless `limit` is given. Without `address`, " +
          "a page may hold fewer items than `limit` before the last one: follow `nextCursor` until it is null.",
        params: pathIds("campaignId"),
        querystring: QualifiedWalletsQuery,
        response: { 200: pageOf(QualifiedWallet) },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async (request) => readQualifiedWallets(options, "merchant", await campaignOf(request), request.query),
  );

  app.get(
    "/v1/marketings/campaigns/:campaignId/participants",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "listParticipants",
        summary: "List participants, or read one",
        description:
          "A page of participants, oldest first. With `id` or `merchantUserId` the answer is that one participant, and " +
          "`status` is ignored; both given must name the same one.",
        params: pathIds("campaignId"),
        querystring: ParticipantsQuery,
        response: { 200: ParticipantOrPage },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND", "PARTICIPANT_NOT_FOUND"] },
    },
    async (request) => readParticipants({ db, cursors }, await campaignOf(request), request.query),
  );

  app.get(
    "/v1/marketings/campaigns/:campaignId/participants/:participantId/wallets",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "listParticipantWallets",
        summary: "List all wallets of a participant",
        description: "In the order in which they were claimed.",
        params: pathIds("campaignId", "participantId"),
        querystring: ParticipantWalletsQuery,
        response: { 200: pageOf(AssociatedWallet) },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND", "PARTICIPANT_NOT_FOUND"] },
    },
    async (request) => {
      const { participantId } = request.params;
      return readParticipantWallets(options, "merchant", await campaignOf(request), participantId, request.query);
    },
  );

  app.post(
    "/v1/marketings/campaigns/:campaignId/participants",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "submitParticipant",
        summary: "Submit a user's trade profit",
        description:
          "Creates the participant (201) or refreshes its input amount (200). Submitting again is always safe: the match " +
          "never falls and the budget is never counted twice. With `dryRun=true` nothing is stored and the answer says " +
          "what would be matched.",
        params: pathIds("campaignId"),
        querystring: Type.Object(
          { dryRun: Type.Optional(Type.Boolean({ default: false, description: "Only compute; store nothing." })) },
          { additionalProperties: false },
        ),
        body: SubmitRequest,
        response: { 200: Type.Union([Participant, DryRun]), 201: Participant },
      },
      config: {
        errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_NOT_ACTIVE", "NO_QUALIFYING_WALLET", "WALLET_CLAIMED"],
        // A dry run is a read: it needs a connection of its own.
        shareOf: ({ query }) => ((query as { dryRun?: boolean }).dryRun === true ? "requests" : "submissions"),
      },
    },
    async (request, reply) => {
      const merchantId = merchantOf(request);
      const id = campaignId(request.params);
      if (request.query.dryRun === true) return presentDryRun(await dryRun(db, clock, merchantId, id, request.body));
      const submitted = await submissions.submit(merchantId, id, request.body, signerOf(request));
      const { created, campaign, participant } = submitted;
      return reply.code(created ? 201 : 200).send(presentParticipant(campaign, participant));
    },
  );
}
