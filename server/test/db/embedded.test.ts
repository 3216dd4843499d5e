import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chooseAccount } from "../../src/account.ts";
import { ConfigError } from "../../src/config.ts";
import { startEmbedded } from "../../src/db/embedded.ts";

const log = { info() {}, warn() {}, error() {} };

function start(dataDir: string) {
  return startEmbedded({ dataDir, databases: [], maxConnections: 10, log, account: chooseAccount(null) });
}

test("a data folder that cannot be used is refused by the name of its variable", async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "matchbook-test-")), "file");
  onTestFinished(() => rmSync(join(dataDir, ".."), { recursive: true }));
  writeFileSync(dataDir, "");
  const error = await start(dataDir).catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toMatch(/^MATCHBOOK_DATA_DIR: .* cannot be used \(.*\)\.$/);
});

test("a second copy must stop the first or to choose another folder", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "matchbook-test-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await start(dataDir);
  onTestFinished(() => first.stop());
  await expect(start(dataDir)).rejects.toThrow(
    /^PostgreSQL already runs in .*: Matchbook is already running there; stop it first, or set MATCHBOOK_DATA_DIR to another folder\.$/,
  );
});
