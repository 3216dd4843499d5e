// Writes a workspace's types of its contract, or with --print shows what it would write: node contract/types.mjs sdk

import { readFileSync, writeFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

const TYPES = {
  // The sandbox serves everything that production serves, and the test helpers besides.
  sdk: { contract: "sandbox-openapi.json", target: "../sdk/src/contract.generated.ts" },
  console: { contract: "operator-openapi.json", target: "../console/src/api/contract.generated.ts" },
};

const workspace = process.argv[2];
const { contract, target } = TYPES[workspace];
const document = JSON.parse(readFileSync(new URL(contract, import.meta.url), "utf8"));
const syntax = await openapiTypescript(document, { alphabetize: true });
const text = `// Made by \`npm run types -w ${workspace}\` from the contract; do not edit.\n\n${astToString(syntax)}`;
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(new URL(target, import.meta.url), text);
