import { problemWithAddress } from "@matchbook/addresses";
import type { Schemas } from "../api/client.ts";
import { PARTICIPANTS_PER_WALLET_MAX } from "../limits.ts";
import { problemWithAmount, toBaseUnits } from "../ui/amounts.ts";
import { sentenceAbout } from "../ui/sentence.ts";
import { fromTypedTime, toTypedTime } from "../ui/typed-time.ts";
import { typedAmount } from "./typed-amount.ts";

export type Campaign = Schemas["OperatorCampaign"];

/** A campaign's terms as they are typed. All fields are text, so that an unfinished draft can be kept. Times are in UTC. */
export type CampaignValues = {
  displayName: string;
  startDate: string;
  endDate: string;
  matchMultiplier: string;
  maxAmountPerUser: string;
  maxAmountTotal: string;
  currency: string;
  decimalPlaces: string;
  payoutChainId: string;
  payoutTokenAddress: string;
  /** Empty: any number. */
  participantsPerWalletMax: string;
  /** Empty: any amount. */
  minimumDepositUsd: string;
};

export const emptyValues: CampaignValues = {
  displayName: "",
  startDate: "",
  endDate: "",
  matchMultiplier: "",
  maxAmountPerUser: "",
  maxAmountTotal: "",
  currency: "USDC",
  decimalPlaces: "6",
  payoutChainId: "",
  payoutTokenAddress: "",
  participantsPerWalletMax: "",
  minimumDepositUsd: "",
};

export function valuesOf({ displayName, startDate, endDate, perTradeProfitMatch: terms }: Campaign): CampaignValues {
  const { currency, decimalPlaces } = terms.maxAmountTotal;
  return {
    displayName,
    startDate: toTypedTime(startDate, "UTC"),
    endDate: toTypedTime(endDate, "UTC"),
    matchMultiplier: String(terms.matchMultiplier),
    maxAmountPerUser: typedAmount(terms.maxAmountPerUser),
    maxAmountTotal: typedAmount(terms.maxAmountTotal),
    currency,
    decimalPlaces: String(decimalPlaces),
    payoutChainId: String(terms.payoutChainId),
    payoutTokenAddress: terms.payoutTokenAddress,
    participantsPerWalletMax: String(terms.participantsPerWalletMax ?? ""),
    minimumDepositUsd: terms.minimumDepositUsd ?? "",
  };
}

// These checks need no server. The API decides whether the terms are valid.
type Check = (value: string, values: CampaignValues) => string | null;

const required: Check = (value) => (value.trim() === "" ? "Required" : null);
const instant: Check = (value) => (fromTypedTime(value, "UTC") === null ? "Enter a date and a time" : null);
const amount: Check = (value, { decimalPlaces }) => problemWithAmount(value, Number(decimalPlaces));
const wholeNumber: Check = (value) => (/^\d{1,16}$/.test(value.trim()) ? null : "Enter a whole number");

export const campaignChecks: Record<keyof CampaignValues, Check> = {
  displayName: required,
  startDate: instant,
  endDate: (value, values) =>
    instant(value, values) ?? (values.startDate >= value ? "The end must be after the start" : null),
  matchMultiplier: (value) =>
    /^\d+(\.\d{1,6})?$/.test(value.trim()) ? null : "Enter a number such as 2 or 1.5, with at most 6 decimals",
  maxAmountPerUser: amount,
  maxAmountTotal: amount,
  currency: (value) =>
    /^[!-~]{1,16}$/.test(value.trim()) ? null : "Enter 1 to 16 letters, digits or signs, such as USDC",
  decimalPlaces: (value) => (/^\d{1,2}$/.test(value) && Number(value) <= 36 ? null : "Enter a number from 0 to 36"),
  payoutChainId: wholeNumber,
  payoutTokenAddress: (value, values) =>
    required(value, values) ??
    sentenceAbout("The address", problemWithAddress(value.trim(), Number(values.payoutChainId))),
  participantsPerWalletMax: (value) => {
    const isAllowed = /^([1-9]\d{0,3})?$/.test(value.trim()) && Number(value) <= PARTICIPANTS_PER_WALLET_MAX;
    return isAllowed ? null : `Enter a whole number from 1 to ${PARTICIPANTS_PER_WALLET_MAX}, or leave it empty`;
  },
  minimumDepositUsd: (value) => {
    const text = value.trim();
    const isAllowed = text === "" || (/^(0|[1-9]\d{0,14})(\.\d{1,6})?$/.test(text) && /[1-9]/.test(text));
    return isAllowed ? null : "Enter US dollars above 0, such as 50 or 12.50, or leave it empty";
  },
};

