import { Type } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import type { Listener } from "../../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../../http/pagination.ts";
import { pathIds } from "../../http/path-ids.ts";
import { PAGE_LIMIT_DEFAULT } from "../../limits.ts";
import { campaignForOperator } from "../operator-routes.ts";
import { readBurndown } from "./burndown.ts";
import { presentBurndown, presentJournalEntry } from "./present.ts";
import { listJournal } from "./queries.ts";
import { Burndown, JournalEntry } from "./schemas.ts";

export async function journalOperatorRoutes(
  app: Listener,
  { db, cursors }: { db: Queryable; cursors: Cursors },
): Promise<void> {
  app.get(
    "/campaigns/:campaignId/journal",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "List accepted submissions, newest first",
        description: "Append-only. Each match can be computed again from the rows before it.",
        params: pathIds("campaignId"),
        querystring: Type.Object(
          {
            ...pageQuery,
            participantId: Type.Optional(
              Type.String({ format: "uuid", description: "Only the submissions of this participant." }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(JournalEntry) },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params, query }) => {
      const { limit = PAGE_LIMIT_DEFAULT, cursor } = query;
      const participantId = query.participantId?.toLowerCase() ?? null;
      const campaign = await campaignForOperator(db, params);
      const scope = ["operator", "journal", campaign.id, participantId];
      const found = await listJournal(db, campaign, participantId, cursors.open(scope, cursor), limit + 1);
      const page = cursors.page(scope, found, limit, ({ position }) => [String(position)]);
      return { ...page, items: page.items.map((entry) => presentJournalEntry(entry, campaign)) };
    },
  );

  app.get(
    "/campaigns/:campaignId/burndown",
    {
      schema: {
        tags: ["Campaigns"],
        summary: "How the budget was spent",
        description: "At most 101 points of the journal, however many submissions there were.",
        params: pathIds("campaignId"),
        response: { 200: Burndown },
      },
      config: { errors: ["CAMPAIGN_NOT_FOUND"] },
    },
    async ({ params }) => {
      const campaign = await campaignForOperator(db, params);
      return presentBurndown(await readBurndown(db, campaign), campaign);
    },
  );
}
