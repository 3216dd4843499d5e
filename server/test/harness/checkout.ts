import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.base.json",
  "scripts",
  "packages",
  "docs",
];
const WORKSPACES = ["server", "sdk", "console"];

/** A built copy of this checkout, for a test that edits sources. Its times and builds are those of the original. */
export function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "matchbook-copy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const isWanted = (path: string) => !/\/(test|node_modules)$/.test(path);
  for (const name of [...FILES, ...WORKSPACES, "contract"]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, preserveTimestamps: true, filter: isWanted });
  }
  linkModules("node_modules", folder);
  for (const workspace of WORKSPACES) {
    if (existsSync(join(ROOT, workspace, "node_modules"))) linkModules(join(workspace, "node_modules"), folder);
  }
  return folder;
}

/** Every package is the original's, but those of this repository are the copy's own. */
function linkModules(modules: string, folder: string): void {
  mkdirSync(join(folder, modules));
  for (const name of readdirSync(join(ROOT, modules))) {
    if (name === "@matchbook") cpSync(join(ROOT, modules, name), join(folder, modules, name), COPY_LINKS);
    else if (name !== ".cache") symlinkSync(join(ROOT, modules, name), join(folder, modules, name));
  }
}

const COPY_LINKS = { recursive: true, verbatimSymlinks: true };
