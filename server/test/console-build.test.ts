import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const BUILD = fileURLToPath(new URL("../../console/dist/", import.meta.url));
const SIGN_IN_BYTES_MAX = 120 * 1_024;

describe("the console's build", () => {
  test("the sign-in page loads at most 120 KB, compressed as the server compresses it", () => {
    const page = readFileSync(`${BUILD}index.html`, "utf8");
    const files = [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.(?:js|css))"/g)].map(([, name = ""]) => name);
    expect(files.filter((name) => name.startsWith("assets/")).length).toBeGreaterThan(1);
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(BUILD + name)).length, 0);
    expect(bytes).toBeLessThanOrEqual(SIGN_IN_BYTES_MAX);
  });
});
