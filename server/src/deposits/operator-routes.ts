import { createHash } from "node:crypto";
import type { FastifyRequest, preHandlerHookHandler } from "fastify";
import { Type } from "typebox";
import { actorOf } from "../access/authenticate.ts";
import type { ChangeDependencies } from "../audit/audit.ts";
import type { IdRange } from "../db/id-range.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { ID_START_RULE, IdStart, readIdStart } from "../http/id-start.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, type Position, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { compileValidator } from "../http/validation.ts";
import { DEPOSITS_BODY_SIZE_MAX_BYTES, ID_MATCHES_MAX } from "../limits.ts";
import { findMerchant } from "../merchants/queries.ts";
import { type DepositFilters, listDeposits, listDepositsOfAllMerchants } from "./deposit-queries.ts";
import { readDepositFilters, scopeOf } from "./filters.ts";
import { ingest, readEvent } from "./ingest.ts";
import { presentOperatorDeposit } from "./present.ts";
import { checkBatch, readItem } from "./read-batch.ts";
import type { ShownDeposit } from "./record.ts";
import {
  depositFilters,
  EmbeddedWallet,
  IngestAnswer,
  IngestEnvelope,
  IngestRequest,
  OperatorDeposit,
  ReportedUser,
} from "./schemas.ts";
import { listUsersInRange } from "./user-queries.ts";
import { readUsers, readUserWallets, UsersQuery, UserWalletsQuery } from "./users.ts";

export interface DepositOperatorRouteOptions extends ChangeDependencies {
  readonly cursors: Cursors;
  /** The key that turns payer references into user ids. */
  readonly payersKey: Buffer;
  /** For batches of deposits, which must not wait for operators. */
  readonly ingestDb: Database;
  /** Makes a batch wait for the turn of its merchant. */
  readonly takeShare: preHandlerHookHandler;
}

export async function depositOperatorRoutes(app: Listener, options: DepositOperatorRouteOptions): Promise<void> {
  const { db, ingestDb, clock, audit, cursors, payersKey, takeShare } = options;

  app.post(
    "/deposits",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "reportDeposits",
        summary: "Report deposits",
        description:
          "For the hosted flow: up to 1000 events, stored whole or not at all; a refused batch lists every event that is wrong in " +
          "`error.details`. With `partial=true` the good events are stored and the others are refused one by one. Events may come " +
          "late, twice and in any order, and one deposit may appear several times; of two events the one with the newer updateDate " +
          "stands. A batch that was not answered is simply sent again. Each stored batch is one row of the audit log.",
        querystring: Type.Object(
          {
            partial: Type.Optional(
              Type.Boolean({ description: "Store the good events of a batch that has bad ones." }),
            ),
          },
          { additionalProperties: false },
        ),
        body: IngestRequest,
        response: { 200: IngestAnswer },
      },
      bodyLimit: DEPOSITS_BODY_SIZE_MAX_BYTES,
      // Which items may be wrong depends on the query, so they are checked after both were read.
      validatorCompiler: (part) =>
        compileValidator(part.httpPart === "body" ? { ...part, schema: IngestEnvelope } : part),
      preHandler: [checkWholeBatch, takeShare],
      config: { roles: ["operator", "ingest"], errors: ["MERCHANT_NOT_FOUND", "DEPOSIT_CONFLICT"] },
    },
    async (request) => {
      const { deposits } = request.body;
      const partial = request.query.partial === true;
      const bodySha256 = createHash("sha256")
        .update(request.rawBody ?? "")
        .digest("base64url");
      const items = partial
        ? deposits.map((item, index) => readItem(payersKey, item, index))
        : deposits.map((event, index) => readEvent(payersKey, event, `deposits[${index}].`));
      const delivery = { actor: actorOf(request), date: clock(), partial, trail: { audit, bodySha256 } };
      return { results: [...(await ingest(ingestDb, items, delivery))] };
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
            userId: Type.Optional(
              IdStart(
                "The user's id, or the start of it as in 2d8b9104…c3f1. Several such users are listed one after the other.",
              ),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(OperatorDeposit) },
      },
    },
    async ({ query }) => {
      const merchantId = query.merchantId?.toLowerCase() ?? null;
      const { userId, ...others } = query;
      const filters = readDepositFilters(others);
      const user =
        userId === undefined ? null : (readIdStart(userId) ?? fail("VALIDATION_ERROR", `userId ${ID_START_RULE}`));
      return cursors.readPage(query, {
        scope: ["operator", "deposits", merchantId, user, ...scopeOf(filters)],
        list: (after, count) => listForOperator(db, merchantId, user, filters, after, count),
        positionOf: (deposit) => [...byDateAndId(deposit), deposit.merchantId, deposit.userId],
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

  app.get(
    "/merchants/:merchantId/users/:userId/wallets",
    {
      schema: {
        tags: ["Deposits"],
        operationId: "listUserWallets",
        summary: "List all wallets of a user",
        params: pathIds("merchantId", "userId"),
        querystring: UserWalletsQuery,
        response: { 200: pageOf(EmbeddedWallet) },
      },
      config: { errors: ["MERCHANT_NOT_FOUND", "USER_NOT_FOUND"] },
    },
    async ({ params, query }) => {
      const merchantId = uuidOr("MERCHANT_NOT_FOUND", params.merchantId);
      return readUserWallets({ db, cursors }, "operator-user-wallets", merchantId, params.userId, query);
    },
  );
}

async function checkWholeBatch(request: FastifyRequest): Promise<void> {
  const { partial } = request.query as { partial?: boolean };
  if (partial !== true) checkBatch(request.body);
}

async function listForOperator(
  db: Queryable,
  merchantId: string | null,
  user: IdRange | null,
  filters: DepositFilters,
  after: Position | null,
  count: number,
): Promise<ShownDeposit[]> {
  if (user !== null) return listOfUsers(db, merchantId, user, filters, after, count);
  if (merchantId !== null) return listDeposits(db, merchantId, filters, after, count);
  return listDepositsOfAllMerchants(db, filters, after, count);
}

/**
 * The deposits of every user whose id begins so, one user after the other, each newest first. A user belongs to one merchant, so
 * each is a list of that merchant's.
 */
async function listOfUsers(
  db: Queryable,
  merchantId: string | null,
  user: IdRange,
  filters: DepositFilters,
  after: Position | null,
  count: number,
): Promise<ShownDeposit[]> {
  const users = await listUsersInRange(db, user, merchantId, ID_MATCHES_MAX + 1);
  if (users.length > ID_MATCHES_MAX) fail("VALIDATION_ERROR", "userId fits too many users. Write more of the id.");
  const last = after?.[3] ?? "";
  const deposits: ShownDeposit[] = [];
  for (const one of users) {
    if (one.userId < last || deposits.length >= count) continue;
    const start = one.userId === last ? after : null;
    const ofUser = { ...filters, userId: one.userId };
    deposits.push(...(await listDeposits(db, one.merchantId, ofUser, start, count - deposits.length)));
  }
  return deposits;
}
