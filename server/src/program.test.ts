import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { programName } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "matchbook-name-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function make(path: string, target?: string): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  if (target !== undefined) symlinkSync(target, full);
  else {
    writeFileSync(full, "");
    chmodSync(full, 0o755);
  }
  return full;
}

const installed = make("shop/node_modules/@matchbook/server/bin/matchbook-server.js");
const bin = make("shop/node_modules/.bin/matchbook-server", installed);
const global = make("usr/bin/matchbook-server", installed);
const stranger = make("other/matchbook-server");
const checkout = make("shop/server/bin/matchbook-server.js");
const linked = make("home/bin/matchbook-server", checkout);
const npx = "npx @matchbook/server";

test.each([
  ["npx", bin, "npx", [bin], npx],
  ["its link, which is not on the PATH", bin, undefined, [], npx],
  ["a script of npm", bin, "nightly", [bin], npx],
  ["its link on the PATH", bin, undefined, [bin], "matchbook-server"],
  ["a global link", global, undefined, [global], "matchbook-server"],
  ["its file, behind another program of that name", installed, undefined, [stranger, global], npx],
  ["a checkout, with its own link on the PATH", checkout, undefined, [linked], "node server/bin/matchbook-server.js"],
  ["a checkout", checkout, "start", [global], "node server/bin/matchbook-server.js"],
])("started by %s, the program is called what can be typed again", (_name, script, event, found, name) => {
  const env = { npm_lifecycle_event: event, PATH: found.map((path) => dirname(path)).join(delimiter) };
  expect(programName(script, join(folder, "shop"), env)).toBe(name);
});
