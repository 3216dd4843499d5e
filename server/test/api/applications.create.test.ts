import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { compressedPem, hostileKeys } from "../harness/hostile-keys.ts";
import { applicationBody, generateKeys } from "../harness/merchant.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const apply = (body: unknown, to: Service = service) => to.call("/v1/merchants/applications", { body });

/** What an operator sees of an application. */
async function stored(answer: Answer) {
  const page = await service.operator("/applications?limit=100");
  return page.body.items.find(
    (application: { applicationId: string }) => application.applicationId === answer.body.applicationId,
  );
}

const LABEL_63 = "a".repeat(63);
/** 253 characters, the most a host name can have. */
const LONGEST_HOST = `${LABEL_63}.${LABEL_63}.${LABEL_63}.${"b".repeat(53)}.example`;

describe("POST /v1/merchants/applications", () => {
  test("202 with a reserved merchant id that is PENDING", async () => {
    const answer = await apply(applicationBody());
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      applicationId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      merchantId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      status: "PENDING",
      message: expect.stringContaining("review"),
    });
    expect(answer.body.applicationId).not.toBe(answer.body.merchantId);
    const merchant = await service.operator(`/merchants/${answer.body.merchantId}`);
    expect(merchant.body).toMatchObject({
      merchantId: answer.body.merchantId,
      displayName: "shop.example",
      algorithm: "ECDSA_P256_SHA256",
      status: "PENDING",
    });
  });

  test("no authorization is looked at", async () => {
    const answer = await service.call("/v1/merchants/applications", {
      body: applicationBody(),
      headers: { "x-merchant-authorization": "garbage" },
    });
    expect(answer.status).toBe(202);
  });

  test("the operator sees canonical values: lower-case domain, handle without @, canonical PEM", async () => {
    const { publicKeyPem } = generateKeys();
    const description = "Zwanzig Zeichen — 漢字 and 🧨, kept as sent.";
    const answer = await apply({
      email: "Payments@Shop.Example",
      domain: "Shop.EXAMPLE",
      publicKey: `\r\n  ${publicKeyPem.replaceAll("\n", "\r\n").trimEnd()}  `,
      telegram: "@Shop_Payments",
      description,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(await stored(answer)).toMatchObject({
      status: "PENDING",
      domain: "shop.example",
      telegram: "Shop_Payments",
      publicKey: publicKeyPem,
      description,
      reason: null,
      decideDate: null,
    });
    // The local part belongs to the receiving host; only the host's spelling is ours to change.
    expect((await stored(answer)).email).toMatch(/^Payments@Shop\.Example$/i);
  });

  test("an internationalized domain is stored in its ASCII form", async () => {
    const answer = await apply(applicationBody({ domain: "Bücher.example" }));
    expect(answer.status).toBe(202);
    expect((await stored(answer)).domain).toBe("xn--bcher-kva.example");
  });

  const accepted: [name: string, change: Record<string, unknown>][] = [
    ["telegram null", { telegram: null }],
    ["telegram of 3 characters", { telegram: "abc" }],
    ["telegram of 3 characters after the @", { telegram: "@abc" }],
    ["telegram of 64 characters", { telegram: "a".repeat(64) }],
    ["telegram of 64 characters after the @", { telegram: `@${"_".repeat(64)}` }],
    ["telegram of digits", { telegram: "007" }],
    ["description of 20 characters", { description: "d".repeat(20) }],
    ["description of 1000 characters", { description: "d".repeat(1000) }],
    ["description of 1000 characters outside the basic plane", { description: "🧨".repeat(1000) }],
    ["description with line breaks and tabs", { description: "First line.\r\nSecond\tline." }],
    ["email of 255 characters", { email: `${"a".repeat(242)}@shop.example` }],
    ["email with a tag", { email: "payments+matchbook@shop.example" }],
    ["email with every odd character", { email: "!#$%&'*+-/=?^_`{|}~@shop.example" }],
    ["email with a quoted local part", { email: '"payments desk"@shop.example' }],
    ["domain of 253 characters", { domain: LONGEST_HOST }],
    ["domain that is a deep subdomain", { domain: "pay.eu.shop.example" }],
    ["domain that is a www host", { domain: "www.shop.example" }],
    ["domain with an unknown TLD", { domain: "shop.notatldyet" }],
    ["domain below a two-part suffix", { domain: "shop.co.uk" }],
    ["domain with digits and hyphens", { domain: "1-800-shop.example" }],
    ["publicKey in compressed form", { publicKey: compressedPem(generateKeys().publicKeyPem) }],
    ["publicKey with literal \\n sequences", { publicKey: generateKeys().publicKeyPem.replaceAll("\n", "\\n") }],
    ["publicKey without a final newline", { publicKey: generateKeys().publicKeyPem.trimEnd() }],
  ];
  test.each(accepted)("202 for %s", async (_name, change) => {
    const answer = await apply(applicationBody(change));
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  });

  const notStrings = [undefined, null, 7, true, {}, [], ["text"]];
  const refused: [field: string, values: unknown[]][] = [
    [
      "email",
      [
        ...notStrings,
        "",
        " ",
        "payments",
        "@shop.example",
        "payments@",
        "payments@@shop.example",
        "payments@shop..example",
        ".payments@shop.example",
        "payments.@shop.example",
        "pay..ments@shop.example",
        "pay ments@shop.example",
        " payments@shop.example",
        "payments@shop.example ",
        "payments@shop.example\n",
        "payments@shop.example\r\nBcc: everyone@shop.example",
        "Payments <payments@shop.example>",
        "<payments@shop.example>",
        "payments@shop.example, other@shop.example",
        "payments@shop.example; other@shop.example",
        "payments(comment)@shop.example",
        "payments@shop.example (comment)",
        "group: payments@shop.example;",
        "mailto:payments@shop.example ",
        `${"a".repeat(243)}@shop.example`,
        "payments@shop.example\u0000",
        "p\ud800ayments@shop.example",
      ],
    ],
    [
      "domain",
      [
        ...notStrings,
        "",
        " ",
        "localhost",
        "shop",
        "com",
        "co.uk",
        "https://shop.example",
        "shop.example:8443",
        "shop.example/",
        "shop.example/path",
        "shop.example?query",
        "shop.example#part",
        "user@shop.example",
        "shop.example.",
        ".shop.example",
        "shop..example",
        "-shop.example",
        "shop-.example",
        "shop_1.example",
        "shop example.com",
        " shop.example",
        "shop.example ",
        "shop.example\n",
        "sh\top.example",
        "*.shop.example",
        "127.0.0.1",
        "127.1",
        "0x7f.1",
        "[::1]",
        "::1",
        "sh%61p.example",
        `${"a".repeat(64)}.example`,
        `${LONGEST_HOST}x`,
        `${"a.".repeat(124)}example`,
        "shop.example\u0000",
        "shop\ud800.example",
      ],
    ],
    ["publicKey", [...notStrings, "", "key", `${generateKeys().publicKeyPem}${"\n".repeat(4096)}`]],
    [
      "telegram",
      [
        7,
        true,
        {},
        [],
        "",
        "ab",
        "@ab",
        "a".repeat(65),
        `@${"a".repeat(65)}`,
        "@@abc",
        "a-b-c",
        "a b c",
        "abc@",
        "äbc",
      ],
    ],
    ["telegram", ["abc\n", " abc", "@", "abc\u0000", "https://t.me/abc"]],
    [
      "description",
      [
        ...notStrings,
        "",
        "d".repeat(19),
        "🧨".repeat(19),
        "d".repeat(1001),
        `${"d".repeat(30)}\u0000`,
        `${"d".repeat(30)}\udc00`,
      ],
    ],
  ];
  test.each(refused)("400 VALIDATION_ERROR that names %s, and nothing is stored", async (field, values) => {
    const count = "select count(*)::int as count from applications";
    const before = await service.db.query(count);
    for (const value of values) {
      const answer = await apply(applicationBody({ [field]: value }));
      const label = `${JSON.stringify(value)?.slice(0, 80)}: ${JSON.stringify(answer.body)}`;
      expect(answer.status, label).toBe(400);
      expect(answer.body.error.code, label).toBe("VALIDATION_ERROR");
      expect(answer.body.error.message, label).toContain(field);
    }
    expect(await service.db.query(count)).toEqual(before);
  });

  test.each(["displayName", "merchantId", "status", "Email", "constructor", "toString"])(
    "400 that names the unknown field %s",
    async (field) => {
      const answer = await apply(applicationBody({ [field]: "x" }));
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(field) });
    },
  );

  describe("the same public key again", () => {
    test("409 MERCHANT_APPLICATION_DUPLICATE however the key is written, while the first is PENDING", async () => {
      const { publicKeyPem } = generateKeys();
      expect((await apply(applicationBody({ publicKey: publicKeyPem }))).status).toBe(202);
      for (const [name, publicKey] of Object.entries({
        "the same text": publicKeyPem,
        CRLF: publicKeyPem.replaceAll("\n", "\r\n"),
        "literal \\n": publicKeyPem.replaceAll("\n", "\\n"),
        "literal \\r\\n": publicKeyPem.replaceAll("\n", "\\r\\n"),
        "outer white space": `\n\t ${publicKeyPem} \n`,
        "the compressed form": compressedPem(publicKeyPem),
      })) {
        const answer = await apply(
          applicationBody({ publicKey, email: `${randomUUID()}@shop.example`, domain: "other.example" }),
        );
        expect(answer.status, name).toBe(409);
        expect(answer.body.error.code, name).toBe("MERCHANT_APPLICATION_DUPLICATE");
      }
    });

    test("202 with another merchant id once the first was rejected", async () => {
      const body = applicationBody();
      const first = await apply(body);
      const rejected = await service.operator(`/applications/${first.body.applicationId}/reject`, {
        body: { reason: "The domain does not resolve." },
      });
      expect(rejected.status).toBe(200);
      const second = await apply(body);
      expect(second.status).toBe(202);
      expect(second.body.merchantId).not.toBe(first.body.merchantId);
      expect((await apply(body)).status).toBe(409);
    });

    test("202 while an ACTIVE merchant uses it, and the approval is refused with PUBLIC_KEY_IN_USE", async () => {
      const body = applicationBody();
      const first = await apply(body);
      expect((await service.operator(`/applications/${first.body.applicationId}/approve`, { body: {} })).status).toBe(
        200,
      );
      const second = await apply(body);
      expect(second.status).toBe(202);
      const approved = await service.operator(`/applications/${second.body.applicationId}/approve`, { body: {} });
      expect(approved.status).toBe(409);
      expect(approved.body.error.code).toBe("PUBLIC_KEY_IN_USE");
      expect((await stored(second)).status).toBe("PENDING");
    });

    test("of 50 racing applications at two services, one is accepted and 49 are duplicates", async () => {
      const other = await startService({ database: service.database });
      try {
        const { publicKeyPem } = generateKeys();
        const forms = [publicKeyPem, publicKeyPem.replaceAll("\n", "\r\n"), compressedPem(publicKeyPem)];
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            apply(
              applicationBody({ publicKey: forms[index % 3], email: `racer-${index}@shop.example` }),
              index % 2 === 0 ? service : other,
            ),
          ),
        );
        expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
        const others = answers.filter(({ status }) => status !== 202);
        expect(new Set(others.map(({ body }) => body.error.code))).toEqual(new Set(["MERCHANT_APPLICATION_DUPLICATE"]));
        expect(others.every(({ status }) => status === 409)).toBe(true);
        const [row] = await service.db.query<{ count: number }>(
          "select count(*)::int as count from merchants where email like 'racer-%'",
        );
        expect(row?.count).toBe(1);
      } finally {
        await other.close();
      }
    });
  });

  describe("a hostile public key", () => {
    const hostile = hostileKeys();

    test.each(hostile)("400 for $name, and nothing of it comes back or is logged", async ({ pem, pieces }) => {
      const answer = await apply(applicationBody({ publicKey: pem }));
      expect(answer.status, JSON.stringify(answer.body)).toBe(400);
      expect(answer.body.error.code).toBe("VALIDATION_ERROR");
      expect(answer.body.error.message).toContain("publicKey");
      const shown = JSON.stringify(answer.body) + service.logged();
      for (const piece of pieces) expect(shown.includes(piece)).toBe(false);
    });

    test("the message says what was sent and what is wanted", async () => {
      const messages = new Map<string, string>();
      for (const { name, pem } of hostile) {
        messages.set(name, (await apply(applicationBody({ publicKey: pem }))).body.error.message);
      }
      expect(messages.get("a PKCS #8 private key")).toMatch(/private key/i);
      expect(messages.get("a SEC 1 private key")).toMatch(/private key/i);
      expect(messages.get("an encrypted private key")).toMatch(/private key/i);
      expect(messages.get("a private key before the public key")).toMatch(/private key/i);
      expect(messages.get("a public and then a private key")).toMatch(/private key/i);
      expect(messages.get("a certificate")).toMatch(/certificate/i);
      expect(messages.get("two blocks")).toMatch(/one|two|block/i);
      expect(messages.get("explicit curve parameters")).toMatch(/named curve|parameters/i);
      for (const name of ["a secp256k1 key", "a P-384 key", "an RSA key", "an Ed25519 key"]) {
        expect(messages.get(name), name).toMatch(/P-256/);
      }
    });

    test("no private key is stored anywhere, and the service still answers", async () => {
      const [row] = await service.db.query<{ found: boolean }>(
        "select exists (select from applications where public_key like '%PRIVATE%') as found",
      );
      expect(row?.found).toBe(false);
      expect((await apply(applicationBody())).status).toBe(202);
    });
  });
});

