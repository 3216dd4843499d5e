import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_TOKEN, type Service, startService } from "../../server/test/harness/service.ts";

// The package as its users get it: packed, installed into an empty project, and imported by its name.

const run = promisify(execFile);
const sdk = fileURLToPath(new URL("../", import.meta.url));
const modules = fileURLToPath(new URL("../../node_modules/", import.meta.url));

let service: Service;
let workshop: string;
let project: string;
let tarball: string;
let installed: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "matchbook-package-"));
  workshop = mkdtempSync(join(tmpdir(), "matchbook-workshop-"));
  service = await startService({ environment: "sandbox" });
  writeFileSync(join(project, "package.json"), '{ "name": "shop", "private": true, "type": "module" }');
  await run("npm", ["pack", "--silent", "--pack-destination", project], { cwd: copySources() });
  tarball = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
  installed = join(project, "node_modules/@matchbook/sdk");
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${tarball}`], { cwd: project });
}, 120_000);

/** Packing starts with a new build. That happens in a copy, because other tests run what is built here. */
function copySources(): string {
  const copy = join(workshop, "sdk");
  cpSync(join(sdk, "../tsconfig.base.json"), join(workshop, "tsconfig.base.json"));
  const isSource = (path: string) => !/^(dist|test|node_modules)(\/|$)/.test(relative(sdk, path));
  cpSync(sdk, copy, { recursive: true, filter: isSource });
  for (const folder of ["dist/cli", "cjs"]) {
    mkdirSync(join(copy, folder), { recursive: true });
    writeFileSync(join(copy, folder, "left-over.js"), "");
  }
  mkdirSync(join(workshop, "node_modules/@matchbook"), { recursive: true });
  symlinkSync(copy, join(workshop, "node_modules/@matchbook/sdk"));
  for (const name of [".bin", "@types", "typescript"]) {
    symlinkSync(join(modules, name), join(workshop, "node_modules", name));
  }
  return copy;
}

afterAll(async () => {
  await service.close();
  rmSync(workshop, { recursive: true, force: true });
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
    headers: {
      authorization: "Bearer " + OPERATOR_TOKEN,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
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
seen.push(await all(client.users.wallets.list(deposit.userId)));
seen.push(await all(client.participants.wallets.list(campaign.id, participant.id)));
seen.push((await client.domains.add("pay.other.example")).added.length);
seen.push((await client.publicKey.get()).publicKey === keys.publicKey);
const error = await client.participants.get(campaign.id, { merchantUserId: "unknown" }).catch((refusal) => refusal);
seen.push(error.name, error.code, error.status, typeof error.requestId);

console.log(JSON.stringify(seen));
`;

const STORY_OUTCOME = [
  ...["ACTIVE", "completed", "ACTIVE", "1000000000"],
  ...[true, "MATCHED", "1000000000", false],
  ...["PAID", 1],
  ...[1, true, 1, 1, 1, 1, 1, 1, 1, 1, true],
  ...["MatchbookError", "PARTICIPANT_NOT_FOUND", 404, "string"],
];

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

