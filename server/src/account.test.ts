import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { chooseAccount } from "./account.ts";
import { ConfigError } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "matchbook-accounts-"));
afterAll(() => rmSync(folder, { recursive: true }));

function accounts(name: string, lines: string): string {
  const path = join(folder, name);
  writeFileSync(path, lines);
  return path;
}

const ROOT = "root:x:0:0:root:/root:/bin/bash\n";
const NOBODY = "nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin\n";
const without = accounts("without", ROOT + NOBODY);
const having = accounts("having", `${ROOT}matchbook:x:990:991::/nonexistent:/usr/sbin/nologin\n${NOBODY}`);
const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)("root hands everything but the supervisor to", () => {
  test("the user matchbook where there is one", () => {
    expect(chooseAccount(null, having)).toEqual({ uid: 990, gid: 991, name: "matchbook", warning: null });
  });

  test("nobody where there is none, with a warning that says what to do", () => {
    expect(chooseAccount(null, without)).toMatchObject({ uid: 65_534, gid: 65_533, name: "nobody" });
    expect(chooseAccount(null, without).warning).toMatch(/useradd --system matchbook.*MATCHBOOK_USER/);
  });

  test("the user that MATCHBOOK_USER names, without a warning", () => {
    expect(chooseAccount("nobody", having)).toEqual({ uid: 65_534, gid: 65_533, name: "nobody", warning: null });
  });

  test("macOS's nobody, whose number is negative", () => {
    const mac = accounts("mac", "nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false\n");
    expect(chooseAccount(null, mac)).toMatchObject({ uid: 4_294_967_294, gid: 4_294_967_294 });
  });

  test.each(["missing", "root"])("never to %s", (user) => {
    expect(() => chooseAccount(user, having)).toThrow(ConfigError);
    expect(() => chooseAccount(user, having)).toThrow(/^MATCHBOOK_USER [^\n]+\.$/);
  });

  test("never to a matchbook that is root by another name", () => {
    const twin = accounts("twin", `${ROOT}matchbook:x:0:0::/:/bin/sh\n${NOBODY}`);
    expect(chooseAccount(null, twin).name).toBe("nobody");
  });
});

test.runIf(!isRoot)("anybody else keeps their own account, whatever MATCHBOOK_USER says", () => {
  expect(chooseAccount("missing", without)).toMatchObject({ uid: process.getuid?.(), warning: null });
});
