import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = new URL("../src/", import.meta.url);

test("the types are those of the contract (npm run types -w sdk makes them anew)", () => {
  const script = fileURLToPath(new URL("../scripts/generate-types.mjs", import.meta.url));
  const made = execFileSync(process.execPath, [script, "--print"], { encoding: "utf8" });
  expect(made).toBe(readFileSync(new URL("contract.generated.ts", source), "utf8"));
});
