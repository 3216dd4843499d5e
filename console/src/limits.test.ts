import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "./limits.ts";

// The console never imports the server, so its source is read as a text.
const server = readFileSync(new URL("../../server/src/limits.ts", import.meta.url), "utf8");

test.each(Object.entries(limits))("%s is the server's number of the same name", (name, value) => {
  const [, written] = new RegExp(`^export const ${name} = ([0-9_]+);$`, "m").exec(server) ?? [];
  expect(Number(written?.replaceAll("_", ""))).toBe(value);
});
