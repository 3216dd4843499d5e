import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const source = join(root, "server/src");

interface Import {
  readonly from: string;
  readonly to: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.(ts|tsx|mjs|js)$/.test(entry.name) && !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [
    ...text.matchAll(/^(?:import|export)\b[^"']*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gms),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

const imports: Import[] = filesBelow(source)
  .filter((file) => !file.endsWith(".test.ts"))
  .flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({
        from: relative(source, file),
        to: relative(source, join(dirname(file), specifier)),
      })),
  );

const SLICES = [
  "auth",
  "merchants",
  "domains",
  "deposits",
  "campaigns",
  "qualification",
  "access",
  "audit",
  "oversight",
  "outbox",
  "sandbox",
  "signing",
];
// What any slice may stand on.
const GROUND = [
  "http",
  "db",
  "addresses.ts",
  "amounts.ts",
  "limits.ts",
  "clock.ts",
  "chains.ts",
  "chains.generated.ts",
  "instants.ts",
  "config.ts",
  "account.ts",
  "transport.ts",
  "keyring.ts",
];
const GROUND_EDGES: readonly (readonly [string, string])[] = [
  ["http", "db"],
  ["http", "limits.ts"],
  ["db", "limits.ts"],
  ["amounts.ts", "limits.ts"],
  ["instants.ts", "limits.ts"],
  ["amounts.ts", "http"],
  ["instants.ts", "http"],
  ["chains.ts", "chains.generated.ts"],
  ["addresses.ts", "chains.generated.ts"],
  ["config.ts", "limits.ts"],
  ["config.ts", "transport.ts"],
  ["account.ts", "config.ts"],
  ["db", "account.ts"],
  ["config.ts", "keyring.ts"],
];

// Every edge between two slices, and why it is there.
const CROSS_SLICE: readonly (readonly [from: RegExp, to: RegExp])[] = [
  // A signed request is checked against the merchant's key.
  [/^auth\/(merchant-cache|credential)/, /^merchants\/(queries|public-key)/],
  // A merchant's change checks inside its transaction that the credential is still valid.
  [/^(campaigns\/submissions\/submit|domains\/whitelist)/, /^auth\/credential/],
  [/^campaigns\/submissions\/queries/, /^merchants\/queries/],
  // Signatures are read the same way in headers and in applications.
  [/^(auth|merchants)\//, /^signing\//],
  // Approval whitelists the primary domain; an application's domain obeys the domain rules.
  [/^merchants\/(review|apply)/, /^domains\/(whitelist|origins)/],
  // Who calls, and the log of what operators change.
  [/\/(operator-)?routes/, /^(auth|access)\/authenticate/],
  [/^(access|merchants|domains|campaigns|deposits|oversight)\//, /^audit\/audit/],
  // Mail and registry calls happen after the commit.
  [/^(merchants|domains)\//, /^outbox\//],
  // Deposits qualify wallets. Campaigns read which ones do, and share the merchant's guard with ingest.
  [/^(deposits\/ingest|campaigns\/)/, /^qualification\//],
  [/^campaigns\/lifecycle/, /^deposits\/queries/],
  // A domain belongs to a merchant, and operators ask for the users of one.
  [/^(domains|deposits\/operator-routes)/, /^merchants\/queries/],
  [/^(sandbox|oversight)\//, /./],
];

const PURE = [
  "auth/envelope.ts",
  "signing/signature.ts",
  "signing/base64.ts",
  "auth/bind.ts",
  "merchants/proof.ts",
  "signing/strict-json.ts",
  "signing/time.ts",
  "http/repeated-keys.ts",
  "domains/origins.ts",
  "campaigns/record.ts",
  "campaigns/journal/record.ts",
  "campaigns/participants/record.ts",
  "campaigns/participants/status.ts",
  "campaigns/payouts/record.ts",
  "campaigns/submissions/decide.ts",
  "campaigns/submissions/match.ts",
  "qualification/record.ts",
  "merchants/email.ts",
  "merchants/public-key.ts",
  "merchants/search.ts",
  "deposits/merge.ts",
  "deposits/record.ts",
  "deposits/rollups.ts",
  "deposits/payers.ts",
  "addresses.ts",
  "chains.ts",
  "chains.generated.ts",
  "amounts.ts",
  "instants.ts",
];

const roomOf = (path: string) => path.split("/")[0] ?? path;

describe("the tree", () => {
  test("slices stand on the ground, and on each other only where the architecture says so", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      if (!SLICES.includes(room) || room === other || GROUND.includes(other)) return false;
      return !(SLICES.includes(other) && CROSS_SLICE.some(([one, two]) => one.test(from) && two.test(to)));
    });
    expect(wrong).toEqual([]);
  });

  test("the ground never leans on a slice", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      if (!GROUND.includes(room) || room === other) return false;
      return !GROUND_EDGES.some(([one, two]) => one === room && two === other);
    });
    expect(wrong).toEqual([]);
  });

  test("inside a slice: routes → rules → queries → database", () => {
    const rank = (path: string) => (/routes/.test(path) ? 2 : /(queries|schemas|roles)/.test(path) ? 0 : 1);
    const wrong = imports.filter(
      ({ from, to }) =>
        SLICES.includes(roomOf(from)) && roomOf(from) === roomOf(to) && rank(from) < rank(to) && !isPure(to),
    );
    expect(wrong).toEqual([]);
  });

  test("pure files import only other pure files, limits and errors", () => {
    const allowed = [...PURE, "limits.ts", "http/errors.ts"];
    expect(imports.filter(({ from, to }) => isPure(from) && !allowed.includes(to))).toEqual([]);
  });

  test("only app.ts and the commands wire slices together", () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        SLICES.includes(roomOf(to)) &&
        !SLICES.includes(roomOf(from)) &&
        from !== "app.ts" &&
        roomOf(from) !== "commands",
    );
    expect(wrong).toEqual([]);
  });

