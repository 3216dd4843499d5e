import { Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { nullable, Uuid } from "../http/fields.ts";
import { ID_START_RULE, IdStart, readIdStart } from "../http/id-start.ts";
import type { Listener } from "../http/listener.ts";
import { ID_MATCHES_MAX } from "../limits.ts";
import { FOUND_KINDS, type Found, findById } from "./search-queries.ts";

const FoundSchema = Type.Object(
  {
    kind: Type.Unsafe<Found["kind"]>({ type: "string", enum: [...FOUND_KINDS] }),
    id: Uuid,
    name: nullable<string>(Type.String(), {
      description:
        "Of a participant the merchant's user id, of an application the domain. Payouts and users have none.",
    }),
    merchantId: nullable<string>(Uuid),
    campaignId: nullable<string>(Uuid),
    participantId: nullable<string>(Uuid),
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
          "Merchants, applications, campaigns, participants, payouts, users and tokens by the start of their id. All matches " +
          `are listed, of each kind up to ${ID_MATCHES_MAX}.`,
        querystring: Type.Object(
          { q: IdStart("An id, its first 8 or more characters, or start and end as in 2d8b9104…c3f1.") },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ items: Type.Array(FoundSchema) }, { title: "FoundIds" }) },
      },
    },
    async ({ query }) => {
      const ids = readIdStart(query.q) ?? fail("VALIDATION_ERROR", `q ${ID_START_RULE}`);
      return { items: await findById(db, ids, ID_MATCHES_MAX) };
    },
  );
}
