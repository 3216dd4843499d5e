import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationBody, type Merchant, registerMerchant, signHeader } from "../harness/merchant.ts";
import { exchange, type RawAnswer, requestText } from "../harness/raw.ts";
import { call, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const APPLICATIONS = "/v1/merchants/applications";
const UUID = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";

let service: Service;
let merchant: Merchant;
let slow: Record<string, Promise<{ answer: RawAnswer | null; tookMs: number }>>;
beforeAll(async () => {
  service = await startService({ variables: { APPLICATIONS_PER_HOUR: "1000000" } });
  merchant = await registerMerchant(service);
  const timed = async (bytes: string) => {
    const start = performance.now();
    const answer = await exchange(service.publicUrl, bytes);
    return { answer, tookMs: performance.now() - start };
  };
  // These take ten seconds each, so they run beside everything else.
  slow = {
    "half a request line": timed("POST /v1/merch"),
    "headers without an end": timed(
      `POST ${APPLICATIONS} HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n`,
    ),
    "a body that stops": timed(requestText("POST", APPLICATIONS, { "content-length": "1000" }, '{"email":')),
    "a chunked body that stops": timed(
      `${requestText("POST", APPLICATIONS, { "content-type": "application/json", "transfer-encoding": "chunked" })}5\r\n{"ema\r\n`,
    ),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(slow));
  await service.close();
});

const send = (bytes: string | Uint8Array, options?: Parameters<typeof exchange>[2]) =>
  exchange(service.publicUrl, bytes, options);

/** Every refusal: its status, a code, a message and a request id. */
function expectRefusal(answer: RawAnswer | null, status: number, code: string): void {
  expect(answer, "an answer").not.toBeNull();
  expect({ status: answer?.status, body: answer?.body }).toMatchObject({ status, body: expect.stringContaining(code) });
  expect(JSON.parse(answer?.body ?? "")).toEqual({ error: { code, message: expect.stringMatching(/\S/) } });
  expect(answer?.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer?.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
}

async function expectAlive(): Promise<void> {
  expect((await service.call(`/v1/merchants/${merchant.id}/public-key`)).status).toBe(200);
}

describe("an address that is not there", () => {
  test.each([
    "/",
    "/v1",
    "/v2/merchants/applications",
    "/v1/merchants",
    "/v1/merchants/applications/",
    "/operator/v1/tokens",
  ])("404 ROUTE_NOT_FOUND for %s", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      expectRefusal(await send(requestText(method, path)), 404, "ROUTE_NOT_FOUND");
    }
  });

  test("404 before the body is looked at", async () => {
    expectRefusal(
      await send(requestText("POST", "/nowhere", { "content-type": "text/plain" }, "{")),
      404,
      "ROUTE_NOT_FOUND",
    );
  });
});