  test.each(["sdk/src", "console/src"])("%s never imports the server", (folder) => {
    const wrong = filesBelow(join(root, folder)).filter((file) => importsOf(file).some((to) => /server/.test(to)));
    expect(wrong).toEqual([]);
  });

  test("the console's pages stand on its api, session and ui, and on no other page", () => {
    const pages = ["applications", "audit-log", "campaigns", "deposits", "home", "merchants", "tokens"];
    const roomOfConsole = (path: string) => relative(join(root, "console/src"), path).split("/")[0] ?? "";
    const wrong = filesBelow(join(root, "console/src")).flatMap((file) =>
      importsOf(file)
        .filter((to) => to.startsWith("."))
        .map((to) => [roomOfConsole(file), roomOfConsole(join(dirname(file), to))])
        .filter(([from = "", to = ""]) => from !== to && pages.includes(to) && from !== "routes.tsx"),
    );
    expect(wrong).toEqual([]);
  });

  test("SQL texts are constants: nothing is spliced into a statement", () => {
    const spliced = filesBelow(source)
      .filter((file) => /queries\.ts$/.test(file))
      .filter((file) => /query(<[^(]*>)?\(\s*`[^`]*\$\{/.test(readFileSync(file, "utf8")));
    expect(spliced.map((file) => relative(source, file))).toEqual([]);
  });

  test("a slice's SQL is in its queries files", () => {
    const astray = filesBelow(source)
      .filter((file) => SLICES.includes(roomOf(relative(source, file))) && !/queries\.ts$/.test(file))
      .filter((file) => /query(<[^(]*>)?\(\s*["`]|\bsql`/.test(readFileSync(file, "utf8")));
    expect(astray.map((file) => relative(source, file))).toEqual([]);
  });

  test("no statement asks whether a parameter is null: one plan must serve all of its values", () => {
    const asking = filesBelow(source).filter((file) => /\$\w+(::\w+)? is (not )?null/.test(readFileSync(file, "utf8")));
    expect(asking.map((file) => relative(source, file))).toEqual([]);
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
    const names = filesBelow(source).map((file) => relative(source, file));
    expect(names.filter((name) => /(^|\/)(utils?|common|helpers?|shared|misc)(\/|\.ts)/.test(name))).toEqual([]);
  });
});

function isPure(path: string): boolean {
  return PURE.includes(path);
}
