import { Type } from "typebox";
import { actorOf } from "../access/authenticate.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { isUuid, pathIds, uuidOr } from "../http/path-ids.ts";
import { EmptyBody } from "../http/validation.ts";
import { SEARCH_LENGTH_MAX } from "../limits.ts";
import { presentMerchant } from "./present.ts";
import { findMerchant, listMerchants } from "./queries.ts";
import { rotate } from "./rotate.ts";
import { EditMerchantRequest, Merchant, MerchantStatusSchema, RotateRequest } from "./schemas.ts";
import { searchPattern } from "./search.ts";
import { edit, type MerchantDependencies, reinstate, suspend } from "./suspension.ts";

export interface MerchantOperatorRouteOptions extends MerchantDependencies {
  readonly cursors: Cursors;
}

export async function merchantOperatorRoutes(app: Listener, options: MerchantOperatorRouteOptions): Promise<void> {
  const { db, cursors } = options;
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
                  "A part of the name, the domain or the email address in upper or lower case, or the whole id.",
                examples: ["shop"],
              }),
            ),
            status: Type.Optional(MerchantStatusSchema),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(Merchant) },
      },
    },
    async ({ query }) => {
      const { search = null, status = null } = query;
      const filters = {
        pattern: search === null ? null : searchPattern(search),
        id: search !== null && isUuid(search) ? search : null,
        status,
      };
      return cursors.readPage(query, {
        scope: ["operator", "merchants", search, status],
        list: (after, count) => listMerchants(db, filters, after, count),
        positionOf: ({ createDate, merchantId: id }) => byDateAndId({ createDate, id }),
        present: presentMerchant,
      });
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
        response: { 200: Merchant },
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
        summary: "Rename a merchant, or say whether its signatures must be bound",
        params: pathIds("merchantId"),
        body: EditMerchantRequest,
        response: { 200: Merchant },
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
        response: { 200: Merchant },
      },
      config: {
        errors: ["MERCHANT_NOT_FOUND", "MERCHANT_TRANSITION_INVALID", "PUBLIC_KEY_RETIRED", "PUBLIC_KEY_IN_USE"],
      },
    },
    async (request) =>
      presentMerchant(await rotate(options, merchantId(request.params), request.body, actorOf(request))),
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
          body: EmptyBody,
          response: { 200: Merchant },
        },
        config: { errors: ["MERCHANT_NOT_FOUND", "MERCHANT_TRANSITION_INVALID", "PUBLIC_KEY_IN_USE"] },
      },
      async (request) => presentMerchant(await move(options, merchantId(request.params), actorOf(request))),
    );
  }
}
