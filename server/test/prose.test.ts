import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

// Words that readers from all over the world stumble over. Each has a plain word that replaces it.
const RARE_WORDS =
  /\b(whoever|nobody|whatever|be it|anew|of nothing|said aloud|(un)?told|logbook|standing|in force|under ?way|lets? in|at once)\b|underWay/i;

// `nobody` is also the name of a Unix user, which stands in quotes.
const UNIX_USER = /["'`:]nobody\b/g;

const PLACES = ["server", "sdk", "console", "contract", "bench", "docs", "packages", "scripts", "examples"];

const SKIPPED = /(^|\/)(node_modules|dist|cjs|clients\/out)\//;

test.each(PLACES)("%s is written in everyday English", (place) => {
  const files = readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !SKIPPED.test(relative(root, file)) && !file.endsWith("prose.test.ts"));
  const found = files.flatMap((file) => {
    // A line break, with the marks of a comment, is a space.
    const text = readFileSync(file, "utf8")
      .replace(UNIX_USER, "")
      .replaceAll(/\s*\n[ \t]*(?:\/\/|\*(?!\/)|>)?[ \t]*/g, " ");
    const [word] = RARE_WORDS.exec(text) ?? [];
    return word === undefined ? [] : [`${relative(root, file)}: ${word}`];
  });
  expect(files.length).toBeGreaterThan(2);
  expect(found).toEqual([]);
});
