import { Type } from "typebox";
import type { Approvals } from "../access/approvals/gate.ts";
import { presentWaiting } from "../access/approvals/present.ts";
import { WaitingAnswer } from "../access/approvals/schemas.ts";
import { actorOf } from "../access/authenticate.ts";
import type { ChangeDependencies } from "../audit/audit.ts";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { ReasonBody, Uuid } from "../http/fields.ts";
import { readIdStart } from "../http/id-start.ts";
import { IdempotencyHeaders } from "../http/idempotency.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, type Position, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { SEARCH_LENGTH_MAX } from "../limits.ts";
import { searchPattern } from "../merchants/search.ts";
import { QualifiedWalletsQuery, readOperatorWallets } from "../qualification/read-wallets.ts";
import { OperatorQualifiedWallet } from "../qualification/schemas.ts";
import { createCampaign, creationOf, editCampaign, moveCampaign, moves } from "./lifecycle.ts";
import {
  OperatorParticipantsQuery,
  ParticipantWalletsQuery,
  readOperatorParticipants,
  readParticipantWallets,
} from "./participants/read-participants.ts";
import { AssociatedWallet, OperatorParticipantOrPage } from "./participants/schemas.ts";
import { presentCampaignForOperator } from "./present.ts";
import { previewMatches } from "./preview.ts";
import { Preview, PreviewRequest } from "./preview-schemas.ts";
import { findCampaignOfAnyone, listCampaigns } from "./queries.ts";
import type { Campaign, CampaignStatus } from "./record.ts";
import { CampaignStatusSchema, CreateCampaignRequest, EditCampaignRequest, OperatorCampaign } from "./schemas.ts";

export interface CampaignOperatorRouteOptions extends ChangeDependencies {
  readonly cursors: Cursors;
  readonly approvals: Approvals;
}

/** The campaign that the path of an operator's request names. */
export async function campaignForOperator(db: Queryable, params: { campaignId: string }): Promise<Campaign> {
  return (await findCampaignOfAnyone(db, idOf(params))) ?? fail("CAMPAIGN_NOT_FOUND");
}

const idOf = (params: { campaignId: string }) => uuidOr("CAMPAIGN_NOT_FOUND", params.campaignId);

