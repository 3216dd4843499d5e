import {
  base64,
  base64url,
  bind,
  build,
  der,
  identity,
  keys,
  MERCHANT_ID,
  MERCHANT_SCALAR,
  NOW,
  OTHER_SCALAR,
  p1363,
  paymentLink,
  SIGNED_AT,
} from "./build.mjs";
import { sign } from "./p256.mjs";

// The proof in a merchant application: the applicant's key signs the application's domain and email.

const application = { email: "Payments@shop.example", domain: "Shop.example", publicKey: keys.merchant.publicKey };
const proofText = (fields = {}) =>
  JSON.stringify({
    version: "v1",
    purpose: "merchant-application",
    domain: application.domain,
    email: application.email,
    signatureTimestamp: SIGNED_AT,
    ...fields,
  });

/** Each parameter is one layer; the later ones are built from the earlier ones unless given. */
function buildProof({
  payloadText = proofText(),
  payload = base64url(payloadText),
  scalar = MERCHANT_SCALAR,
  signed = payload,
  bytes = p1363(sign(scalar, signed)),
  signature = base64url(bytes),
  proof = { payload, signature },
} = {}) {
  return proof;
}

function vector(name, note, layers, around, verdict) {
  return {
    name,
    note,
    application: { ...application, ...around.application },
    proof: buildProof(layers),
    now: around.now ?? NOW,
    verdict,
  };
}

const accepted = (name, note, layers = {}, around = {}) =>
  vector(name, note, layers, around, { status: 202, code: null });
const refused = (name, note, layers = {}, around = {}) =>
  vector(name, note, layers, around, { status: 400, code: "VALIDATION_ERROR" });

const good = buildProof();
const text = (payloadText) => ({ payloadText });
const at = (signatureTimestamp) => text(proofText({ signatureTimestamp }));
const without = (key) =>
  text(JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(proofText())).filter(([name]) => name !== key))));

function goodProofs() {
  const reversed = Object.fromEntries(Object.entries(JSON.parse(proofText())).reverse());
  const filled = `${proofText()}${" ".repeat((4 - (proofText().length % 3)) % 3)}`;
  return [
    accepted("a proof", "Signed with the applicant's key over the application's domain and email."),
    accepted("a proof in DER", "Both encodings of a signature are accepted.", {
      bytes: der(sign(MERCHANT_SCALAR, good.payload)),
    }),
    accepted("a proof in another order", "The order of keys does not matter.", text(JSON.stringify(reversed))),
    accepted("a proof with white space", "Any JSON spacing is fine.", text(JSON.stringify(reversed, null, 2))),
    accepted("a proof with padding", "Padding is tolerated, and part of the signed text.", {
      payload: base64(filled).replaceAll("+", "-").replaceAll("/", "_"),
    }),
    accepted("a proof with escapes", "JSON escapes mean the characters they stand for.", {
      payloadText: proofText().replace("Shop", "\\u0053hop"),
    }),
    accepted("a proof of 15:00.000", "The last moment that counts.", at("2026-01-15T11:45:00.000Z")),
    accepted("a proof 60.000 s ahead", "The leeway for a fast clock.", at("2026-01-15T12:01:00.000Z")),
    accepted("a proof with an offset", "Any ISO-8601 time with a zone.", at("2026-01-15T13:59:30.123456+02:00")),
  ];
}

