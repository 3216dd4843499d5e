import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const codesIn = (text: string) => [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code = ""]) => code);

/** The variables of the command line. Examples and documentation have no others. */
const VARIABLES = [...read("sdk/cli/settings.ts").matchAll(/\bMATCHBOOK_[A-Z_]+/g)].map(([name]) => name);

describe.each(["docs/integration.md", "sdk/README.md", "examples/README.md"])("%s", (path) => {
  test("names only error codes that exist", () => {
    const known = [...codesIn(read("docs/errors.md")), ...read("sdk/src/errors.ts").matchAll(/"([A-Z_]+)"/g)].map(
      String,
    );
    const local = [...read("sdk/cli/explain-error.ts").matchAll(/code: .*?"([A-Z_]+)"/g)].map(([, code]) => code);
    const unknown = codesIn(read(path)).filter(
      (code) => !VARIABLES.includes(code) && !local.includes(code) && !known.some((entry) => entry.includes(code)),
    );
    expect(unknown).toEqual([]);
  });

  test("leads only to files that are there", () => {
    const links = [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(new URL(link, new URL(path, root))))).toEqual([]);
  });
});

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: fileURLToPath(root), encoding: "utf8" })
  .split("\0")
  .filter((path) => path !== "" && statSync(new URL(path, root), { throwIfNoEntry: false })?.isFile());

test("no file has a command that would run another package called matchbook", () => {
  expect(tracked.length).toBeGreaterThan(300);
  // npx and npm exec take the name of a package. Ours have the scope @matchbook.
  const foreign = /\b(npx|npm exec|npm x)( -\S+)* matchbook/;
  expect(tracked.filter((path) => foreign.test(read(path)))).toEqual([]);
});

test("the examples and snippets read the variables of the command line, and no others", () => {
  const places = tracked.filter((path) =>
    /^(examples\/|sdk\/README|docs\/(authentication|integration|quickstart))/.test(path),
  );
  expect(places.length).toBeGreaterThan(7);
  const names = /\b(?:MATCHBOOK_[A-Z_]+|[A-Z_]*KEY_FILE)\b/g;
  const found = places.flatMap((path) => [...read(path).matchAll(names)].map(([name]) => `${path}: ${name}`));
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((line) => !VARIABLES.includes(line.split(": ")[1] ?? ""))).toEqual([]);
});
