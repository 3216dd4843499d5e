import { base64url, build, der, identity, keys, MERCHANT_ID, OTHER_SCALAR, paymentLink, vector } from "./build.mjs";

// Who the merchant is, which key it holds, and what that key has signed.

const MALFORMED = "VALIDATION_ERROR";
const UNKNOWN = "MERCHANT_NOT_REGISTERED";
const INACTIVE = "MERCHANT_NOT_ACTIVE";
const SIGNATURE = "MERCHANT_SIGNATURE_INVALID";

const good = build();

function merchants() {
  const stale = { payloadText: identity({ signatureTimestamp: "2026-01-15T11:00:00Z" }) };
  return [
    vector("unknown merchant", UNKNOWN, "No merchant has this id.", {
      merchantId: "11111111-2222-4333-8444-555555555555",
    }),
    vector("unknown merchant, not a UUID", UNKNOWN, "An id of any shape may be asked for.", {
      merchantId: "nobody",
    }),
    vector("merchant id in other case", UNKNOWN, "Ids are compared exactly.", {
      merchantId: MERCHANT_ID.toUpperCase(),
    }),
    vector("merchant id with a space", UNKNOWN, "Ids are compared exactly.", {
      merchantId: `${MERCHANT_ID} `,
    }),
    vector("unknown merchant, stale and wrongly signed", UNKNOWN, "The merchant comes before times and signature.", {
      ...stale,
      merchantId: "nobody",
      scalar: OTHER_SCALAR,
    }),
    vector("unknown merchant, malformed", MALFORMED, "The shape comes before the merchant.", {
      merchantId: "nobody",
      payloadText: identity({ version: "v2" }),
    }),
    vector("merchant not active", INACTIVE, "Known, but not approved, or suspended.", {}, { active: false }),
    vector(
      "merchant not active, stale and wrongly signed",
      INACTIVE,
      "The merchant comes before times and signature.",
      { ...stale, scalar: OTHER_SCALAR },
      { active: false },
    ),
    vector(
      "merchant not active, malformed",
      MALFORMED,
      "The shape comes before the merchant.",
      { payloadText: identity({ version: "v2" }) },
      { active: false },
    ),
  ];
}

function keysAndTexts() {
  const nextPayload = base64url(identity({ signatureTimestamp: "2026-01-15T11:59:31.000Z" }));
  return [
    vector("wrong key", SIGNATURE, "Signed by another key.", { scalar: OTHER_SCALAR }),
    vector("wrong key in DER", SIGNATURE, "Signed by another key.", {
      bytes: der(build({ scalar: OTHER_SCALAR }).pair),
    }),
    vector("key was rotated", SIGNATURE, "Another key is registered by now.", {}, { publicKey: keys.other.publicKey }),
    vector(
      "the other key, registered",
      null,
      "The same header is fine once its key is registered.",
      { scalar: OTHER_SCALAR },
      { publicKey: keys.other.publicKey },
    ),
    vector("signed the JSON", SIGNATURE, "The raw JSON was signed instead of its base64url text.", {
      signed: identity(),
    }),
    vector(
      "signed the decoded bytes, spaced",
      SIGNATURE,
      "The decoded bytes were signed, of a payload with white space.",
      { payloadText: `${identity()} `, signed: `${identity()} ` },
    ),
    vector("signed the envelope", SIGNATURE, "The whole envelope was signed.", {
      signed: JSON.stringify({ merchantId: MERCHANT_ID, payload: good.payload }),
    }),
    vector("signed with merchantId in front", SIGNATURE, "Only the payload is signed.", {
      signed: `${MERCHANT_ID}.${good.payload}`,
    }),
    vector("signed with a line end", SIGNATURE, "echo adds a line end to the payload.", {
      signed: `${good.payload}\n`,
    }),
    vector(
      "signed in standard base64",
      SIGNATURE,
      "The payload was signed in another alphabet or padding than it was sent.",
      { signed: `${good.payload}==` },
    ),
    vector("signed in UTF-16", SIGNATURE, "The text is signed as ASCII bytes.", {
      signed: Buffer.from(good.payload, "utf16le"),
    }),
    vector("signed another payload", SIGNATURE, "A signature from an earlier request.", {
      signed: nextPayload,
    }),
    vector("signed nothing", SIGNATURE, "A signature of the empty text.", { signed: "" }),
    vector("signature of a payment link", SIGNATURE, "The signature of a link under an identity payload.", {
      signed: base64url(JSON.stringify(paymentLink)),
    }),
  ];
}

export const merchantCases = [...merchants(), ...keysAndTexts()];