describe("a method that an address does not answer", () => {
  test.each([
    [APPLICATIONS, ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"], "POST"],
    [`/v1/merchants/${UUID}/public-key`, ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"], "GET"],
    ["/openapi.json", ["POST", "DELETE"], "GET"],
  ])("405 METHOD_NOT_ALLOWED with Allow at %s", async (path, methods, allowed) => {
    for (const method of methods) {
      const answer = await send(requestText(method, path));
      expectRefusal(answer, 405, "METHOD_NOT_ALLOWED");
      const allow = answer?.headers.allow?.split(", ") ?? [];
      expect(allow).toContain(allowed);
      expect(allow).not.toContain(method);
    }
  });

  test("HEAD where only POST is: 405 without a body", async () => {
    const answer = await send(requestText("HEAD", APPLICATIONS));
    expect(answer?.status).toBe(405);
    expect(answer?.body).toBe("");
    expect(answer?.headers["x-request-id"]).toBeTruthy();
  });

  // http.methods.test.ts has every method that Node's parser knows.
  test.each(["BREW", "get", "G\u00cbT"])("%s is not HTTP for Node's parser: 400", async (method) => {
    const answer = await send(Buffer.from(requestText(method, APPLICATIONS), "latin1"));
    expectRefusal(answer, 400, "VALIDATION_ERROR");
  });

  test("CONNECT is refused in shape", async () => {
    const answer = await send("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n");
    expectRefusal(answer, 405, "METHOD_NOT_ALLOWED");
    expect(answer?.headers.allow).toContain("POST");
  });

  test("an Upgrade is not taken", async () => {
    const answer = await send(
      requestText("GET", `/v1/merchants/${UUID}/public-key`, {
        connection: "Upgrade, close",
        upgrade: "websocket",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "sec-websocket-version": "13",
      }),
    );
    expectRefusal(answer, 404, "MERCHANT_NOT_REGISTERED");
  });
});

describe("a body of the wrong kind", () => {
  const body = JSON.stringify(applicationBody());

  test.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["multipart", { "content-type": "multipart/form-data; boundary=x" }],
    ["no content type", { "content-type": undefined }],
    ["an empty content type", { "content-type": "" }],
    ["garbage as content type", { "content-type": "json" }],
    ["a type that begins like JSON", { "content-type": "application/jsonp" }],
    ["latin1", { "content-type": "application/json; charset=iso-8859-1" }],
    ["UTF-16", { "content-type": 'application/json; charset="utf-16"' }],
    ["gzip by name only", { "content-encoding": "gzip" }],
    ["an unknown encoding", { "content-encoding": "br" }],
  ])("415 UNSUPPORTED_MEDIA_TYPE for %s", async (_name, headers) => {
    expectRefusal(await send(requestText("POST", APPLICATIONS, headers, body)), 415, "UNSUPPORTED_MEDIA_TYPE");
  });

  test("415 for a body that is really compressed", async () => {
    const zipped = gzipSync(body);
    const head = requestText("POST", APPLICATIONS, {
      "content-type": "application/json",
      "content-encoding": "gzip",
      "content-length": `${zipped.length}`,
    });
    expectRefusal(await send(Buffer.concat([Buffer.from(head), zipped])), 415, "UNSUPPORTED_MEDIA_TYPE");
  });

  test.each([
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
    'application/json; charset="utf-8"',
  ])("202 for %s", async (type) => {
    const fresh = JSON.stringify(applicationBody());
    expect((await send(requestText("POST", APPLICATIONS, { "content-type": type }, fresh)))?.status).toBe(202);
  });

  test("413 BODY_TOO_LARGE above 64 KB, announced, chunked or merely claimed", async () => {
    const large = `"${"a".repeat(70_000)}"`;
    const answers = [
      await send(requestText("POST", APPLICATIONS, {}, large)),
      await send(
        requestText("POST", APPLICATIONS, { "content-type": "application/json", "transfer-encoding": "chunked" }) +
          `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
      ),
      await send(requestText("POST", APPLICATIONS, { "content-length": "99999999999" }, "{")),
    ];
    for (const answer of answers) expectRefusal(answer, 413, "BODY_TOO_LARGE");
    await expectAlive();
  });
});

describe("a body that is not what was asked for", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const bodies: [name: string, body: string | Buffer][] = [
    ["broken JSON", '{"email":'],
    ["single quotes", "{'email':'a'}"],
    ["a trailing comma", '{"email":"a",}'],
    ["a comment", '{"email":"a"} // text'],
    ["two values", "{}{}"],
    ["NaN", '{"email":NaN}'],
    ["only white space", "  \n"],
    ["an array", "[]"],
    ["a string", '"text"'],
    ["a number", "7"],
    ["null", "null"],
    ["true", "true"],
    ["deep nesting", nested(5_000)],
    ["deep arrays", "[".repeat(30_000) + "]".repeat(30_000)],
    ["unbalanced arrays", "[".repeat(60_000)],
    ["__proto__", '{"__proto__":{"email":"a@b.example"}}'],
    ["__proto__ further in", '{"telegram":{"__proto__":{}}}'],
    ["constructor.prototype", '{"constructor":{"prototype":{"a":1}}}'],
    ["a number beyond all bounds", '{"description":1e999}'],
    ["an unknown field with a long name", `{"${"n".repeat(60_000)}":1}`],
    ["an unknown field with a NUL in its name", '{"a\\u0000":1}'],
    ["an unknown field with half of a surrogate pair in its name", '{"a\\ud800":1}'],
    ["invalid UTF-8", Buffer.from('{"email":"\xff\xfe"}', "latin1")],
    ["overlong UTF-8", Buffer.from('{"email":"\xc0\x80"}', "latin1")],
    ["a surrogate in UTF-8", Buffer.from('{"email":"\xed\xa0\x80"}', "latin1")],
    ["cut UTF-8", Buffer.from('{"email":"\xe2\x82"}', "latin1")],
    ["UTF-16", Buffer.from('{"email":"a"}', "utf16le")],
    ["a repeated key", '{"email":"a@b.example","email":"a@b.example"}'],
    ["a repeated key, written otherwise", '{"email":1,"\\u0065mail":2}'],
    ["a repeated key further in", '{"telegram":[{"a":{"b":1,"c":[],"b":{}}}]}'],
    ["a NUL", JSON.stringify(applicationBody({ description: `${"d".repeat(30)}\0` }))],
    ["half of a surrogate pair", `{"email":"a@b.example","description":"${"d".repeat(30)}\\ud83d"}`],
  ];
  test.each(bodies)("400 VALIDATION_ERROR for %s", async (_name, body) => {
    const bytes = Buffer.from(body);
    const head = requestText("POST", APPLICATIONS, {
      "content-type": "application/json",
      "content-length": `${bytes.length}`,
    });
    const answer = await send(Buffer.concat([Buffer.from(head), bytes]));
    expectRefusal(answer, 400, "VALIDATION_ERROR");
    expect(answer?.body.length, "an answer is short").toBeLessThan(500);
  });

  test("400 names the key that appears twice", async () => {
    const answer = await service.call(APPLICATIONS, {
      body: '{"a":{"x":"\\"{[","domain":1,"y":[{"domain":2}],"domain":3}}',
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
    expect(answer.body.error.message).toBe("domain appears more than once in one object.");
  });

  test("400 for no body at all, with and without a content type", async () => {
    for (const headers of [{}, { "content-type": "application/json" }, { "content-length": "0" }]) {
      expectRefusal(await send(requestText("POST", APPLICATIONS, headers)), 400, "VALIDATION_ERROR");
    }
  });
});

describe("query parameters", () => {
  test.each(["x=1", "limit=1", "x", "=", "x=", "&", "x[]=1", "__proto__=1", "constructor=1", "%00=1"])(
    "400 for ?%s where none is known",
    async (query) => {
      for (const [method, path, body] of [
        ["POST", APPLICATIONS, JSON.stringify(applicationBody())],
        ["GET", `/v1/merchants/${merchant.id}/public-key`, ""],
      ] as const) {
        expectRefusal(await send(requestText(method, `${path}?${query}`, {}, body)), 400, "VALIDATION_ERROR");
      }
    },
  );

  test.each(["%", "%Z", "%ZZ", "%FF", "%C0%80", "%ED%A0%80", "limit=%", "limit=%ZZ", "limit=%FF", "limit=%00"])(
    "400 for broken percent-encoding: ?%s",
    async (query) => {
      const answer = await service.operator(`/merchants?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe("VALIDATION_ERROR");
    },
  );

  test.each([
    "limit=1e1",
    "limit=0x10",
    "limit=%205",
    "limit=+5",
    "limit=%2B5",
    "limit=5%20",
    "limit=05",
    "limit=1.0",
    "limit=-1",
    "limit=-0",
    "limit=0",
    "limit=101",
    "limit=99999999999999999999",
    "limit=NaN",
    "limit=Infinity",
    "limit=%D9%A1",
    "limit=true",
    "limit=",
    "limit",
    "limit=1&limit=2",
    "limit=1&limit=1",
    "limit[]=1",
    "Limit=1",
    "limit=1,2",
    "cursor=",
    "cursor=a&cursor=b",
  ])("400 for ?%s, naming it", async (query) => {
    for (const path of ["/merchants", "/applications", "/tokens", "/audit-log"]) {
      const answer = await service.operator(`${path}?${query}`);
      expect(answer.status, path).toBe(400);
      expect(answer.body.error).toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining(query.split(/[[=]/)[0] ?? ""),
      });
    }
  });

  test("400 for more than 200 parameters, without reading them; 200 are read", async () => {
    const names = (count: number) => Array.from({ length: count }, () => "a").join("&");
    const began = performance.now();
    const many = await service.operator(`/merchants?${names(7_500)}`);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect([many.status, many.body.error.message]).toEqual([400, "The query string has more than 200 parameters."]);
    expect((await service.operator(`/merchants?${names(201)}`)).body.error.message).toContain("more than 200");
    expect((await service.operator(`/merchants?${names(200)}`)).body.error.message).toBe("a must not be empty.");
  });

  test("1 and 100 are limits", async () => {
    for (const limit of [1, 100]) expect((await service.operator(`/merchants?limit=${limit}`)).status).toBe(200);
  });
});

describe("a path that cannot be read", () => {
  test.each([
    "%",
    "%ZZ",
    "%FF",
    "%C0%AF",
    "%00",
    "..%2f..%2fetc",
    "%2e%2e",
    "a".repeat(500),
    "a".repeat(8_000),
    "ä",
    "a;b",
    "a b",
  ])("400 or 404 for the id %s", async (id) => {
    const answer = await send(Buffer.from(requestText("GET", `/v1/merchants/${id}/public-key`), "latin1"));
    expect([400, 404]).toContain(answer?.status);
    expectRefusal(answer, answer?.status ?? 0, JSON.parse(answer?.body ?? "{}").error.code);
  });

  test.each([
    "*",
    "http://other.example/v1/merchants/applications",
    "//v1/merchants",
    "/v1//merchants",
    "/\\..\\",
    "no-slash",
  ])("no failure for the target %s", async (target) => {
    const answer = await send(requestText("GET", target));
    expect(answer?.status).toBeGreaterThanOrEqual(400);
    expect(answer?.status).toBeLessThan(500);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ error: { code: expect.any(String) } });
  });
});