export function isSound(values: CampaignValues, fields: readonly (keyof CampaignValues)[]): boolean {
  return fields.every((field) => campaignChecks[field](values[field], values) === null);
}

/** Legal, but hardly ever meant: a cap above the budget limits no one. */
export function isCapAboveBudget(values: CampaignValues): boolean {
  if (!isSound(values, ["maxAmountPerUser", "maxAmountTotal", "decimalPlaces"])) return false;
  const { maxAmountPerUser, maxAmountTotal } = matchTermsOf(values);
  return BigInt(maxAmountPerUser.amount) > BigInt(maxAmountTotal.amount);
}

/** The part of the terms that a match depends on. The values must be sound. */
export function matchTermsOf(values: CampaignValues) {
  return {
    matchMultiplier: Number(values.matchMultiplier),
    maxAmountPerUser: tokenAmountOf(values, values.maxAmountPerUser),
    maxAmountTotal: tokenAmountOf(values, values.maxAmountTotal),
  };
}

export function termsOf(values: CampaignValues) {
  return {
    displayName: values.displayName.trim(),
    startDate: fromTypedTime(values.startDate, "UTC") ?? "",
    endDate: fromTypedTime(values.endDate, "UTC") ?? "",
    perTradeProfitMatch: {
      ...matchTermsOf(values),
      payoutChainId: Number(values.payoutChainId),
      payoutTokenAddress: values.payoutTokenAddress.trim(),
      participantsPerWalletMax:
        values.participantsPerWalletMax.trim() === "" ? null : Number(values.participantsPerWalletMax),
      minimumDepositUsd: values.minimumDepositUsd.trim() || null,
    },
  };
}

/** Only changed fields are kept and sent, so that an edit never undoes what someone else changed in the meantime. */
export function editsOf(campaign: Campaign, values: CampaignValues): Partial<CampaignValues> {
  const before: Record<string, string> = valuesOf(campaign);
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => before[field] !== value));
}

export function changesOf(campaign: Campaign, values: CampaignValues) {
  const edits = editsOf(campaign, values);
  const after = termsOf(values);
  const differs = (...fields: (keyof CampaignValues)[]) => fields.some((field) => field in edits);
  const { perTradeProfitMatch: terms } = after;
  const match = {
    ...(differs("matchMultiplier") && { matchMultiplier: terms.matchMultiplier }),
    ...(differs("maxAmountPerUser", "currency", "decimalPlaces") && { maxAmountPerUser: terms.maxAmountPerUser }),
    ...(differs("maxAmountTotal", "currency", "decimalPlaces") && { maxAmountTotal: terms.maxAmountTotal }),
    ...(differs("payoutChainId") && { payoutChainId: terms.payoutChainId }),
    ...(differs("payoutTokenAddress") && { payoutTokenAddress: terms.payoutTokenAddress }),
    ...(differs("participantsPerWalletMax") && { participantsPerWalletMax: terms.participantsPerWalletMax }),
    ...(differs("minimumDepositUsd") && { minimumDepositUsd: terms.minimumDepositUsd }),
  };
  return {
    ...(differs("displayName") && { displayName: after.displayName }),
    ...(differs("startDate") && { startDate: after.startDate }),
    ...(differs("endDate") && { endDate: after.endDate }),
    ...(Object.keys(match).length > 0 && { perTradeProfitMatch: match }),
  };
}

function tokenAmountOf({ currency, decimalPlaces }: CampaignValues, text: string): Schemas["TokenAmount"] {
  return {
    amount: toBaseUnits(text, Number(decimalPlaces)) ?? "",
    currency: currency.trim(),
    decimalPlaces: Number(decimalPlaces),
  };
}
