import { createHmac, generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { addressKey } from "@matchbook/addresses/chains";
import type { FastifyRequest } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comesFromOurPages, readSessionCookie } from "../src/access/session-cookie.ts";
import { parseMultiplier, parseUsd } from "../src/amounts.ts";
import { checkTime, parseEnvelope } from "../src/auth/envelope.ts";
import { parseDomain, parseHostname } from "../src/domains/origins.ts";
import { clientOf } from "../src/http/client-address.ts";
import { parseJsonBody, printable } from "../src/http/json-body.ts";
import { createCursors } from "../src/http/pagination.ts";
import { isUuid } from "../src/http/path-ids.ts";
import { parseQueryString } from "../src/http/query-string.ts";
import { compileValidator } from "../src/http/validation.ts";
import { parseInstant, parseInstantOrDate } from "../src/instants.ts";
import {
  AUTHORIZATION_HEADER_LENGTH_MAX,
  BODY_SIZE_MAX_BYTES,
  CURSOR_LENGTH_MAX,
  DEPOSITS_BODY_SIZE_MAX_BYTES,
  DOMAIN_LENGTH_MAX,
  EMAIL_LENGTH_MAX,
  HEADERS_SIZE_MAX_BYTES,
  PUBLIC_KEY_LENGTH_MAX,
  SEARCH_LENGTH_MAX,
} from "../src/limits.ts";
import { parsePublicKey } from "../src/merchants/public-key.ts";
import { searchPattern } from "../src/merchants/search.ts";
import { isEmail } from "../src/registration/email.ts";
import { ApplicationRequest } from "../src/registration/schemas.ts";
import { decodeBase64, decodeBase64Url } from "../src/signing/base64.ts";
import { describeInvalidSignature, verifySignature } from "../src/signing/signature.ts";
import { registerMerchant, signHeader } from "./harness/merchant.ts";
import { type Service, startService } from "./harness/service.ts";

// A request must not cost more than its length deserves. Each parser that reads a stranger's bytes runs on its worst inputs
// of n and of 8n characters, where 8n is the most it is ever given. Twice the linear growth, 16×, is allowed for noise.

const FACTOR = 8;
const GROWTH_MAX = 2 * FACTOR;
// What costs less than this at its greatest length is cheap, however it grows. It is also too short to measure.
const CHEAP_MS = 0.3;
const ATTEMPTS_MAX = 5;

type Make = (length: number) => string;

/** Repeats a text to a length, between a head and a tail. */
const fill =
  (text: string, head = "", tail = ""): Make =>
  (length) =>
    head + text.repeat(Math.max(1, Math.floor((length - head.length - tail.length) / text.length))) + tail;

const half =
  (first: string, second: string, middle = ""): Make =>
  (length) =>
    first.repeat(Math.floor(length / 2 / first.length)) +
    middle +
    second.repeat(Math.floor(length / 2 / second.length));

/** Texts that make patterns backtrack: one class of characters for long, then one that belongs to no class. */
const STUBBORN: readonly Make[] = [
  ...[
    "a",
    "A",
    "0",
    "9",
    " ",
    "\t",
    ".",
    "-",
    "_",
    "@",
    "+",
    "/",
    "=",
    ":",
    "%",
    "a.",
    "a-",
    "0.",
    "a ",
    "xn--",
  ].flatMap((text) => [fill(text), fill(text, "", "!"), fill(text, "", "\u{1f600}")]),
  fill("é"),
  fill("\u{1f600}"),
  fill("\u0000"),
];

