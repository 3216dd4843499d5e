// Writes chains.generated.ts from viem's registry: `node packages/addresses/scripts/generate-chains.mjs`, after every
// update of viem. The table is committed because importing the registry itself takes half a second of every process's start.
import { writeFileSync } from "node:fs";
import * as registry from "viem/chains";

// Several entries may share one id: aliases, chains under their former name, and local development networks that took an
// id which a public chain uses too. A chain that is not marked as a testnet wins; among equals the first export in
// alphabetical order does, which is what a module namespace iterates in.
const chosen = new Map();
for (const chain of Object.values(registry)) {
  const rival = chosen.get(chain.id);
  if (rival === undefined || (rival.testnet === true && chain.testnet !== true)) chosen.set(chain.id, chain);
}

const rows = [...chosen.values()]
  .sort((one, other) => one.id - other.id)
  .map(({ id, name }) => `  [${id}, ${JSON.stringify(name)}],\n`);

const table = `// Generated from viem's chain registry by scripts/generate-chains.mjs. Do not edit.
export const evmChainNames: readonly (readonly [id: number, name: string])[] = [
${rows.join("")}];
`;
writeFileSync(new URL("../src/chains.generated.ts", import.meta.url), table);