function badShapes() {
  const repeated = `${proofText().slice(0, -1)},"domain":"Shop.example"}`;
  const shapes = [
    ["a string", good.payload],
    ["a list", [good.payload, good.signature]],
    ["an empty object", {}],
    ["without a signature", { payload: good.payload }],
    ["without a payload", { signature: good.signature }],
    ["with another key", { ...good, publicKey: application.publicKey }],
    ["with a payload that is an object", { ...good, payload: JSON.parse(proofText()) }],
    ["with a signature that is a number", { ...good, signature: 1 }],
    ["with an empty payload", { ...good, payload: "" }],
    ["with an empty signature", { ...good, signature: "" }],
  ];
  return [
    ...shapes.map(([name, proof]) =>
      refused(`a proof ${name}`, "A proof is { payload, signature }, two strings.", { proof }),
    ),
    ...["version", "purpose", "domain", "email", "signatureTimestamp"].map((key) =>
      refused(`a proof without ${key}`, "All five keys are needed.", without(key)),
    ),
    ...["version", "purpose", "domain", "email", "signatureTimestamp"].map((key) =>
      refused(`a proof whose ${key} is null`, "Each is a string.", text(proofText({ [key]: null }))),
    ),
    refused("a proof with one key too many", "No other key is allowed.", text(proofText({ expiresAt: NOW }))),
    refused("a proof with bind", "No other key is allowed.", text(proofText({ bind: bind() }))),
    refused("a proof with a key twice", "A repeated key has two readings.", text(repeated)),
    refused("a proof of version v2", 'The version is "v1".', text(proofText({ version: "v2" }))),
    refused(
      "a proof of another purpose",
      "It was signed for something else.",
      text(proofText({ purpose: "rotation" })),
    ),
    refused(
      "a proof whose purpose is in other case",
      "Compared exactly.",
      text(proofText({ purpose: "Merchant-Application" })),
    ),
    refused("a proof whose payload is JSON", "The payload was not encoded.", { payload: proofText() }),
    refused("a proof whose payload is a list", "A JSON object is wanted.", text(`[${proofText()}]`)),
    refused("a proof whose payload is not UTF-8", "Broken bytes have no reading.", {
      payload: base64url(Buffer.from([0x22, 0xff, 0x22])),
    }),
    refused("a proof whose payload has a line end", "White space is not skipped.", { payload: `${good.payload}\n` }),
    refused("a proof whose signature is hexadecimal", "base64url is wanted.", {
      signature: Buffer.from(good.signature, "base64url").toString("hex"),
    }),
    refused(
      "a payment link as proof",
      "The same key signs links, and end users hold them.",
      text(JSON.stringify(paymentLink)),
    ),
    refused("an identity as proof", "The same key signs requests.", text(identity())),
    refused("an envelope as proof", "The header's envelope is not a proof.", {
      proof: { merchantId: MERCHANT_ID, payload: build().payload, signature: build().signature },
    }),
  ];
}

function untrueProofs() {
  return [
    refused(
      "a proof for another domain",
      "domain is exactly the application's.",
      text(proofText({ domain: "evil.example" })),
    ),
    refused(
      "a proof whose domain is in other case",
      "domain is exactly the application's.",
      text(proofText({ domain: "shop.example" })),
    ),
    refused(
      "a proof for another email",
      "email is exactly the application's.",
      text(proofText({ email: "me@evil.example" })),
    ),
    refused(
      "a proof whose email is in other case",
      "email is exactly the application's.",
      text(proofText({ email: "payments@shop.example" })),
    ),
    refused(
      "a proof in an application of another email",
      "A captured proof names the contact it was made for.",
      {},
      {
        application: { email: "me@evil.example" },
      },
    ),
    refused(
      "a proof in an application of another key",
      "It proves the key that signed it.",
      {},
      {
        application: { publicKey: keys.other.publicKey },
      },
    ),
    refused("a proof signed by another key", "It proves the key that signed it.", { scalar: OTHER_SCALAR }),
    refused("a proof that signed the JSON", "The base64url text is what is signed.", { signed: proofText() }),
    refused("a proof that signed a line end", "Only the payload is signed.", { signed: `${good.payload}\n` }),
    refused("a proof whose signature is cut", "Neither DER nor 64 bytes.", {
      bytes: p1363(sign(MERCHANT_SCALAR, good.payload)).subarray(0, 63),
    }),
    refused("a proof of 15:00.001", "One millisecond too old.", at("2026-01-15T11:44:59.999Z")),
    refused("a proof 60.001 s ahead", "One millisecond beyond the leeway.", at("2026-01-15T12:01:00.001Z")),
    refused("a proof without a zone", "A time without a zone is unreadable.", at("2026-01-15T11:59:30")),
    refused("a proof of February 30", "No such day.", at("2026-02-30T11:59:30Z")),
  ];
}

export const proofCases = [...goodProofs(), ...badShapes(), ...untrueProofs()];
