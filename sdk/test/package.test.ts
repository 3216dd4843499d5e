import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_TOKEN, type Service, startService } from "../../server/test/harness/service.ts";

// The package as its users get it: packed, installed into an empty project, and imported by its name.

const run = promisify(execFile);
const sdk = fileURLToPath(new URL("../", import.meta.url));
const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

let service: Service;
let project: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "matchbook-package-"));
  service = await startService({ environment: "sandbox" });
  writeFileSync(join(project, "package.json"), '{ "name": "shop", "private": true, "type": "module" }');
  await run("npm", ["pack", "--silent", "--pack-destination", project], { cwd: sdk });
  const tarball = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${tarball}`], { cwd: project });
}, 120_000);

afterAll(async () => {
  await service.close();
  rmSync(project, { recursive: true, force: true });
});

const STORY = `
import { generateKeyPair, importPrivateKey, Matchbook } from "@matchbook/sdk";

const { MATCHBOOK_BASE_URL: baseUrl, OPERATOR_URL, OPERATOR_TOKEN } = process.env;
const seen = [];

const keys = await generateKeyPair();
const application = {
  email: "payments@shop.example",
  domain: "shop.example",
  publicKey: keys.publicKey,
  description: "A shop that takes stablecoin deposits.",
};
const { merchantId, status } = await Matchbook.applications.create(application, { baseUrl, privateKey: keys.privateKey });
seen.push(status);

const client = new Matchbook({ baseUrl, merchantId, privateKey: await importPrivateKey(keys.privateKey) });
const address = "0x52908400098527886E0F7030069857D2E4169EE7";
const deposit = await client.sandbox.createDeposit({ embeddedWalletAddress: address, chainId: 8453 });
seen.push(deposit.status);
const campaign = await client.sandbox.createCampaign();
seen.push(campaign.status);

const submission = {
  merchantUserId: "user-1",
  wallets: [{ address, chain: { id: 8453 } }],
  amount: { amount: "500000000", currency: "USDC", decimalPlaces: 6 },
};
const preview = await client.participants.dryRun(campaign.id, submission);
seen.push(preview.amountMatched.amount);
const { created, participant } = await client.participants.submit(campaign.id, submission);
seen.push(created, participant.status, participant.amountMatched.amount);
seen.push((await client.participants.submit(campaign.id, submission)).created);

