import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const codesIn = (text: string) => [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code = ""]) => code);

describe.each(["docs/integration.md", "sdk/README.md", "examples/README.md"])("%s", (path) => {
  test("names only error codes that exist", () => {
    const known = [...codesIn(read("docs/errors.md")), ...read("sdk/src/errors.ts").matchAll(/"([A-Z_]+)"/g)].map(
      String,
    );
    const variables = ["MATCHBOOK_URL", "MERCHANT_ID", "MERCHANT_KEY_FILE"];
    const unknown = codesIn(read(path)).filter(
      (code) => !variables.includes(code) && !known.some((entry) => entry.includes(code)),
    );
    expect(unknown).toEqual([]);
  });

  test("leads only to files that are there", () => {
    const links = [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(new URL(link, new URL(path, root))))).toEqual([]);
  });
});