export async function campaignOperatorRoutes(app: Listener, options: CampaignOperatorRouteOptions): Promise<void> {
  const { db, cursors, approvals } = options;
  const edit = approvals.cover("campaign.edit", {
    apply: (on, { campaignId, edit }: { campaignId: string; edit: EditCampaignRequest }, actor) =>
      editCampaign({ ...options, db: on }, campaignId, edit, actor),
  });
  // Of the moves, only activate is proposed to a second person.
  const coverMove = (verb: keyof typeof moves) =>
    approvals.cover(`campaign.${verb}`, {
      apply: (on, { campaignId, reason }: { campaignId: string; reason?: string | undefined }, actor) =>
        moveCampaign({ ...options, db: on }, campaignId, verb, actor, reason),
    });

  app.get(
    "/campaigns",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "listCampaigns",
        summary: "List campaigns, newest first",
        querystring: Type.Object(
          {
            ...pageQuery,
            merchantId: Type.Optional(Uuid),
            status: Type.Optional(CampaignStatusSchema),
            search: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: SEARCH_LENGTH_MAX,
                description: "A part of the name in upper or lower case, or the start of the id.",
                examples: ["november"],
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(OperatorCampaign) },
      },
    },
    async ({ query }) => {
      const { search = null, status = null } = query;
      const filter = { merchantId: query.merchantId?.toLowerCase() ?? null, status };
      return cursors.readPage(query, {
        scope: ["operator", "campaigns", filter.merchantId, status, search],
        list: (after, count) => searchCampaigns(db, { ...filter, search }, after, count),
        positionOf: byDateAndId,
        present: presentCampaignForOperator,
      });
    },
  );

  app.post(
    "/campaigns",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "createCampaign",
        summary: "Create a campaign, as a DRAFT",
        description:
          "Deposits that are already in the window qualify their wallets immediately. With an `Idempotency-Key` header, which " +
          "belongs to the merchant, the call can be repeated: the same request makes no second campaign.",
        headers: IdempotencyHeaders,
        body: CreateCampaignRequest,
        response: { 200: OperatorCampaign, 201: OperatorCampaign },
      },
      config: { errors: ["MERCHANT_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"] },
    },
    async (request, reply) => {
      const creation = creationOf(request.body, request.headers["idempotency-key"]);
      const { created, campaign } = await createCampaign(options, request.body, actorOf(request), creation);
      return reply.code(created ? 201 : 200).send(presentCampaignForOperator(campaign));
    },
  );

  app.post(
    "/campaigns/preview",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "previewCampaign",
        summary: "See what a campaign would pay, before there is one",
        description:
          "Each profit on its own, as if it were the campaign's first submission, by the function that decides about real " +
          "ones. Nothing is stored.",
        body: PreviewRequest,
        response: { 200: Preview },
      },
    },
    async ({ body }) => previewMatches(body),
  );

  app.get(
    "/campaigns/:campaignId",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "getCampaign",
        summary: "Read a campaign",
        params: pathIds("campaignId"),
        response: { 200: OperatorCampaign },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params }) => presentCampaignForOperator(await campaignForOperator(db, params)),
  );

  app.patch(
    "/campaigns/:campaignId",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "editCampaign",
        summary: "Edit a campaign",
        description:
          "Everything in DRAFT; later only the name, a later endDate and higher caps. A changed window changes which " +
          "wallets qualify. participantsPerWalletMax may rise and minimumDepositUsd may fall; null takes either away. With " +
          "APPROVALS=on, an edit that raises maxAmountTotal or maxAmountPerUser waits for a second person.",
        params: pathIds("campaignId"),
        body: EditCampaignRequest,
        response: { 200: OperatorCampaign, 202: WaitingAnswer },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_EDIT_INVALID"] },
    },
    async (request, reply) => {
      const outcome = await edit(actorOf(request), { campaignId: idOf(request.params), edit: request.body });
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      return presentCampaignForOperator(outcome.result);
    },
  );

  const summaries = {
    activate: "Accept data: DRAFT becomes ACTIVE",
    pause: "Accept no data for a while: ACTIVE becomes PAUSED",
    resume: "Accept data again: PAUSED becomes ACTIVE",
    end: "Accept no more data, finally: ACTIVE or PAUSED becomes ENDED",
  };
  for (const verb of Object.keys(moves) as (keyof typeof moves)[]) {
    const move = coverMove(verb);
    app.post(
      `/campaigns/:campaignId/${verb}`,
      {
        schema: {
          tags: ["Campaigns"],
          operationId: `${verb}Campaign`,
          summary: summaries[verb],
          params: pathIds("campaignId"),
          body: ReasonBody,
          response: { 200: OperatorCampaign, ...(verb === "activate" ? { 202: WaitingAnswer } : {}) },
        },
        config: { errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_TRANSITION_INVALID"] },
      },
      async (request, reply) => {
        const input = { campaignId: idOf(request.params), reason: request.body?.reason };
        const outcome = await move(actorOf(request), input);
        if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
        return presentCampaignForOperator(outcome.result);
      },
    );
  }

  app.get(
    "/campaigns/:campaignId/qualifiedWallets",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "listQualifiedWallets",
        summary: "List or check the wallets that qualify",
        params: pathIds("campaignId"),
        querystring: QualifiedWalletsQuery,
        response: { 200: pageOf(OperatorQualifiedWallet) },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params, query }) => readOperatorWallets(options, await campaignForOperator(db, params), query),
  );

  app.get(
    "/campaigns/:campaignId/participants",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "listParticipants",
        summary: "List participants, or read one",
        params: pathIds("campaignId"),
        querystring: OperatorParticipantsQuery,
        response: { 200: OperatorParticipantOrPage },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND", "PARTICIPANT_NOT_FOUND"] },
    },
    async ({ params, query }) => readOperatorParticipants(options, await campaignForOperator(db, params), query),
  );

  app.get(
    "/campaigns/:campaignId/participants/:participantId/wallets",
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
    async ({ params, query }) =>
      readParticipantWallets(options, "operator", await campaignForOperator(db, params), params.participantId, query),
  );
}

interface CampaignSearch {
  readonly merchantId: string | null;
  readonly status: CampaignStatus | null;
  readonly search: string | null;
}

// Only if no id begins with the text are names searched, as with merchants.
async function searchCampaigns(
  db: Queryable,
  { search, ...filters }: CampaignSearch,
  after: Position | null,
  count: number,
): Promise<Campaign[]> {
  const ids = search === null ? null : readIdStart(search);
  const byId = ids === null ? [] : await listCampaigns(db, { ...filters, ids, pattern: null }, after, count);
  if (byId.length > 0) return byId;
  return listCampaigns(db, { ...filters, ids: null, pattern: search && searchPattern(search) }, after, count);
}
