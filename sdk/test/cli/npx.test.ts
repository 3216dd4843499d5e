import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

// The commands as the documentation prints them: in the checkout, and where the packed packages are installed.

// npx reads the whole tree of installed packages, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const root = fileURLToPath(new URL("../../../", import.meta.url));
let elsewhere: string;

beforeAll(async () => {
  elsewhere = mkdtempSync(join(tmpdir(), "matchbook-npx-"));
  writeFileSync(join(elsewhere, "package.json"), '{ "name": "shop", "private": true }');
  for (const place of ["sdk", "server", "packages/addresses", "packages/embedded-postgres"]) {
    const folder = join(elsewhere, "node_modules/@matchbook", basename(place));
    mkdirSync(folder, { recursive: true });
    const packed = await run(
      "npm",
      ["pack", "--silent", "--ignore-scripts", "--pack-destination", elsewhere],
      join(root, place),
    );
    expect(packed.code, packed.stderr).toBe(0);
    await run(
      "tar",
      ["-xzf", join(elsewhere, packed.stdout.trim()), "-C", folder, "--strip-components", "1"],
      elsewhere,
    );
  }
  // What npm install would do, without a network: the dependencies, and the links of the binaries.
  const modules = join(elsewhere, "node_modules");
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".") && name !== "@matchbook")
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  mkdirSync(join(modules, ".bin"));
  symlinkSync("../@matchbook/sdk/bin/matchbook.js", join(modules, ".bin/matchbook"));
  symlinkSync("../@matchbook/server/bin/matchbook-server.js", join(modules, ".bin/matchbook-server"));
}, 60_000);

afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

/** Without a network: a name that is not installed is an error instead of a download. */
function run(
  command: string,
  args: string[],
  cwd: string,
  PATH = process.env.PATH,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH,
    HOME: elsewhere,
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe.each(["the checkout", "a project with the packed packages"])("in %s", (place) => {
  const folder = () => (place === "the checkout" ? root : elsewhere);

  test("npx @matchbook/sdk runs the command line, whose hints can be copied", async () => {
    const help = await run("npx", ["@matchbook/sdk", "help", "keygen"], folder());
    expect(help, help.stderr).toMatchObject({ code: 0 });
    expect(help.stdout).toMatch(/^npx @matchbook\/sdk keygen /);
    const wrong = await run("npx", ["@matchbook/sdk", "nonsense"], folder());
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("npx @matchbook/sdk help lists them.");
  });

  test("npx @matchbook/server runs the server's commands, whose hints can be copied", async () => {
    const help = await run("npx", ["@matchbook/server", "help"], folder());
    expect(help, help.stderr).toMatchObject({ code: 0 });
    expect(help.stdout).toContain("  npx @matchbook/server tokens create ");
    const wrong = await run("npx", ["@matchbook/server", "nonsense"], folder());
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain("npx @matchbook/server help lists them.");
  });

  test.each([
    ["matchbook", "@matchbook/sdk"],
    ["matchbook-server", "@matchbook/server"],
  ])("%s names itself where it is on the PATH, and else npx", async (name, packageName) => {
    const bin = join(folder(), "node_modules/.bin");
    const clean = (process.env.PATH ?? "").split(delimiter).filter((path) => !path.endsWith("node_modules/.bin"));
    const on = await run(join(bin, name), ["nonsense"], folder(), [bin, ...clean].join(delimiter));
    expect(on.stderr).toBe(`${name}: There is no command nonsense; ${name} help lists them.\n`);
    const off = await run(join(bin, name), ["nonsense"], folder(), clean.join(delimiter));
    expect(off.stderr).toBe(`${name}: There is no command nonsense; npx ${packageName} help lists them.\n`);
  });
});
