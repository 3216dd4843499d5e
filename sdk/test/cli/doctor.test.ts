import { sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSigner, signHeader as signSdkHeader } from "@matchbook/sdk";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { generateKeys, type Merchant, registerMerchant, signHeader } from "../../../server/test/harness/merchant.ts";
import { type Service, startService } from "../../../server/test/harness/service.ts";
import { type Desk, makeDesk, removeDesk } from "./cli.ts";

let sandbox: Service;
let production: Service;
let merchant: Merchant;
let desk: Desk;

beforeAll(async () => {
  [sandbox, production] = await Promise.all([
    startService({ environment: "sandbox" }),
    startService({ environment: "production" }),
  ]);
  merchant = await registerMerchant(sandbox);
  desk = makeDesk();
  writeFileSync(desk.path("merchant.pem"), pemOf(merchant), { mode: 0o600 });
  const connection = ["--base-url", sandbox.publicUrl, "--merchant-id", merchant.id, "--key-file", "merchant.pem"];
  await desk.run(["profile", "set", "sandbox", ...connection]);
});

afterAll(async () => {
  removeDesk(desk);
  await Promise.all([sandbox.close(), production.close()]);
});

const pemOf = ({ keys }: Pick<Merchant, "keys">) => keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value));
const fresh = () => encode({ version: "v1", signatureTimestamp: new Date().toISOString() });
const envelope = (payload: string, signature: Buffer) =>
  encode({ merchantId: merchant.id, payload, signature: signature.toString("base64url") }).toString("base64");

/** The only line that begins with FAULT. */
async function faultOf(args: string[], variables: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await desk.run(["doctor", ...args], variables);
  expect(stderr).toBe("");
  expect(code, stdout).toBe(1);
  const faults = stdout.split("\n").filter((line) => line.startsWith("FAULT"));
  expect(faults, stdout).toHaveLength(1);
  return faults[0] ?? "";
}

