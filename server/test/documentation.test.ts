import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

const PAGES = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "RELEASING.md", "CHANGELOG.md"].concat(
  ["docs", "packages"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  ),
);

test.each(PAGES)("every link of %s leads to a file that exists", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target as string);
  const broken = links.filter(
    (target) => !/^(https?|mailto):/.test(target) && !existsSync(resolve(root, dirname(page), target)),
  );
  expect(broken).toEqual([]);
});

test("docs/security.md names only tests that exist", () => {
  const named = [...read("docs/security.md").matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path]) => path as string);
  expect(named.length).toBeGreaterThan(20);
  const places = (path: string) => [path, `server/${path}`, `server/test/${path}`, `packages/addresses/${path}`];
  expect(named.filter((path) => !places(path).some((place) => existsSync(join(root, place))))).toEqual([]);
});

test("docs/decisions/README.md lists every record, in order", () => {
  const records = readdirSync(join(root, "docs/decisions")).filter((name) => /^\d{4}-/.test(name));
  const listed = [...read("docs/decisions/README.md").matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, name]) => name);
  expect(listed).toEqual(records.sort());
});

test("docs/operating.md has one row for every start-up variable, and no other", () => {
  const reads = /\bread\s*\.\s*\w+(?:<[^>]*>)?\(\s*["`](\$\{prefix\})?([A-Z_]+)["`]/g;
  const names = [...(read("server/src/config.ts") + read("server/src/config-payouts.ts")).matchAll(reads)].flatMap(
    ([, prefix, name = ""]) => (prefix === undefined ? [name] : [name, `SANDBOX_${name}`]),
  );
  const [, table = ""] = /^## Variables$(.*?)^## /ms.exec(read("docs/operating.md")) ?? [];
  const listed = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) => {
    const inCell = [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name);
    // "and the same with `SANDBOX_`" stands for the names before it.
    return inCell.flatMap((name) =>
      name === "SANDBOX_" ? [] : inCell.includes("SANDBOX_") ? [name, `SANDBOX_${name}`] : [name],
    );
  });
  expect(listed.sort()).toEqual([...new Set(names)].sort());
});
