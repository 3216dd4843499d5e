import {
  base64url,
  bind,
  bodySha256,
  identity,
  MERCHANT_ID,
  MERCHANT_SCALAR,
  OTHER_SCALAR,
  paymentLink,
  request,
  SIGNED_AT,
  vector,
} from "./build.mjs";

// Headers that are bound to one request: the payload also holds `bind`, and all of it must be true of the request.

const MALFORMED = "VALIDATION_ERROR";
const EXPIRED = "MERCHANT_AUTHORIZATION_EXPIRED";
const TIMESTAMP = "MERCHANT_SIGNATURE_TIMESTAMP_INVALID";
const SIGNATURE = "MERCHANT_SIGNATURE_INVALID";
const OTHER_ID = "11111111-2222-4333-8444-555555555555";

const around = { request };
const bound = (fields = {}, more = {}) => ({ payloadText: identity({ ...more, bind: bind(fields) }) });
/** The payload with `bind` written by hand, for JSON that no serializer writes. */
const written = (bindText) => ({
  payloadText: `{"version":"v1","signatureTimestamp":"${SIGNED_AT}","bind":${bindText}}`,
});
const members = JSON.stringify(bind()).slice(1, -1);
const without = (part) => Object.fromEntries(Object.entries(bind()).filter(([name]) => name !== part));

/** A header that says just what the request is, with a part of both replaced. */
function matching(name, note, change) {
  const sent = { ...request, ...change };
  const { environment, method, path, body } = sent;
  return vector(name, null, note, bound({ environment, method, path, bodySha256: bodySha256(body) }), {
    request: sent,
  });
}

function accepted() {
  const reversed = Object.fromEntries(Object.entries(bind()).reverse());
  const campaigns = "/v1/marketings/campaigns";
  return [
    vector("bound to the request", null, "Every part of bind is true.", bound(), around),
    vector(
      "bound with expiresAt",
      null,
      "bind and expiresAt go together.",
      bound({}, { expiresAt: "2026-01-15T12:00:10.000Z" }),
      around,
    ),
    vector(
      "bound, parts in another order",
      null,
      "The order of keys does not matter.",
      { payloadText: JSON.stringify({ bind: reversed, signatureTimestamp: SIGNED_AT, version: "v1" }) },
      around,
    ),
    vector(
      "bound, with white space",
      null,
      "Any JSON spacing is fine.",
      { payloadText: JSON.stringify(JSON.parse(identity({ bind: bind() })), null, "\t") },
      around,
    ),
    vector(
      "bound, with escapes",
      null,
      "JSON escapes in keys and values mean the characters they stand for.",
      written(
        `{${members.replace('"method"', '"\\u006dethod"').replace("/v1/", "\\/v1\\/").replace('"POST"', '"\\u0050OST"')}}`,
      ),
      around,
    ),
    matching("bound to a request without a body", "The digest is that of the empty string.", {
      method: "GET",
      path: campaigns,
      body: null,
    }),
    matching("bound to an empty body", "An empty body and no body have the same digest.", { body: "" }),
    matching("bound to a query", "The query is part of the path, exactly as sent.", {
      method: "GET",
      path: `${campaigns}?limit=5&cursor=a%2Bb%3D`,
      body: null,
    }),
    matching("bound to a query with repeated names", "The order of parameters is the one sent.", {
      method: "GET",
      path: `${campaigns}/c/qualifiedWallets?address=0x2&address=0x1&chainId=1`,
      body: null,
    }),
    matching("bound to an empty query", "A question mark that was sent is part of the path.", {
      method: "GET",
      path: `${campaigns}?`,
      body: null,
    }),
    matching("bound to a path with quotation marks and braces", "Quotes and braces inside a string close nothing.", {
      method: "GET",
      path: `${campaigns}?a="},"bind":{"`,
      body: null,
    }),
    matching("bound to a path with a backslash", "An escaped backslash before a closing quote.", {
      method: "GET",
      path: `${campaigns}?a=\\`,
      body: null,
    }),
    matching("bound to a body beyond ASCII", "The digest is over the bytes, in UTF-8.", {
      body: '{"domain":"h\u00e4ndler.example"}',
    }),
    matching("bound to a body with a line end", "Every byte of the body counts.", { body: `${request.body}\n` }),
    matching("bound to the sandbox", "The environment is the one that was called.", { environment: "sandbox" }),
    vector("bound, and bound signatures are required", null, "The merchant requires what it sent.", bound(), {
      ...around,
      requireBoundSignatures: true,
    }),
    vector("not bound", null, "bind is optional.", {}, { ...around, requireBoundSignatures: false }),
  ];
}

