import { Type } from "typebox";
import { merchantOf } from "../auth/authenticate.ts";
import type { Queryable } from "../db/pool.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { PAGE_LIMIT_DEFAULT } from "../limits.ts";
import { listDeposits } from "./deposit-queries.ts";
import { readDepositFilters, scopeOf } from "./filters.ts";
import { presentDeposit } from "./present.ts";
import { depositFilters, ReportedDeposit, ReportedUser } from "./schemas.ts";
import { readUsers, UsersQuery } from "./users.ts";

export interface ReportingRouteOptions {
  readonly db: Queryable;
  readonly cursors: Cursors;
}

/** A merchant's reports: its deposits and the users who made them. */
export async function reportingRoutes(app: Listener, { db, cursors }: ReportingRouteOptions): Promise<void> {
  app.get(
    "/v1/merchant-users",
    {
      schema: {
        tags: ["Reporting"],
        operationId: "listMerchantUsers",
        summary: "List the users who deposited",
        description:
          "In a stable order. Sums are exact. The payer's own wallet and anything that identifies a person is never returned.",
        querystring: UsersQuery,
        response: { 200: pageOf(ReportedUser) },
      },
    },
    async (request) => readUsers({ db, cursors }, "merchant-users", merchantOf(request), request.query),
  );

  app.get(
    "/v1/merchant-deposits",
    {
      schema: {
        tags: ["Reporting"],
        operationId: "listMerchantDeposits",
        summary: "List deposits, newest first",
        description:
          "Every filter narrows the list. The payer's own wallet and anything that identifies a person is never returned.",
        querystring: Type.Object({ ...pageQuery, ...depositFilters }, { additionalProperties: false }),
        response: { 200: pageOf(ReportedDeposit) },
      },
    },
    async (request) => {
      const { limit = PAGE_LIMIT_DEFAULT, cursor } = request.query;
      const merchantId = merchantOf(request);
      const filters = readDepositFilters(request.query);
      const scope = ["merchant-deposits", merchantId, ...scopeOf(filters)];
      const found = await listDeposits(db, merchantId, filters, cursors.open(scope, cursor), limit + 1);
      const page = cursors.page(scope, found, limit, ({ createDate, id }) => [createDate.toISOString(), id]);
      return { ...page, items: page.items.map(presentDeposit) };
    },
  );
}
