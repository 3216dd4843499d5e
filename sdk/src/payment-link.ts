import { decodeBase64Url } from "./base64.ts";
import { parseInstant } from "./instants.ts";
import { type JsonObject, readObject } from "./json-object.ts";

// The payload of a signed payment link. The same key signs it that signs the merchant's own requests, over the same kind
// of text, so each kind must be recognized by its keys alone: an identity payload is no link, and a link no identity.

export interface PaymentLinkPayload {
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
}

export type PaymentLinkReading = { ok: true; payment: PaymentLinkPayload } | { ok: false; problem: string };

const TEXT_LENGTH_MAX = 128;
const URL_LENGTH_MAX = 2_048;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const URI_SCHEME = /^[a-z][a-z0-9+.-]{0,63}$/i;

type Rule = (value: unknown) => boolean;
const isText =
  (lengthMax: number): Rule =>
  (value) =>
    typeof value === "string" && value !== "" && value.length <= lengthMax && !/[\0\ud800-\udfff]/u.test(value);

const rules: Readonly<Record<keyof PaymentLinkPayload, [rule: Rule, wanted: string]>> = {
  amount: [(value) => typeof value === "number" && Number.isFinite(value) && value > 0, "a finite number above 0"],
  chainId: [(value) => Number.isSafeInteger(value) && Number(value) > 0, "an integer above 0"],
  address: [isText(TEXT_LENGTH_MAX), `a text of at most ${TEXT_LENGTH_MAX} characters`],
  token: [isText(TEXT_LENGTH_MAX), `a text of at most ${TEXT_LENGTH_MAX} characters`],
  idempotencyKey: [(value) => typeof value === "string" && UUID_V4.test(value), "a UUID of version 4"],
  callbackScheme: [
    (value) => value === null || (typeof value === "string" && URI_SCHEME.test(value)),
    "null or a URI scheme",
  ],
  signatureTimestamp: [
    (value) => typeof value === "string" && parseInstant(value) !== null,
    "an ISO-8601 date and time with a zone",
  ],
  version: [(value) => value === "v1", '"v1"'],
  url: [isText(URL_LENGTH_MAX), `a text of at most ${URL_LENGTH_MAX} characters`],
};

/** Reads the base64url text that was signed. Neither its signature nor its age has been checked. */
export function readPaymentLink(payload: string): PaymentLinkReading {
  const bytes = decodeBase64Url(payload);
  if (bytes === null) return { ok: false, problem: "The payload is not base64url." };
  const object = readObject(bytes);
  if (typeof object === "string") return { ok: false, problem: `In the payload, ${object}.` };

  const problem = findProblem(object);
  if (problem !== null) return { ok: false, problem };
  // Every key has passed its rule and there is no other.
  return { ok: true, payment: Object.fromEntries(object) as unknown as PaymentLinkPayload };
}

function findProblem(object: JsonObject): string | null {
  for (const key of object.keys()) {
    if (!Object.hasOwn(rules, key)) return `A payment link may not hold the key ${JSON.stringify(key)}.`;
  }
  for (const [key, [isValid, wanted]] of Object.entries(rules)) {
    if (!object.has(key)) {
      if (key === "url") continue;
      return `A payment link needs the key ${key}.`;
    }
    if (!isValid(object.get(key))) return `A payment link's ${key} must be ${wanted}.`;
  }
  return null;
}
