import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../../../server/test/harness/service.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(root, "docs/quickstart.md"), "utf8");

let service: Service;
let folder: string;

beforeAll(async () => {
  service = await startService({ environment: "sandbox" });
  folder = mkdtempSync(join(tmpdir(), "matchbook-quickstart-"));
  // Readers run this in the checkout. The test must not leave keys there.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

describe("docs/quickstart.md", () => {
  test("its commands lead to a matched reward exactly as printed", { timeout: 180_000 }, async () => {
    const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    expect(blocks).toHaveLength(6);
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", blocks.join("\n")], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, "config"),
        MATCHBOOK_BASE_URL: service.publicUrl,
      },
    });
    expect(stdout).toMatch(/^status +ACTIVE$/m);
    // The page shows the real output, except for ids and times.
    const [, shown = ""] = /^```\n(participant .*?)^```$/ms.exec(page) ?? [];
    const pattern = shown
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replace(/^(participant +).*$/m, "$1[0-9a-f-]{36}")
      .replace(/qualified .*$/m, "qualified \\S+");
    expect(stdout).toMatch(new RegExp(`${pattern}$`));
  });
});
