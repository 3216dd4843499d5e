// Which terms a campaign may have, and which of them may still change: pure rules.
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { problemWithAddress } from "@matchbook/addresses";
import { parseMultiplier, parseUsd } from "../amounts.ts";
import type { Proposal } from "../audit/audit.ts";
import { fail } from "../http/errors.ts";
import { readInstant } from "../instants.ts";
import { presentTerms } from "./present.ts";
import type { PreviewRequest } from "./preview-schemas.ts";
import type { Campaign, CampaignTerms, Token } from "./record.ts";
import type { CreateCampaignRequest, EditCampaignRequest } from "./schemas.ts";

export function readTerms(request: Omit<CreateCampaignRequest, "merchantId">): CampaignTerms {
  const { payoutChainId, payoutTokenAddress, participantsPerWalletMax, minimumDepositUsd, ...profitMatch } =
    request.perTradeProfitMatch;
  // Stored request hashes depend on the order of these fields.
  return {
    type: request.type,
    displayName: request.displayName,
    ...checkWindow(readInstant(request.startDate, "startDate"), readInstant(request.endDate, "endDate")),
    ...readProfitMatch(profitMatch),
    payoutChainId,
    payoutTokenAddress,
    participantsPerWalletMax: participantsPerWalletMax ?? null,
    minimumDepositMicros: readMinimumDeposit(minimumDepositUsd),
  };
}

function readMinimumDeposit(text: string | null | undefined): bigint | null {
  if (text === null || text === undefined) return null;
  const micros = parseUsd(text, MINIMUM_DEPOSIT_FIELD);
  return micros > 0n
    ? micros
    : fail("VALIDATION_ERROR", `${MINIMUM_DEPOSIT_FIELD} must be above 0. Leave it out for none.`);
}

const MINIMUM_DEPOSIT_FIELD = "perTradeProfitMatch.minimumDepositUsd";

/** What is wrong with the payout token's address on the payout chain. Campaigns stored before this rule may have one. */
export function problemWithPayoutToken(
  terms: Pick<CampaignTerms, "payoutChainId" | "payoutTokenAddress">,
): string | null {
  const problem = problemWithAddress(terms.payoutTokenAddress, terms.payoutChainId);
  return problem === null ? null : `perTradeProfitMatch.payoutTokenAddress ${problem}.`;
}

/** The terms that decide about amounts. */
export function readProfitMatch(request: PreviewRequest["perTradeProfitMatch"]) {
  const { matchMultiplier, maxAmountPerUser, maxAmountTotal } = request;
  const { currency, decimalPlaces } = checkToken(maxAmountPerUser, maxAmountTotal);
  return {
    multiplierMillionths: readMultiplier(matchMultiplier),
    currency,
    decimalPlaces,
    maxAmountPerUser: BigInt(maxAmountPerUser.amount),
    maxAmountTotal: BigInt(maxAmountTotal.amount),
  };
}

/**
 * A hash of the terms as they were read: requests that spell the same terms differently have the same hash. Rules that the
 * campaign does not have are left out, because hashes that were stored before there were rules have none.
 */
export function hashTerms(terms: CampaignTerms): Buffer {
  const text = JSON.stringify(terms, (_field, value) =>
    typeof value === "bigint" ? String(value) : (value ?? undefined),
  );
  return createHash("sha256").update(text).digest();
}

/** The campaign's terms with the fields of the edit, nested ones too. */
export function mergeTerms(campaign: Campaign, edit: EditCampaignRequest): CampaignTerms {
  const { matchMultiplier, maxAmountPerUser, maxAmountTotal, participantsPerWalletMax, minimumDepositUsd, ...payout } =
    edit.perTradeProfitMatch ?? {};
  const { currency, decimalPlaces } = campaign;
  return {
    type: edit.type ?? campaign.type,
    displayName: edit.displayName ?? campaign.displayName,
    ...checkWindow(
      edit.startDate === undefined ? campaign.startDate : readInstant(edit.startDate, "startDate"),
      edit.endDate === undefined ? campaign.endDate : readInstant(edit.endDate, "endDate"),
    ),
    ...checkToken({ currency, decimalPlaces, ...maxAmountPerUser }, { currency, decimalPlaces, ...maxAmountTotal }),
    multiplierMillionths:
      matchMultiplier === undefined ? campaign.multiplierMillionths : readMultiplier(matchMultiplier),
    maxAmountPerUser: BigInt(maxAmountPerUser?.amount ?? campaign.maxAmountPerUser),
    maxAmountTotal: BigInt(maxAmountTotal?.amount ?? campaign.maxAmountTotal),
    payoutChainId: payout.payoutChainId ?? campaign.payoutChainId,
    payoutTokenAddress: payout.payoutTokenAddress ?? campaign.payoutTokenAddress,
    participantsPerWalletMax:
      participantsPerWalletMax === undefined ? campaign.participantsPerWalletMax : participantsPerWalletMax,
    minimumDepositMicros:
      minimumDepositUsd === undefined ? campaign.minimumDepositMicros : readMinimumDeposit(minimumDepositUsd),
  };
}

