import { Readable } from "node:stream";
import { Type } from "typebox";
import type { Approvals } from "../../access/approvals/gate.ts";
import { presentWaiting } from "../../access/approvals/present.ts";
import { WaitingAnswer } from "../../access/approvals/schemas.ts";
import { actorOf } from "../../access/authenticate.ts";
import type { ChangeDependencies } from "../../audit/audit.ts";
import { logBrokenAnswer } from "../../http/answer-error.ts";
import { RequiredIdempotencyHeaders } from "../../http/idempotency.ts";
import type { Listener } from "../../http/listener.ts";
import { pathIds, uuidOr } from "../../http/path-ids.ts";
import { campaignForOperator } from "../operator-routes.ts";
import { owedCsv } from "./owed.ts";
import { createPayout, movePayout, reversePayout } from "./payouts.ts";
import { presentPayout } from "./present.ts";
import { CreatePayoutRequest, Payout, PayoutStatusRequest, ReversePayoutRequest } from "./schemas.ts";

export interface PayoutRouteOptions extends ChangeDependencies {
  readonly approvals: Approvals;
}

export async function payoutOperatorRoutes(app: Listener, options: PayoutRouteOptions): Promise<void> {
  const create = options.approvals.cover("payout.create", {
    apply: (
      on,
      { participantId, request, key }: { participantId: string; request: CreatePayoutRequest; key: string },
      actor,
    ) => createPayout({ ...options, db: on }, participantId, request, key, actor),
  });
  const reverse = options.approvals.cover("payout.reverse", {
    apply: (on, { payoutId, reason }: { payoutId: string; reason: string }, actor) =>
      reversePayout({ ...options, db: on }, payoutId, { reason }, actor),
  });

  app.get(
    "/campaigns/:campaignId/owed.csv",
    {
      schema: {
        tags: ["Payouts"],
        operationId: "exportOwed",
        summary: "A report of what is still to be paid",
        description:
          "One line per participant, in decimal token units, with its receiver and flags. Open payouts are already subtracted. " +
          "The report reserves nothing: to pay, create a payout run and export it. Those without a receiver are listed by " +
          "`receiver=missing`.",
        params: pathIds("campaignId"),
        querystring: Type.Object(
          {
            receiver: Type.Optional(Type.Literal("missing", { description: "List who is owed and has no receiver." })),
          },
          { additionalProperties: false },
        ),
        response: { 200: { content: { "text/csv": { schema: Type.String() } } } },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async (request, reply) => {
      const campaign = await campaignForOperator(options.db, request.params);
      const section = request.query.receiver === "missing" ? "unreachable" : "payable";
      const name = section === "payable" ? "owed" : "owed-without-receiver";
      const lines = Readable.from(owedCsv(options.db, campaign, section)).on("error", (error) =>
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
        operationId: "createPayout",
        summary: "Record a payout",
        description:
          "It goes to the participant's receiver unless you name another address, which needs a second person with APPROVALS=on. " +
          "The disbursement itself happens elsewhere. The `Idempotency-Key` header must be fresh for each payout; it belongs to " +
          "the participant.",
        params: pathIds("participantId"),
        headers: RequiredIdempotencyHeaders,
        body: CreatePayoutRequest,
        response: { 200: Payout, 201: Payout, 202: WaitingAnswer },
      },
      config: {
        errors: [
          "PARTICIPANT_NOT_FOUND",
          "PARTICIPANT_HELD",
          "IDEMPOTENCY_KEY_REUSED",
          "PARTICIPANT_WITHOUT_RECEIVER",
          "PAYOUT_EXCEEDS_MATCH",
        ],
      },
    },
    async (request, reply) => {
      const participantId = uuidOr("PARTICIPANT_NOT_FOUND", request.params.participantId);
      const key = request.headers["idempotency-key"];
      const outcome = await create(actorOf(request), { participantId, request: request.body, key });
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      const { created, campaign, payout } = outcome.result;
      return reply.code(created ? 201 : 200).send(presentPayout(payout, campaign));
    },
  );

  app.post(
    "/payouts/:payoutId/status",
    {
      schema: {
        tags: ["Payouts"],
        operationId: "movePayout",
        summary: "Move a payout",
        description:
          "PENDING → SUBMITTED → CONFIRMED or FAILED; PENDING → FAILED cancels it. What failed is owed again.",
        params: pathIds("payoutId"),
        body: PayoutStatusRequest,
        response: { 200: Payout },
      },
      config: { errors: ["PAYOUT_NOT_FOUND", "PAYOUT_TRANSITION_INVALID"] },
    },
    async (request) => {
      const payoutId = uuidOr("PAYOUT_NOT_FOUND", request.params.payoutId);
      const { campaign, payout } = await movePayout(options, payoutId, request.body, actorOf(request));
      return presentPayout(payout, campaign);
    },
  );

  app.post(
    "/payouts/:payoutId/reverse",
    {
      schema: {
        tags: ["Payouts"],
        operationId: "reversePayout",
        summary: "Reverse a confirmed payout",
        description:
          "For a payout that was confirmed by mistake, or whose money came back. It becomes FAILED with the reason in its trail, and " +
          "its amount is owed again. Its run stays settled; only the run's counts and totals follow. Repeating it changes nothing.",
        params: pathIds("payoutId"),
        body: ReversePayoutRequest,
        response: { 200: Payout, 202: WaitingAnswer },
      },
      config: { errors: ["PAYOUT_NOT_FOUND", "PAYOUT_TRANSITION_INVALID"] },
    },
    async (request, reply) => {
      const payoutId = uuidOr("PAYOUT_NOT_FOUND", request.params.payoutId);
      const outcome = await reverse(actorOf(request), { payoutId, reason: request.body.reason });
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      return presentPayout(outcome.result.payout, outcome.result.campaign);
    },
  );
}
