// Writes the types of the contract, or with --print shows what it would write.

import { readFileSync, writeFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

// Both environments serve the same operator interface.
const contract = new URL("../../contract/operator-openapi.json", import.meta.url);
const target = new URL("../src/api/contract.generated.ts", import.meta.url);

const syntax = await openapiTypescript(JSON.parse(readFileSync(contract, "utf8")), { alphabetize: true });
const text = `// Made by \`npm run types -w console\` from the contract; do not edit.\n\n${astToString(syntax)}`;
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(target, text);