describe("what Node refuses below the framework", () => {
  const body = JSON.stringify(applicationBody());
  const broken: [name: string, bytes: string | Buffer, halfClose?: boolean][] = [
    ["a garbage request line", "hello there\r\n\r\n"],
    ["bytes of another protocol", Buffer.from("16030100f4010000f00303", "hex")],
    ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown version", "GET / HTTP/9.9\r\nhost: test\r\n\r\n"],
    ["a header without a name", requestText("GET", "/", { "": "value" })],
    ["a header with a space before the colon", "GET / HTTP/1.1\r\nhost : test\r\n\r\n"],
    ["a header with a NUL", requestText("GET", "/", { "x-test": "a\0b" })],
    ["a folded header", "GET / HTTP/1.1\r\nhost: test\r\n folded: yes\r\n\r\n"],
    ["a content length that is no number", requestText("POST", APPLICATIONS, { "content-length": "ten" })],
    ["a negative content length", requestText("POST", APPLICATIONS, { "content-length": "-1" })],
    ["two content lengths", requestText("POST", APPLICATIONS, { "content-length": "5", "Content-Length": "6" }, "")],
    [
      "a content length and chunks",
      `${requestText("POST", APPLICATIONS, { "content-length": "5", "transfer-encoding": "chunked" })}0\r\n\r\n`,
    ],
    ["chunks of unknown size", `${chunkedHead()}zz\r\n{}\r\n0\r\n\r\n`],
    ["a chunk longer than its size", `${chunkedHead()}1\r\n{}\r\n0\r\n\r\n`],
    ["a body that breaks off", requestText("POST", APPLICATIONS, { "content-length": "5000" }, body), true],
    ["chunks that break off", `${chunkedHead()}5\r\n{"ema\r\n`, true],
    ["headers that break off", "GET / HTTP/1.1\r\nhost: te", true],
  ];
  test.each(broken)("400 VALIDATION_ERROR for %s", async (_name, bytes, halfClose = false) => {
    const answer = await send(bytes, { halfClose });
    // A client that hangs up in the middle may get no answer.
    if (halfClose && answer === null) return expectAlive();
    expectRefusal(answer, 400, "VALIDATION_ERROR");
    await expectAlive();
  });

  test("400 for what follows a body that was longer than its content length", async () => {
    const answer = await send(
      requestText("POST", APPLICATIONS, { "content-length": "2", connection: "keep-alive" }, `{}${body}`),
    );
    expectRefusal(answer, 400, "VALIDATION_ERROR");
    expect(answer?.text).not.toMatch(/HTTP\/1\.1 [235]/);
    await expectAlive();
  });

  test("431 HEADERS_TOO_LARGE above 16 KB, in one header or in many", async () => {
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`x-${index}`, "a".repeat(20)]));
    for (const headers of [{ "x-large": "a".repeat(20_000) }, many]) {
      expectRefusal(await send(requestText("GET", "/", headers)), 431, "HEADERS_TOO_LARGE");
    }
    expectRefusal(await send(requestText("GET", `/${"a".repeat(20_000)}`)), 431, "HEADERS_TOO_LARGE");
  });

  test("400 for a missing Host, wherever the request goes", async () => {
    for (const path of ["/", APPLICATIONS, `/v1/merchants/${merchant.id}/public-key`]) {
      expectRefusal(await send(requestText("GET", path, { host: undefined })), 400, "VALIDATION_ERROR");
    }
  });

  test("400 for two Host headers, the same or not", async () => {
    for (const other of ["test", "other.example"]) {
      const answer = await send(requestText("GET", "/openapi.json", { Host: other }));
      expectRefusal(answer, 400, "VALIDATION_ERROR");
      expect(answer?.body).toContain("Host header was sent more than once");
    }
  });

  test("417 EXPECTATION_FAILED for an odd Expect; 100-continue is answered", async () => {
    expectRefusal(await send(requestText("POST", APPLICATIONS, { expect: "200-ok" }, body)), 417, "EXPECTATION_FAILED");
    const fresh = JSON.stringify(applicationBody());
    const answer = await send(requestText("POST", APPLICATIONS, { expect: "100-continue" }, fresh));
    expect(answer?.text).toMatch(/^HTTP\/1\.1 100 /);
    expect(answer?.status).toBe(202);
  });

  test("requests in a row on one connection are answered in a row", async () => {
    const one = requestText("GET", `/v1/merchants/${merchant.id}/public-key`, { connection: "keep-alive" });
    const answer = await send(
      one + requestText("GET", "/nowhere", { connection: "keep-alive" }) + requestText("GET", "/nowhere"),
    );
    expect([...(answer?.text.matchAll(/HTTP\/1\.1 (\d{3})/g) ?? [])].map(([, status]) => status)).toEqual([
      "200",
      "404",
      "404",
    ]);
  });

  test("the request id is ours, no matter what the caller sends", async () => {
    const answer = await send(requestText("GET", "/nowhere", { "x-request-id": "mine", "request-id": "mine" }));
    expectRefusal(answer, 404, "ROUTE_NOT_FOUND");
    expect(answer?.text).not.toContain("mine");
  });
});

