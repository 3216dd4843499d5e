import { Type } from "typebox";
import type { Approvals } from "../access/approvals/gate.ts";
import { presentWaiting } from "../access/approvals/present.ts";
import { WaitingAnswer } from "../access/approvals/schemas.ts";
import { actorOf } from "../access/authenticate.ts";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { ReasonBody, Uuid } from "../http/fields.ts";
import { readIdStart } from "../http/id-start.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, type Position, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { MERCHANTS_NAMED_MAX, SEARCH_LENGTH_MAX } from "../limits.ts";
import { waitForCaches } from "./cache-expiry.ts";
import { presentMerchant } from "./present.ts";
import { findMerchant, listMerchants } from "./queries.ts";
import type { Merchant, MerchantStatus } from "./record.ts";
import { type Rotation, rotate } from "./rotate.ts";
import { EditMerchantRequest, Merchant as MerchantAnswer, MerchantStatusSchema, RotateRequest } from "./schemas.ts";
import { searchPattern } from "./search.ts";
import { edit, type MerchantDependencies, reinstate, suspend } from "./suspension.ts";

export interface MerchantOperatorRouteOptions extends MerchantDependencies {
  readonly cursors: Cursors;
  readonly approvals: Approvals;
}

export async function merchantOperatorRoutes(app: Listener, options: MerchantOperatorRouteOptions): Promise<void> {
  const { db, cursors, approvals } = options;
  const swapKey = approvals.cover("merchant.rotate-key", {
    apply: (on, { merchantId: id, rotation }: { merchantId: string; rotation: Rotation }, actor) =>
      rotate({ ...options, db: on }, id, rotation, actor),
    // The old key stops working everywhere before the call is answered.
    afterwards: waitForCaches,
  });
  const merchantId = (params: { merchantId: string }) => uuidOr("MERCHANT_NOT_FOUND", params.merchantId);

  app.get(
    "/merchants",
    {
      schema: {
        tags: ["Merchants"],
        operationId: "listMerchants",
        summary: "List merchants, newest first",
        querystring: Type.Object(
          {
            ...pageQuery,
            search: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: SEARCH_LENGTH_MAX,
                description:
                  "A part of the name, the domain or the email address in upper or lower case, or the start of the id.",
                examples: ["shop"],
              }),
            ),
            status: Type.Optional(MerchantStatusSchema),
            id: Type.Optional(
              Type.Array(Uuid, {
                minItems: 1,
                maxItems: MERCHANTS_NAMED_MAX,
                description: "Repeat it to ask for several merchants. All come on one page, unless limit is given.",
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(MerchantAnswer) },
      },
    },
    async ({ query }) => {
      const { search = null, status = null, limit = query.id && MERCHANTS_NAMED_MAX } = query;
      const oneOf = query.id?.map((id) => id.toLowerCase()) ?? null;
      return cursors.readPage(
        { ...query, limit },
        {
          scope: ["operator", "merchants", search, status, oneOf],
          list: (after, count) => searchMerchants(db, { search, status, oneOf }, after, count),
          positionOf: ({ createDate, merchantId: id }) => byDateAndId({ createDate, id }),
          present: presentMerchant,
        },
      );
    },
  );

  app.get(
    "/merchants/:merchantId",
    {
      schema: {
        tags: ["Merchants"],
        operationId: "getMerchant",
        summary: "Read a merchant",
        params: pathIds("merchantId"),
        response: { 200: MerchantAnswer },
      },
      config: { errors: ["MERCHANT_NOT_FOUND"] },
    },
    async ({ params }) => presentMerchant((await findMerchant(db, merchantId(params))) ?? fail("MERCHANT_NOT_FOUND")),
  );

  app.patch(
    "/merchants/:merchantId",
    {
      schema: {
        tags: ["Merchants"],
        operationId: "editMerchant",
        summary: "Rename a merchant, limit its requests, or say whether its signatures must be bound",
        params: pathIds("merchantId"),
        body: EditMerchantRequest,
        response: { 200: MerchantAnswer },
      },
      config: { errors: ["MERCHANT_NOT_FOUND"] },
    },
    async (request) => presentMerchant(await edit(options, merchantId(request.params), request.body, actorOf(request))),
  );

  app.put(
    "/merchants/:merchantId/public-key",
    {
      schema: {
        tags: ["Merchants"],
        operationId: "rotateMerchantPublicKey",
        summary: "Swap a merchant's public key",
        description:
          "The old key stops working on every host once this call is answered, and is retired: no merchant can use it " +
          "again, unless an operator says allowRetired. The merchant's contact gets a mail.",
        params: pathIds("merchantId"),
        body: RotateRequest,
        response: { 200: MerchantAnswer, 202: WaitingAnswer },
      },
      config: {
        errors: ["MERCHANT_NOT_FOUND", "MERCHANT_TRANSITION_INVALID", "PUBLIC_KEY_RETIRED", "PUBLIC_KEY_IN_USE"],
      },
    },
    async (request, reply) => {
      const input = { merchantId: merchantId(request.params), rotation: request.body };
      const outcome = await swapKey(actorOf(request), input);
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      return presentMerchant(outcome.result);
    },
  );

  for (const [verb, move, summary] of [
    ["suspend", suspend, "Suspend a merchant: its signed requests get MERCHANT_NOT_ACTIVE"],
    ["reinstate", reinstate, "Make a suspended merchant active again"],
  ] as const) {
    app.post(
      `/merchants/:merchantId/${verb}`,
      {
        schema: {
          tags: ["Merchants"],
          operationId: `${verb}Merchant`,
          summary,
          params: pathIds("merchantId"),
          body: ReasonBody,
          response: { 200: MerchantAnswer },
        },
        config: { errors: ["MERCHANT_NOT_FOUND", "MERCHANT_TRANSITION_INVALID", "PUBLIC_KEY_IN_USE"] },
      },
      async (request) =>
        presentMerchant(await move(options, merchantId(request.params), actorOf(request), request.body?.reason)),
    );
  }
}

interface MerchantSearch {
  readonly search: string | null;
  readonly status: MerchantStatus | null;
  readonly oneOf: readonly string[] | null;
}

// A text that is the start of an id is one in nearly all cases, and is found in the index of ids. Only if no id begins with it
// are names searched.
async function searchMerchants(
  db: Queryable,
  { search, ...filters }: MerchantSearch,
  after: Position | null,
  count: number,
): Promise<Merchant[]> {
  const ids = search === null ? null : readIdStart(search);
  const byId = ids === null ? [] : await listMerchants(db, { ...filters, ids, pattern: null }, after, count);
  if (byId.length > 0) return byId;
  return listMerchants(db, { ...filters, ids: null, pattern: search && searchPattern(search) }, after, count);
}
