import type { Queryable } from "../../db/pool.ts";
import { byDateAndId, type Cursors, type PageQuery } from "../../http/pagination.ts";
import { findCampaignOfAnyone } from "../queries.ts";
import { listPayouts, type PayoutFilters } from "./list-queries.ts";
import { presentListedPayout } from "./present.ts";
import type { ListedProofStatus } from "./proofs/record.ts";
import { PAYOUT_STATUSES, type PayoutStatus } from "./record.ts";
import { findMerchantOfRun } from "./runs/queries.ts";

export interface PayoutsQuery extends PageQuery {
  readonly status?: PayoutStatus;
  readonly merchantId?: string;
  readonly campaignId?: string;
  readonly runId?: string;
  readonly transactionHash?: string;
  readonly proof?: ListedProofStatus;
}

/** Filters that contradict each other, or name nothing that exists, find nothing. */
export async function readPayouts({ db, cursors }: { db: Queryable; cursors: Cursors }, query: PayoutsQuery) {
  const { status = null, transactionHash = null, proof = null } = query;
  const merchantId = query.merchantId?.toLowerCase() ?? null;
  const campaignId = query.campaignId?.toLowerCase() ?? null;
  const runId = query.runId?.toLowerCase() ?? null;
  return cursors.readPage(query, {
    scope: ["operator", "payouts", status, merchantId, campaignId, runId, transactionHash, proof],
    async list(after, count) {
      const owners = await listOwners(db, { merchantId, campaignId, runId });
      if (owners.length > 1 || owners.includes(null)) return [];
      const filters: PayoutFilters = {
        statuses: status === null ? PAYOUT_STATUSES : [status],
        merchantId: owners[0] ?? null,
        campaignId,
        runId,
        transactionHash,
        proof,
      };
      return listPayouts(db, filters, after, count);
    },
    positionOf: byDateAndId,
    present: presentListedPayout,
  });
}

/** The merchants that the filters lead to, each once. Null: what a filter names does not exist. */
async function listOwners(
  db: Queryable,
  { merchantId, campaignId, runId }: Pick<PayoutFilters, "merchantId" | "campaignId" | "runId">,
): Promise<(string | null)[]> {
  const owners = new Set<string | null>();
  if (merchantId !== null) owners.add(merchantId);
  if (campaignId !== null) owners.add((await findCampaignOfAnyone(db, campaignId))?.merchantId ?? null);
  if (runId !== null) owners.add(await findMerchantOfRun(db, runId));
  return [...owners];
}
