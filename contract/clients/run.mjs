// Generates clients from the contract with three generators and makes live, signed calls with each:
//   npm run contract:clients [typescript] [python] [go]
// It starts a sandbox of its own on a port that is free, and stops it. README.md says what must be installed.

import { execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PYTHON_CLIENT = "openapi-python-client==0.29.1";
const GO_CLIENT = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.1";
const WANTED = { status: "MATCHED", matched: "1000000000", listed: true, error: "CAMPAIGN_NOT_FOUND" };

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const contractOf = (name) => join(here, "..", name);
// Below the repository, so that the TypeScript client finds openapi-fetch.
const out = join(here, "out");

const clients = {
  typescript: {
    needs: [],
    generate(folder) {
      for (const [document, target] of DOCUMENTS) {
        run("npx", ["openapi-typescript", contractOf(document), "--output", join(folder, `${target}.ts`)]);
      }
      const options = ["--strict", "--target", "es2023", "--module", "nodenext", "--rewriteRelativeImportExtensions"];
      run("npx", [
        "tsc",
        ...options,
        "--skipLibCheck",
        "--types",
        "node",
        join(folder, "main.ts"),
        join(folder, "matchbook_operator.ts"),
      ]);
      return `${countOf(join(folder, "matchbook.ts"), /^ {8}\w+: \{?/gm)} types and operations`;
    },
    call: (folder) => [process.execPath, [join(folder, "main.js")]],
  },
  python: {
    needs: [["python3", ["--version"]]],
    generate(folder) {
      const bin = join(folder, "venv/bin");
      run("python3", ["-m", "venv", join(folder, "venv")]);
      run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", PYTHON_CLIENT, "cryptography"]);
      for (const [document, target] of DOCUMENTS) {
        const output = ["--output-path", join(folder, target), "--meta", "none", "--overwrite"];
        run(join(bin, "openapi-python-client"), ["generate", "--path", contractOf(document), ...output]);
        run(join(bin, "python"), [
          "-c",
          `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); import ${target}.models`,
        ]);
      }
      return DOCUMENTS.map(([, target]) => {
        const models = readdirSync(join(folder, target, "models")).filter((name) => !name.startsWith("__"));
        return `${target}: ${models.length} models, of errors ${models.filter((name) => /error/.test(name)).length}`;
      }).join("; ");
    },
    call: (folder) => [join(folder, "venv/bin/python"), [join(folder, "main.py")]],
  },
  go: {
    needs: [["go", ["version"]]],
    generate(folder) {
      writeFileSync(join(folder, "go.mod"), "module matchbook.example/client\n\ngo 1.24\n");
      for (const [document, target] of DOCUMENTS) {
        mkdirSync(join(folder, target));
        const options = ["-generate", "types,client", "-package", target, "-o", join(folder, target, "client.go")];
        run("go", ["run", GO_CLIENT, ...options, contractOf(document)]);
      }
      run("go", ["mod", "tidy"], folder);
      run("go", ["vet", "./..."], folder);
      run("go", ["build", "-o", join(folder, "client"), "."], folder);
      return `${countOf(join(folder, "matchbook/client.go"), /^type \w+ struct/gm)} structs`;
    },
    call: (folder) => [join(folder, "client"), []],
  },
};

// The merchant API is called. Of the operator API the client is generated and compiled.
const DOCUMENTS = [
  ["sandbox-openapi.json", "matchbook"],
  ["operator-openapi.json", "matchbook_operator"],
];

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(clients);
const failures = [];
rmSync(out, { recursive: true, force: true });
const sandbox = await startSandbox();
try {
  const merchant = await registerMerchant(sandbox.url);
  for (const name of chosen) {
    try {
      await tryClient(name, merchant);
    } catch (error) {
      failures.push(name);
      console.log(`${name}: FAILED\n${error.stderr || error.stdout || error.message}`);
    }
  }
} finally {
  await sandbox.stop();
}
process.exitCode = failures.length === 0 ? 0 : 1;

async function tryClient(name, { id, keyFile, url }) {
  const client = clients[name];
  if (client === undefined) throw new Error(`There is no client ${name}. Known: ${Object.keys(clients).join(", ")}.`);
  const missing = client.needs.filter(([command, args]) => !works(command, args)).map(([command]) => command);
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(", ")}. See contract/clients/README.md.`);
  const folder = join(out, name);
  cpSync(join(here, name), folder, { recursive: true });
  console.log(`${name}: generated, ${client.generate(folder)}`);
  const [command, args] = client.call(folder);
  const env = { ...process.env, MATCHBOOK_BASE_URL: url, MATCHBOOK_MERCHANT_ID: id, MATCHBOOK_KEY_FILE: keyFile };
  const answer = JSON.parse(execFileSync(command, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
  for (const [field, wanted] of Object.entries(WANTED)) {
    if (answer[field] !== wanted) throw new Error(`${field} is ${answer[field]} instead of ${wanted}.`);
  }
  console.log(`${name}: called, ${JSON.stringify(answer)}`);
}

function run(command, args, cwd = root) {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function works(command, args) {
  try {
    run(command, args);
    return true;
  } catch {
    return false;
  }
}

function countOf(file, pattern) {
  return existsSync(file) ? [...readFileSync(file, "utf8").matchAll(pattern)].length : 0;
}

async function startSandbox() {
  const dataDir = mkdtempSync(join(tmpdir(), "matchbook-clients-"));
  const env = {
    PATH: process.env.PATH,
    ENVIRONMENTS: "sandbox",
    SANDBOX_PORT: "0",
    SANDBOX_OPERATOR_PORT: "0",
    MATCHBOOK_DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
  };
  const child = spawn(process.execPath, [join(root, "server/bin/matchbook-server.js"), "start"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      if (printed.includes(" is ready ")) resolve(/http:\/\/[0-9.]+:[0-9]+/.exec(printed)?.[0]);
    });
    exited.then((code) => reject(new Error(`The sandbox exited with ${code}.\n${printed}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Applies as a stranger would. The sandbox approves immediately. */
async function registerMerchant(url) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const response = await fetch(`${url}/v1/merchants/applications`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      email: "payments@shop.example",
      domain: "shop.example",
      publicKey: publicKey.export({ type: "spki", format: "pem" }),
      description: "A shop that tries generated clients.",
    }),
  });
  const { merchantId } = await response.json();
  mkdirSync(out, { recursive: true });
  const keyFile = join(out, "private.pem");
  writeFileSync(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return { id: merchantId, keyFile, url };
}
