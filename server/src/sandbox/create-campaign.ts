import { randomUUID } from "node:crypto";
import type { Actor } from "../audit/audit.ts";
import { createCampaign, type LifecycleDependencies, moveCampaign, type moves } from "../campaigns/lifecycle.ts";
import { findCampaign } from "../campaigns/queries.ts";
import type { Campaign, CampaignStatus } from "../campaigns/record.ts";
import type { CreateCampaignRequest } from "../campaigns/schemas.ts";
import { AppError } from "../http/errors.ts";
import { idOfKey } from "../http/idempotency.ts";
import { parseInstant } from "../instants.ts";
import { TEST_WINDOW_MS } from "../limits.ts";
import { TEST_CHAIN_ID, TEST_TOKEN } from "./create-deposit.ts";
import type { TestCampaignRequest } from "./schemas.ts";

/** The operator move that leads to each status from the one before it. */
const PATHS: Readonly<Record<CampaignStatus, readonly (readonly [from: CampaignStatus, verb: keyof typeof moves])[]>> =
  {
    DRAFT: [],
    ACTIVE: [["DRAFT", "activate"]],
    PAUSED: [
      ["DRAFT", "activate"],
      ["ACTIVE", "pause"],
    ],
    ENDED: [
      ["DRAFT", "activate"],
      ["ACTIVE", "end"],
    ],
  };

/** Creates a campaign as an operator would: by the same rules and with the same audit rows. */
export async function createTestCampaign(
  dependencies: LifecycleDependencies,
  merchantId: string,
  { idempotencyKey, status = "ACTIVE", ...request }: TestCampaignRequest,
  actor: Actor,
): Promise<Campaign> {
  const id = idempotencyKey === undefined ? randomUUID() : idOfKey(merchantId, idempotencyKey);
  const complete = withDefaults(merchantId, request, dependencies.clock().getTime());
  // The default dates depend on the time, so a repeated call can ask for other dates.
  let { campaign } = await createCampaign(dependencies, complete, actor, { id, requestHash: null });
  // A repeated call also finishes the moves that an interrupted call did not make.
  for (const [from, verb] of PATHS[status]) {
    if (campaign.status === from) campaign = await moveOnce(dependencies, merchantId, id, verb, actor);
  }
  return campaign;
}

/** When two calls race, the slower one finds that the move is already made. */
async function moveOnce(
  dependencies: LifecycleDependencies,
  merchantId: string,
  id: string,
  verb: keyof typeof moves,
  actor: Actor,
): Promise<Campaign> {
  try {
    return await moveCampaign(dependencies, id, verb, actor);
  } catch (error) {
    const isMade = error instanceof AppError && error.code === "CAMPAIGN_TRANSITION_INVALID";
    const moved = isMade ? await findCampaign(dependencies.db, merchantId, id) : null;
    if (moved === null) throw error;
    return moved;
  }
}

/** A date that cannot be parsed is passed on, and the campaign's own rules refuse it. */
function withDefaults(
  merchantId: string,
  request: Omit<TestCampaignRequest, "idempotencyKey" | "status">,
  nowMs: number,
): CreateCampaignRequest {
  const { startDate, endDate } = request;
  const givenStartMs = (startDate === undefined ? null : parseInstant(startDate)) ?? nowMs;
  const givenEndMs = (endDate === undefined ? null : parseInstant(endDate)) ?? nowMs;
  return {
    merchantId,
    type: "PER_TRADE_PROFIT_MATCH",
    displayName: "Test campaign",
    // When only one end of the window is given, the other end gets the default distance from it.
    startDate: new Date(Math.min(nowMs, givenEndMs) - TEST_WINDOW_MS).toISOString(),
    endDate: new Date(Math.max(nowMs, givenStartMs) + TEST_WINDOW_MS).toISOString(),
    ...request,
    perTradeProfitMatch: {
      matchMultiplier: 2,
      maxAmountPerUser: { amount: "5000000000", currency: "USDC", decimalPlaces: 6 },
      maxAmountTotal: { amount: "100000000000", currency: "USDC", decimalPlaces: 6 },
      payoutChainId: TEST_CHAIN_ID,
      payoutTokenAddress: TEST_TOKEN.address,
      ...request.perTradeProfitMatch,
    },
  };
}
