import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const source = join(root, "server/src");

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("node_modules"));
}

const IMPORT = /^(?:import|export)\b[^"']*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gms;

function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, one, two, three]) => one ?? two ?? three ?? "");
}

const files = filesBelow(source)
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => ({ path: relative(source, file), text: readFileSync(file, "utf8") }));
const imports = files.flatMap(({ path }) =>
  importsOf(join(source, path))
    .filter((to) => to.startsWith("."))
    .map((to) => ({ from: path, to: join(dirname(path), to) })),
);

// A room is a folder of server/src, app.ts or main.ts. The base is http/, db/ and the other files of server/src.
const roomOf = (path: string) => (path.split("/")[0] ?? path).replace(/^(app|main)\.ts$/, "$1");
const isBase = (room: string) => ["http", "db"].includes(room) || room.endsWith(".ts");
const edges = imports.map(({ from, to }) => [roomOf(from), roomOf(to)] as const).filter(([from, to]) => from !== to);

const architecture = readFileSync(join(root, "docs/architecture.md"), "utf8");

/** The picture of the rooms: lines such as `  auth --> merchants & signing`. */
function picturedEdges(): string[] {
  const [, picture = ""] = /^## Rooms$.*?```mermaid\n(.*?)```/ms.exec(architecture) ?? [];
  const lines = [...picture.matchAll(/^ {2}(\w+) --> ([\w &]+)$/gm)];
  return lines.flatMap(([, from, to = ""]) => to.split(" & ").map((room) => `${from} --> ${room}`));
}

// No database, no clock, no network: the same arguments always give the same result.
const PURE = `amounts instants auth/bind auth/envelope campaigns/record campaigns/journal/record
  campaigns/participants/receiver campaigns/participants/record campaigns/participants/status campaigns/payouts/csv
  campaigns/payouts/proofs/match campaigns/payouts/proofs/receipt campaigns/payouts/proofs/record
  campaigns/payouts/runs/lines campaigns/payouts/runs/record campaigns/payouts/record campaigns/submissions/decide
  campaigns/submissions/match deposits/merge deposits/payers deposits/record deposits/replay deposits/rollups domains/origins
  domains/record http/repeated-keys merchants/present merchants/public-key merchants/record merchants/search
  qualification/record registration/email registration/present registration/proof registration/record signing/base64
  signing/signature signing/strict-json signing/time`
  .split(/\s+/)
  .map((name) => `${name}.ts`);

