import { Type } from "typebox";
import { merchantOf } from "../auth/authenticate.ts";
import type { Queryable } from "../db/pool.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds } from "../http/path-ids.ts";
import { listDeposits } from "./deposit-queries.ts";
import { readDepositFilters, scopeOf } from "./filters.ts";
import { presentDeposit } from "./present.ts";
import { depositFilters, EmbeddedWallet, ReportedDeposit, ReportedUser } from "./schemas.ts";
import { readUsers, readUserWallets, UsersQuery, UserWalletsQuery } from "./users.ts";

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
    "/v1/merchant-users/:userId/wallets",
    {
      schema: {
        tags: ["Reporting"],
        operationId: "listUserWallets",
        summary: "List all wallets of a user",
        description: "Every wallet that the user deposited into, in the order of the addresses.",
        params: pathIds("userId"),
        querystring: UserWalletsQuery,
        response: { 200: pageOf(EmbeddedWallet) },
      },
      config: { errors: ["USER_NOT_FOUND"] },
    },
    async (request) =>
      readUserWallets({ db, cursors }, "user-wallets", merchantOf(request), request.params.userId, request.query),
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
      const merchantId = merchantOf(request);
      const filters = readDepositFilters(request.query);
      return cursors.readPage(request.query, {
        scope: ["merchant-deposits", merchantId, ...scopeOf(filters)],
        list: (after, count) => listDeposits(db, merchantId, filters, after, count),
        positionOf: byDateAndId,
        present: presentDeposit,
      });
    },
  );
}
