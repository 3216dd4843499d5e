import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EnvironmentName } from "../../src/config.ts";
import {
  applicationBody,
  asMerchant,
  generateKeys,
  type Merchant,
  registerMerchant,
  signHeader,
} from "../harness/merchant.ts";
import { exchange, requestText } from "../harness/raw.ts";
import { type Service, startService } from "../harness/service.ts";

const READ = "/v1/merchant-deposits";

interface Vector {
  readonly name: string;
  readonly header: string | string[] | null;
  readonly now: string;
  readonly merchantId: string;
  readonly active: boolean;
  readonly publicKey: string;
  readonly request?: { environment: EnvironmentName; method: string; path: string; body: string | null };
  readonly requireBoundSignatures?: boolean;
  readonly verdict: { readonly status: number; readonly code: string | null };
}

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const withHeader = (header: string, path = READ) =>
  service.call(path, { headers: { "x-merchant-authorization": header } });

describe("X-Merchant-Authorization", () => {
  test("a merchant's signed request is accepted", async () => {
    expect(await merchant.call(READ)).toMatchObject({ status: 200, body: { items: [], nextCursor: null } });
  });

  test("refusals come in their fixed order, before path, query or body are looked at", async () => {
    const stranger = generateKeys();
    const pending = await service.call("/v1/merchants/applications", { body: applicationBody() });
    const old = new Date(Date.now() - 16 * 60_000);
    const wrong = "?limit=nonsense";
    const codeOf = async (header: string | null) =>
      (await service.call(READ + wrong, { headers: header === null ? {} : { "x-merchant-authorization": header } }))
        .body.error.code;
    expect(await codeOf(null)).toBe("MERCHANT_AUTHORIZATION_MISSING");
    expect(await codeOf("???")).toBe("VALIDATION_ERROR");
    expect(await codeOf(signHeader(randomUUID(), stranger.privateKey, old))).toBe("MERCHANT_NOT_REGISTERED");
    expect(await codeOf(signHeader("not a uuid", stranger.privateKey, old))).toBe("MERCHANT_NOT_REGISTERED");
    expect(await codeOf(signHeader(pending.body.merchantId, stranger.privateKey, old))).toBe("MERCHANT_NOT_ACTIVE");
    expect(await codeOf(signHeader(merchant.id, stranger.privateKey, old))).toBe("MERCHANT_AUTHORIZATION_EXPIRED");
    expect(await codeOf(signHeader(merchant.id, stranger.privateKey))).toBe("MERCHANT_SIGNATURE_INVALID");
    const answer = await merchant.call(READ + wrong);
    expect(answer.body.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("limit") });
  });

  test("a time error tells the server's time and the measured skew", async () => {
    const { body } = await withHeader(
      signHeader(merchant.id, merchant.keys.privateKey, new Date(Date.now() + 120_000)),
    );
    expect(body.error.code).toBe("MERCHANT_SIGNATURE_TIMESTAMP_INVALID");
    expect(body.error.message).toMatch(/1(19|20)\.\d+ s|1(19|20) s|2 min/);
    expect(body.error.message).toContain(new Date().toISOString().slice(0, 13));
  });

  test("a signature error names the usual causes", async () => {
    const { body } = await withHeader(signHeader(merchant.id, generateKeys().privateKey));
    expect(body.error.message).toMatch(/JSON was signed instead/);
    expect(body.error.message).toMatch(/sandbox or production/);
  });

  test("a signed payment link is no credential", async () => {
    const link = {
      amount: 10,
      chainId: 8453,
      address: "0x52908400098527886E0F7030069857D2E4169EE7",
      token: "USDC",
      callbackScheme: null,
      idempotencyKey: randomUUID(),
      signatureTimestamp: new Date().toISOString(),
      version: "v1",
    };
    const payload = Buffer.from(JSON.stringify(link)).toString("base64url");
    const signature = sign("sha256", Buffer.from(payload), merchant.keys.privateKey).toString("base64url");
    const header = Buffer.from(JSON.stringify({ merchantId: merchant.id, payload, signature })).toString("base64");
    const { status, body } = await withHeader(header);
    expect(status).toBe(400);
    expect(body.error.message).toContain("payment link");
  });

  test("the header sent twice is refused", async () => {
    const header = signHeader(merchant.id, merchant.keys.privateKey);
    const status = await new Promise((resolve, reject) => {
      const request = http.get(service.publicUrl + READ, {
        headers: [
          ["host", "x"],
          ["x-merchant-authorization", header],
          ["x-merchant-authorization", header],
        ].flat() as never,
      });
      request.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
    });
    expect(status).toBe(400);
  });

  test("nothing of the header reaches a log", async () => {
    const header = signHeader(merchant.id, merchant.keys.privateKey);
    await withHeader(header);
    await withHeader(`${header}x`);
    const { payload, signature } = JSON.parse(Buffer.from(header, "base64").toString());
    for (const secret of [header, payload, signature]) expect(service.logged()).not.toContain(secret);
  });
});