const SQL =
  /["'`]\s*(select\b(?! the| a )|insert into |update \w+ (\w+ )?set |delete from |with (recursive )?\w+ as |analyze |alter |grant |create (table|role|database|index) )/;

const SPLICED_SQL = /(?<!sql)`\s*(select|insert|update|delete|with)\b[^`]*\$\{/;

describe("the tree", () => {
  test("the picture in docs/architecture.md shows every import between two rooms, and no other", () => {
    const found = edges.filter(([from, to]) => !isBase(from) && !isBase(to)).map(([from, to]) => `${from} --> ${to}`);
    expect([...new Set(found)].sort()).toEqual(picturedEdges().sort());
  });

  test("every file that docs/architecture.md names exists", () => {
    const named = [...architecture.matchAll(/\b(?:[a-z-]+\/)+[a-z-]+\.ts\b/g)].map(([path]) => path);
    const known = [...files.map(({ path }) => path), "server/test/tidy.test.ts"];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !known.includes(path.replace(/^server\/src\//, "")))).toEqual([]);
  });

  test("the base imports only the base", () => {
    expect(edges.filter(([from, to]) => isBase(from) && !isBase(to))).toEqual([]);
  });

  test("no two rooms import each other, directly or through others", () => {
    const left = new Map(edges.map(([from]) => [from, new Set<string>()]));
    for (const [from, to] of edges) left.get(from)?.add(to);
    // Takes away, again and again, the rooms that import no room that is left. What stays is in a cycle, or imports one.
    for (let size = -1; size !== left.size; ) {
      size = left.size;
      for (const [room, others] of left) if (![...others].some((other) => left.has(other))) left.delete(room);
    }
    expect([...left.keys()]).toEqual([]);
  });

  test("inside a room: routes → rules → queries → database", () => {
    const rank = (path: string) => (/routes/.test(path) ? 2 : /(queries|schemas|roles|record)\.ts$/.test(path) ? 0 : 1);
    const wrong = imports.filter(({ from, to }) => roomOf(from) === roomOf(to) && rank(from) < rank(to));
    expect(wrong.filter(({ from, to }) => !isBase(roomOf(from)) && !PURE.includes(to))).toEqual([]);
  });

  test("pure files import only other pure files, limits and errors", () => {
    const allowed = [...PURE, "limits.ts", "http/errors.ts"];
    expect(PURE.filter((path) => !files.some((file) => file.path === path))).toEqual([]);
    expect(imports.filter(({ from, to }) => PURE.includes(from) && !allowed.includes(to))).toEqual([]);
  });

  test.each(["sdk/src", "sdk/cli", "console/src", "packages"])("%s never imports the server", (folder) => {
    const isServer = (to: string) => /(^|\/)server\/|@matchbook\/server/.test(to);
    const wrong = filesBelow(join(root, folder)).filter((file) => importsOf(file).some(isServer));
    expect(wrong).toEqual([]);
  });

  test("the console's pages stand on its api, session and ui, and on no other page", () => {
    const pages = [
      "applications",
      "approvals",
      "audit-log",
      "campaigns",
      "deposits",
      "home",
      "merchants",
      "owed",
      "payout-runs",
      "payouts",
      "search",
      "tokens",
    ];
    const roomOfConsole = (path: string) => relative(join(root, "console/src"), path).split("/")[0] ?? "";
    const wrong = filesBelow(join(root, "console/src")).flatMap((file) =>
      importsOf(file)
        .filter((to) => to.startsWith("."))
        .map((to) => [roomOfConsole(file), roomOfConsole(join(dirname(file), to))])
        .filter(([from = "", to = ""]) => from !== to && pages.includes(to) && from !== "routes.tsx"),
    );
    expect(wrong).toEqual([]);
  });

  test("SQL is in db/ and in files named queries", () => {
    const others = files.filter(({ path }) => !path.startsWith("db/") && !path.endsWith("queries.ts"));
    expect(others.filter(({ text }) => SQL.test(text) || /\bsql`/.test(text)).map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ text }) => SQL.test(text)).length).toBeGreaterThan(15);
  });

  test("only constant texts go into a statement: where one is put into another, the sql tag checks it", () => {
    expect(files.filter(({ path, text }) => !path.startsWith("db/") && SPLICED_SQL.test(text))).toEqual([]);
  });

  test("no statement asks whether a parameter is null: one plan must serve all of its values", () => {
    expect(files.filter(({ text }) => /\$\w+(::\w+)? is (not )?null/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("what the benchmarks import of the server is there, under that name", () => {
    const imported = filesBelow(join(root, "bench")).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^import \{([^}]+)\} from "[./]*server\/dist\/(.+)\.js"/gm)].map(
        ([, names = "", module = ""]) => ({ names: names.match(/\w+/g) ?? [], module }),
      ),
    );
    expect(imported.length).toBeGreaterThan(0);
    for (const { names, module } of imported) {
      const text = readFileSync(join(source, `${module}.ts`), "utf8");
      for (const name of names) expect(text, module).toMatch(new RegExp(`^export .*\\b${name}\\b`, "m"));
    }
  });

  test("no folder is called utils, common, helpers or shared", () => {
    expect(files.filter(({ path }) => /(^|\/)(utils?|common|helpers?|shared|misc)(\/|\.ts)/.test(path))).toEqual([]);
  });
});
