// Builds the console unless the last build was made from these very files.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = join(root, "dist/.built-from");

const hash = hashOf([
  "index.html",
  "vite.config.ts",
  "package.json",
  "src",
  "public",
  "../packages/addresses/src",
  "../package-lock.json",
]);
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) {
  console.log("Building the operator console …");
  await build({ root, logLevel: "warn" });
  writeFileSync(stamp, hash);
}

function hashOf(names) {
  const hash = createHash("sha256");
  for (const name of names) {
    for (const file of filesBelow(join(root, name))) hash.update(relative(root, file)).update(readFileSync(file));
  }
  return hash.digest("hex");
}

function filesBelow(path) {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [path];
  }
}