interface Parser {
  readonly name: string;
  readonly lengthMax: number;
  readonly run: (text: string) => unknown;
  readonly inputs: readonly Make[];
}

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64Url = (text: string) => Buffer.from(text).toString("base64url");
/** Characters of JSON that fit into so many of base64. */
const decoded = (length: number) => Math.floor((length * 3) / 4) - 3;
const envelope = (fields: object) => base64(JSON.stringify(fields));
const cursors = createCursors([{ key: createHmac("sha256", "key").digest() }]);
const validateApplication = compileValidator({ schema: ApplicationRequest, httpPart: "body" } as never) as (
  data: unknown,
) => unknown;
const asRequest = (headers: Record<string, string>) =>
  ({ headers, protocol: "https", host: "console.example" }) as unknown as FastifyRequest;

const JSON_INPUTS: readonly Make[] = [
  fill('"a":1,', "{", '"b":1}'),
  (length) => `{${Array.from({ length: Math.floor(length / 12) }, (_, index) => `"k${index}":1`).join(",")}}`,
  half("[", "]"),
  half('{"a":', "}", "1"),
  fill("["),
  fill('{"a":{"b":[', "[", ""),
  fill('\\"', '{"a":"', '"}'),
  fill("\\\\", '{"a":"', '"}'),
  fill("\\u0061", '{"', '":1}'),
  fill("\\\\", '{"', '":1}'),
  fill("\u0001", '{"a":"', '"}'),
  fill("a", '{"', '":1}'),
  fill("\\ud800", '{"a":"', '"}'),
  fill(" ", "{", "}"),
  fill("9", '{"a":', "}"),
  fill('"a",', '{"a":[', '"a"]}'),
  fill('{"a":1},', '{"a":[', '{"a":1}]}'),
  (length) => `{"a":[${fill('"a",')(length - 20)}"\\u0000"]}`,
];
const PEM = (body: string) => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----\n`;

const PARSERS: readonly Parser[] = [
  {
    name: "query string",
    lengthMax: HEADERS_SIZE_MAX_BYTES,
    run: parseQueryString,
    inputs: ["a&", "a=&", "&", "=", "a=b&", "%61&", "%", "%E2%82", "+", "a=%00&", "__proto__&", "a[]=1&"].map((text) =>
      fill(text),
    ),
  },
  {
    name: "percent-encoded query value",
    lengthMax: HEADERS_SIZE_MAX_BYTES,
    run: parseQueryString,
    inputs: ["%61", "%", "%ZZ", "%E2%82%AC", "%ff", "=", "+"].map((text) => fill(text, "a=")),
  },
  { name: "id in a path", lengthMax: HEADERS_SIZE_MAX_BYTES, run: isUuid, inputs: [...STUBBORN, fill("0000-")] },
  {
    name: "client address",
    lengthMax: HEADERS_SIZE_MAX_BYTES,
    run: clientOf,
    inputs: [...STUBBORN, fill(":"), fill("1:"), fill("%"), fill("%", "fe80::1"), fill("[", "", "]")],
  },
  {
    name: "authorization header, outer text",
    lengthMax: AUTHORIZATION_HEADER_LENGTH_MAX,
    run: parseEnvelope,
    inputs: [...STUBBORN, fill("+-"), half("+", "!", "-"), fill("-", "+", "!"), fill("/"), fill("bearer "), fill(",")],
  },
  {
    name: "envelope JSON",
    lengthMax: AUTHORIZATION_HEADER_LENGTH_MAX,
    run: parseEnvelope,
    inputs: JSON_INPUTS.map((make) => (length: number) => base64(make(decoded(length)))),
  },
  {
    name: "envelope members",
    lengthMax: AUTHORIZATION_HEADER_LENGTH_MAX,
    run: parseEnvelope,
    inputs: STUBBORN.flatMap((make) => [
      (length: number) => envelope({ merchantId: make(decoded(length) - 40), payload: "", signature: "" }),
      (length: number) => envelope({ merchantId: "m", payload: make(decoded(length) - 40), signature: "" }),
      (length: number) => envelope({ merchantId: "m", payload: "", signature: make(decoded(length) - 40) }),
    ]),
  },
  {
    name: "payload JSON",
    lengthMax: AUTHORIZATION_HEADER_LENGTH_MAX,
    run: parseEnvelope,
    inputs: JSON_INPUTS.map(
      (make) => (length: number) =>
        envelope({ merchantId: "m", payload: base64Url(make(decoded(decoded(length) - 60))), signature: "AA" }),
    ),
  },
  {
    name: "signature timestamp",
    lengthMax: AUTHORIZATION_HEADER_LENGTH_MAX,
    run: (text) => checkTime({ signatureTimestamp: text, expiresAt: text }, 0),
    inputs: [...STUBBORN, fill("0", "2026-11-15T09:30:00."), fill("0", "2026-11-15T09:30:00.", "Z"), fill("2026-")],
  },
  { name: "base64", lengthMax: BODY_SIZE_MAX_BYTES, run: decodeBase64, inputs: STUBBORN },
  { name: "base64url", lengthMax: BODY_SIZE_MAX_BYTES, run: decodeBase64Url, inputs: STUBBORN },
  {
    name: "DER and P1363 signature",
    lengthMax: BODY_SIZE_MAX_BYTES,
    run: (text) => {
      const bytes = Buffer.from(text, "latin1");
      describeInvalidSignature(bytes);
      return verifySignature(publicKey, "payload", bytes);
    },
    inputs: ["\x30", "\x02", "\x30\x80", "\x00", "\xff", "\x02\x01\x01", "0\x82\xff\xff"].map((text) => fill(text)),
  },
  {
    name: "instant",
    lengthMax: HEADERS_SIZE_MAX_BYTES,
    run: parseInstant,
    inputs: [...STUBBORN, fill("0", "2026-11-15T09:30:00.")],
  },
  {
    name: "instant or date",
    lengthMax: HEADERS_SIZE_MAX_BYTES,
    run: parseInstantOrDate,
    inputs: [...STUBBORN, fill("2026-11-15")],
  },
  {
    name: "public key PEM",
    lengthMax: PUBLIC_KEY_LENGTH_MAX,
    run: parsePublicKey,
    inputs: [
      ...STUBBORN,
      ...STUBBORN.map((make) => (length: number) => PEM(make(length - 54))),
      fill("-----BEGIN "),
      fill("-----BEGIN PUBLIC KEY-----\n"),
      fill("-----END PUBLIC KEY-----"),
      fill("A\n", "-----BEGIN PUBLIC KEY-----\n"),
      fill("A\n", "-----BEGIN PUBLIC KEY-----\n", "-----END PUBLIC KEY----"),
      fill("-"),
      fill("\\n"),
      fill("\r"),
      fill("\n"),
      fill('"d" ', "{"),
      fill(" ", '{"d"'),
      fill("PRIVATE "),
      fill("\n ", "a"),
    ],
  },
  {
    name: "email address",
    lengthMax: EMAIL_LENGTH_MAX,
    run: isEmail,
    inputs: [
      ...STUBBORN,
      ...["(", "()", "( ", "(\\", '"', '""', '"" ', '"\\a', "<", "[", "a,", "a:", "a;", "a@", '"."', "a.a "].map(
        (text) => fill(text),
      ),
      ...["()", " ", "a.", "() ", '"a".', "a "].flatMap((text) => [
        fill(text, "", "a@b"),
        fill(text, "a@b"),
        fill(text, "", "<a@b>"),
      ]),
      fill("a", "a@[", ""),
      fill("a.", "a@", "b"),
      half("(", ")"),
      half("(", ")", "a@b"),
    ],
  },
  {
    name: "additional domain",
    lengthMax: DOMAIN_LENGTH_MAX,
    run: parseDomain,
    inputs: [
      ...STUBBORN,
      fill("http://"),
      fill("ü."),
      fill("ü"),
      fill("xn--a."),
      fill("\u0300", "a"),
      fill(":"),
      fill("0x"),
    ],
  },
  {
    name: "hostname",
    lengthMax: DOMAIN_LENGTH_MAX,
    run: parseHostname,
    inputs: [...STUBBORN, fill("ü."), fill("xn--80ak."), fill("\u200d", "a"), fill("\u0300", "a"), fill("co.uk.")],
  },
  {
    name: "JSON body",
    lengthMax: BODY_SIZE_MAX_BYTES,
    run: (text) => parseJsonBody(Buffer.from(text)),
    inputs: [...JSON_INPUTS, ...STUBBORN],
  },
  {
    name: "JSON body of deposits",
    lengthMax: DEPOSITS_BODY_SIZE_MAX_BYTES / 4,
    run: (text) => parseJsonBody(Buffer.from(text)),
    inputs: [
      JSON_INPUTS[1] as Make,
      fill('{"a":"b","c":{"d":1}},', '{"deposits":[', "{}]}"),
      fill('\\"', '{"a":"', '"}'),
    ],
  },
  { name: "name shown in a message", lengthMax: BODY_SIZE_MAX_BYTES, run: printable, inputs: STUBBORN },
  {
    name: "application body, validated",
    lengthMax: BODY_SIZE_MAX_BYTES,
    run: (text) => {
      for (const field of ["email", "domain", "publicKey", "telegram", "description"])
        validateApplication({ [field]: text });
      return validateApplication({
        email: "a",
        domain: "b",
        publicKey: "c",
        description: "d".repeat(30),
        telegram: text,
      });
    },
    inputs: STUBBORN,
  },
  {
    name: "application body with many fields, validated",
    lengthMax: BODY_SIZE_MAX_BYTES,
    run: (text) => validateApplication(Object.fromEntries(text.split(",").map((name, index) => [name + index, 1]))),
    inputs: [fill("a,"), fill("email,")],
  },
  { name: "cursor", lengthMax: CURSOR_LENGTH_MAX, run: (text) => cursors.open(["scope"], text), inputs: STUBBORN },
  {
    name: "session cookie",
    lengthMax: HEADERS_SIZE_MAX_BYTES,
    run: (text) => readSessionCookie(asRequest({ cookie: text }), "matchbook-production-session"),
    inputs: [
      ...STUBBORN,
      fill(";"),
      fill(" ;"),
      fill("matchbook-production-session=a;"),
      fill("matchbook-production-session=;"),
    ],
  },
  {
    name: "Origin header",
    lengthMax: HEADERS_SIZE_MAX_BYTES,
    run: (text) => comesFromOurPages(asRequest({ origin: text })),
    inputs: STUBBORN.flatMap((make) => [make, (length: number) => `https://${make(length - 8)}`]),
  },
  {
    name: "USD amount",
    lengthMax: BODY_SIZE_MAX_BYTES,
    run: (text) => parseUsd(text),
    inputs: [...STUBBORN, fill("0", "1.")],
  },
  {
    name: "multiplier",
    lengthMax: BODY_SIZE_MAX_BYTES,
    run: (text) => parseMultiplier(text),
    inputs: [...STUBBORN, fill("0", "1.")],
  },
  {
    name: "wallet address",
    lengthMax: BODY_SIZE_MAX_BYTES,
    run: addressKey,
    inputs: [...STUBBORN, fill("a", "0x")],
  },
  {
    name: "merchant search",
    lengthMax: SEARCH_LENGTH_MAX,
    run: searchPattern,
    inputs: [...STUBBORN, fill("ß"), fill("\\")],
  },
];

