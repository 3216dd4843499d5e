import { base64, base64url, build, der, identity, MERCHANT_ID, paymentLink, SIGNED_AT, vector } from "./build.mjs";

// The layers of a header, from the outside in: everything that makes it well-formed or malformed.

const MALFORMED = "VALIDATION_ERROR";
const MISSING = "MERCHANT_AUTHORIZATION_MISSING";
const SIGNATURE = "MERCHANT_SIGNATURE_INVALID";

const good = build();
const goodParts = { merchantId: good.merchantId, payload: good.payload, signature: good.signature };

// The base64 of plain ASCII holds neither "+" nor "/"; this id brings in both.
const COLOURFUL_ID = "händler~1?>";

function presence() {
  return [
    vector("missing header", MISSING, "The header was not sent (null).", { header: null }),
    vector("empty header", MISSING, "An empty value counts as not sent.", { header: "" }),
    vector("header sent twice", MALFORMED, "A list stands for a header that was sent more than once.", {
      header: [good.header, good.header],
    }),
    vector("header sent twice, joined", MALFORMED, "Most servers join repeated headers with a comma.", {
      header: `${good.header}, ${good.header}`,
    }),
  ];
}

function outerLayer() {
  const colourful = build({ merchantId: COLOURFUL_ID });
  const urlSafe = base64url(colourful.envelope);
  const padded = base64(`${good.envelope}${" ".repeat((4 - (good.envelope.length % 3)) % 3)}`);
  const known = { merchantId: COLOURFUL_ID };
  const stray = padded.replace(/(.)==$/, (_, last) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==`);
  const filler = (length) => {
    const spaces = Math.floor((length * 3) / 4) - good.envelope.length;
    return base64(`${good.envelope}${" ".repeat(spaces)}`);
  };
  return [
    vector("outer base64 with padding", null, "Standard base64, padded.", { header: padded }),
    vector("outer base64 without padding", null, "Padding is optional.", {
      header: padded.replace(/=+$/, ""),
    }),
    vector(
      "outer base64 with + and /",
      null,
      "The standard alphabet's own characters.",
      { header: base64(colourful.envelope) },
      known,
    ),
    vector("outer base64url without padding", null, "The url-safe alphabet is tolerated.", { header: urlSafe }, known),
    vector(
      "outer base64url with padding",
      null,
      "The url-safe alphabet is tolerated, padded too.",
      { header: urlSafe.padEnd(Math.ceil(urlSafe.length / 4) * 4, "=") },
      known,
    ),
    vector(
      "outer alphabets mixed",
      MALFORMED,
      "One header holds both / and -, which no encoder writes.",
      { header: base64(colourful.envelope).replace("+", "-") },
      known,
    ),
    vector("outer is plain JSON", MALFORMED, "The envelope was not encoded.", { header: good.envelope }),
    vector("outer has a scheme", MALFORMED, "There is no scheme before the value.", {
      header: `Bearer ${good.header}`,
    }),
    vector("outer is quoted", MALFORMED, "Quotation marks are not base64.", { header: `"${good.header}"` }),
    vector("outer with a space inside", MALFORMED, "White space is not skipped.", {
      header: `${good.header.slice(0, 76)} ${good.header.slice(76)}`,
    }),
    vector("outer with a space before", MALFORMED, "White space is not skipped.", {
      header: ` ${good.header}`,
    }),
    vector("outer with a line break", MALFORMED, "MIME encoders break lines after 76 characters.", {
      header: `${good.header.slice(0, 76)}\r\n${good.header.slice(76)}`,
    }),
    vector("outer with a line end", MALFORMED, "White space is not skipped at the end either.", {
      header: `${good.header}\n`,
    }),
    vector("outer with an unknown character", MALFORMED, "Lenient decoders would skip it.", {
      header: `${good.header.slice(0, 40)}*${good.header.slice(40)}`,
    }),
    vector("outer percent-encoded", MALFORMED, "Padding written as %3D.", {
      header: padded.replaceAll("=", "%3D"),
    }),
    vector("outer with stray bits", MALFORMED, "The bits after the last byte are not zero.", {
      header: stray,
    }),
    vector("outer with stray bits, no padding", MALFORMED, "The bits after the last byte are not zero.", {
      header: stray.replace(/=+$/, ""),
    }),
    vector("outer with half of its padding", MALFORMED, "Padding is whole or absent.", {
      header: padded.replace(/=$/, ""),
    }),
    vector("outer with too much padding", MALFORMED, "Padding is whole or absent.", {
      header: `${padded}==`,
    }),
    vector("outer with padding in the middle", MALFORMED, "Two encoded texts, one after the other.", {
      header: `${base64("{")}${base64(good.envelope.slice(1))}`,
    }),
    vector("outer cut by one character", MALFORMED, "A length that no encoder writes.", {
      header: good.header.slice(0, good.header.length - (good.header.length % 4) - 3),
    }),
    vector("outer cut in half", MALFORMED, "The JSON inside is incomplete.", {
      header: good.header.slice(0, 200),
    }),
    vector("outer encoded twice", MALFORMED, "Base64 of base64.", { header: base64(good.header) }),
    vector("outer in hexadecimal", MALFORMED, "Hexadecimal digits are base64 characters, but they spell no JSON.", {
      header: Buffer.from(good.envelope).toString("hex"),
    }),
    vector("outer is only padding", MALFORMED, "Nothing but padding.", { header: "====" }),
    vector("header of 4096 characters", null, "The longest header; JSON may hold any white space.", {
      header: filler(4096),
    }),
    vector("header of 4100 characters", MALFORMED, "Longer than 4096 characters.", { header: filler(4100) }),
  ];
}

function envelopeLayer() {
  const encode = (envelope) => ({
    envelope: typeof envelope === "string" || Buffer.isBuffer(envelope) ? envelope : JSON.stringify(envelope),
  });
  const withId = (merchantId) => ({ envelope: JSON.stringify({ ...goodParts, merchantId }) });
  const reversed = JSON.stringify({
    signature: good.signature,
    payload: good.payload,
    merchantId: good.merchantId,
  });
  const members = good.envelope.slice(1, -1);
  const deep = `{"merchantId":${"[".repeat(1200)}${"]".repeat(1200)},"payload":"","signature":""}`;
  return [
    vector(
      "envelope with white space",
      null,
      "Any JSON spacing is fine outside the signed text.",
      encode(JSON.stringify(goodParts, null, "\t")),
    ),
    vector("envelope in another order", null, "The order of keys does not matter.", encode(reversed)),
    vector(
      "envelope with escapes",
      null,
      "JSON escapes in keys and values mean the characters they stand for.",
      encode(good.envelope.replace('"merchantId"', '"\\u006derchantId"').replace('"0b3f', '"\\u0030b3f')),
    ),
    vector(
      "envelope is not JSON",
      MALFORMED,
      "The decoded text is not JSON.",
      encode("merchantId=1&payload=2&signature=3"),
    ),
    vector("envelope is empty", MALFORMED, "The decoded text is only a space.", encode(" ")),
    vector("envelope is a list", MALFORMED, "A JSON object is wanted.", encode([goodParts])),
    vector("envelope is null", MALFORMED, "A JSON object is wanted.", encode("null")),
    vector(
      "envelope is a string",
      MALFORMED,
      "A JSON object is wanted, not one in quotes.",
      encode(JSON.stringify(good.envelope)),
    ),
    vector("envelope is a number", MALFORMED, "A JSON object is wanted.", encode("12345")),
    vector("envelope followed by text", MALFORMED, "One JSON value and nothing else.", encode(`${good.envelope}x`)),
    vector("envelope twice", MALFORMED, "One JSON value and nothing else.", encode(`${good.envelope}${good.envelope}`)),
    vector("envelope with a trailing comma", MALFORMED, "Not JSON.", encode(`{${members},}`)),
    vector("envelope with a comment", MALFORMED, "Not JSON.", encode(`{/**/${members}}`)),
    vector("envelope in single quotes", MALFORMED, "Not JSON.", encode(good.envelope.replaceAll('"', "'"))),
    vector(
      "envelope with a byte order mark",
      MALFORMED,
      "JSON does not start with U+FEFF.",
      encode(`\ufeff${good.envelope}`),
    ),
    vector(
      "envelope in UTF-16",
      MALFORMED,
      "JSON is exchanged in UTF-8.",
      encode(Buffer.from(good.envelope, "utf16le")),
    ),
    vector(
      "envelope with broken UTF-8",
      MALFORMED,
      "A lone continuation byte in merchantId; decoders must not replace it.",
      encode(
        Buffer.concat([Buffer.from('{"merchantId":"'), Buffer.from([0x80]), Buffer.from(good.envelope.slice(15))]),
      ),
    ),
    vector(
      "envelope with an overlong character",
      MALFORMED,
      "The bytes C0 AF are not UTF-8.",
      encode(
        Buffer.concat([
          Buffer.from('{"merchantId":"'),
          Buffer.from([0xc0, 0xaf]),
          Buffer.from(good.envelope.slice(15)),
        ]),
      ),
    ),
    vector(
      "envelope with a raw line break in a string",
      MALFORMED,
      "Control characters must be escaped in JSON.",
      encode(good.envelope.replace('"0b3f', '"\n0b3f')),
    ),
    vector("envelope nested deeply", MALFORMED, "Depth must neither crash nor pass.", encode(deep)),
    vector(
      "merchantId missing",
      MALFORMED,
      "Every key of the envelope is required.",
      encode({ payload: good.payload, signature: good.signature }),
    ),
    vector(
      "payload missing",
      MALFORMED,
      "Every key of the envelope is required.",
      encode({ merchantId: good.merchantId, signature: good.signature }),
    ),
    vector(
      "signature missing",
      MALFORMED,
      "Every key of the envelope is required.",
      encode({ merchantId: good.merchantId, payload: good.payload }),
    ),
    vector("merchantId is a number", MALFORMED, "Every value is a string.", withId(7)),
    vector("merchantId is null", MALFORMED, "Every value is a string.", withId(null)),
    vector("merchantId is a list", MALFORMED, "Every value is a string.", withId([good.merchantId])),
    vector("merchantId is empty", MALFORMED, "An id has at least one character.", withId("")),
    vector("merchantId with NUL", MALFORMED, "U+0000 is in no id.", withId(`${MERCHANT_ID}\0`)),
    vector(
      "merchantId with half a surrogate pair",
      MALFORMED,
      "The escape \\ud800 alone is not a character.",
      encode(good.envelope.replace('"0b3f', '"\\ud800b3f')),
    ),
    vector(
      "merchantId of 128 characters",
      null,
      "The longest id.",
      { merchantId: "m".repeat(128) },
      { merchantId: "m".repeat(128) },
    ),
    vector(
      "merchantId of 129 characters",
      MALFORMED,
      "Longer than 128 UTF-16 code units.",
      { merchantId: "m".repeat(129) },
      { merchantId: "m".repeat(129) },
    ),
    vector(
      "payload is an object",
      MALFORMED,
      "The payload is text: the base64url that was signed.",
      encode({ ...goodParts, payload: { version: "v1", signatureTimestamp: SIGNED_AT } }),
    ),
    vector(
      "payload is plain JSON text",
      MALFORMED,
      "The payload is base64url.",
      encode({ ...goodParts, payload: identity() }),
    ),
    vector(
      "payload with a wide look-alike",
      MALFORMED,
      "Decoders that keep a character's lower byte read the right one.",
      encode({ ...goodParts, payload: good.payload.replace(/^e/, "\u0165") }),
    ),
    vector(
      "signature is an object",
      MALFORMED,
      "The signature is base64url.",
      encode({ ...goodParts, signature: { r: "1", s: "1" } }),
    ),
    vector("signature is null", MALFORMED, "The signature is base64url.", encode({ ...goodParts, signature: null })),
    vector(
      "envelope with another key",
      MALFORMED,
      "No other key is allowed.",
      encode({ ...goodParts, algorithm: "ES256" }),
    ),
    vector(
      "envelope with a key in other case",
      MALFORMED,
      "Keys are case-sensitive.",
      encode({ ...goodParts, MerchantId: MERCHANT_ID }),
    ),
    vector(
      "envelope with __proto__",
      MALFORMED,
      "A key like any other, so one too many.",
      encode(`{${members},"__proto__":{"active":true}}`),
    ),
    vector(
      "envelope with __proto__ for its keys",
      MALFORMED,
      "Inherited keys do not count.",
      encode(`{"__proto__":{${members}}}`),
    ),
    vector(
      "envelope with constructor",
      MALFORMED,
      "A key like any other, so one too many.",
      encode(`{${members},"constructor":null}`),
    ),
    vector(
      "envelope with merchantId twice",
      MALFORMED,
      "A repeated key has two readings.",
      encode(`{"merchantId":"another",${members}}`),
    ),
    vector(
      "envelope with merchantId twice alike",
      MALFORMED,
      "A repeated key is refused even with the same value.",
      encode(`{"merchantId":"${MERCHANT_ID}",${members}}`),
    ),
    vector(
      "envelope with payload twice, once escaped",
      MALFORMED,
      "Two spellings of one key are one key.",
      encode(`{"p\\u0061yload":"",${members}}`),
    ),
    vector(
      "envelope with signature twice, one a number",
      MALFORMED,
      "A repeated key is refused with any value.",
      encode(`{"signature":1,${members}}`),
    ),
    vector("inner payload sent as the header", MALFORMED, "The payload belongs in an envelope.", {
      header: base64(identity()),
    }),
  ];
}

function payloadLayer() {
  const payloadText = (text) => ({ payloadText: text });
  const link = build(payloadText(JSON.stringify(paymentLink)));
  const { amount, chainId, address, token, idempotencyKey } = paymentLink;
  const preview = { amount, chainId, address, token, idempotencyKey };
  const spaced = '{ "signatureTimestamp" : "2026-01-15T11:59:30.000Z" ,\n "version" : "v1" }';
  const padded = base64url(`${identity()}${" ".repeat((4 - (identity().length % 3)) % 3)}`);
  const colourful = base64(Buffer.from(identity({ signatureTimestamp: "??>>~~" }))).replace(/=+$/, "");
  return [
    vector(
      "payload with white space and another order",
      null,
      "Only the received text counts; it is never serialized again.",
      payloadText(spaced),
    ),
    vector(
      "payload with escapes",
      null,
      "JSON escapes mean the characters they stand for.",
      payloadText(identity().replace('"version"', '"\\u0076ersion"')),
    ),
    vector("payload with padding", null, "Padding is tolerated, and part of the signed text.", {
      payload: `${padded}==`,
    }),
    vector(
      "payload with padding, signed without",
      SIGNATURE,
      "The signed text is the one in the envelope, padding included.",
      { payload: `${padded}==`, signed: padded },
    ),
    vector("payload without padding, signed with", SIGNATURE, "The signed text is the one in the envelope.", {
      payload: padded,
      signed: `${padded}==`,
    }),
    vector("payload in standard base64", MALFORMED, "Inner parts are base64url; + and / are refused.", {
      payload: colourful,
    }),
    vector("payload with a line break", MALFORMED, "White space is not skipped.", {
      payload: `${good.payload.slice(0, 64)}\n${good.payload.slice(64)}`,
    }),
    vector("payload with stray bits", MALFORMED, "The bits after the last byte are not zero.", {
      payload: `${padded.slice(0, -1)}${String.fromCharCode(padded.charCodeAt(padded.length - 1) + 1)}`,
    }),
    vector("payload with half of its padding", MALFORMED, "Padding is whole or absent.", {
      payload: `${padded}=`,
    }),
    vector("payload encoded twice", MALFORMED, "Base64url of base64url.", {
      payload: base64url(good.payload),
    }),
    vector("payload is empty", MALFORMED, "No JSON in it.", { payload: "" }),
    vector("payload is not JSON", MALFORMED, "The decoded text is not JSON.", payloadText("v1")),
    vector("payload is a list", MALFORMED, "A JSON object is wanted.", payloadText(`["v1","${SIGNED_AT}"]`)),
    vector("payload with broken UTF-8", MALFORMED, "Decoders must not replace it.", {
      payload: base64url(
        Buffer.concat([Buffer.from('{"version":"v1","signatureTimestamp":"'), Buffer.from([0xff]), Buffer.from('"}')]),
      ),
    }),
    vector("payload is empty object", MALFORMED, "version and signatureTimestamp are required.", payloadText("{}")),
    vector("version missing", MALFORMED, "version is required.", payloadText(`{"signatureTimestamp":"${SIGNED_AT}"}`)),
    vector("version is v2", MALFORMED, "Only v1 exists.", payloadText(identity({ version: "v2" }))),
    vector("version is V1", MALFORMED, "Case matters.", payloadText(identity({ version: "V1" }))),
    vector("version is 1", MALFORMED, "A string is wanted.", payloadText(identity({ version: 1 }))),
    vector(
      "version is a list",
      MALFORMED,
      'A string is wanted, not ["v1"].',
      payloadText(identity({ version: ["v1"] })),
    ),
    vector("signatureTimestamp missing", MALFORMED, "signatureTimestamp is required.", payloadText('{"version":"v1"}')),
    vector(
      "signatureTimestamp is a number",
      MALFORMED,
      "A string is wanted, not milliseconds.",
      payloadText(identity({ signatureTimestamp: Date.parse(SIGNED_AT) })),
    ),
    vector(
      "signatureTimestamp is null",
      MALFORMED,
      "A string is wanted.",
      payloadText(identity({ signatureTimestamp: null })),
    ),
    vector("expiresAt is null", MALFORMED, "Absent or a string.", payloadText(identity({ expiresAt: null }))),
    vector("expiresAt is a number", MALFORMED, "Absent or a string.", payloadText(identity({ expiresAt: 1768478400 }))),
    vector("payload with another key", MALFORMED, "No other key is allowed.", payloadText(identity({ nonce: "1" }))),
    vector(
      "payload with merchantId",
      MALFORMED,
      "No other key is allowed, not even a sensible one.",
      payloadText(identity({ merchantId: MERCHANT_ID })),
    ),
    vector(
      "payload with __proto__",
      MALFORMED,
      "A key like any other, so one too many.",
      payloadText(`{"version":"v1","signatureTimestamp":"${SIGNED_AT}","__proto__":{}}`),
    ),
    vector(
      "payload inherits its keys",
      MALFORMED,
      "Inherited keys do not count.",
      payloadText(`{"__proto__":{"version":"v1","signatureTimestamp":"${SIGNED_AT}"}}`),
    ),
    vector(
      "payload with version twice",
      MALFORMED,
      "A repeated key has two readings.",
      payloadText(`{"version":"v2","version":"v1","signatureTimestamp":"${SIGNED_AT}"}`),
    ),
    vector(
      "payload with signatureTimestamp twice",
      MALFORMED,
      "A repeated key has two readings.",
      payloadText(`{"version":"v1","signatureTimestamp":"2020-01-01T00:00:00Z","signatureTimestamp":"${SIGNED_AT}"}`),
    ),
    vector(
      "payload hides a link behind a repeated key",
      MALFORMED,
      "A repeated key is refused with any value.",
      payloadText(`{"version":{"amount":1},"version":"v1","signatureTimestamp":"${SIGNED_AT}"}`),
    ),
    vector(
      "payment link as header",
      MALFORMED,
      "A validly signed payment link is not a credential.",
      payloadText(JSON.stringify(paymentLink)),
    ),
    vector(
      "payment link with url as header",
      MALFORMED,
      "A validly signed payment link is not a credential.",
      payloadText(JSON.stringify({ ...paymentLink, url: "https://shop.example/pay" })),
    ),
    vector(
      "payment link with reference and metadata as header",
      "VALIDATION_ERROR",
      "A validly signed payment link is not a credential.",
      payloadText(JSON.stringify({ ...paymentLink, reference: "order-1042", metadata: { cart: "7" } })),
    ),
    vector(
      "metadata alone in an identity",
      "VALIDATION_ERROR",
      "One key of a link is one too many.",
      payloadText(identity({ metadata: { cart: "7" } })),
    ),
    vector(
      "payment link for an app as header",
      MALFORMED,
      "A validly signed payment link is not a credential, in DER neither.",
      {
        payloadText: JSON.stringify({ ...paymentLink, callbackScheme: "shop" }),
        bytes: der(build({ payloadText: JSON.stringify({ ...paymentLink, callbackScheme: "shop" }) }).pair),
      },
    ),
    vector(
      "payment link with one key left as header",
      MALFORMED,
      "One key of a link is one too many.",
      payloadText(identity({ idempotencyKey: paymentLink.idempotencyKey })),
    ),
    vector(
      "answer of a signer as header",
      MALFORMED,
      "The signer's { merchantId, payload, signature, preview } is not an envelope.",
      {
        envelope: JSON.stringify({
          merchantId: link.merchantId,
          payload: link.payload,
          signature: link.signature,
          preview,
        }),
      },
    ),
    vector("identity with preview", MALFORMED, "No other key is allowed in the envelope.", {
      envelope: JSON.stringify({ ...goodParts, preview: {} }),
    }),
  ];
}

export const layerCases = [...presence(), ...outerLayer(), ...envelopeLayer(), ...payloadLayer()];