describe("POST /v1/merchants/applications in the sandbox", () => {
  let sandbox: Service;
  beforeAll(async () => {
    sandbox = await startService({ environment: "sandbox" });
  });
  afterAll(() => sandbox.close());

  test("202 with status ACTIVE, and the public key can be read immediately", async () => {
    const body = applicationBody();
    const answer = await apply(body, sandbox);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: "ACTIVE", message: expect.any(String) });
    const key = await sandbox.call(`/v1/merchants/${answer.body.merchantId}/public-key`);
    expect(key.status).toBe(200);
    expect(key.body.publicKey).toBe(body.publicKey);
    const { body: page } = await sandbox.operator("/applications?status=APPROVED");
    expect(page.items[0]).toMatchObject({ applicationId: answer.body.applicationId, decideDate: expect.any(String) });
  });

  test("the primary domain is whitelisted immediately, apex and www", async () => {
    const answer = await apply(applicationBody({ domain: "www.sandbox-shop.example" }), sandbox);
    const rows = await sandbox.db.query<{ origin: string }>(
      "select origin from merchant_origins where merchant_id = $1 order by origin",
      [answer.body.merchantId],
    );
    expect(rows.map(({ origin }) => origin)).toEqual([
      "https://sandbox-shop.example",
      "https://www.sandbox-shop.example",
    ]);
  });

  test("409 for a second application with the same key, in any form, one after the other and racing", async () => {
    const { publicKeyPem } = generateKeys();
    expect((await apply(applicationBody({ publicKey: publicKeyPem }), sandbox)).status).toBe(202);
    for (const publicKey of [publicKeyPem, compressedPem(publicKeyPem)]) {
      const answer = await apply(applicationBody({ publicKey }), sandbox);
      expect(answer.status).toBe(409);
    }
    const body = applicationBody();
    const answers = await Promise.all(Array.from({ length: 10 }, () => apply(body, sandbox)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(409)]);
  });

  test("the applicant gets no mail", async () => {
    const email = "stranger@sandbox-shop.example";
    expect((await apply(applicationBody({ email }), sandbox)).status).toBe(202);
    await vi.waitFor(async () => expect(await sandbox.db.query("select id from outbox")).toEqual([]));
    const mails = sandbox
      .logged()
      .split("\n")
      .filter((line) => line.includes('"subject"'));
    expect(mails.some((line) => JSON.parse(line).to === email)).toBe(false);
  });
});
