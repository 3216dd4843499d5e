import { Type } from "typebox";
import { actorOf } from "../access/authenticate.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { isUuid, pathIds, uuidOr } from "../http/path-ids.ts";
import { NoBody } from "../http/validation.ts";
import { PAGE_LIMIT_DEFAULT, SEARCH_LENGTH_MAX } from "../limits.ts";
import { findApplication, findMerchant, listApplications, listMerchants } from "./queries.ts";
import { approve, type ReviewDependencies, reject } from "./review.ts";
import { rotate } from "./rotate.ts";
import {
  Application,
  ApplicationStatusSchema,
  ApproveRequest,
  EditMerchantRequest,
  Merchant,
  MerchantStatusSchema,
  RejectRequest,
  RotateRequest,
} from "./schemas.ts";
import { searchPattern } from "./search.ts";
import { edit, reinstate, type StandingDependencies, suspend } from "./standing.ts";

export interface MerchantOperatorRouteOptions extends ReviewDependencies, StandingDependencies {
  readonly cursors: Cursors;
}

export async function merchantOperatorRoutes(app: Listener, options: MerchantOperatorRouteOptions): Promise<void> {
  const { db, cursors } = options;
  const applicationId = (params: { applicationId: string }) => uuidOr("APPLICATION_NOT_FOUND", params.applicationId);
  const merchantId = (params: { merchantId: string }) => uuidOr("MERCHANT_NOT_FOUND", params.merchantId);

  app.get(
    "/applications",
    {
      schema: {
        tags: ["Applications"],
        summary: "List applications, newest first",
        querystring: Type.Object(
          { ...pageQuery, status: Type.Optional(ApplicationStatusSchema) },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(Application) },
      },
    },
    async ({ query: { limit = PAGE_LIMIT_DEFAULT, cursor, status = null } }) => {
      const scope = ["operator", "applications", status];
      const found = await listApplications(db, status, cursors.open(scope, cursor), limit + 1);
      return cursors.page(scope, found, limit, (item) => [item.createDate, item.applicationId]);
    },
  );

  app.get(
    "/applications/:applicationId",
    {
      schema: {
        tags: ["Applications"],
        summary: "Read an application",
        params: pathIds("applicationId"),
        response: { 200: Application },
      },
      config: { errors: ["APPLICATION_NOT_FOUND"] },
    },
    async ({ params }) => (await findApplication(db, applicationId(params))) ?? fail("APPLICATION_NOT_FOUND"),
  );

  app.post(
    "/applications/:applicationId/approve",
    {
      schema: {
        tags: ["Applications"],
        summary: "Approve an application",
        description: "Makes the merchant ACTIVE, whitelists its primary domain and tells it by email.",
        params: pathIds("applicationId"),
        body: Type.Optional(ApproveRequest),
        response: { 200: Application },
      },
      config: {
        errors: ["APPLICATION_NOT_FOUND", "APPLICATION_ALREADY_DECIDED", "PUBLIC_KEY_RETIRED", "PUBLIC_KEY_IN_USE"],
      },
    },
    async (request) => approve(options, applicationId(request.params), request.body?.displayName, actorOf(request)),
  );

  app.post(
    "/applications/:applicationId/reject",
    {
      schema: {
        tags: ["Applications"],
        summary: "Reject an application",
        description: "Tells the applicant the reason by email. The same key may apply again.",
        params: pathIds("applicationId"),
        body: RejectRequest,
        response: { 200: Application },
      },
      config: { errors: ["APPLICATION_NOT_FOUND", "APPLICATION_ALREADY_DECIDED"] },
    },
    async (request) => reject(options, applicationId(request.params), request.body.reason, actorOf(request)),
  );

  app.get(
    "/merchants",
    {
      schema: {
        tags: ["Merchants"],
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
    async ({ query: { limit = PAGE_LIMIT_DEFAULT, cursor, search = null, status = null } }) => {
      const scope = ["operator", "merchants", search, status];
      const filters = {
        pattern: search === null ? null : searchPattern(search),
        id: search !== null && isUuid(search) ? search : null,
        status,
      };
      const found = await listMerchants(db, filters, cursors.open(scope, cursor), limit + 1);
      return cursors.page(scope, found, limit, (item) => [item.createDate, item.merchantId]);
    },
  );

  app.get(
    "/merchants/:merchantId",
    {
      schema: {
        tags: ["Merchants"],
        summary: "Read a merchant",
        params: pathIds("merchantId"),
        response: { 200: Merchant },
      },
      config: { errors: ["MERCHANT_NOT_FOUND"] },
    },
    async ({ params }) => (await findMerchant(db, merchantId(params))) ?? fail("MERCHANT_NOT_FOUND"),
  );

  app.patch(
    "/merchants/:merchantId",
    {
      schema: {
        tags: ["Merchants"],
        summary: "Rename a merchant, or say whether its signatures must be bound",
        params: pathIds("merchantId"),
        body: EditMerchantRequest,
        response: { 200: Merchant },
      },
      config: { errors: ["MERCHANT_NOT_FOUND"] },
    },
    async (request) => edit(options, merchantId(request.params), request.body, actorOf(request)),
  );

  app.put(
    "/merchants/:merchantId/public-key",
    {
      schema: {
        tags: ["Merchants"],
        summary: "Swap a merchant's public key",
        description:
          "The old key stops working on every host once this call is answered, and is retired: no merchant can use it " +
          "again, unless an operator says allowRetired. The merchant's contact is told by mail.",
        params: pathIds("merchantId"),
        body: RotateRequest,
        response: { 200: Merchant },
      },
      config: {
        errors: ["MERCHANT_NOT_FOUND", "MERCHANT_TRANSITION_INVALID", "PUBLIC_KEY_RETIRED", "PUBLIC_KEY_IN_USE"],
      },
    },
    async (request) => rotate(options, merchantId(request.params), request.body, actorOf(request)),
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
          summary,
          params: pathIds("merchantId"),
          body: NoBody,
          response: { 200: Merchant },
        },
        config: { errors: ["MERCHANT_NOT_FOUND", "MERCHANT_TRANSITION_INVALID", "PUBLIC_KEY_IN_USE"] },
      },
      async (request) => move(options, merchantId(request.params), actorOf(request)),
    );
  }
}