function malformed() {
  const refused = (name, note, layers) => vector(name, MALFORMED, note, layers, around);
  const notObjects = [
    ["null", "null"],
    ["true", "true"],
    ["a number", "1"],
    ["a string", '"POST /v1/merchant-domains"'],
    ["JSON in a string", JSON.stringify(JSON.stringify(bind()))],
    ["an empty object", "{}"],
    ["a list", JSON.stringify(Object.values(bind()))],
    ["a list of one", JSON.stringify([bind()])],
    ["an object in an object", JSON.stringify({ bind: bind() })],
  ];
  const notStrings = [
    ["null", null],
    ["a number", 1],
    ["false", false],
    ["an object", {}],
    ["a list of one", (value) => [value]],
  ];
  return [
    ...notObjects.map(([name, text]) =>
      refused(`bind is ${name}`, "bind is an object of five strings.", written(text)),
    ),
    ...Object.keys(bind()).map((part) =>
      refused(`bind without ${part}`, "All five parts are needed.", written(JSON.stringify(without(part)))),
    ),
    ...Object.keys(bind()).flatMap((part) =>
      notStrings.map(([name, value]) =>
        refused(
          `bind.${part} is ${name}`,
          "Each part is a string.",
          bound({ [part]: typeof value === "function" ? value(bind()[part]) : value }),
        ),
      ),
    ),
    ...Object.keys(bind()).map((part) =>
      refused(
        `bind with ${part} twice`,
        "A repeated key has two readings, even with one value.",
        written(`{${members},${JSON.stringify(part)}:${JSON.stringify(bind()[part])}}`),
      ),
    ),
    refused(
      "bind with path twice, one untrue",
      "A repeated key has two readings.",
      written(`{"path":"/v1/merchant-deposits",${members}}`),
    ),
    refused(
      "bind with path twice, once with escapes",
      "Escaped or not, it is the same key.",
      written(`{${members},"p\\u0061th":${JSON.stringify(request.path)}}`),
    ),
    refused(
      "bind with method twice, the first an object",
      "A repeated key is refused with any value.",
      written(`{"method":{"a":"b"},${members}}`),
    ),
    refused("bind with another key", "Nothing else may be in bind.", bound({ host: "api.example.com" })),
    refused("bind with an empty key", "Nothing else may be in bind.", bound({ "": "" })),
    refused("bind with version", "Keys of the payload do not belong into bind.", bound({ version: "v1" })),
    refused(
      "bind with a key in other case",
      "Keys are compared exactly.",
      written(`{${members.replace("path", "Path")}}`),
    ),
    refused("bind with __proto__", "A key like any other, so one too many.", written(`{${members},"__proto__":{}}`)),
    refused("bind inherits its parts", "Inherited keys do not count.", written(`{"__proto__":{${members}}}`)),
    refused("bind with nested junk", "Nothing else may be in bind.", bound({ more: [{ bind: bind() }, [[]]] })),
    refused("bind in other case", "Keys are compared exactly.", { payloadText: identity({ Bind: bind() }) }),
    refused("bind twice", "A repeated key has two readings.", {
      payloadText: `{"version":"v1","signatureTimestamp":"${SIGNED_AT}","bind":{${members}},"bind":{${members}}}`,
    }),
    refused("bind twice, the first null", "A repeated key is refused with any value.", {
      payloadText: `{"version":"v1","bind":null,"signatureTimestamp":"${SIGNED_AT}","bind":{${members}}}`,
    }),
    refused("version twice beside bind", "A repeated key has two readings.", {
      payloadText: `{"version":"v1","version":"v1","signatureTimestamp":"${SIGNED_AT}","bind":{${members}}}`,
    }),
    refused("the parts beside each other", "The parts of bind stand inside it.", {
      payloadText: identity(bind()),
    }),
    refused("bind in the envelope", "bind is signed, so it stands in the payload.", {
      envelope: JSON.stringify({
        merchantId: MERCHANT_ID,
        payload: base64url(identity()),
        signature: "AA",
        bind: bind(),
      }),
    }),
    refused("bind and another key beside it", "No other key is allowed.", bound({}, { nonce: "1" })),
    refused("bind without signatureTimestamp", "signatureTimestamp is required.", {
      payloadText: JSON.stringify({ version: "v1", bind: bind() }),
    }),
    refused("bind with version v2", 'The version is "v1".', bound({}, { version: "v2" })),
    refused("bind with expiresAt null", "Absent or a string.", bound({}, { expiresAt: null })),
    refused("payment link with bind", "A link is not a credential, bound or not.", {
      payloadText: JSON.stringify({ ...paymentLink, bind: bind() }),
    }),
    refused("payment link inside bind", "A link is not a credential, wherever it stands.", {
      payloadText: identity({ bind: { ...bind(), ...paymentLink } }),
    }),
    refused("payment link in place of bind", "A link is not a credential, wherever it stands.", {
      payloadText: identity({ bind: paymentLink }),
    }),
    refused("one key of a payment link beside bind", "One key of a link is one too many.", bound({}, { amount: 1 })),
    refused("bind of a merchant that is unknown, malformed", "The shape comes before the merchant.", {
      merchantId: OTHER_ID,
      ...written("{}"),
    }),
  ];
}