/** Uses nothing but the package and the language, so that it compiles with any library of types. */
const TYPED = `
import {
  type Campaign, createSigner, type Deposit, explainHeader, importPrivateKey, Matchbook, MatchbookError, signHeader,
} from "@matchbook/sdk";
import { expressSigner } from "@matchbook/sdk/express";
import { fastifySigner } from "@matchbook/sdk/fastify";

const client = new Matchbook({ baseUrl: "https://api.example.com", merchantId: "m", privateKey: "k" });
export async function check(): Promise<string | null> {
  const seen: unknown[] = [];
  for await (const deposit of client.deposits.list({ status: "completed", limit: 100 })) {
    const amount: string = deposit.amount.value;
    const whole: Deposit = deposit;
    seen.push(amount, whole);
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
  seen.push(campaigns, flag, status);
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
  return explanation.ok ? null : explanation.fix;
}

export async function keys(sign: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<unknown[]> {
  const key = await importPrivateKey("k");
  const connection = { baseUrl: "https://api.example.com", merchantId: "m" };
  // @ts-expect-error: a number is no key
  new Matchbook({ ...connection, privateKey: 42 });
  // @ts-expect-error: an object is no key
  await signHeader({ merchantId: "m", privateKey: {} });
  // @ts-expect-error: a key is needed
  new Matchbook(connection);
  // @ts-expect-error: a key or a callback, not both
  new Matchbook({ ...connection, privateKey: "k", sign });
  // @ts-expect-error: no such option
  new Matchbook({ ...connection, privateKey: "k", timeout: 1 });
  // @ts-expect-error: a text is no signature
  new Matchbook({ ...connection, sign: async () => "MEUCIQ==" });
  return [new Matchbook({ ...connection, privateKey: key }), new Matchbook({ ...connection, sign })];
}

const options = { merchantId: "m", privateKey: "k", chains: [1], tokens: ["USDC"] };
export const express = expressSigner({ ...options, confirmDestination: (request) => request.headers.cookie === "ann" });
export const fastify = fastifySigner({ ...options, confirmDestination: async (request) => request.method === "POST" });
export const byMethod = createSigner({
  ...options,
  confirmDestination: (request, { address, reference, metadata }) =>
    request.headers.get("cookie") === address && reference === "r" && metadata?.cart === "7",
});
`;

/** Compiles where the web's interfaces have types: with the DOM library or with Node's types. */
const TYPED_WEB = `
import { createSigner, importPrivateKey, Matchbook, type MatchbookOptions } from "@matchbook/sdk";

const options = { merchantId: "m", privateKey: "k", chains: [1], tokens: ["USDC"] };
export const handler: (request: Request) => Promise<Response> = createSigner({
  ...options,
  confirmDestination: (request: Request, { address }) => request.headers.get("cookie") === address,
});
export const own: MatchbookOptions["fetch"] = async (input, init) => fetch(input, init);
export async function call(signal: AbortSignal): Promise<void> {
  const client = new Matchbook({ baseUrl: "https://x.example", merchantId: "m", privateKey: "k", fetch: globalThis.fetch });
  await client.domains.add("a.example", { signal });
  const key = await importPrivateKey("k");
  await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, new Uint8Array());
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
  new Matchbook({ baseUrl: "https://x.example", merchantId: "m", privateKey: pair.privateKey });
}
`;

const parsedFiles = new Map<string, ts.SourceFile | undefined>();

/** The errors of a user's project and of the package's declarations in it: `skipLibCheck` is off. */
function compile(
  sources: Record<string, string>,
  settings: ts.CompilerOptions,
  target: ts.CompilerOptions = { target: ts.ScriptTarget.ES2023 },
): string[] {
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(project, name), text);
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    ...{ ...target, typeRoots: [join(modules, "@types")], ...settings },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  // The libraries of the language and of Node are the same for all programs, and are read once.
  host.getSourceFile = (name, target, ...rest) => {
    if (name.startsWith(project)) return getSourceFile(name, target, ...rest);
    const key = `${name} ${typeof target === "object" ? target.impliedNodeFormat : ""}`;
    if (!parsedFiles.has(key)) parsedFiles.set(key, getSourceFile(name, target, ...rest));
    return parsedFiles.get(key);
  };
  const program = ts.createProgram(
    Object.keys(sources).map((name) => join(project, name)),
    options,
    host,
  );
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(project));
  // TypeScript before 5.7 does not know this type's parameter.
  const tooNew = own.filter(({ isDeclarationFile, text }) => isDeclarationFile && text.includes("Uint8Array<"));
  expect(tooNew.map(({ fileName }) => fileName)).toEqual([]);
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ].map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

