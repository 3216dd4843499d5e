import { Type } from "typebox";
import type { Approvals } from "../../../access/approvals/gate.ts";
import { presentWaiting } from "../../../access/approvals/present.ts";
import { WaitingAnswer } from "../../../access/approvals/schemas.ts";
import { actorOf } from "../../../access/authenticate.ts";
import { ReasonBody, Uuid } from "../../../http/fields.ts";
import { IdempotencyHeaders } from "../../../http/idempotency.ts";
import type { Listener } from "../../../http/listener.ts";
import { byDateAndId, type Cursors, pageOf, pageQuery } from "../../../http/pagination.ts";
import { pathIds, uuidOr } from "../../../http/path-ids.ts";
import { PAYOUT_RUN_BODY_SIZE_MAX_BYTES } from "../../../limits.ts";
import { createRun } from "./create.ts";
import {
  approveRun,
  cancelRun,
  exportRun,
  importResults,
  previewResults,
  readRun,
  type SubmitDependencies,
  submitRun,
} from "./moves.ts";
import { presentRun, presentRunPayout } from "./present.ts";
import { listRuns } from "./queries.ts";
import { listRunPayouts } from "./row-queries.ts";
import {
  CancelRunRequest,
  CreateRunRequest,
  ExportedJson,
  ExportRunRequest,
  PayoutRun,
  ResultsPreview,
  ResultsRequest,
  RunPayout,
  RunStatusSchema,
  SubmitRunRequest,
} from "./schemas.ts";

export interface PayoutRunRouteOptions extends SubmitDependencies {
  readonly cursors: Cursors;
  readonly approvals: Approvals;
}

const idOf = (params: { runId: string }) => uuidOr("PAYOUT_RUN_NOT_FOUND", params.runId);
const MOVE_ERRORS = ["PAYOUT_RUN_NOT_FOUND", "PAYOUT_RUN_TRANSITION_INVALID"] as const;

