import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const script = fileURLToPath(new URL("contract/types.mjs", root));

test.each([
  ["sdk", "sdk/src/contract.generated.ts"],
  ["console", "console/src/api/contract.generated.ts"],
])("the types of the %s are those of the contract (npm run generate makes them)", (workspace, path) => {
  const options = { encoding: "utf8", maxBuffer: 16 * 1024 * 1024 } as const;
  const made = execFileSync(process.execPath, [script, workspace, "--print"], options);
  expect(readFileSync(new URL(path, root), "utf8")).toBe(made);
});