function checkWindow(startDate: Date, endDate: Date) {
  return startDate < endDate ? { startDate, endDate } : fail("VALIDATION_ERROR", "startDate must be before endDate.");
}

function checkToken(perUser: Token, total: Token): Token {
  for (const field of ["currency", "decimalPlaces"] as const) {
    if (perUser[field] !== total[field]) {
      fail("VALIDATION_ERROR", `perTradeProfitMatch.maxAmountPerUser.${field} must be that of maxAmountTotal.`);
    }
  }
  return { currency: total.currency, decimalPlaces: total.decimalPlaces };
}

const readMultiplier = (value: number) => parseMultiplier(value, "perTradeProfitMatch.matchMultiplier");

/** Once a campaign has been active, its terms can only get better for users. */
export function checkEdit(campaign: Campaign, next: CampaignTerms): void {
  if (campaign.status === "DRAFT") return;
  const refuse = (rule: string) => fail("CAMPAIGN_EDIT_INVALID", `The campaign is ${campaign.status}: ${rule}.`);
  for (const [field, name] of FIXED_AFTER_DRAFT) {
    if (campaign[field] !== next[field]) refuse(`${name} can only change in DRAFT`);
  }
  if (next.startDate.getTime() !== campaign.startDate.getTime()) refuse("startDate can only change in DRAFT");
  if (next.endDate < campaign.endDate) refuse("endDate can only move to a later time");
  if (next.maxAmountPerUser < campaign.maxAmountPerUser) refuse("maxAmountPerUser can only rise");
  if (next.maxAmountTotal < campaign.maxAmountTotal) refuse("maxAmountTotal can only rise");
  const [claims, nextClaims] = [campaign.participantsPerWalletMax, next.participantsPerWalletMax];
  if (nextClaims !== null && (claims === null || nextClaims < claims)) {
    refuse("participantsPerWalletMax can only rise or be taken away");
  }
  const [minimum, nextMinimum] = [campaign.minimumDepositMicros, next.minimumDepositMicros];
  if (nextMinimum !== null && (minimum === null || nextMinimum > minimum)) {
    refuse("minimumDepositUsd can only fall or be taken away");
  }
}

const FIXED_AFTER_DRAFT = [
  ["type", "type"],
  ["multiplierMillionths", "matchMultiplier"],
  ["currency", "the currency"],
  ["decimalPlaces", "decimalPlaces"],
  ["payoutChainId", "payoutChainId"],
  ["payoutTokenAddress", "payoutTokenAddress"],
] as const satisfies readonly (readonly [keyof CampaignTerms, string])[];

/**
 * Whether the edit raises the budget or the cap, and by how much where that can be counted: not when the draft's token changes too.
 * Null: it raises neither.
 */
export function findRaise(before: CampaignTerms, after: CampaignTerms): Pick<Proposal, "amount"> | null {
  const fields = ["maxAmountTotal", "maxAmountPerUser"] as const;
  // Decimals may differ in a draft, so both are counted in the unit of neither.
  const scaled = (amount: bigint, { decimalPlaces }: CampaignTerms) => amount * 10n ** BigInt(decimalPlaces);
  if (!fields.some((field) => scaled(after[field], before) > scaled(before[field], after))) return null;
  const { payoutChainId: chainId, payoutTokenAddress: tokenAddress } = after;
  const isSameToken = (["payoutChainId", "payoutTokenAddress", "currency", "decimalPlaces"] as const).every(
    (field) => before[field] === after[field],
  );
  if (!isSameToken) return {};
  const [total, perUser] = fields.map((field) => after[field] - before[field]) as [bigint, bigint];
  return { amount: { chainId, tokenAddress, value: total > perUser ? total : perUser } };
}

/** The fields that differ, before and after the edit, for the audit log. */
export function changesBetween(
  before: CampaignTerms,
  after: CampaignTerms,
): Record<string, { from: unknown; to: unknown }> {
  const [from, to] = [presentTerms(before), presentTerms(after)];
  const fields = Object.keys(from) as (keyof typeof from)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(from[field], to[field]));
  return Object.fromEntries(changed.map((field) => [field, { from: from[field], to: to[field] }]));
}
