import { createHash } from "node:crypto";
import { Type } from "typebox";
import { actorOf } from "../access/authenticate.ts";
import type { ChangeDependencies } from "../audit/audit.ts";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, type Position, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { DEPOSITS_BODY_SIZE_MAX_BYTES } from "../limits.ts";
import { findMerchant } from "../merchants/queries.ts";
import { type DepositFilters, listDeposits, listDepositsOfAllMerchants } from "./deposit-queries.ts";
import { readDepositFilters, scopeOf } from "./filters.ts";
import { ingest, readEvent } from "./ingest.ts";
import { presentOperatorDeposit } from "./present.ts";
import type { Deposit } from "./record.ts";
import { depositFilters, IngestAnswer, IngestRequest, OperatorDeposit, ReportedUser } from "./schemas.ts";
import { findMerchantOfUser } from "./user-queries.ts";
import { readUsers, UsersQuery } from "./users.ts";

export interface DepositOperatorRouteOptions extends ChangeDependencies {
  readonly cursors: Cursors;
  /** The key that turns payer references into user ids. */
  readonly payersKey: Buffer;
}

export async function depositOperatorRoutes(app: Listener, options: DepositOperatorRouteOptions): Promise<void> {
  const { db, clock, audit, cursors, payersKey } = options;

  app.post(
    "/deposits",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "reportDeposits",
        summary: "Report deposits",
        description:
          "For the hosted flow: up to 1000 events, stored whole or not at all. Events may come late, twice and in any order, " +
          "and one deposit may appear several times; of two events the one with the newer updateDate stands. A batch that " +
          "was not answered is simply sent again. Each stored batch is one row of the audit log.",
        body: IngestRequest,
        response: { 200: IngestAnswer },
      },
      bodyLimit: DEPOSITS_BODY_SIZE_MAX_BYTES,
      config: { roles: ["operator", "ingest"], errors: ["MERCHANT_NOT_FOUND", "DEPOSIT_CONFLICT"] },
    },
    async (request) => {
      const events = request.body.deposits.map((event, index) => readEvent(payersKey, event, `deposits[${index}].`));
      const bodySha256 = createHash("sha256")
        .update(request.rawBody ?? "")
        .digest("base64url");
      const trail = { audit, actor: actorOf(request), date: clock(), bodySha256 };
      return { results: await ingest(db, events, trail) };
    },
  );

  app.get(
    "/deposits",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "listDeposits",
        summary: "List deposits, newest first",
        querystring: Type.Object(
          {
            ...pageQuery,
            merchantId: Type.Optional(Type.String({ format: "uuid", description: "Without it: of all merchants." })),
            ...depositFilters,
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(OperatorDeposit) },
      },
    },
    async ({ query }) => {
      const merchantId = query.merchantId?.toLowerCase() ?? null;
      const filters = readDepositFilters(query);
      return cursors.readPage(query, {
        scope: ["operator", "deposits", merchantId, ...scopeOf(filters)],
        list: (after, count) => listForOperator(db, merchantId, filters, after, count),
        positionOf: (deposit) => [...byDateAndId(deposit), deposit.merchantId],
        present: presentOperatorDeposit,
      });
    },
  );

  app.get(
    "/merchants/:merchantId/users",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "listUsers",
        summary: "List the users who deposited with a merchant",
        description: "What the merchant itself sees: the payer's own wallet and reference are in no answer.",
        params: pathIds("merchantId"),
        querystring: UsersQuery,
        response: { 200: pageOf(ReportedUser) },
      },
      config: { errors: ["MERCHANT_NOT_FOUND"] },
    },
    async ({ params, query }) => {
      const merchantId = uuidOr("MERCHANT_NOT_FOUND", params.merchantId);
      if ((await findMerchant(db, merchantId)) === null) fail("MERCHANT_NOT_FOUND");
      return readUsers({ db, cursors }, "operator-merchant-users", merchantId, query);
    },
  );
}

// A user belongs to one merchant, so a filter by user is also a filter by merchant.
async function listForOperator(
  db: Queryable,
  merchantId: string | null,
  filters: DepositFilters,
  after: Position | null,
  count: number,
): Promise<Deposit[]> {
  if (merchantId !== null) return listDeposits(db, merchantId, filters, after, count);
  if (filters.userId === null) return listDepositsOfAllMerchants(db, filters, after, count);
  const owner = await findMerchantOfUser(db, filters.userId);
  return owner === null ? [] : listDeposits(db, owner, filters, after, count);
}
