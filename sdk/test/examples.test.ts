import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../../server/test/harness/service.ts";
import { generateKeyPair, Matchbook, verifyPaymentLink } from "../src/index.ts";

const run = promisify(execFile);
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

let service: Service;
let folder: string;
let client: Matchbook;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await startService({ environment: "sandbox" });
  folder = mkdtempSync(join(tmpdir(), "matchbook-examples-"));
  const keys = await generateKeyPair();
  const application = {
    email: "payments@shop.example",
    domain: "shop.example",
    publicKey: keys.publicKey,
    description: "A shop that takes stablecoin deposits.",
  };
  const { privateKey } = keys;
  const { merchantId } = await Matchbook.applications.create(application, { baseUrl: service.publicUrl, privateKey });
  client = new Matchbook({ baseUrl: service.publicUrl, merchantId, privateKey: keys.privateKey });
  writeFileSync(join(folder, "merchant.pem"), keys.privateKey, { mode: 0o600 });
  environment = {
    PATH: process.env.PATH ?? "",
    MATCHBOOK_BASE_URL: service.publicUrl,
    MATCHBOOK_MERCHANT_ID: merchantId,
    MATCHBOOK_KEY_FILE: join(folder, "merchant.pem"),
    PORT: "0",
  };
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a signer, and answers its address once it has printed it. */
async function startSigner(name: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(examples, name)], { env: environment });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /http:\/\/\S+/.exec(output)?.[0];
      if (found !== undefined && output.includes("\n")) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.once("exit", (code) => reject(new Error(`The signer ended with ${code}: ${output}`)));
  });
  return { url, child };
}

describe.each(["express-signer.mjs", "fastify-signer.mjs"])("examples/%s", (name) => {
  test("signs for the caller's own wallet, and for no other", async () => {
    const { url, child } = await startSigner(name);
    try {
      const sign = (address: string, session: string, amount = 20) =>
        fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${session}` },
          body: JSON.stringify({ amount, chainId: 8453, address, token: "USDC" }),
        });
      const signed = await sign(WALLET, "session-of-ann");
      expect([signed.status, signed.headers.get("cache-control")]).toEqual([200, "no-store"]);
      const verdict = await verifyPaymentLink({ link: await signed.text(), baseUrl: service.publicUrl });
      expect(verdict).toMatchObject({ ok: true, payment: { amount: 20, address: WALLET } });
      expect((await sign("0x1", "session-of-ann")).status).toBe(403);
      expect((await sign(WALLET, "unknown")).status).toBe(403);
      expect((await sign(WALLET, "session-of-ann", 1_001)).status).toBe(403);
    } finally {
      child.kill();
    }
  });
});

describe("examples that submit", () => {
  let campaignId: string;
  beforeAll(async () => {
    await client.sandbox.createDeposit({ embeddedWalletAddress: WALLET, chainId: 8453 });
    campaignId = (await client.sandbox.createCampaign()).id;
    await client.sandbox.createCampaign({ status: "ENDED" });
  });

  test("examples/nightly-profits.mjs submits what qualifies, and may run again", async () => {
    const users = [
      { userId: "ann", profit: "500000000", wallets: [{ address: WALLET, chainId: 8453 }] },
      { userId: "bob", profit: "100", wallets: [{ address: "0x1", chainId: 8453 }] },
    ];
    writeFileSync(join(folder, "profits.json"), JSON.stringify(users));
    const submitAll = async () => {
      const script = join(examples, "nightly-profits.mjs");
      return JSON.parse(
        (await run(process.execPath, [script, "profits.json"], { cwd: folder, env: environment })).stdout,
      );
    };
    expect(await submitAll()).toEqual({ created: 1, updated: 0, notQualified: 1, failed: 0 });
    expect(await submitAll()).toEqual({ created: 0, updated: 1, notQualified: 1, failed: 0 });
    const participant = await client.participants.get(campaignId, { merchantUserId: "ann" });
    expect(participant.amountMatched.amount).toBe("1000000000");
  });

  test("examples/submit-profit.sh needs only openssl and curl", async () => {
    const script = join(examples, "submit-profit.sh");
    const { stdout } = await run("sh", [script, campaignId, "cleo", WALLET, "8453", "7"], { env: environment });
    expect(JSON.parse(stdout)).toMatchObject({ merchantUserId: "cleo", amountMatched: { amount: "14" } });
  });
});
