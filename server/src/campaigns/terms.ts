// What a campaign may say, and what of it may still change: pure rules.
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { problemWithAddress } from "../addresses.ts";
import { formatMultiplier, parseMultiplier } from "../amounts.ts";
import { fail } from "../http/errors.ts";
import { parseInstant } from "../instants.ts";
import type { CreateCampaignRequest, EditCampaignRequest } from "./campaign-schemas.ts";
import type { PreviewRequest } from "./preview-schemas.ts";
import type { Campaign, CampaignTerms } from "./queries.ts";

type TermsRequest = Omit<CreateCampaignRequest, "merchantId">;
type ProfitMatch = PreviewRequest["perTradeProfitMatch"];

export function readTerms(request: TermsRequest): CampaignTerms {
  const { payoutChainId, payoutTokenAddress, ...profitMatch } = request.perTradeProfitMatch;
  const startDate = readInstant(request.startDate, "startDate");
  const endDate = readInstant(request.endDate, "endDate");
  if (startDate >= endDate) fail("VALIDATION_ERROR", "startDate must be before endDate.");
  return {
    type: request.type,
    displayName: request.displayName,
    startDate,
    endDate,
    ...readProfitMatch(profitMatch),
    payoutChainId,
    payoutTokenAddress,
  };
}

/** What is wrong with the payout token's address on the payout chain. Campaigns stored before this rule may have one. */
export function problemWithPayoutToken(
  terms: Pick<CampaignTerms, "payoutChainId" | "payoutTokenAddress">,
): string | null {
  const problem = problemWithAddress(terms.payoutTokenAddress, terms.payoutChainId);
  return problem === null ? null : `perTradeProfitMatch.payoutTokenAddress ${problem}.`;
}

/** The terms that decide about amounts. */
export function readProfitMatch({ matchMultiplier, maxAmountPerUser, maxAmountTotal }: ProfitMatch) {
  for (const field of ["currency", "decimalPlaces"] as const) {
    if (maxAmountPerUser[field] !== maxAmountTotal[field]) {
      fail("VALIDATION_ERROR", `perTradeProfitMatch.maxAmountPerUser.${field} must be that of maxAmountTotal.`);
    }
  }
  return {
    multiplierMillionths: parseMultiplier(matchMultiplier, "perTradeProfitMatch.matchMultiplier"),
    currency: maxAmountTotal.currency,
    decimalPlaces: maxAmountTotal.decimalPlaces,
    maxAmountPerUser: BigInt(maxAmountPerUser.amount),
    maxAmountTotal: BigInt(maxAmountTotal.amount),
  };
}

/** The terms as they were read, so that other spellings of them are the same terms. */
export function hashTerms(terms: CampaignTerms): Buffer {
  const text = JSON.stringify(terms, (_field, value) => (typeof value === "bigint" ? String(value) : value));
  return createHash("sha256").update(text).digest();
}

export function termsOf(campaign: Campaign): CampaignTerms {
  return readTerms(requestOf(campaign));
}

/** The campaign's terms with the edit's fields in place of its own, nested ones too. */
export function mergeTerms(campaign: Campaign, edit: EditCampaignRequest): CampaignTerms {
  const current = requestOf(campaign);
  const { maxAmountPerUser, maxAmountTotal, ...others } = edit.perTradeProfitMatch ?? {};
  return readTerms({
    ...current,
    ...edit,
    perTradeProfitMatch: {
      ...current.perTradeProfitMatch,
      ...others,
      maxAmountPerUser: { ...current.perTradeProfitMatch.maxAmountPerUser, ...maxAmountPerUser },
      maxAmountTotal: { ...current.perTradeProfitMatch.maxAmountTotal, ...maxAmountTotal },
    },
  });
}

/** Once users may count on a campaign, it only gets better for them. */
export function checkEdit(campaign: Campaign, next: CampaignTerms): void {
  if (campaign.status === "DRAFT") return;
  const before = termsOf(campaign);
  const refuse = (rule: string) => fail("CAMPAIGN_EDIT_INVALID", `The campaign is ${campaign.status}: ${rule}.`);
  for (const [field, name] of FIXED_AFTER_DRAFT) {
    if (String(before[field]) !== String(next[field])) refuse(`${name} can only change in DRAFT`);
  }
  if (next.startDate.getTime() !== before.startDate.getTime()) refuse("startDate can only change in DRAFT");
  if (next.endDate < before.endDate) refuse("endDate can only move to a later time");
  if (next.maxAmountPerUser < before.maxAmountPerUser) refuse("maxAmountPerUser can only rise");
  if (next.maxAmountTotal < before.maxAmountTotal) refuse("maxAmountTotal can only rise");
}

const FIXED_AFTER_DRAFT = [
  ["type", "type"],
  ["multiplierMillionths", "matchMultiplier"],
  ["currency", "the currency"],
  ["decimalPlaces", "decimalPlaces"],
  ["payoutChainId", "payoutChainId"],
  ["payoutTokenAddress", "payoutTokenAddress"],
] as const satisfies readonly (readonly [keyof CampaignTerms, string])[];

/** The fields that differ, as they were and as they become, for the audit log. */
export function changesBetween(
  before: CampaignTerms,
  after: CampaignTerms,
): Record<string, { from: unknown; to: unknown }> {
  const [from, to] = [shown(before), shown(after)];
  const fields = Object.keys(from) as (keyof typeof from)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(from[field], to[field]));
  return Object.fromEntries(changed.map((field) => [field, { from: from[field], to: to[field] }]));
}

/** As the API shows them. */
function shown({ multiplierMillionths, currency, decimalPlaces, ...terms }: CampaignTerms) {
  const token = (amount: bigint) => ({ amount: String(amount), currency, decimalPlaces });
  return {
    ...terms,
    startDate: terms.startDate.toISOString(),
    endDate: terms.endDate.toISOString(),
    matchMultiplier: formatMultiplier(multiplierMillionths),
    maxAmountPerUser: token(terms.maxAmountPerUser),
    maxAmountTotal: token(terms.maxAmountTotal),
  };
}

function requestOf({ type, displayName, startDate, endDate, perTradeProfitMatch }: Campaign): TermsRequest {
  const { currentAmountTotal: _committed, ...terms } = perTradeProfitMatch;
  return { type: type as TermsRequest["type"], displayName, startDate, endDate, perTradeProfitMatch: terms };
}

function readInstant(text: string, field: string): Date {
  const instant = parseInstant(text);
  return instant === null
    ? fail("VALIDATION_ERROR", `${field} must be an ISO-8601 date and time with a zone, such as 2026-11-01T00:00:00Z.`)
    : new Date(instant);
}