describe("the contract's vectors, through the real server", () => {
  const file = new URL("../../../contract/vectors/authorization.json", import.meta.url);
  const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: Vector[] };

  // A vector may stand for a merchant whose id is not a UUID; this server registers none. HEAD is no method of its path.
  const registrable = vectors.filter(
    ({ merchantId, header, request }) =>
      /^[0-9a-f-]{36}$/.test(merchantId) && isSendable(header) && request?.method !== "HEAD",
  );
  const situationOf = ({ publicKey, active, request, requireBoundSignatures = false }: Vector) =>
    JSON.stringify({ publicKey, active, environment: request?.environment ?? "production", requireBoundSignatures });

  test("every header gets its verdict", { timeout: 120_000 }, async () => {
    expect(registrable.length).toBeGreaterThan(480);
    for (const situation of new Set(registrable.map(situationOf))) {
      const { publicKey, active, environment, requireBoundSignatures } = JSON.parse(situation);
      let now = new Date();
      const judge = await startService({ environment, clock: () => now });
      await judge.db.query(
        `insert into merchants (id, display_name, status, algorithm, public_key, public_key_point, email, domain,
           require_bound_signatures, create_date, update_date)
         values ($1, 'vector', $2, 'ECDSA_P256_SHA256', $3, $4, 'a@b.example', 'b.example', $5, now(), now())`,
        [
          registrable[0]?.merchantId ?? "",
          active ? "ACTIVE" : "PENDING",
          publicKey,
          Buffer.alloc(33),
          requireBoundSignatures,
        ],
      );
      for (const vector of registrable.filter((one) => situationOf(one) === situation)) {
        now = new Date(vector.now);
        expect(await verdictOf(judge.publicUrl, vector), vector.name).toEqual(vector.verdict);
      }
      await judge.close();
    }
  });
});

/** HTTP itself trims a value and carries no control characters. */
function isSendable(header: Vector["header"]): boolean {
  return [header ?? []].flat().every((value) => value === value.trim() && /^[\x20-\x7e]*$/.test(value));
}

/** What the server says about the header. What it says about the rest of the request counts as 200. */
async function verdictOf(url: string, { header, request }: Vector): Promise<Vector["verdict"]> {
  const { method, path, body } = request ?? { method: "GET", path: READ, body: null };
  const [head = "", ...rest] = requestText(method, path, {}, body ?? "").split("\r\n\r\n");
  const lines = [header ?? []].flat().map((value) => `\r\nx-merchant-authorization: ${value}`);
  const answer = await exchange(url, [head + lines.join(""), ...rest].join("\r\n\r\n"));
  const error = JSON.parse(answer?.body ?? "{}").error ?? { code: null, message: "" };
  expect(error.message).not.toContain("HTTP/1.1");
  const isAboutHeader = /^MERCHANT_(?!DOMAIN)/.test(error.code) || /X-Merchant-Authorization/.test(error.message);
  return isAboutHeader ? { status: answer?.status ?? 0, code: error.code } : { status: 200, code: null };
}

describe("environments", () => {
  test("sandbox and production accept nothing of each other's", async () => {
    const sandbox = await startService({ environment: "sandbox" });
    const inSandbox = await registerMerchant(sandbox);
    const elsewhere = asMerchant(service, inSandbox.id, inSandbox.keys);
    expect((await elsewhere.call(READ)).body.error.code).toBe("MERCHANT_NOT_REGISTERED");
    expect((await asMerchant(sandbox, merchant.id, merchant.keys).call(READ)).body.error.code).toBe(
      "MERCHANT_NOT_REGISTERED",
    );
    await sandbox.close();
  });
});

test("an approval and a reinstatement apply immediately", async () => {
  const keys = generateKeys();
  const applied = await service.call("/v1/merchants/applications", {
    body: applicationBody({ publicKey: keys.publicKeyPem }),
  });
  const applicant = asMerchant(service, applied.body.merchantId, keys);
  expect((await applicant.call(READ)).body.error.code).toBe("MERCHANT_NOT_ACTIVE");
  await service.operator(`/applications/${applied.body.applicationId}/approve`, { method: "POST" });
  expect((await applicant.call(READ)).status).toBe(200);
  await service.operator(`/merchants/${applicant.id}/suspend`, { method: "POST" });
  await service.operator(`/merchants/${applicant.id}/reinstate`, { method: "POST" });
  expect((await applicant.call(READ)).status).toBe(200);
});

test("signatures in both encodings are accepted", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }) as string;
  const both = await registerMerchant(service, { publicKey: publicKeyPem });
  const payload = Buffer.from(JSON.stringify({ version: "v1", signatureTimestamp: new Date().toISOString() })).toString(
    "base64url",
  );
  for (const dsaEncoding of ["der", "ieee-p1363"] as const) {
    const signature = sign("sha256", Buffer.from(payload), { key: privateKey, dsaEncoding }).toString("base64url");
    const header = Buffer.from(JSON.stringify({ merchantId: both.id, payload, signature })).toString("base64");
    expect((await withHeader(header)).status, dsaEncoding).toBe(200);
  }
});