describe("the packed package", () => {
  test("has no dependencies and contains only what it needs", () => {
    const packages = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."));
    expect(packages).toEqual(["@matchbook"]);
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    const files = readdirSync(installed, { recursive: true }).map(String);
    expect(files).toContain("README.md");
    expect(files.filter((name) => /test|(^|[/.])env|\.pem$|tsbuildinfo|(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test("contains nothing that an earlier build left", () => {
    const files = readdirSync(installed, { recursive: true }).map(String);
    expect(files).toEqual(expect.arrayContaining(["dist/index.js", "dist/cli/main.js", "cjs/index.js"]));
    expect(JSON.parse(readFileSync(join(installed, "cjs/package.json"), "utf8"))).toEqual({ type: "commonjs" });
    expect(files.filter((name) => name.includes("left-over"))).toEqual([]);
  });

  test("runs the whole story, from a key pair to a paid participant", async () => {
    writeFileSync(join(project, "story.js"), STORY);
    const environment = { MATCHBOOK_BASE_URL: service.publicUrl, OPERATOR_URL: service.operatorUrl, OPERATOR_TOKEN };
    const { stdout } = await run(process.execPath, ["story.js"], {
      cwd: project,
      env: { ...process.env, ...environment },
    });
    expect(JSON.parse(stdout)).toEqual(STORY_OUTCOME);
  });

  test("works with only the web's interfaces, without Node's", async () => {
    writeFileSync(join(project, "web.js"), WEB_ONLY);
    expect((await run(process.execPath, ["web.js"], { cwd: project })).stdout).toBe("200 true\n");
  });

  test("its README's first program does what it says", async () => {
    const page = readFileSync(join(installed, "README.md"), "utf8");
    writeFileSync(join(project, "readme.js"), /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? "");
    const env = { ...process.env, MATCHBOOK_BASE_URL: service.publicUrl };
    const { stdout } = await run(process.execPath, ["readme.js"], { cwd: project, env });
    expect(stdout).toBe("MATCHED 1000000000\n");
  });

  test("runs the whole story from CommonJS, with require", async () => {
    const [, body = ""] = /^import .*?;$(.*)/ms.exec(STORY) ?? [];
    const start = 'const { generateKeyPair, importPrivateKey, Matchbook } = require("@matchbook/sdk");';
    writeFileSync(join(project, "story.cjs"), `${start}\n(async () => {${body}})();`);
    const environment = { MATCHBOOK_BASE_URL: service.publicUrl, OPERATOR_URL: service.operatorUrl, OPERATOR_TOKEN };
    // Newer versions of Node can require ESM. The flag makes sure that CommonJS is what they get.
    const flags = process.allowedNodeEnvironmentFlags.has("--experimental-require-module")
      ? ["--no-experimental-require-module"]
      : [];
    const env = { ...process.env, ...environment };
    const { stdout } = await run(process.execPath, [...flags, "story.cjs"], { cwd: project, env });
    expect(JSON.parse(stdout)).toEqual(STORY_OUTCOME);
  });

  test("an error is an instance of its class, whichever copy of the package made it", async () => {
    const program = `
      const common = require("@matchbook/sdk");
      require("@matchbook/sdk/express").expressSigner.name;
      require("@matchbook/sdk/fastify").fastifySigner.name;
      import("@matchbook/sdk").then(async (esm) => {
        class Own extends esm.MatchbookError {}
        const details = { code: "X", message: "" };
        const error = new common.MatchbookError(details);
        const key = await common.importPrivateKey("x").catch((problem) => problem);
        console.log(common.MatchbookError === esm.MatchbookError, error instanceof esm.MatchbookError,
          error instanceof Error, error instanceof Own, new Own(details) instanceof common.MatchbookError,
          new Own(details) instanceof Own, new Error() instanceof esm.MatchbookError, null instanceof esm.MatchbookError,
          key instanceof esm.KeyError, key instanceof esm.MatchbookError);
      });`;
    writeFileSync(join(project, "both.cjs"), program);
    const { stdout } = await run(process.execPath, ["both.cjs"], { cwd: project });
    expect(stdout).toBe("false true true false true true false false true false\n");
  });

  const NODE = { lib: ["lib.es2023.d.ts"], types: ["node"] };
  const { CommonJS, ESNext, Node16, NodeNext } = ts.ModuleKind;
  const { Node10, Bundler } = ts.ModuleResolutionKind;
  test.each<[string, string, ts.CompilerOptions]>([
    ["node10", "ts", { module: CommonJS, moduleResolution: Node10 }],
    ["node16, from CommonJS", "cts", { module: Node16 }],
    ["node16, from ESM", "mts", { module: Node16 }],
    ["nodenext, from CommonJS", "cts", { module: NodeNext }],
    ["nodenext, from ESM", "mts", { module: NodeNext }],
    ["bundler", "ts", { module: ESNext, moduleResolution: Bundler }],
  ])(
    "compiles with the module resolution %s, without the DOM library",
    (_name, extension, settings) => {
      const sources = { [`typed.${extension}`]: TYPED, [`web.${extension}`]: TYPED_WEB };
      expect(compile(sources, { ...NODE, ...settings })).toEqual([]);
    },
    90_000,
  );

  test("compiles for the compiler's default target, which is ES5", () => {
    const settings = { ...NODE, module: CommonJS, moduleResolution: Node10 };
    expect(compile({ "typed.ts": TYPED, "web.ts": TYPED_WEB }, settings, {})).toEqual([]);
  }, 90_000);

  const DOM = ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"];
  test.each<[string, boolean, ts.CompilerOptions]>([
    ["the DOM library alone", true, { lib: DOM, types: [] }],
    ["the DOM library and Node's types", true, { lib: DOM, types: ["node"] }],
    ["neither the DOM library nor Node's types", false, { lib: ["lib.es2023.d.ts"], types: [] }],
  ])(
    "compiles with %s",
    (_name, isWeb, settings) => {
      const sources = { "typed.mts": TYPED, ...(isWeb ? { "web.mts": TYPED_WEB } : {}) };
      expect(compile(sources, { module: NodeNext, ...settings })).toEqual([]);
    },
    90_000,
  );

  test("passes attw and publint", async () => {
    const tool = (name: string, ...flags: string[]) =>
      run(join(modules, ".bin", name), [join(project, tarball), ...flags], { cwd: project }).catch(
        ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout: stdout + stderr }),
      );
    expect((await tool("attw", "--no-color", "--no-emoji")).stdout).toContain("No problems found");
    expect((await tool("publint", "--strict")).stdout).toContain("All good!");
  }, 90_000);

  test("contains the license, and names its repository", () => {
    const read = (path: string) => readFileSync(path, "utf8");
    expect(read(join(installed, "LICENSE"))).toBe(read(fileURLToPath(new URL("../../LICENSE", import.meta.url))));
    const { license, repository, homepage, bugs } = JSON.parse(read(join(installed, "package.json")));
    const address = repository.url.replace(/^git\+|\.git$/g, "");
    expect([license, repository.directory]).toEqual(["Apache-2.0", "sdk"]);
    expect(homepage).toBe(`${address}/tree/main/sdk#readme`);
    expect(bugs.url).toBe(`${address}/issues`);
  });

  test("its README's links lead to files of the repository, also from outside of it", () => {
    const read = (path: string) => readFileSync(join(installed, path), "utf8");
    const files = `${JSON.parse(read("package.json")).repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;
    const links = [...read("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links.filter((target) => !target.startsWith("#"))) {
      expect(link.startsWith(files), link).toBe(true);
      const [path = "", heading] = link.slice(files.length).split("#");
      const page = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
      const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replace(/[^\w -]/g, "")
          .replaceAll(" ", "-"),
      );
      if (heading !== undefined) expect(headings, link).toContain(heading);
    }
  });
});