const parts = ["environment", "merchantId", "method", "path", "bodySha256"];
const others = {
  environment: "sandbox",
  merchantId: OTHER_ID,
  method: "GET",
  path: "/v1/merchant-deposits",
  bodySha256: bodySha256(""),
};

/** A bind that is untrue of the request, and the part that the message names. */
function untruly(name, note, fields, part, more = {}) {
  return vector(name, SIGNATURE, note, bound(fields), { ...around, ...more, names: `bind.${part}` });
}

function untrue() {
  const body = Buffer.from(request.body);
  const digest = Buffer.from(bodySha256(request.body), "base64url");
  const none = bodySha256("");
  const cases = [
    ["another environment", { environment: "sandbox" }, "It was signed for the sandbox and sent to production."],
    ["an environment in other case", { environment: "Production" }, "Parts are compared exactly."],
    ["an unknown environment", { environment: "staging" }, "A string, but not a true one."],
    ["an empty environment", { environment: "" }, "A string, but not a true one."],
    ["another merchantId", { merchantId: OTHER_ID }, "It differs from the envelope's."],
    ["a merchantId in other case", { merchantId: MERCHANT_ID.toUpperCase() }, "Parts are compared exactly."],
    ["another method", { method: "GET" }, "It was signed for a read."],
    ["a method in other case", { method: "post" }, "Parts are compared exactly."],
    ["another path", { path: "/v1/merchant-deposits" }, "It was signed for another path."],
    ["a query too many", { path: `${request.path}?dryRun=true` }, "The query is part of the path."],
    ["an empty query too many", { path: `${request.path}?` }, "The path is compared as it was sent."],
    ["a slash too many", { path: `${request.path}/` }, "The path is compared as it was sent."],
    ["a slash doubled", { path: `/${request.path}` }, "The path is compared as it was sent."],
    ["a path with an escape", { path: request.path.replace("d", "%64") }, "Nothing is decoded before comparing."],
    ["a path with dots", { path: `/v1/../v1/merchant-domains` }, "Nothing is resolved before comparing."],
    ["a path in other case", { path: request.path.toUpperCase() }, "The path is compared as it was sent."],
    ["a path with a fragment", { path: `${request.path}#` }, "A fragment is never sent."],
    ["a path without its slash", { path: request.path.slice(1) }, "The path is compared as it was sent."],
    ["a path with the host", { path: `https://api.example.com${request.path}` }, "The request target has no host."],
    ["an empty path", { path: "" }, "A string, but not a true one."],
    ["the digest of another body", { bodySha256: bodySha256("{}") }, "The body was changed after signing."],
    ["the digest of the empty string", { bodySha256: none }, "A body was sent, and bind says there is none."],
    ["the digest of the spaced body", { bodySha256: bodySha256('{ "domain": "shop.example" }') }, "Bytes count."],
    ["the digest of the body with a line end", { bodySha256: bodySha256(`${body}\n`) }, "Every byte counts."],
    ["the digest with padding", { bodySha256: `${bodySha256(request.body)}=` }, "base64url without padding."],
    ["the digest in hexadecimal", { bodySha256: digest.toString("hex") }, "base64url is wanted."],
    ["the body in place of its digest", { bodySha256: request.body }, "The digest is wanted."],
    ["an empty digest", { bodySha256: "" }, "A string, but not a true one."],
    ["a digest cut short", { bodySha256: bodySha256(request.body).slice(0, -1) }, "The whole digest is wanted."],
  ];
  // Only a digest with "-" or "_" is spelled otherwise in standard base64.
  const plain = Array.from({ length: 99 }, (_, index) => `{"domain":"shop-${index}.example"}`).find((text) =>
    /[-_]/.test(bodySha256(text)),
  );
  const standard = Buffer.from(bodySha256(plain), "base64url").toString("base64").replace(/=+$/, "");
  return [
    ...cases.map(([name, fields, note]) => untruly(`bound to ${name}`, note, fields, Object.keys(fields)[0])),
    ...parts
      .slice(1)
      .map((part, index) =>
        untruly(
          `bound to another ${parts[index]} and ${part}`,
          `${parts[index]} is compared before ${part}.`,
          { [parts[index]]: others[parts[index]], [part]: others[part] },
          parts[index],
        ),
      ),
    untruly(
      "bound to the digest in standard base64",
      "The alphabet is the url-safe one.",
      { bodySha256: standard },
      "bodySha256",
      { request: { ...request, body: plain } },
    ),
    untruly("bound to a body that was not sent", "The digest is of a body, and none came.", {}, "bodySha256", {
      request: { ...request, body: null },
    }),
    untruly(
      "bound to production, sent to the sandbox",
      "The same key may be used in both environments; the header counts in one.",
      {},
      "environment",
      { request: { ...request, environment: "sandbox" } },
    ),
    untruly("bound to a path, sent with a query", "The query is part of the path.", {}, "path", {
      request: { ...request, path: `${request.path}?limit=1` },
    }),
    untruly(
      "bound to a query, sent in another order",
      "Parameters are compared as they were sent.",
      { path: "/v1/merchant-domains?a=1&b=2" },
      "path",
      { request: { ...request, path: "/v1/merchant-domains?b=2&a=1" } },
    ),
    untruly(
      "bound to GET, sent as HEAD",
      "The method is compared as it was sent.",
      { method: "GET", bodySha256: none },
      "method",
      { request: { ...request, method: "HEAD", body: null } },
    ),
    untruly("bound to nothing that is true", "Every part is untrue; the first is named.", others, "environment"),
    vector(
      "not bound, and bound signatures are required",
      SIGNATURE,
      "The merchant requires bind.",
      {},
      {
        ...around,
        requireBoundSignatures: true,
      },
    ),
    vector(
      "bound to another request, and bound signatures are required",
      SIGNATURE,
      "A bind that is untrue does not count.",
      bound({ method: "GET" }),
      { ...around, requireBoundSignatures: true },
    ),
  ];
}

