import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyHeader } from "../../../sdk/src/index.ts";
import { errors } from "../../src/http/errors.ts";

// The page's programs are run as printed against a server that authenticates them and answers an empty page. The verdict is
// the SDK's, which the vectors hold to the service's.

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(root, "docs/authentication.md"), "utf8");

const merchantId = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }) as string;

/** The program under a heading. */
function program(heading: string, language: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const block = section?.match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms"))?.[1];
  if (block === undefined) throw new Error(`docs/authentication.md has no ${language} program under "${heading}".`);
  return block;
}

const withSdk = program("TypeScript, with the SDK", "ts");
const withoutSdk = program("TypeScript, without the SDK", "ts");
const shell = program("Shell, with openssl and curl", "sh");

function toJavaScript(source: string): string {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  return outputText;
}

let folder: string;
let server: Server;
let environment: Record<string, string>;
let callers: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "matchbook-documentation-"));
  writeFileSync(join(folder, "merchant.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), {
    mode: 0o600,
  });

  // The SDK as an installed package, so that the page's import is the consumer's import.
  const installed = join(folder, "node_modules/@matchbook/sdk");
  mkdirSync(join(installed, "dist"), { recursive: true });
  copyFileSync(join(root, "sdk/package.json"), join(installed, "package.json"));
  for (const name of readdirSync(join(root, "sdk/src")).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  )) {
    const source = readFileSync(join(root, "sdk/src", name), "utf8");
    writeFileSync(join(installed, "dist", name.replace(/\.ts$/, ".js")), toJavaScript(source));
  }

  callers = [];
  server = createServer(async (request, response) => {
    const { method = "", url: path = "" } = request;
    const header = request.headers["x-merchant-authorization"];
    const known = { merchantId, publicKey: publicKeyPem, request: { environment: "sandbox", method, path } } as const;
    const { status, message } = await verifyHeader(header, known);
    const { status: boundStatus } = await verifyHeader(header, { ...known, requireBoundSignatures: true });
    callers.push(`${method} ${path} ${boundStatus === 200 ? "bound" : "unbound"}`);
    response.statusCode = status;
    response.setHeader("content-type", "application/json");
    response.end(status === 200 ? '{"items":[],"nextCursor":null}' : JSON.stringify({ error: message }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  environment = {
    PATH: process.env.PATH ?? "",
    MATCHBOOK_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    MATCHBOOK_ENVIRONMENT: "sandbox",
    MATCHBOOK_MERCHANT_ID: merchantId,
    MATCHBOOK_KEY_FILE: join(folder, "merchant.pem"),
  };
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program that is expected to make one call with a bound header and one with an unbound. */
async function expectCalls(command: string, ...commandArguments: string[]): Promise<string> {
  callers.length = 0;
  const { stdout, stderr } = await run(command, commandArguments, { cwd: folder, env: environment });
  const expected = ["GET /v1/marketings/campaigns?limit=5 bound", "GET /v1/marketings/campaigns unbound"];
  expect(callers, `${stdout}${stderr}`).toEqual(expected);
  expect(stdout, stdout).not.toContain("error");
  return stdout;
}

describe("docs/authentication.md", () => {
  test("the TypeScript program with the SDK runs", async () => {
    writeFileSync(join(folder, "with-sdk.mjs"), toJavaScript(withSdk));
    expect(await expectCalls(process.execPath, "with-sdk.mjs")).toContain("200");
  });

  test("the TypeScript program without the SDK runs", async () => {
    writeFileSync(join(folder, "without-sdk.mjs"), toJavaScript(withoutSdk));
    expect(await expectCalls(process.execPath, "without-sdk.mjs")).toContain("200");
  });

  test("the TypeScript programs have no type errors", () => {
    const sources: Record<string, string> = {
      [join(root, "with-sdk.ts")]: withSdk,
      [join(root, "without-sdk.ts")]: withoutSdk,
    };
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      moduleDetection: ts.ModuleDetectionKind.Force,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      paths: { "@matchbook/sdk": [join(root, "sdk/src/index.ts")] },
    };
    const host = ts.createCompilerHost(options);
    const { fileExists, getSourceFile } = host;
    host.fileExists = (name) => name in sources || fileExists(name);
    host.getSourceFile = (name, ...rest) => {
      const source = sources[name];
      return source === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, source, rest[0]);
    };
    const found = ts.getPreEmitDiagnostics(ts.createProgram(Object.keys(sources), options, host));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });

  test.each(["sh", "bash"])("the shell program runs in %s", async (interpreter) => {
    for (const command of ["openssl", "curl", interpreter]) {
      await run("sh", ["-c", `command -v ${command}`]).catch((cause) => {
        throw new Error(`This test needs the ${command} command: install it.`, { cause });
      });
    }
    writeFileSync(join(folder, "campaigns.sh"), shell);
    expect(await expectCalls(interpreter, "campaigns.sh")).toContain('"items":[]');
  });

  test("explains every refusal, with its status, in the order of precedence", () => {
    const rows = [...page.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \|/gm)].map(([, status, code]) => [
      Number(status),
      code,
    ]);
    const codes = [
      "MERCHANT_AUTHORIZATION_MISSING",
      "VALIDATION_ERROR",
      "MERCHANT_NOT_REGISTERED",
      "MERCHANT_NOT_ACTIVE",
      "MERCHANT_AUTHORIZATION_EXPIRED",
      "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
      "MERCHANT_SIGNATURE_INVALID",
    ] as const;
    expect(rows).toEqual(codes.map((code) => [errors[code][0], code]));
  });
});
