import { Readable } from "node:stream";
import { Type } from "typebox";
import { logBrokenAnswer } from "../http/answer-error.ts";
import { fail } from "../http/errors.ts";
import { Uuid } from "../http/fields.ts";
import { IdempotencyHeaders } from "../http/idempotency.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { NoBody } from "../http/validation.ts";
import { DERIVATION_TIMEOUT_MS, PAGE_LIMIT_DEFAULT } from "../limits.ts";
import { actorOf } from "../operators/authenticate.ts";
import { readBurndown } from "./burndown.ts";
import {
  CampaignStatusSchema,
  CreateCampaignRequest,
  EditCampaignRequest,
  OperatorCampaign,
} from "./campaign-schemas.ts";
import { Burndown, JournalEntry } from "./journal-schemas.ts";
import {
  createCampaign,
  creationOf,
  editCampaign,
  type LifecycleDependencies,
  moveCampaign,
  moves,
} from "./lifecycle.ts";
import { owedCsv } from "./owed.ts";
import { ParticipantOrPage } from "./participant-schemas.ts";
import { ParticipantsQuery, readParticipants } from "./participants.ts";
import { CreatePayoutRequest, Payout, PayoutStatusRequest } from "./payout-schemas.ts";
import { createPayout, movePayout } from "./payouts.ts";
import { previewMatches } from "./preview.ts";
import { Preview, PreviewRequest } from "./preview-schemas.ts";
import { QualifiedWalletsQuery, readOperatorWallets } from "./qualified-wallets.ts";
import { type Campaign, findCampaignOfAnyone, listCampaignsForOperator } from "./queries.ts";
import { listJournal } from "./submission-queries.ts";
import { OperatorQualifiedWallet } from "./wallet-schemas.ts";

export interface CampaignOperatorRouteOptions extends LifecycleDependencies {
  readonly cursors: Cursors;
}

