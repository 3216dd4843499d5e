import { base64url, build, der, identity, keys, MERCHANT_ID, NOW, OTHER_SCALAR, paymentLink } from "./build.mjs";

// Signed payment links: what a signer answers in, verdict out. Most cases are about `reference` and `metadata`.

/** `code` is null where the link is accepted. `layers` are the parameters of `build`. */
function link(name, code, note, layers, now = NOW) {
  const { merchantId, payload, signature } = build(layers);
  return {
    name,
    note,
    link: { merchantId, payload, signature },
    now,
    merchantId: MERCHANT_ID,
    publicKey: keys.merchant.publicKey,
    verdict: { ok: code === null, code },
  };
}
const holding = (fields) => ({ payloadText: JSON.stringify({ ...paymentLink, ...fields }) });
const accepted = (name, note, fields) => link(name, null, note, holding(fields));
const refused = (name, note, fields) => link(name, "VALIDATION_ERROR", note, holding(fields));
const pairs = (count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index + 1}`, "text"]));
const { version: _version, ...unversioned } = paymentLink;

export const linkCases = [
  accepted("no optional key", "The shortest link.", {}),
  accepted("with url", "The page that the link names.", { url: "https://shop.example/pay" }),
  accepted("reference", "The merchant's own name for the payment.", { reference: "order-1042" }),
  accepted("reference of 128 characters", "The longest.", { reference: "r".repeat(128) }),
  accepted("metadata", "Pairs of texts.", { metadata: { cart: "7", note: "Grüße 🎉" } }),
  accepted("metadata without pairs", "An empty object is one.", { metadata: {} }),
  accepted("metadata of 20 pairs", "The most.", { metadata: pairs(20) }),
  accepted("metadata of 500 characters", "The longest key and text.", {
    metadata: { ["k".repeat(500)]: "v".repeat(500) },
  }),
  accepted("metadata of 500 emoji", "Characters are counted, not their halves in UTF-16.", {
    metadata: { note: "🎉".repeat(500) },
  }),
  accepted("metadata with an empty text", "A text may be empty, a key may not.", { metadata: { note: "" } }),
  accepted("metadata with line ends", "Any text but NUL and half surrogates.", { metadata: { note: "one\ntwo\t" } }),
  link("metadata with the key __proto__", null, "A key like any other.", {
    payloadText: JSON.stringify(paymentLink).replace("{", '{"metadata":{"__proto__":"text"},'),
  }),
  accepted("all optional keys", "Together.", {
    url: "https://shop.example/pay",
    reference: "order-1042",
    metadata: { cart: "7" },
  }),
  link("reference and metadata, signed in DER", null, "Both encodings are accepted.", {
    ...holding({ reference: "order-1042", metadata: { cart: "7" } }),
    bytes: der(build(holding({ reference: "order-1042", metadata: { cart: "7" } })).pair),
  }),

  refused("reference that is empty", "Leave the key out instead.", { reference: "" }),
  refused("reference of 129 characters", "One too many.", { reference: "r".repeat(129) }),
  refused("reference with a space", "A space is not visible.", { reference: "order 1042" }),
  refused("reference with a direction mark", "It makes one text look like another.", { reference: "a\u202eb" }),
  refused("reference of another script", "Visible ASCII only.", { reference: "оrder" }),
  refused("reference null", "Leave the key out instead.", { reference: null }),
  refused("reference that is a number", "A text.", { reference: 1042 }),
  refused("reference that is an object", "A text.", { reference: { id: "1042" } }),
  refused("metadata of 21 pairs", "One too many.", { metadata: pairs(21) }),
  refused("metadata with a key of 501 characters", "One too many.", { metadata: { ["k".repeat(501)]: "v" } }),
  refused("metadata with a text of 501 characters", "One too many.", { metadata: { k: "v".repeat(501) } }),
  refused("metadata with an empty key", "A key has at least one character.", { metadata: { "": "v" } }),
  refused("metadata with NUL", "A text that databases refuse.", { metadata: { k: "a\0b" } }),
  link("metadata with half a surrogate", "VALIDATION_ERROR", "A text that has no UTF-8.", {
    payloadText: JSON.stringify(paymentLink).replace("{", '{"metadata":{"k":"\\ud83c"},'),
  }),
  refused("metadata with a number", "Texts only.", { metadata: { cart: 7 } }),
  refused("metadata with null", "Texts only.", { metadata: { cart: null } }),
  refused("metadata with an object", "One level only.", { metadata: { cart: { id: "7" } } }),
  refused("metadata with a list", "Texts only.", { metadata: { carts: ["7"] } }),
  refused("metadata null", "Leave the key out instead.", { metadata: null }),
  refused("metadata that is a list", "An object.", { metadata: ["cart", "7"] }),
  refused("metadata that is a text", "An object.", { metadata: "cart=7" }),
  link("metadata with one key twice", "VALIDATION_ERROR", "Parsers differ in which one counts.", {
    payloadText: JSON.stringify(paymentLink).replace("{", '{"metadata":{"cart":"7","cart":"8"},'),
  }),
  link("metadata twice", "VALIDATION_ERROR", "Parsers differ in which one counts.", {
    payloadText: JSON.stringify(paymentLink).replace("{", '{"metadata":{},"metadata":{},'),
  }),
  refused("an unknown key", "Nothing is signed that nothing checks.", { fee: 1 }),
  refused("version v2", "Only v1 is known.", { version: "v2" }),
  link("no version", "VALIDATION_ERROR", "Every link names its version.", { payloadText: JSON.stringify(unversioned) }),
  link("an identity payload", "VALIDATION_ERROR", "A credential is no link.", { payloadText: identity() }),

  link("metadata changed after signing", "MERCHANT_SIGNATURE_INVALID", "Every key is signed.", {
    payload: base64url(JSON.stringify({ ...paymentLink, metadata: { cart: "8" } })),
    signed: base64url(JSON.stringify({ ...paymentLink, metadata: { cart: "7" } })),
  }),
  link("reference added after signing", "MERCHANT_SIGNATURE_INVALID", "Every key is signed.", {
    payload: base64url(JSON.stringify({ ...paymentLink, reference: "order-1042" })),
    signed: base64url(JSON.stringify(paymentLink)),
  }),
  link("signed by another key", "MERCHANT_SIGNATURE_INVALID", "Not the merchant's key.", {
    ...holding({ reference: "order-1042" }),
    scalar: OTHER_SCALAR,
  }),
  link("another merchant", "MERCHANT_NOT_REGISTERED", "The merchant is not known.", {
    ...holding({}),
    merchantId: "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f61",
  }),
  link("15 minutes old", null, "The last moment.", holding({}), "2026-01-15T12:14:30.000Z"),
  link(
    "older than 15 minutes",
    "MERCHANT_AUTHORIZATION_EXPIRED",
    "One millisecond later.",
    holding({ reference: "order-1042" }),
    "2026-01-15T12:14:30.001Z",
  ),
];