describe("matchbook doctor", () => {
  test("a correct setup and a correct header have no fault", async () => {
    const own = await desk.run(["doctor"]);
    expect(own, own.stdout).toMatchObject({ code: 0 });
    expect(own.stdout).toContain("This machine's clock agrees with the server's.");
    expect(own.stdout).toContain(`${sandbox.publicUrl} answers, as sandbox.`);
    expect(own.stdout).toContain("It is bound to this request: GET /v1/marketings/campaigns in sandbox");
    const given = await desk.run([
      "doctor",
      `X-Merchant-Authorization: ${signHeader(merchant.id, merchant.keys.privateKey)}`,
    ]);
    expect(given, given.stdout).toMatchObject({ code: 0 });
    expect(given.stdout).toContain("signed with the registered key. It is not bound: it is good for any request.");
  });

  describe("a header that is bound to a request", () => {
    const request = { environment: "sandbox", method: "POST", path: "/v1/merchant-domains", body: '{"domain":"a.b"}' };
    const bound = (change: object = {}) =>
      signSdkHeader({
        merchantId: merchant.id,
        privateKey: pemOf(merchant),
        request: { ...request, ...change } as never,
      });
    const sent = ["--method", "POST", "--path", "/v1/merchant-domains", "--body-file", "body.json"];

    test("is valid for its request, and is described when no request is given", async () => {
      writeFileSync(desk.path("body.json"), request.body);
      const header = await bound();
      const fine = await desk.run(["doctor", header, ...sent]);
      expect(fine, fine.stdout).toMatchObject({ code: 0 });
      expect(fine.stdout).toContain("It is bound to this request: POST /v1/merchant-domains in sandbox");
      const alone = await desk.run(["doctor", header]);
      expect(alone, alone.stdout).toMatchObject({ code: 0 });
      expect(alone.stdout).toContain("It is bound to one request: POST /v1/merchant-domains in sandbox");
    });

    test("a wrong environment is found without the request", async () => {
      const fault = await faultOf([await bound({ environment: "production" })]);
      expect(fault).toContain('MERCHANT_SIGNATURE_INVALID: bind.environment is "production"');
    });

    test("a wrong method, path or body is named", async () => {
      writeFileSync(desk.path("body.json"), request.body);
      expect(await faultOf([await bound({ method: "GET" }), ...sent])).toContain("bind.method");
      expect(await faultOf([await bound({ path: "/v1/merchant-domains?a=1" }), ...sent])).toContain("bind.path");
      expect(await faultOf([await bound({ body: `${request.body}\n` }), ...sent])).toContain("with a line end");
    });
  });

  test("a wrong environment setting is named as the cause", async () => {
    const { code, stdout } = await desk.run(["doctor", "--environment", "production"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAULT server .* answers as sandbox, and production is set/m);
    expect(stdout).toMatch(/^FAULT header .*bind\.environment is "production"/m);
  });

  test("an old header", async () => {
    const header = signHeader(merchant.id, merchant.keys.privateKey, new Date(Date.now() - 20 * 60_000));
    expect(await faultOf([header])).toMatch(
      /header .*MERCHANT_AUTHORIZATION_EXPIRED: The time signed is 120\d s behind/,
    );
  });

  test("a clock that is behind the server's", async () => {
    const ahead = createServer((_request, response) => {
      response.sendDate = false;
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      const body = { merchantId: merchant.id, algorithm: "ECDSA_P256_SHA256", publicKey: merchant.keys.publicKeyPem };
      response.writeHead(200, { date, "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => ahead.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void ahead.close());
    const url = `http://127.0.0.1:${(ahead.address() as AddressInfo).port}`;
    const { code, stdout } = await desk.run(["doctor", "--base-url", url]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAULT clock +This machine's clock is 3(?:600|599) s behind the server's\.$/m);
    expect(stdout).toMatch(/^FAULT header +MERCHANT_AUTHORIZATION_EXPIRED/m);
  });

  test("JSON that was signed instead of its base64url text", async () => {
    const json = fresh();
    const header = envelope(json.toString("base64url"), sign("sha256", json, merchant.keys.privateKey));
    expect(await faultOf([header])).toContain("The payload's JSON was signed instead of its base64url text.");
  });

  test("a signature by another key", async () => {
    const stranger = signHeader(merchant.id, generateKeys().privateKey);
    expect(await faultOf([stranger])).toContain(
      "MERCHANT_SIGNATURE_INVALID: The signature is well-formed, but another",
    );
  });

  test("a merchant id of the other environment", async () => {
    const header = signHeader(merchant.id, merchant.keys.privateKey);
    const fault = await faultOf([header, "--base-url", production.publicUrl]);
    expect(fault).toContain("MERCHANT_NOT_REGISTERED: There is no active merchant");
    expect(fault).toContain(`Your profile sandbox has it at ${sandbox.publicUrl}.`);
  });

  test("a key of the other environment", async () => {
    const there = await registerMerchant(production);
    const header = signHeader(there.id, merchant.keys.privateKey);
    const fault = await faultOf([header, "--base-url", production.publicUrl]);
    expect(fault).toContain("MERCHANT_SIGNATURE_INVALID");
    expect(fault).toContain("signed with the key of your profile sandbox of another environment");
  });

  test("a DER signature sent as P1363, and the reverse", async () => {
    const payload = fresh().toString("base64url");
    const der = sign("sha256", Buffer.from(payload), merchant.keys.privateKey);
    expect(await faultOf([envelope(payload, der.subarray(0, 64))])).toContain("DER signature cut to 64 bytes");
    const raw = sign("sha256", Buffer.from(payload), { key: merchant.keys.privateKey, dsaEncoding: "ieee-p1363" });
    const framed = Buffer.concat([Buffer.from([0x30, 64]), raw]);
    expect(await faultOf([envelope(payload, framed)])).toContain("P1363 signature were put into a DER frame");
  });

  test("a private key that is cut off", async () => {
    const cut = pemOf(merchant).split("\n").slice(0, -3).join("\n");
    const fault = await faultOf([], { MATCHBOOK_PRIVATE_KEY: cut });
    expect(fault).toMatch(/FAULT key +The key in MATCHBOOK_PRIVATE_KEY cannot be used: The PEM block is cut off/);
    expect(fault).not.toContain(cut.split("\n")[1]);
  });

  test("a payment link used as a header", async () => {
    const signer = createSigner({
      merchantId: merchant.id,
      privateKey: pemOf(merchant),
      chains: [84532],
      tokens: ["USDC"],
      confirmDestination: () => true,
    });
    const request = new Request("http://127.0.0.1/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ amount: 5, chainId: 84532, address: `0x${"ab".repeat(20)}`, token: "USDC" }),
    });
    const { merchantId, payload, signature } = await (await signer(request)).json();
    const header = encode({ merchantId, payload, signature }).toString("base64");
    expect(await faultOf([header])).toContain("VALIDATION_ERROR: This is a payment link.");
  });

  test("reports a service that cannot be reached, and does not print the private key", async () => {
    const { code, stdout } = await desk.run(["doctor", "--base-url", "http://127.0.0.1:1"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAULT server +http:\/\/127\.0\.0\.1:1 gave no answer/m);
    const secretLine = readFileSync(desk.path("merchant.pem"), "utf8").split("\n")[1] ?? "";
    expect(stdout).not.toContain(secretLine);
  });
});
