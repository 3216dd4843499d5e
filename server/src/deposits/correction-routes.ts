import { Type } from "typebox";
import type { Approvals } from "../access/approvals/gate.ts";
import { presentWaiting } from "../access/approvals/present.ts";
import { WaitingAnswer } from "../access/approvals/schemas.ts";
import { actorOf } from "../access/authenticate.ts";
import type { ChangeDependencies } from "../audit/audit.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { uuidOr } from "../http/path-ids.ts";
import { findMerchant } from "../merchants/queries.ts";
import { findDeposit } from "./deposit-queries.ts";
import { listEvents } from "./event-queries.ts";
import { overruleDeposit } from "./overrule.ts";
import { presentEvent, presentOperatorDeposit } from "./present.ts";
import type { DepositKey, ShownDeposit } from "./record.ts";
import { DepositHistoryEvent, OperatorDeposit, OverruleRequest } from "./schemas.ts";

export interface CorrectionRouteOptions extends ChangeDependencies {
  readonly cursors: Cursors;
  readonly approvals: Approvals;
}

const DepositPath = Type.Object({
  merchantId: Type.String({ description: "A UUID." }),
  depositId: Type.String({ description: "The hosted flow's id of the deposit." }),
});

/** One deposit: what it is, all that was received about it, and an operator's word. */
export async function depositCorrectionRoutes(app: Listener, options: CorrectionRouteOptions): Promise<void> {
  const { db, cursors, approvals } = options;
  const overrule = approvals.cover("deposit.overrule", {
    apply: (on, { key, request }: { key: DepositKey; request: OverruleRequest }, actor) =>
      overruleDeposit({ ...options, db: on }, key, request, actor),
  });

  const keyOf = async ({ merchantId: given, depositId: id }: { merchantId: string; depositId: string }) => {
    const merchantId = uuidOr("MERCHANT_NOT_FOUND", given);
    if ((await findMerchant(db, merchantId)) === null) fail("MERCHANT_NOT_FOUND");
    // Text that no id may have never reaches the database, which refuses some of it.
    return /^[!-~]+$/.test(id) ? { merchantId, id } : fail("DEPOSIT_NOT_FOUND");
  };
  const read = async ({ merchantId, id }: DepositKey): Promise<ShownDeposit> =>
    (await findDeposit(db, merchantId, id)) ?? fail("DEPOSIT_NOT_FOUND");
  const errors = ["MERCHANT_NOT_FOUND", "DEPOSIT_NOT_FOUND"] as const;

  app.get(
    "/merchants/:merchantId/deposits/:depositId",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "readDeposit",
        summary: "Read a deposit",
        params: DepositPath,
        response: { 200: OperatorDeposit },
      },
      config: { errors: [...errors] },
    },
    async ({ params }) => presentOperatorDeposit(await read(await keyOf(params))),
  );

  app.get(
    "/merchants/:merchantId/deposits/:depositId/events",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "listDepositEvents",
        summary: "List all that was received about a deposit, newest first",
        description:
          "Every event that was reported, also those that were late or refused, and every change of the state by an operator. An " +
          "event that was refused before its deposit was stored is listed, too. Nothing is removed.",
        params: DepositPath,
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: pageOf(DepositHistoryEvent) },
      },
      config: { errors: [...errors] },
    },
    async ({ params, query }) => {
      const key = await keyOf(params);
      const page = await cursors.readPage(query, {
        scope: ["operator", "deposit-events", key.merchantId, key.id],
        list: (after, count) => listEvents(db, key, after, count),
        positionOf: ({ ordinal, batchId }) => [String(ordinal), batchId],
        present: presentEvent,
      });
      // A deposit that was stored before events were kept has none.
      if (page.items.length === 0) await read(key);
      return page;
    },
  );

  app.put(
    "/merchants/:merchantId/deposits/:depositId/state",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "overruleDeposit",
        summary: "Overrule the state of a deposit",
        description:
          "The status stays until an operator changes it: later events of the hosted flow still change the amount and " +
          "`reportedStatus`, but not the status. `state: null` leaves the status to the flow again. Qualification follows immediately; " +
          "matches never fall.",
        params: DepositPath,
        body: OverruleRequest,
        response: { 200: OperatorDeposit, 202: WaitingAnswer },
      },
      config: { errors: [...errors] },
    },
    async (request, reply) => {
      const key = await keyOf(request.params);
      const outcome = await overrule(actorOf(request), { key, request: request.body });
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      return presentOperatorDeposit(outcome.result);
    },
  );
}
