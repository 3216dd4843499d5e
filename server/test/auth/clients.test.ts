import { execFileSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { generateKeyPair, importPrivateKey, signHeader } from "../../../sdk/src/index.ts";
import { checkTime, type Envelope, parseEnvelope } from "../../src/auth/envelope.ts";
import { verifySignature } from "../../src/signing/signature.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { startService } from "../harness/service.ts";

// Headers from clients that share no code with the server.

const merchantId = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";

function authenticate(header: string, publicKey: string): Envelope {
  const envelope = parseEnvelope(header);
  checkTime(envelope, Date.now());
  expect(verifySignature(createPublicKey(publicKey), envelope.payload, envelope.signature)).toBe(true);
  return envelope;
}

describe("a client with nothing but OpenSSL", () => {
  let folder: string;
  const openssl = (argumentsLine: string, input = "") =>
    execFileSync("openssl", argumentsLine.split(" "), {
      cwd: folder,
      input,
      stdio: ["pipe", "pipe", "pipe"],
    });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "matchbook-openssl-"));
    try {
      openssl("version");
    } catch (cause) {
      throw new Error("This test needs the openssl command: install OpenSSL.", { cause });
    }
    openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out pkcs8.pem");
    openssl("pkey -in pkcs8.pem -pubout -out public.pem");
    openssl("ec -in pkcs8.pem -out sec1.pem");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const toUrlSafe = (base64: Buffer) => base64.toString().replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  test.each(["pkcs8.pem", "sec1.pem"])("authenticates with %s and a DER signature", async (keyFile) => {
    const publicKey = readFileSync(join(folder, "public.pem"), "utf8");
    const service = await startService();
    onTestFinished(() => service.close());
    const { id: merchantId } = await registerMerchant(service, { publicKey });
    const identity = `{"version": "v1", "signatureTimestamp": "${new Date().toISOString()}"}`;
    // Several times, since r and s differ in length from signature to signature.
    for (let round = 0; round < 5; round++) {
      const payload = toUrlSafe(openssl("base64 -A", identity));
      const der = execFileSync("openssl", ["dgst", "-sha256", "-sign", keyFile], {
        cwd: folder,
        input: payload,
      });
      const signature = toUrlSafe(execFileSync("openssl", ["base64", "-A"], { input: der }));
      const header = openssl("base64 -A", JSON.stringify({ merchantId, payload, signature })).toString();
      const headers = { "x-merchant-authorization": header };
      expect((await service.call("/v1/merchant-deposits", { headers })).status).toBe(200);
    }
  });

  test("binds its requests, and a captured one is good for nothing else", async () => {
    const publicKey = readFileSync(join(folder, "public.pem"), "utf8");
    const service = await startService();
    onTestFinished(() => service.close());
    const { id: merchantId } = await registerMerchant(service, { publicKey });
    const body = '{"domain":"pay.openssl.example"}';
    const digest = execFileSync("openssl", ["dgst", "-sha256", "-binary"], { input: body });
    const bind = {
      environment: "production",
      merchantId,
      method: "POST",
      path: "/v1/merchant-domains",
      bodySha256: toUrlSafe(execFileSync("openssl", ["base64", "-A"], { input: digest })),
    };
    const identity = JSON.stringify({ version: "v1", signatureTimestamp: new Date().toISOString(), bind });
    const payload = toUrlSafe(openssl("base64 -A", identity));
    const der = execFileSync("openssl", ["dgst", "-sha256", "-sign", "pkcs8.pem"], { cwd: folder, input: payload });
    const signature = toUrlSafe(execFileSync("openssl", ["base64", "-A"], { input: der }));
    const header = openssl("base64 -A", JSON.stringify({ merchantId, payload, signature })).toString();
    const headers = { "x-merchant-authorization": header };
    expect((await service.call("/v1/merchant-domains", { headers, body })).status).toBe(201);
    const other = await service.call("/v1/merchant-domains", { headers, body: '{"domain":"evil.example"}' });
    expect([other.status, other.body.error.code]).toEqual([422, "MERCHANT_SIGNATURE_INVALID"]);
    expect(other.body.error.message).toContain("bind.bodySha256");
  });

  test("OpenSSL's keys are read by the SDK", async () => {
    const publicKey = readFileSync(join(folder, "public.pem"), "utf8");
    for (const keyFile of ["pkcs8.pem", "sec1.pem"]) {
      const privateKey = readFileSync(join(folder, keyFile), "utf8");
      authenticate(await signHeader({ merchantId, privateKey }), publicKey);
    }
  });
});

describe("a client on WebCrypto, the SDK", () => {
  test("authenticates with keys of its own making and a P1363 signature", async () => {
    for (let round = 0; round < 20; round++) {
      const { privateKey, publicKey } = await generateKeyPair();
      const envelope = authenticate(
        await signHeader({ merchantId, privateKey: await importPrivateKey(privateKey) }),
        publicKey,
      );
      expect(envelope).toMatchObject({ merchantId, expiresAt: undefined });
      expect(envelope.signature).toHaveLength(64);
    }
  });

  test("authenticates with expiresAt and with a merchant id beyond ASCII", async () => {
    const { privateKey, publicKey } = await generateKeyPair();
    const expiresAt = new Date(Date.now() + 60_000);
    const envelope = authenticate(await signHeader({ merchantId: "händler ☂", privateKey, expiresAt }), publicKey);
    expect(envelope).toMatchObject({ merchantId: "händler ☂", expiresAt: expiresAt.toISOString() });
  });
});
