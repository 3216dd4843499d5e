import { readFileSync, writeFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

// The sandbox serves everything that production serves and the test helpers besides.
const contract = new URL("../../contract/sandbox-openapi.json", import.meta.url);
const target = new URL("../src/contract.generated.ts", import.meta.url);

/** @returns {Promise<string>} */
export async function generateTypes() {
  const syntax = await openapiTypescript(JSON.parse(readFileSync(contract, "utf8")), { alphabetize: true });
  return `// Made by \`npm run types -w sdk\` from the contract; do not edit.\n\n${astToString(syntax)}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(target, await generateTypes());
