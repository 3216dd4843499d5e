// Writes the types of the contract, or with --print shows what it would write.

import { readFileSync, writeFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

// The sandbox serves everything that production serves, and the test helpers besides.
const contract = new URL("../../contract/sandbox-openapi.json", import.meta.url);
const target = new URL("../src/contract.generated.ts", import.meta.url);

const syntax = await openapiTypescript(JSON.parse(readFileSync(contract, "utf8")), { alphabetize: true });
const text = `// Made by \`npm run types -w sdk\` from the contract; do not edit.\n\n${astToString(syntax)}`;
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(target, text);