export async function campaignOperatorRoutes(app: Listener, options: CampaignOperatorRouteOptions): Promise<void> {
  const { db, cursors } = options;
  const idOf = (params: { campaignId: string }) => uuidOr("CAMPAIGN_NOT_FOUND", params.campaignId);
  const campaignOf = async (params: { campaignId: string }): Promise<Campaign> =>
    (await findCampaignOfAnyone(db, idOf(params))) ?? fail("CAMPAIGN_NOT_FOUND");

  app.get(
    "/campaigns",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "List campaigns, newest first",
        querystring: Type.Object(
          {
            ...pageQuery,
            merchantId: Type.Optional(Uuid),
            status: Type.Optional(CampaignStatusSchema),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(OperatorCampaign) },
      },
    },
    async ({ query: { limit = PAGE_LIMIT_DEFAULT, cursor, merchantId = null, status = null } }) => {
      const filter = { merchantId: merchantId?.toLowerCase() ?? null, status };
      const scope = ["operator", "campaigns", filter.merchantId, status];
      const found = await listCampaignsForOperator(db, filter, cursors.open(scope, cursor), limit + 1);
      return cursors.page(scope, found, limit, (item) => [item.createDate, item.id]);
    },
  );

  app.post(
    "/campaigns",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "Create a campaign, as a DRAFT",
        description:
          "Deposits that are already in the window qualify their wallets at once. With an `Idempotency-Key` header, which " +
          "belongs to the merchant, the call can be repeated: the same request makes no second campaign.",
        headers: IdempotencyHeaders,
        body: CreateCampaignRequest,
        response: { 200: OperatorCampaign, 201: OperatorCampaign },
      },
      config: {
        errors: ["MERCHANT_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"],
        handlerTimeoutMs: DERIVATION_TIMEOUT_MS,
      },
    },
    async (request, reply) => {
      const creation = creationOf(request.body, request.headers["idempotency-key"]);
      const { created, campaign } = await createCampaign(options, request.body, actorOf(request), creation);
      return reply.code(created ? 201 : 200).send(campaign);
    },
  );

  app.post(
    "/campaigns/preview",
    {
      schema: {
        tags: ["Campaigns"],
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
        summary: "Read a campaign",
        params: pathIds("campaignId"),
        response: { 200: OperatorCampaign },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params }) => campaignOf(params),
  );

  app.patch(
    "/campaigns/:campaignId",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "Edit a campaign",
        description:
          "Everything in DRAFT; later only the name, a later endDate and higher caps. A changed window derives " +
          "qualification anew.",
        params: pathIds("campaignId"),
        body: EditCampaignRequest,
        response: { 200: OperatorCampaign },
      },
      config: {
        errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_EDIT_INVALID"],
        handlerTimeoutMs: DERIVATION_TIMEOUT_MS,
      },
    },
    async (request) => editCampaign(options, idOf(request.params), request.body, actorOf(request)),
  );

  const summaries = {
    activate: "Accept data: DRAFT or PAUSED becomes ACTIVE",
    pause: "Accept no data for a while: ACTIVE becomes PAUSED",
    end: "Accept no more data, finally: ACTIVE or PAUSED becomes ENDED",
  };
  for (const verb of Object.keys(moves) as (keyof typeof moves)[]) {
    app.post(
      `/campaigns/:campaignId/${verb}`,
      {
        schema: {
          tags: ["Campaigns"],
          summary: summaries[verb],
          params: pathIds("campaignId"),
          body: NoBody,
          response: { 200: OperatorCampaign },
        },
        config: { errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_TRANSITION_INVALID"] },
      },
      async (request) => moveCampaign(options, idOf(request.params), verb, actorOf(request)),
    );
  }

  app.get(
    "/campaigns/:campaignId/qualifiedWallets",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "List or check the wallets that qualify",
        params: pathIds("campaignId"),
        querystring: QualifiedWalletsQuery,
        response: { 200: pageOf(OperatorQualifiedWallet) },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params, query }) => readOperatorWallets(options, await campaignOf(params), query),
  );

  app.get(
    "/campaigns/:campaignId/participants",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "List participants, or read one",
        params: pathIds("campaignId"),
        querystring: ParticipantsQuery,
        response: { 200: ParticipantOrPage },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND", "PARTICIPANT_NOT_FOUND"] },
    },
    async ({ params, query }) => readParticipants(options, "operator", await campaignOf(params), query),
  );

  app.get(
    "/campaigns/:campaignId/journal",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "List accepted submissions, newest first",
        description: "Append-only. Each match can be computed again from the rows before it.",
        params: pathIds("campaignId"),
        querystring: Type.Object(
          {
            ...pageQuery,
            participantId: Type.Optional(
              Type.String({ format: "uuid", description: "Only the submissions of this participant." }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(JournalEntry) },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params, query }) => {
      const { limit = PAGE_LIMIT_DEFAULT, cursor } = query;
      const participantId = query.participantId?.toLowerCase() ?? null;
      const campaign = await campaignOf(params);
      const scope = ["operator", "journal", campaign.id, participantId];
      const found = await listJournal(db, campaign, participantId, cursors.open(scope, cursor), limit + 1);
      return cursors.page(scope, found, limit, ({ position }) => [String(position)]);
    },
  );

  app.get(
    "/campaigns/:campaignId/burndown",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "How the budget was spent",
        description: "At most 101 points of the journal, however many submissions there were.",
        params: pathIds("campaignId"),
        response: { 200: Burndown },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params }) => readBurndown(db, await campaignOf(params)),
  );

  app.get(
    "/campaigns/:campaignId/owed.csv",
    {
      schema: {
        tags: ["Payouts"],
        summary: "What is still to be paid, for Safe's CSV airdrop",
        description:
          "One line per participant, in decimal token units, to the participant's earliest-qualified wallet on the payout " +
          "chain. Open payouts are already subtracted. Those without such a wallet are listed by `receiver=missing`.",
        params: pathIds("campaignId"),
        querystring: Type.Object(
          {
            receiver: Type.Optional(
              Type.Literal("missing", { description: "List who is owed and has no wallet on the payout chain." }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: { content: { "text/csv": { schema: Type.String() } } } },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async (request, reply) => {
      const campaign = await campaignOf(request.params);
      const section = request.query.receiver === "missing" ? "unreachable" : "payable";
      const name = section === "payable" ? "owed" : "owed-without-receiver";
      const lines = Readable.from(owedCsv(db, campaign, section)).on("error", (error) =>
        logBrokenAnswer(error, request),
      );
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${name}-${campaign.id}.csv"`)
        .send(lines as never);
    },
  );

  app.post(
    "/participants/:participantId/payouts",
    {
      schema: {
        tags: ["Payouts"],
        summary: "Record a payout",
        description:
          "The disbursement itself happens elsewhere. Send an `Idempotency-Key` header, fresh for each payout: it belongs to " +
          "the participant, and without it every call records a payout.",
        params: pathIds("participantId"),
        headers: IdempotencyHeaders,
        body: CreatePayoutRequest,
        response: { 200: Payout, 201: Payout },
      },
      config: { errors: ["PARTICIPANT_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED", "PAYOUT_EXCEEDS_MATCH"] },
    },
    async (request, reply) => {
      const participantId = uuidOr("PARTICIPANT_NOT_FOUND", request.params.participantId);
      const key = request.headers["idempotency-key"] ?? null;
      const { created, payout } = await createPayout(options, participantId, request.body, key, actorOf(request));
      return reply.code(created ? 201 : 200).send(payout);
    },
  );

  app.post(
    "/payouts/:payoutId/status",
    {
      schema: {
        tags: ["Payouts"],
        summary: "Move a payout",
        description:
          "PENDING → SUBMITTED → CONFIRMED or FAILED; PENDING → FAILED cancels it. What failed is owed again.",
        params: pathIds("payoutId"),
        body: PayoutStatusRequest,
        response: { 200: Payout },
      },
      config: { errors: ["PAYOUT_NOT_FOUND", "PAYOUT_TRANSITION_INVALID"] },
    },
    async (request) =>
      movePayout(options, uuidOr("PAYOUT_NOT_FOUND", request.params.payoutId), request.body, actorOf(request)),
  );
}