// The operator pays out; merchants have no part in that.
const operate = async (path, body) => {
  const response = await fetch(OPERATOR_URL + "/operator/v1" + path, {
    method: "POST",
    headers: { authorization: "Bearer " + OPERATOR_TOKEN, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
const payout = await operate("/participants/" + participant.id + "/payouts", {
  amount: participant.amountMatched,
  recipientAddress: address,
});
await operate("/payouts/" + payout.id + "/status", { status: "SUBMITTED", transactionHash: "0x" + "ab".repeat(32) });
await operate("/payouts/" + payout.id + "/status", { status: "CONFIRMED" });
const paid = await client.participants.get(campaign.id, { merchantUserId: "user-1" });
seen.push(paid.status, paid.payouts.length);

// Everything else a merchant can call.
const all = async (list) => {
  const items = [];
  for await (const item of list) items.push(item);
  return items.length;
};
seen.push(await all(client.campaigns.list({ limit: 1 })), (await client.campaigns.get(campaign.id)).id === campaign.id);
seen.push(await all(client.campaigns.qualifiedWallets.list(campaign.id)));
seen.push((await client.campaigns.qualifiedWallets.check(campaign.id, [address, "0x1"])).length);
seen.push(await all(client.participants.list(campaign.id, { status: "PAID" })));
seen.push(await all(client.deposits.list({ userId: deposit.userId })), await all(client.users.list()));
seen.push((await client.domains.add("pay.other.example")).added.length);
seen.push((await client.publicKey.get()).publicKey === keys.publicKey);
const error = await client.participants.get(campaign.id, { merchantUserId: "nobody" }).catch((refusal) => refusal);
seen.push(error.name, error.code, error.status, typeof error.requestId);

console.log(JSON.stringify(seen));
`;

const WEB_ONLY = `
// Node's own Request is made of Node's Buffer, so it is made before that is gone.
const request = new Request("https://shop.example/sign", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ amount: 1, chainId: 1, address: "0x1", token: "USDC" }),
});
for (const name of ["process", "Buffer", "setImmediate"]) delete globalThis[name];
const { createSigner, generateKeyPair, signHeader, verifyHeader, verifyPaymentLink } = await import("@matchbook/sdk");

const merchantId = crypto.randomUUID();
const keys = await generateKeyPair();
const header = await signHeader({ merchantId, privateKey: keys.privateKey });
const { status } = await verifyHeader(header, { merchantId, publicKey: keys.publicKey });
const signer = createSigner({
  merchantId,
  privateKey: keys.privateKey,
  chains: [1],
  tokens: ["USDC"],
  confirmDestination: () => true,
});
class PlainResponse {
  constructor(text) {
    this.text = text;
  }
}
globalThis.Response = PlainResponse;
const link = (await signer(request)).text;
const verdict = await verifyPaymentLink({ link, fetchPublicKey: async () => keys.publicKey });
console.log(status, verdict.ok);
`;

const TYPED = `
import { type Campaign, createSigner, type Deposit, explainHeader, Matchbook, MatchbookError } from "@matchbook/sdk";
import { expressSigner } from "@matchbook/sdk/express";
import { fastifySigner } from "@matchbook/sdk/fastify";

const client = new Matchbook({ baseUrl: "https://api.example.com", merchantId: "m", privateKey: "k" });
export async function check(signal: AbortSignal): Promise<string | null> {
  for await (const deposit of client.deposits.list({ status: "completed", limit: 100 }, { signal })) {
    const amount: string = deposit.amount.value;
    const whole: Deposit = deposit;
    console.log(amount, whole);
  }
  const campaigns: Campaign[] = (await client.campaigns.list().page()).items;
  const { created, participant } = await client.participants.submit("c", {
    merchantUserId: "u",
    wallets: [{ address: "0x1", chain: { id: 1 } }],
    amount: { amount: "1", currency: "USDC", decimalPlaces: 6 },
  });
  const flag: boolean = created;
  const status: "QUALIFIED" | "MATCHED" | "PAID" | "FAILED" = participant.status;
  const explanation = await explainHeader("x", { publicKey: "k" });
  try {
    // @ts-expect-error: no such status
    client.deposits.list({ status: "settled" });
    // @ts-expect-error: amounts are USDC
    await client.participants.submit("c", { merchantUserId: "u", wallets: [], amount: { amount: "1", currency: "DAI", decimalPlaces: 6 } });
    // @ts-expect-error: one key, not both
    await client.participants.get("c", { id: "i", merchantUserId: "u" });
    // @ts-expect-error: a signer without a check of the destination
    createSigner({ merchantId: "m", privateKey: "k", chains: [1], tokens: ["USDC"] });
  } catch (error) {
    if (error instanceof MatchbookError) return error.requestId;
  }
  console.log(campaigns, flag, status);
  return explanation.ok ? null : explanation.fix;
}

const options = { merchantId: "m", privateKey: "k", chains: [1], tokens: ["USDC"] };
export const handler: (request: Request) => Promise<Response> = createSigner({
  ...options,
  confirmDestination: (request, { address }) => request.headers.get("cookie") === address,
});
export const express = expressSigner({ ...options, confirmDestination: (request) => request.headers.cookie === "ann" });
export const fastify = fastifySigner({ ...options, confirmDestination: async (request) => request.method === "POST" });
`;

describe("the packed package", () => {
  test("has no dependencies and brings only what it needs", () => {
    const installed = join(project, "node_modules");
    expect(readdirSync(installed).filter((name) => !name.startsWith("."))).toEqual(["@matchbook"]);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, "@matchbook/sdk/package.json"), "utf8"),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    const files = readdirSync(join(installed, "@matchbook/sdk"), { recursive: true }).map(String);
    expect(files).toContain("README.md");
    expect(files.filter((name) => /test|(^|[/.])env|\.pem$|(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test("leads from a key pair to a paid participant, from JavaScript", async () => {
    writeFileSync(join(project, "story.js"), STORY);
    const environment = { MATCHBOOK_BASE_URL: service.publicUrl, OPERATOR_URL: service.operatorUrl, OPERATOR_TOKEN };
    const { stdout } = await run(process.execPath, ["story.js"], {
      cwd: project,
      env: { ...process.env, ...environment },
    });
    expect(JSON.parse(stdout)).toEqual([
      ...["ACTIVE", "completed", "ACTIVE", "1000000000"],
      ...[true, "MATCHED", "1000000000", false],
      ...["PAID", 1],
      ...[1, true, 1, 1, 1, 1, 1, 1, true],
      ...["MatchbookError", "PARTICIPANT_NOT_FOUND", 404, "string"],
    ]);
  });

  test("works where there is nothing of Node's, only the web's interfaces", async () => {
    writeFileSync(join(project, "web.js"), WEB_ONLY);
    expect((await run(process.execPath, ["web.js"], { cwd: project })).stdout).toBe("200 true\n");
  });

  test("its README's first program does what it says", async () => {
    const page = readFileSync(join(project, "node_modules/@matchbook/sdk/README.md"), "utf8");
    writeFileSync(join(project, "readme.js"), /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? "");
    const env = { ...process.env, MATCHBOOK_BASE_URL: service.publicUrl };
    const { stdout } = await run(process.execPath, ["readme.js"], { cwd: project, env });
    expect(stdout).toBe("MATCHED 1000000000\n");
  });

  test.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])(
    "is type-checked from TypeScript with module resolution %s",
    async (resolution, module) => {
      writeFileSync(join(project, "typed.ts"), TYPED);
      const settings = { target: "es2023", lib: "es2023,dom", module, moduleResolution: resolution };
      const flags = ["--strict", "--noEmit", "--exactOptionalPropertyTypes"];
      const values = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
      const compiled = run(process.execPath, [compiler, ...flags, ...values, "typed.ts"], { cwd: project });
      expect((await compiled.catch((error: { stdout: string }) => error)).stdout).toBe("");
    },
    90_000,
  );
});