/** Processor time of this process, which other programs on the machine do not add to. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The least of several runs: the garbage collector and the compiler can only add to it. */
function measureMs(run: () => unknown): number {
  let leastMs = Number.POSITIVE_INFINITY;
  const began = processorMs();
  for (let runs = 0; runs < 5 || (runs < 40 && processorMs() - began < 4); runs++) {
    const start = processorMs();
    try {
      run();
    } catch {
      // A refusal is what most of these get.
    }
    leastMs = Math.min(leastMs, processorMs() - start);
    if (leastMs > 500) break;
  }
  return leastMs;
}

/** Undefined when the cost is in proportion; otherwise the figures. */
function excessOf(small: () => unknown, large: () => unknown): string | undefined {
  let finding: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const largeMs = measureMs(large);
    if (largeMs < CHEAP_MS) return undefined;
    const smallMs = measureMs(small);
    if (largeMs <= GROWTH_MAX * smallMs) return undefined;
    finding = `${smallMs.toFixed(3)} ms → ${largeMs.toFixed(3)} ms, ${(largeMs / smallMs).toFixed(0)}×`;
  }
  return finding;
}

const nameOf = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 30)}…${text.slice(-8)}` : text);

describe("eight times the length costs at most sixteen times the time", () => {
  test("at least 20 parsers are measured", () => {
    expect(PARSERS.length).toBeGreaterThanOrEqual(20);
  });

  test.each(PARSERS)("$name", ({ lengthMax, run, inputs }) => {
    const steep = inputs.flatMap((make) => {
      const [small, large] = [make(Math.floor(lengthMax / FACTOR)), make(lengthMax)];
      expect(large.length).toBeGreaterThan(4 * small.length);
      const excess = excessOf(
        () => run(small),
        () => run(large),
      );
      return excess === undefined ? [] : [`${nameOf(large)}: ${excess}`];
    });
    expect(steep).toEqual([]);
  });

  // A pattern sees a text before anything else does, up to the size of a body.
  test("every pattern of the contract", () => {
    const folder = new URL("../../contract/", import.meta.url);
    const patterns = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, member] of Object.entries(value)) {
        if (name === "pattern" && typeof member === "string") patterns.add(member);
        else collect(member);
      }
    };
    for (const file of readdirSync(folder).filter((name) => name.endsWith("openapi.json"))) {
      collect(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
    }
    expect(patterns.size).toBeGreaterThan(5);
    const steep = [...patterns].flatMap((pattern) => {
      const expression = new RegExp(pattern, "u");
      return STUBBORN.flatMap((make) => {
        const [small, large] = [make(BODY_SIZE_MAX_BYTES / FACTOR), make(BODY_SIZE_MAX_BYTES)];
        const excess = excessOf(
          () => expression.test(small),
          () => expression.test(large),
        );
        return excess === undefined ? [] : [`${pattern} on ${nameOf(large)}: ${excess}`];
      });
    });
    expect(steep).toEqual([]);
  });
});

// The same through everything a request passes: the framework's own parsers, hooks, routes and answers.
describe("a whole request costs in proportion to its length", () => {
  let service: Service;
  let merchantId: string;
  let authorization: string;
  beforeAll(async () => {
    service = await startService({
      variables: { TRUSTED_PROXIES: "127.0.0.0/8,10.0.0.0/8", APPLICATIONS_PER_HOUR: "1000000" },
    });
    const merchant = await registerMerchant(service);
    merchantId = merchant.id;
    authorization = signHeader(merchant.id, merchant.keys.privateKey);
  });
  afterAll(() => service.close());

  interface Request {
    readonly method?: "GET" | "POST";
    readonly url: string;
    readonly headers?: Record<string, string>;
    readonly payload?: string;
    readonly operator?: boolean;
  }
  type Case = [name: string, request: (text: string) => Request, inputs: readonly Make[], lengthMax?: number];
  const CASES: Case[] = [
    [
      "a query of a signed list",
      (text) => ({ url: `/v1/marketings/campaigns?${text}`, headers: { "x-merchant-authorization": authorization } }),
      ["a&", "&", "limit=1&", "a=%61&", "%"].map((text) => fill(text)),
    ],
    [
      "a path",
      (text) => ({ url: `/${text}` }),
      ["a", "/", "%61", "%", "%2f", "v1/", "../", ";", "//", "v1/merchants/", "%25"].map((text) => fill(text)),
    ],
    [
      "an id",
      (text) => ({ url: `/v1/merchants/${text}/public-key` }),
      ["a", "%61", "%", "%2f", "-"].map((text) => fill(text)),
    ],
    [
      "X-Forwarded-For",
      (text) => ({ url: `/v1/merchants/${merchantId}/public-key`, headers: { "x-forwarded-for": text } }),
      ["a", ",", " ", "10.0.0.1,", "10.0.0.1:1, ", "::1,", "[::1]:1,", "[", "1.", ":", "%", ", ,"].map((text) =>
        fill(text),
      ),
    ],
    [
      "If-None-Match",
      (text) => ({ url: `/v1/merchants/${merchantId}/public-key`, headers: { "if-none-match": text } }),
      [",", 'W/"a",', '"', "W/", " ", "*"].map((text) => fill(text)),
    ],
    [
      "Content-Type",
      (text) => ({
        method: "POST",
        url: "/v1/merchants/applications",
        headers: { "content-type": text },
        payload: "{}",
      }),
      [" ", ";", "charset", "charset ", ";charset=", '"', "; a=b", "a/"].flatMap((text) => [
        fill(text),
        fill(text, "application/json;"),
        fill(text, 'application/json; charset="'),
      ]),
    ],
    [
      "X-Merchant-Authorization",
      (text) => ({ url: "/v1/merchant-deposits", headers: { "x-merchant-authorization": text } }),
      [fill("+", "", "!"), fill("A")],
      AUTHORIZATION_HEADER_LENGTH_MAX,
    ],
    [
      "a Bearer token",
      (text) => ({ url: "/operator/v1/tokens", headers: { authorization: text }, operator: true }),
      [fill("a", "Bearer "), fill(" ", "Bearer "), fill("Bearer "), fill("a", "Bearer ", " ")],
    ],
    [
      "Idempotency-Key",
      (text) => ({
        method: "POST",
        url: "/operator/v1/tokens",
        headers: { authorization: "Bearer x", "idempotency-key": text },
        payload: "{}",
        operator: true,
      }),
      [fill("a"), fill("a", "", " ")],
    ],
    [
      "a console address",
      (text) => ({ url: `/console/${text}`, operator: true }),
      [fill(".a"), fill("a"), fill("."), fill("a", ".", "!")],
    ],
    [
      "an application's body",
      (text) => ({
        method: "POST",
        url: "/v1/merchants/applications",
        headers: { "content-type": "application/json" },
        payload: text,
      }),
      [fill('"a":1,', "{", '"b":1}'), fill("["), fill("a", '{"', '":1}'), fill("a", '{"email":"', '"}')],
      BODY_SIZE_MAX_BYTES - 10,
    ],
  ];

  test.each<Case>(CASES)("%s", async (_name, make, inputs, lengthMax = HEADERS_SIZE_MAX_BYTES - 500) => {
    const leastMs = async (text: string) => {
      const { operator = false, ...request } = make(text);
      const { operatorListener, publicListener } = service.environment;
      let least = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 6; run++) {
        const start = processorMs();
        const answer = await (operator ? operatorListener : publicListener).inject({ method: "GET", ...request });
        least = Math.min(least, processorMs() - start);
        expect(answer.statusCode).toBeLessThan(500);
      }
      return least;
    };
    const steep: string[] = [];
    for (const input of inputs) {
      const [small, large] = [input(Math.floor(lengthMax / FACTOR)), input(lengthMax)];
      let growth = 0;
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        growth = (await leastMs(large)) / Math.max(await leastMs(small), CHEAP_MS);
        if (growth <= GROWTH_MAX) break;
      }
      if (growth > GROWTH_MAX) steep.push(`${nameOf(large)}: ${growth.toFixed(0)}×`);
    }
    expect(steep).toEqual([]);
  });
});