function precedence() {
  const wrong = { method: "GET" };
  const stale = { signatureTimestamp: "2026-01-15T11:00:00Z" };
  return [
    vector(
      "bound to another request, unknown merchant",
      "MERCHANT_NOT_REGISTERED",
      "The merchant comes before bind.",
      { ...bound({ ...wrong, merchantId: OTHER_ID }), merchantId: OTHER_ID },
      around,
    ),
    vector(
      "bound to another request, merchant not active",
      "MERCHANT_NOT_ACTIVE",
      "The merchant comes before bind.",
      bound(wrong),
      {
        ...around,
        active: false,
      },
    ),
    vector("bound to another request, stale", EXPIRED, "Times come before bind.", bound(wrong, stale), around),
    vector(
      "bound to another request, unreadable time",
      TIMESTAMP,
      "Times come before bind.",
      bound(wrong, { signatureTimestamp: "yesterday" }),
      around,
    ),
    vector("bound, stale", EXPIRED, "A bound header lives as long as any other.", bound({}, stale), around),
    vector(
      "bound to the request, wrong key",
      SIGNATURE,
      "What another key signed proves nothing.",
      { ...bound(), scalar: OTHER_SCALAR },
      around,
    ),
    vector(
      "bound to another request, wrong key",
      SIGNATURE,
      "The signature comes before bind; the message is about the signature.",
      { ...bound(wrong), scalar: OTHER_SCALAR },
      around,
    ),
    vector(
      "bind added after signing",
      SIGNATURE,
      "The signature is of the payload without bind.",
      { ...bound(), signed: base64url(identity()), scalar: MERCHANT_SCALAR },
      around,
    ),
    vector(
      "bind removed after signing",
      SIGNATURE,
      "The signature is of the payload with bind.",
      { signed: base64url(identity({ bind: bind() })) },
      around,
    ),
    vector(
      "not bound, stale, and bound signatures are required",
      EXPIRED,
      "Times come before bind.",
      { payloadText: identity(stale) },
      {
        ...around,
        requireBoundSignatures: true,
      },
    ),
  ];
}

/** What an application proves its key with is signed by the same key, and is no credential. */
function proofs() {
  const proof = {
    version: "v1",
    purpose: "merchant-application",
    domain: "shop.example",
    email: "payments@shop.example",
    signatureTimestamp: SIGNED_AT,
  };
  return [
    vector("application proof as header", MALFORMED, "A proof of an application is not a credential.", {
      payloadText: JSON.stringify(proof),
    }),
    vector(
      "application proof with bind as header",
      MALFORMED,
      "A proof of an application is not a credential.",
      { payloadText: JSON.stringify({ ...proof, bind: bind() }) },
      around,
    ),
  ];
}

export const bindCases = [...accepted(), ...malformed(), ...untrue(), ...precedence(), ...proofs()];