function chunkedHead(): string {
  return requestText("POST", APPLICATIONS, { "content-type": "application/json", "transfer-encoding": "chunked" });
}

interface Operation {
  readonly security?: readonly object[];
  readonly parameters?: readonly { in: string; name: string }[];
}

describe("random requests", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "",
      "0",
      "-1",
      "1e9",
      "null",
      "\0",
      "%00",
      "' or 1=1 --",
      UUID,
      "2026-02-30",
      "ACTIVE",
      "a".repeat(3_000),
    ),
  );
  const headerText = fc.oneof(
    fc.string({
      unit: fc
        .integer({ min: 0x20, max: 0xff })
        .filter((code) => code !== 0x7f)
        .map((code) => String.fromCharCode(code)),
      maxLength: 60,
    }),
    fc.constantFrom("*", "application/json", "gzip", "close", "0", 'W/"x"'),
  );
  const value = fc.oneof(fc.jsonValue({ depthSize: "small" }), text, fc.double(), fc.constant(undefined));

  /** Bodies that are almost right, wrong, or no JSON at all. */
  const bodyFor = (fields: readonly string[]) =>
    fc.oneof(
      fc
        .record(Object.fromEntries(fields.map((name) => [name, value])), { requiredKeys: [] })
        .map((it) => JSON.stringify(it)),
      fc.json(),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constant(""),
    );
  const queryFor = (names: readonly string[]) =>
    fc.oneof(
      fc.string({ maxLength: 40 }).map((it) => encodeURI(it.toWellFormed())),
      fc
        .array(fc.tuple(fc.oneof(fc.constantFrom("limit", "cursor", ...names), text), text), { maxLength: 4 })
        .map((pairs) =>
          pairs.map((pair) => pair.map((it) => encodeURIComponent(it.toWellFormed())).join("=")).join("&"),
        ),
    );
  const headerName = fc.constantFrom(
    "accept",
    "accept-encoding",
    "if-none-match",
    "content-type",
    "content-encoding",
    "x-forwarded-for",
    "forwarded",
    "x-merchant-authorization",
    "authorization",
    "idempotency-key",
    "range",
    "origin",
    "cookie",
    "x-http-method-override",
  );

  const PATH_VALUES = fc.oneof(text, fc.uuid());

  async function requestsOf(url: string) {
    const document = (await call(`${url}/openapi.json`)).body as {
      paths: Record<string, Record<string, Operation & { requestBody?: unknown }>>;
      components: { schemas: Record<string, { properties?: object }> };
    };
    const fields = Object.values(document.components.schemas).flatMap(({ properties = {} }) => Object.keys(properties));
    const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );
    return { routes, body: bodyFor([...new Set(fields)].slice(0, 60)) };
  }

  async function fuzz(url: string, credentials: () => Record<string, string>, numRuns: number): Promise<void> {
    const { routes, body } = await requestsOf(url);
    expect(routes.length).toBeGreaterThan(1);
    const request = fc.constantFrom(...routes).chain(({ path, method, operation }) =>
      fc.record({
        method: fc.constantFrom(method, method, method, "GET", "POST"),
        path: fc
          .array(PATH_VALUES, { minLength: 4, maxLength: 4 })
          .map((values) => path.replace(/\{[^}]+\}/g, () => encodeURIComponent((values.pop() ?? "").toWellFormed()))),
        query: fc.option(
          queryFor((operation.parameters ?? []).filter((it) => it.in === "query").map(({ name }) => name)),
          { nil: "" },
        ),
        headers: fc.dictionary(headerName, headerText, { maxKeys: 3 }),
        body,
        known: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(request, async ({ known, ...it }) => {
        const headers = { "content-type": "application/json", ...(known ? credentials() : {}), ...it.headers };
        const { status, text: answer, requestId } = await ask(url, { ...it, headers });
        expect(status).toBeLessThan(500);
        expect(requestId).toBeTruthy();
        if (status >= 400 && it.method !== "HEAD") {
          expect(JSON.parse(answer)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
        }
      }),
      { numRuns },
    );
    await expectAlive();
  }

  function ask(
    url: string,
    it: { method: string; path: string; query: string; headers: Record<string, string>; body: string },
  ): Promise<{ status: number; text: string; requestId: string | undefined }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${url}/`,
        {
          agent: false,
          method: it.method,
          path: it.path + (it.query === "" ? "" : `?${it.query}`),
          headers: it.headers,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString("utf8"),
              requestId: response.headers["x-request-id"] as string | undefined,
            }),
          );
        },
      );
      request.on("error", reject);
      request.end(it.method === "GET" ? undefined : it.body);
    });
  }

  test("no public route answers 5xx", async () => {
    await fuzz(
      service.publicUrl,
      () => ({ "x-merchant-authorization": signHeader(merchant.id, merchant.keys.privateKey) }),
      250,
    );
  });

  test("no operator route answers 5xx", async () => {
    await fuzz(service.operatorUrl, () => ({ authorization: `Bearer ${OPERATOR_TOKEN}` }), 250);
  });

  test("random bytes never end the server", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, asBody) => {
        const head = requestText("POST", APPLICATIONS, {
          "content-type": "application/json",
          "content-length": `${bytes.length}`,
        });
        const answer = await send(asBody ? Buffer.concat([Buffer.from(head), bytes]) : bytes, { halfClose: true });
        if (answer !== null) expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
    await expectAlive();
  });
});

describe("a request that does not arrive", () => {
  test.each(["half a request line", "headers without an end", "a body that stops", "a chunked body that stops"])(
    "408 REQUEST_TIMEOUT after ten seconds for %s",
    async (name) => {
      const outcome = await slow[name];
      expectRefusal(outcome?.answer ?? null, 408, "REQUEST_TIMEOUT");
      expect(outcome?.tookMs).toBeGreaterThan(9_000);
      expect(outcome?.tookMs).toBeLessThan(14_000);
    },
  );

  test("the server still answers, and no request above was an error of ours", async () => {
    await expectAlive();
    const errors = service
      .logged()
      .split("\n")
      .filter((line) => line.includes('"level":50') || line.includes('"level":60'));
    expect(errors).toEqual([]);
  });
});