export async function payoutRunOperatorRoutes(app: Listener, options: PayoutRunRouteOptions): Promise<void> {
  const { db, cursors, approvals } = options;
  const approve = approvals.cover("payout-run.approve", {
    apply: (on, { runId, reason }: { runId: string; reason?: string | undefined }, actor) =>
      approveRun({ ...options, db: on }, runId, actor, reason),
  });

  app.post(
    "/payout-runs",
    {
      bodyLimit: PAYOUT_RUN_BODY_SIZE_MAX_BYTES,
      schema: {
        tags: ["Payout runs"],
        operationId: "createPayoutRun",
        summary: "Reserve everything that is owed and can be paid",
        description:
          "Makes a PENDING payout for each participant, up to 10,000; what is more goes into the next run. The " +
          "`Idempotency-Key` belongs to the merchant.",
        headers: Type.Required(IdempotencyHeaders),
        body: CreateRunRequest,
        response: { 200: PayoutRun, 201: PayoutRun },
      },
      config: {
        errors: [
          "MERCHANT_NOT_FOUND",
          "CAMPAIGN_NOT_FOUND",
          "PARTICIPANT_NOT_FOUND",
          "IDEMPOTENCY_KEY_REUSED",
          "NOTHING_OWED",
          "PAYOUT_TOKEN_AMBIGUOUS",
        ],
      },
    },
    async (request, reply) => {
      const key = request.headers["idempotency-key"];
      const { created, run } = await createRun(options, request.body, key, actorOf(request));
      return reply.code(created ? 201 : 200).send(presentRun(run));
    },
  );

  app.get(
    "/payout-runs",
    {
      schema: {
        tags: ["Payout runs"],
        operationId: "listPayoutRuns",
        summary: "List payout runs, newest first",
        querystring: Type.Object(
          {
            ...pageQuery,
            merchantId: Type.Optional(Uuid),
            campaignId: Type.Optional(
              Type.String({ format: "uuid", description: "Runs that were made for this campaign." }),
            ),
            status: Type.Optional(RunStatusSchema),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(PayoutRun) },
      },
    },
    async ({ query }) => {
      const merchantId = query.merchantId?.toLowerCase() ?? null;
      const campaignId = query.campaignId?.toLowerCase() ?? null;
      const { status = null } = query;
      return cursors.readPage(query, {
        scope: ["operator", "payout-runs", merchantId, campaignId, status],
        list: (after, count) => listRuns(db, { merchantId, campaignId, status }, after, count),
        positionOf: byDateAndId,
        present: presentRun,
      });
    },
  );

  app.get(
    "/payout-runs/:runId",
    {
      schema: {
        tags: ["Payout runs"],
        operationId: "getPayoutRun",
        summary: "Read a payout run",
        params: pathIds("runId"),
        response: { 200: PayoutRun },
      },
      config: { errors: ["PAYOUT_RUN_NOT_FOUND"] },
    },
    async ({ params }) => presentRun(await readRun(db, idOf(params))),
  );

  app.get(
    "/payout-runs/:runId/payouts",
    {
      schema: {
        tags: ["Payout runs"],
        operationId: "listRunPayouts",
        summary: "List the payouts of a run, in the order of its exports",
        params: pathIds("runId"),
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: pageOf(RunPayout) },
      },
      config: { errors: ["PAYOUT_RUN_NOT_FOUND"] },
    },
    async ({ params, query }) => {
      const run = await readRun(db, idOf(params));
      return cursors.readPage(query, {
        scope: ["operator", "payouts of a run", run.id],
        list: (after, count) => listRunPayouts(db, run, after, count),
        positionOf: ({ runPosition }) => [String(runPosition)],
        present: (row) => presentRunPayout(row, run),
      });
    },
  );

  app.post(
    "/payout-runs/:runId/approve",
    {
      schema: {
        tags: ["Payout runs"],
        operationId: "approvePayoutRun",
        summary: "Approve a run: DRAFT becomes APPROVED",
        description: "Refused when one of its participants was held, or got another receiver, since the run was made.",
        params: pathIds("runId"),
        body: ReasonBody,
        response: { 200: PayoutRun, 202: WaitingAnswer },
      },
      config: { errors: [...MOVE_ERRORS] },
    },
    async (request, reply) => {
      const input = { runId: idOf(request.params), reason: request.body?.reason };
      const outcome = await approve(actorOf(request), input);
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      return presentRun(outcome.result);
    },
  );

  app.post(
    "/payout-runs/:runId/cancel",
    {
      schema: {
        tags: ["Payout runs"],
        operationId: "cancelPayoutRun",
        summary: "Cancel a run and release what it reserved",
        description:
          "From DRAFT or APPROVED. From EXPORTED only with `confirmNotSent: true` and a reason. Never once it was submitted.",
        params: pathIds("runId"),
        body: Type.Optional(CancelRunRequest),
        response: { 200: PayoutRun },
      },
      config: { errors: [...MOVE_ERRORS] },
    },
    async (request) => presentRun(await cancelRun(options, idOf(request.params), request.body ?? {}, actorOf(request))),
  );

  app.post(
    "/payout-runs/:runId/export",
    {
      schema: {
        tags: ["Payout runs"],
        operationId: "exportPayoutRun",
        summary: "The file that pays exactly the payouts of the run",
        description:
          "From APPROVED on. The same bytes every time. The first export moves the run to EXPORTED. `safe-builder` answers " +
          "`{ files: [ … ] }`; save each file by itself.",
        params: pathIds("runId"),
        body: ExportRunRequest,
        response: {
          200: {
            description: "CSV or JSON, as the format says.",
            content: { "text/csv": { schema: Type.String() }, "application/json": { schema: ExportedJson } },
          },
        },
      },
      config: { errors: [...MOVE_ERRORS] },
    },
    async (request, reply) => {
      const { name, type, text } = await exportRun(
        options,
        idOf(request.params),
        request.body.format,
        actorOf(request),
      );
      return reply
        .type(type)
        .header("content-disposition", `attachment; filename="${name}"`)
        .send(text as never);
    },
  );

  app.post(
    "/payout-runs/:runId/submit",
    {
      bodyLimit: PAYOUT_RUN_BODY_SIZE_MAX_BYTES,
      schema: {
        tags: ["Payout runs"],
        operationId: "submitPayoutRun",
        summary: "Record the transactions that were sent",
        description:
          "From EXPORTED on: one hash for every row, or the hash of each row. Several hashes for all rows need a chain in " +
          "CHAIN_RPC_URLS: its proof says which of them paid a row. Rows may be submitted in several calls. If one line is " +
          "wrong, nothing is applied.",
        params: pathIds("runId"),
        body: SubmitRunRequest,
        response: { 200: PayoutRun },
      },
      config: { errors: [...MOVE_ERRORS, "PAYOUT_RESULTS_INVALID"] },
    },
    async (request) => presentRun(await submitRun(options, idOf(request.params), request.body, actorOf(request))),
  );

  app.post(
    "/payout-runs/:runId/results",
    {
      bodyLimit: PAYOUT_RUN_BODY_SIZE_MAX_BYTES,
      schema: {
        tags: ["Payout runs"],
        operationId: "importPayoutResults",
        summary: "Record what became of the payouts",
        description:
          "The amount of a failed row is owed again. The run is SETTLED when no row is open. If one line is wrong, nothing is " +
          "applied; `dryRun=true` answers what would happen.",
        params: pathIds("runId"),
        querystring: Type.Object({ dryRun: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
        body: ResultsRequest,
        response: { 200: Type.Union([PayoutRun, ResultsPreview]) },
      },
      config: { errors: [...MOVE_ERRORS, "PAYOUT_RESULTS_INVALID"] },
    },
    async (request) => {
      const runId = idOf(request.params);
      if (request.query.dryRun === true) return previewResults(db, runId, request.body);
      return presentRun(await importResults(options, runId, request.body, actorOf(request)));
    },
  );
}
