import { Type } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import type { Listener } from "../../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../../http/pagination.ts";
import { pathIds } from "../../http/path-ids.ts";
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
        operationId: "listJournal",
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
      const participantId = query.participantId?.toLowerCase() ?? null;
      const campaign = await campaignForOperator(db, params);
      return cursors.readPage(query, {
        scope: ["operator", "journal", campaign.id, participantId],
        list: (after, count) => listJournal(db, campaign, participantId, after, count),
        positionOf: ({ position }) => [String(position)],
        present: (entry) => presentJournalEntry(entry, campaign),
      });
    },
  );

  app.get(
    "/campaigns/:campaignId/burndown",
    {
      schema: {
        tags: ["Campaigns"],
        operationId: "getBurndown",
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
