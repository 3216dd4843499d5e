// Money is exact: bigint in the code, decimal strings in the API and database, never a float.
import assert from "node:assert";
import { type Static, Type } from "typebox";
import { fail } from "./http/errors.ts";
import {
  AMOUNT_DIGITS_MAX,
  MULTIPLIER_FRACTION_DIGITS_MAX,
  MULTIPLIER_MAX,
  TOKEN_DECIMAL_PLACES_MAX,
  TOKEN_SYMBOL_LENGTH_MAX,
  USD_FRACTION_DIGITS_MAX,
  USD_FRACTION_DIGITS_MIN,
  USD_INTEGER_DIGITS_MAX,
} from "./limits.ts";

/** Base units in the API: no sign, no leading zero, at most 78 digits, which is enough for every uint256. */
export const BASE_UNITS_PATTERN = `^(0|[1-9][0-9]{0,${AMOUNT_DIGITS_MAX - 1}})$`;

/** Visible ASCII, so that no two symbols look alike. */
export const TokenSymbol = (description: string) =>
  Type.String({
    pattern: `^[!-~]{1,${TOKEN_SYMBOL_LENGTH_MAX}}$`,
    "x-rule": `must be 1 to ${TOKEN_SYMBOL_LENGTH_MAX} visible ASCII characters without spaces`,
    description,
    examples: ["USDC"],
  });

export const TokenAmount = Type.Object(
  {
    amount: Type.String({
      pattern: BASE_UNITS_PATTERN,
      "x-rule":
        `must be a whole number of base units as text, with at most ${AMOUNT_DIGITS_MAX} digits and no sign, point or ` +
        "leading zeros: 12.50 USDC is 12500000",
      description: "Integer quantity in the token's smallest unit (base units), as a decimal string.",
      examples: ["500000000"],
    }),
    currency: TokenSymbol("Token symbol."),
    decimalPlaces: Type.Integer({
      minimum: 0,
      maximum: TOKEN_DECIMAL_PLACES_MAX,
      description: "How many of the amount's digits stand behind the decimal point of one token.",
      examples: [6],
    }),
  },
  {
    additionalProperties: false,
    title: "TokenAmount",
    description: "An exact amount of a token in its smallest unit.",
    examples: [{ amount: "500000000", currency: "USDC", decimalPlaces: 6 }],
  },
);
export type TokenAmount = Static<typeof TokenAmount>;

const usdCurrency = Type.Literal("USD", { description: "Currency code.", examples: ["USD"] });

/** USD in answers. A sum of deposits may have more integer digits than a single deposit. */
export const UsdAmount = Type.Object(
  {
    value: Type.String({
      pattern: `^(0|[1-9][0-9]*)\\.[0-9]{${USD_FRACTION_DIGITS_MIN},${USD_FRACTION_DIGITS_MAX}}$`,
      description: "Exact decimal string with 2 to 6 fraction digits and no exponent.",
      examples: ["250.00"],
    }),
    currency: usdCurrency,
  },
  {
    additionalProperties: false,
    title: "UsdAmount",
    description: "An exact amount of US dollars.",
    examples: [{ value: "250.00", currency: "USD" }],
  },
);
export type UsdAmount = Static<typeof UsdAmount>;

/** USD in requests: whole dollars and at most six fraction digits. Zero is valid. */
const USD_INPUT_PATTERN = `^(0|[1-9][0-9]{0,${USD_INTEGER_DIGITS_MAX - 1}})(\\.[0-9]{1,${USD_FRACTION_DIGITS_MAX}})?$`;

const USD_INPUT_RULE =
  `must be a decimal string with at most ${USD_INTEGER_DIGITS_MAX} integer and ${USD_FRACTION_DIGITS_MAX} fraction digits, ` +
  "without sign, exponent or leading zeros, such as 12.50";

export const UsdAmountInput = Type.Object(
  {
    value: Type.String({
      pattern: USD_INPUT_PATTERN,
      "x-rule": USD_INPUT_RULE,
      description: "Decimal string with at most 15 integer and 6 fraction digits, no sign and no exponent.",
      examples: ["250.00"],
    }),
    currency: usdCurrency,
  },
  {
    additionalProperties: false,
    title: "UsdAmountInput",
    description: "An exact amount of US dollars.",
    examples: [{ value: "250.00", currency: "USD" }],
  },
);
export type UsdAmountInput = Static<typeof UsdAmountInput>;

const USD_INPUT = new RegExp(USD_INPUT_PATTERN);

/** Millionths of a dollar. */
export function parseUsd(text: string, field = "amount.value"): bigint {
  if (!USD_INPUT.test(text)) fail("VALIDATION_ERROR", `${field} ${USD_INPUT_RULE}.`);
  return parseDecimal(text, USD_FRACTION_DIGITS_MAX);
}

/** At least two fraction digits, and no trailing zeros after these. */
export function formatUsd(micros: bigint): string {
  const [whole, fraction] = splitDecimal(micros, USD_FRACTION_DIGITS_MAX);
  return `${whole}.${fraction.replace(/0+$/, "").padEnd(USD_FRACTION_DIGITS_MIN, "0")}`;
}

// JavaScript prints a number as the shortest decimal that reads back as the same number: the decimal that was sent.
const MULTIPLIER = new RegExp(`^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,${MULTIPLIER_FRACTION_DIGITS_MAX}})?$`);
const MULTIPLIER_ONE = 10n ** BigInt(MULTIPLIER_FRACTION_DIGITS_MAX);

/** Millionths of a match multiplier, from the API's JSON number or a stored decimal. */
export function parseMultiplier(value: number | string, field = "matchMultiplier"): bigint {
  const text = String(value);
  const millionths = MULTIPLIER.test(text) ? parseDecimal(text, MULTIPLIER_FRACTION_DIGITS_MAX) : 0n;
  if (millionths <= 0n || millionths > BigInt(MULTIPLIER_MAX) * MULTIPLIER_ONE) {
    fail(
      "VALIDATION_ERROR",
      `${field} must be a number above 0 and at most ${MULTIPLIER_MAX}, with at most ${MULTIPLIER_FRACTION_DIGITS_MAX} fraction digits.`,
    );
  }
  return millionths;
}

/** The JSON number of a multiplier. It has at most 13 digits, so it reads back as exactly these millionths. */
export function formatMultiplier(millionths: bigint): number {
  return Number(formatUnits(millionths, MULTIPLIER_FRACTION_DIGITS_MAX));
}

/** Base units as a decimal number of tokens: 1500000 with 6 decimals is 1.5. */
export function formatUnits(amount: bigint, decimals: number): string {
  const [whole, fraction] = splitDecimal(amount, decimals);
  const digits = fraction.replace(/0+$/, "");
  return digits === "" ? whole : `${whole}.${digits}`;
}

// Math.min and Math.max do not take bigints.
export function min(first: bigint, ...others: bigint[]): bigint {
  let least = first;
  for (const value of others) if (value < least) least = value;
  return least;
}

export function max(first: bigint, ...others: bigint[]): bigint {
  let most = first;
  for (const value of others) if (value > most) most = value;
  return most;
}

function parseDecimal(text: string, fractionDigits: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  assert(fraction.length <= fractionDigits);
  return BigInt(whole + fraction.padEnd(fractionDigits, "0"));
}

function splitDecimal(amount: bigint, fractionDigits: number): [whole: string, fraction: string] {
  assert(amount >= 0n, "amounts are never negative");
  const digits = amount.toString().padStart(fractionDigits + 1, "0");
  const point = digits.length - fractionDigits;
  return [digits.slice(0, point), digits.slice(point)];
}
