import { decodeBase64Url } from "./base64.ts";
import { parseInstant } from "./instants.ts";
import { type JsonObject, readObject } from "./json-object.ts";
import { isAppScheme, readWebAddress } from "./web-address.ts";

// The payload of a signed payment link. The same key signs it that signs the merchant's own requests, over the same kind
// of text, so each kind must be recognized by its keys alone: an identity payload is no link, and a link no identity.

export interface PaymentLinkPayload {
  /** From 0.000001 to 1,000,000,000, of at most 15 digits: what a JSON number holds exactly. */
  amount: number;
  chainId: number;
  address: string;
  token: string;
  /** A UUID, version 4, fresh for every link. */
  idempotencyKey: string;
  /** The app's URL scheme, or null on the web. */
  callbackScheme: string | null;
  signatureTimestamp: string;
  version: "v1";
  url?: string;
  /** The merchant's own name for the payment, such as an order number. */
  reference?: string;
  /** What else the merchant wants to find with the payment: at most 20 pairs of texts. */
  metadata?: Record<string, string>;
}

export type PaymentLinkReading = { ok: true; payment: PaymentLinkPayload } | { ok: false; problem: string };

const TEXT_LENGTH_MAX = 128;
const URL_LENGTH_MAX = 2_048;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const AMOUNT_MIN = 0.000001;
const AMOUNT_MAX = 1_000_000_000;
/** Every decimal of so many digits is a JSON number of its own; of more digits, two may become one. */
const AMOUNT_DIGITS_MAX = 15;

const METADATA_PAIRS_MAX = 20;
const METADATA_TEXT_LENGTH_MAX = 500;
/** A payload without these is complete. */
const OPTIONAL_KEYS: readonly string[] = ["url", "reference", "metadata"];

type Rule = (value: unknown) => boolean;

const isAmount: Rule = (value) =>
  typeof value === "number" &&
  value >= AMOUNT_MIN &&
  value <= AMOUNT_MAX &&
  // Within these bounds a number is written without an exponent.
  String(value).replace(/^0\.0*|\./, "").length <= AMOUNT_DIGITS_MAX;

/** Visible ASCII alone: spaces, direction marks and letters of other scripts make one address look like another. */
export const isVisibleText: Rule = (value) =>
  typeof value === "string" && value.length <= TEXT_LENGTH_MAX && /^[!-~]+$/.test(value);

/** Characters are counted as code points, as most languages do. NUL and half surrogates are no text that can be stored. */
const isMetadataText: Rule = (value) =>
  typeof value === "string" && [...value].length <= METADATA_TEXT_LENGTH_MAX && !/[\0\ud800-\udfff]/u.test(value);

const isMetadata: Rule = (value) =>
  value instanceof Map &&
  value.size <= METADATA_PAIRS_MAX &&
  [...value].every(([key, text]) => key !== "" && isMetadataText(key) && isMetadataText(text));

const rules: Readonly<Record<keyof PaymentLinkPayload, [rule: Rule, wanted: string]>> = {
  amount: [isAmount, `a finite number from ${AMOUNT_MIN} to ${AMOUNT_MAX} of at most ${AMOUNT_DIGITS_MAX} digits`],
  chainId: [(value) => Number.isSafeInteger(value) && Number(value) > 0, "an integer above 0"],
  address: [isVisibleText, `a text of at most ${TEXT_LENGTH_MAX} visible ASCII characters`],
  token: [isVisibleText, `a text of at most ${TEXT_LENGTH_MAX} visible ASCII characters`],
  idempotencyKey: [(value) => typeof value === "string" && UUID_V4.test(value), "a UUID of version 4"],
  callbackScheme: [
    (value) => value === null || (typeof value === "string" && isAppScheme(value)),
    "null or an app's own URI scheme in lower case",
  ],
  signatureTimestamp: [
    (value) => typeof value === "string" && parseInstant(value) !== null,
    "an ISO-8601 date and time with a zone",
  ],
  version: [(value) => value === "v1", '"v1"'],
  url: [
    (value) => typeof value === "string" && value.length <= URL_LENGTH_MAX && readWebAddress(value) !== null,
    `an http or https address of at most ${URL_LENGTH_MAX} characters, just as the URL parser writes it`,
  ],
  reference: [isVisibleText, `a text of at most ${TEXT_LENGTH_MAX} visible ASCII characters`],
  metadata: [
    isMetadata,
    `an object of at most ${METADATA_PAIRS_MAX} texts, its keys and texts of at most ${METADATA_TEXT_LENGTH_MAX} characters`,
  ],
};

/** Reads the base64url text that was signed. Neither its signature nor its age has been checked. */
export function readPaymentLink(payload: string): PaymentLinkReading {
  const bytes = decodeBase64Url(payload);
  if (bytes === null) return { ok: false, problem: "The payload is not base64url." };
  const object = readObject(bytes, ["metadata"]);
  if (typeof object === "string") return { ok: false, problem: `In the payload, ${object}.` };

  const problem = findProblem(object);
  if (problem !== null) return { ok: false, problem };
  // Every key has passed its rule and there is no other. `fromEntries` makes even "__proto__" a key like any other.
  const entries = [...object].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]);
  return { ok: true, payment: Object.fromEntries(entries) as unknown as PaymentLinkPayload };
}

function findProblem(object: JsonObject): string | null {
  for (const key of object.keys()) {
    if (!Object.hasOwn(rules, key)) return `A payment link may not hold the key ${JSON.stringify(key)}.`;
  }
  for (const [key, [isValid, wanted]] of Object.entries(rules)) {
    if (!object.has(key)) {
      if (OPTIONAL_KEYS.includes(key)) continue;
      return `A payment link needs the key ${key}.`;
    }
    if (!isValid(object.get(key))) return `A payment link's ${key} must be ${wanted}.`;
  }
  return null;
}
