import { Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { nullable, Uuid } from "../http/fields.ts";
import { IdStart, readDepositIdStart, readIdStart } from "../http/id-start.ts";
import type { Listener } from "../http/listener.ts";
import { ID_MATCHES_MAX } from "../limits.ts";
import { FOUND_KINDS, type Found, findById } from "./search-queries.ts";

// The console shows this below the box that the text was typed into.
const NO_ID = "Type an id, its first 8 or more characters, or its start and end as in 2d8b9104…c3f1.";

const FoundSchema = Type.Object(
  {
    kind: Type.Unsafe<Found["kind"]>({ type: "string", enum: [...FOUND_KINDS] }),
    id: Type.String({ description: "A UUID, except of a deposit." }),
    name: nullable<string>(Type.String(), {
      description:
        "Of a participant the merchant's user id, of an application the domain. Payouts, deposits and users have none.",
    }),
    merchantId: nullable<string>(Uuid),
    campaignId: nullable<string>(Uuid),
    participantId: nullable<string>(Uuid),
    userId: nullable<string>(Uuid, { description: "Of a user, and of a deposit: the user who made it." }),
  },
  { title: "Found" },
);

export async function searchRoutes(app: Listener, { db }: { readonly db: Queryable }): Promise<void> {
  app.get(
    "/search",
    {
      schema: {
        tags: ["Overview"],
        operationId: "findIds",
        summary: "Find what an id belongs to",
        description:
          "Merchants, applications, campaigns, participants, payouts, deposits, users and tokens by the start of " +
          `their id. All matches are listed, of each kind up to ${ID_MATCHES_MAX}. Text of less than 8 characters finds the deposits ` +
          "with exactly this id.",
        querystring: Type.Object(
          { q: IdStart("An id, its first 8 or more characters, or start and end as in 2d8b9104…c3f1.") },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ items: Type.Array(FoundSchema) }, { title: "FoundIds" }) },
      },
    },
    async ({ query }) => {
      const ids = readIdStart(query.q);
      const depositIds = readDepositIdStart(query.q);
      if (ids === null && depositIds === null) fail("VALIDATION_ERROR", NO_ID);
      return { items: await findById(db, ids, depositIds, ID_MATCHES_MAX) };
    },
  );
}
