import { Type } from "typebox";
import { actorOf } from "../access/authenticate.ts";
import type { ChangeDependencies } from "../audit/audit.ts";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { Reason } from "../http/fields.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { HEADERS_SIZE_MAX_BYTES } from "../limits.ts";
import { findMerchant } from "../merchants/queries.ts";
import { checkOrigin } from "./check.ts";
import { presentDomain } from "./present.ts";
import { findWhitelist, listDomains } from "./queries.ts";
import { removeDomain } from "./remove.ts";
import { Domain, OriginVerdict } from "./schemas.ts";

export interface DomainOperatorRouteOptions extends ChangeDependencies {
  readonly cursors: Cursors;
  /** For the hosted flow, which checks origins and must not wait for operators. */
  readonly checkDb: Queryable;
}

export async function domainOperatorRoutes(app: Listener, options: DomainOperatorRouteOptions): Promise<void> {
  const { db, checkDb, cursors } = options;
  const merchantIdOf = (params: { merchantId: string }) => uuidOr("MERCHANT_NOT_FOUND", params.merchantId);

  app.get(
    "/merchants/:merchantId/domains",
    {
      schema: {
        tags: ["Domains"],
        operationId: "listMerchantDomains",
        summary: "List a merchant's domains, the primary one first",
        params: pathIds("merchantId"),
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: pageOf(Domain) },
      },
      config: { errors: ["MERCHANT_NOT_FOUND"] },
    },
    async ({ params, query }) => {
      const merchantId = merchantIdOf(params);
      return cursors.readPage(query, {
        scope: ["operator", "domains", merchantId],
        list: async (after, count) => {
          if ((await findMerchant(db, merchantId)) === null) fail("MERCHANT_NOT_FOUND");
          return listDomains(db, merchantId, after, count);
        },
        positionOf: ({ createDate, domain }) => [createDate.toISOString(), domain],
        present: (domain) => presentDomain(merchantId, domain),
      });
    },
  );

  app.delete(
    "/merchants/:merchantId/domains/:domain",
    {
      schema: {
        tags: ["Domains"],
        operationId: "removeMerchantDomain",
        summary: "Remove an additional domain",
        description:
          "Closes its origins and frees its slot immediately; the domain registry is called until it answers. The primary domain " +
          "stays: suspend the merchant instead.",
        params: Type.Object({
          merchantId: Type.String({ description: "A UUID." }),
          domain: Type.String({
            description: "The domain as it is listed, with its port.",
            examples: ["pay.example:8443"],
          }),
        }),
        querystring: Type.Object({ reason: Type.Optional(Reason) }, { additionalProperties: false }),
        response: { 204: Type.Null({ description: "Removed." }) },
      },
      config: { errors: ["MERCHANT_NOT_FOUND", "DOMAIN_NOT_FOUND", "DOMAIN_IS_PRIMARY"] },
    },
    async (request, reply) => {
      const { params, query } = request;
      await removeDomain(options, merchantIdOf(params), params.domain, actorOf(request), query.reason);
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/merchants/:merchantId/origins/check",
    {
      schema: {
        tags: ["Domains"],
        operationId: "checkOrigin",
        summary: "May a page of this origin embed the deposit flow?",
        description:
          "For the hosted flow, with a token of the role ingest. Any text gets a verdict, so that a page load never fails " +
          "for an odd origin.",
        params: pathIds("merchantId"),
        querystring: Type.Object(
          {
            origin: Type.String({
              // No request line is longer, so this refuses nothing that arrives.
              maxLength: HEADERS_SIZE_MAX_BYTES,
              description: "As the browser sends it.",
              examples: ["https://shop.example"],
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: OriginVerdict },
      },
      config: { roles: ["operator", "viewer", "ingest"], errors: ["MERCHANT_NOT_FOUND"] },
    },
    async ({ params, query }) => {
      const whitelist = (await findWhitelist(checkDb, merchantIdOf(params))) ?? fail("MERCHANT_NOT_FOUND");
      return checkOrigin(query.origin, whitelist);
    },
  );
}
