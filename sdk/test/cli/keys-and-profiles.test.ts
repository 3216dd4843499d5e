import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { AUTHORIZATION_HEADER, generateKeyPair, verifyHeader } from "@matchbook/sdk";
import { describe, expect, test } from "vitest";
import { openDesk } from "./cli.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const PROFILE = ["--base-url", "http://127.0.0.1:8081", "--merchant-id", "m-1", "--key-file", "merchant.pem"];

describe("matchbook keygen", () => {
  test("writes both halves for the owner alone, prints no key and overwrites nothing", async () => {
    const desk = openDesk();
    const made = await desk.run(["keygen"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).not.toContain("-----BEGIN");
    expect(modeOf(desk.path("merchant.pem"))).toBe(0o600);
    expect(modeOf(desk.path("merchant.pub.pem"))).toBe(0o600);

    const before = readFileSync(desk.path("merchant.pem"), "utf8");
    const again = await desk.run(["keygen"]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("merchant.pem exists already");
    expect(readFileSync(desk.path("merchant.pem"), "utf8")).toBe(before);
  });
});

describe("matchbook profile", () => {
  test("keeps profiles in a file of mode 0600 and signs with the current one", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    expect((await desk.run(["profile", "set", "sandbox", ...PROFILE])).code).toBe(0);
    expect(modeOf(desk.path("config/matchbook/profiles.json"))).toBe(0o600);
    expect(readFileSync(desk.path("config/matchbook/profiles.json"), "utf8")).not.toContain("-----BEGIN");

    const { stdout } = await desk.run(["header"]);
    const [name, value = ""] = stdout.trim().split(": ");
    const publicKey = readFileSync(desk.path("merchant.pub.pem"), "utf8");
    expect(name).toBe(AUTHORIZATION_HEADER);
    expect(await verifyHeader(value, { merchantId: "m-1", publicKey })).toMatchObject({ status: 200 });
  });

  test("refuses a profile file or a key file that others may read", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    await desk.run(["profile", "set", "sandbox", ...PROFILE]);
    chmodSync(desk.path("merchant.pem"), 0o640);
    expect(await desk.run(["header"])).toMatchObject({ code: 1, stdout: "" });
    chmodSync(desk.path("merchant.pem"), 0o600);
    chmodSync(desk.path("config/matchbook/profiles.json"), 0o644);
    const refused = await desk.run(["header"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^matchbook: .*can be read by other users.*chmod 600.*\n$/);
  });

  test("switches between profiles, and variables go before them", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    await desk.run(["profile", "set", "one", ...PROFILE]);
    await desk.run(["profile", "set", "two", ...PROFILE.with(3, "m-2")]);
    const merchantOf = async (variables: Record<string, string> = {}, args: string[] = []) => {
      const { stdout } = await desk.run(["header", "--value", ...args], variables);
      return JSON.parse(Buffer.from(stdout, "base64").toString()).merchantId;
    };
    expect(await merchantOf()).toBe("m-2");
    expect(await merchantOf({ MATCHBOOK_PROFILE: "one" })).toBe("m-1");
    expect(await merchantOf({ MATCHBOOK_MERCHANT_ID: "m-3" })).toBe("m-3");
    expect(await merchantOf({ MATCHBOOK_MERCHANT_ID: "m-3" }, ["--merchant-id", "m-4"])).toBe("m-4");
    await desk.run(["profile", "use", "one"]);
    expect(await merchantOf()).toBe("m-1");
    expect((await desk.run(["profile", "list"])).stdout).toMatch(/\* {2}one .*m-1/);
    expect((await desk.run(["profile", "use", "three"])).stderr).toContain("There is no profile three");
  });

  test("takes the key from a variable, with \\n for line ends", async () => {
    const desk = openDesk();
    const { privateKey, publicKey } = await generateKeyPair();
    const { stdout } = await desk.run(["header", "--value"], {
      MATCHBOOK_MERCHANT_ID: "m-1",
      MATCHBOOK_PRIVATE_KEY: privateKey.replaceAll("\n", "\\n"),
    });
    expect(await verifyHeader(stdout.trim(), { merchantId: "m-1", publicKey })).toMatchObject({ status: 200 });
  });
});

describe("matchbook", () => {
  test("explains every command with an example, and a mistake in one line with exit code 2", async () => {
    const desk = openDesk();
    const { stdout } = await desk.run(["help"]);
    const names = [...stdout.matchAll(/^ {2}matchbook ([a-z]+) {2,}\S/gm)].map(([, name = ""]) => name);
    expect(names).toContain("submit");
    const pages = await Promise.all(names.map((name) => desk.run(["help", name])));
    for (const [index, page] of pages.entries()) {
      expect(page.code).toBe(0);
      expect(page.stdout).toContain(`Example:\n  matchbook ${names[index]}`);
    }

    for (const args of [["nonsense"], ["header", "--nonsense"], ["campaigns", "a", "b"], ["submit"], ["wallets"]]) {
      const wrong = await desk.run(args);
      expect(wrong).toMatchObject({ code: 2, stdout: "" });
      expect(wrong.stderr).toMatch(/^matchbook: [^\n]*matchbook help[^\n]*\n$/);
    }
  });

  test("says what is missing when nothing is configured, and refuses plain http to another machine", async () => {
    const desk = openDesk();
    const bare = await desk.run(["campaigns"]);
    expect(bare).toMatchObject({ code: 1 });
    expect(bare.stderr).toContain("Give --base-url, set MATCHBOOK_BASE_URL, or save a profile");
    writeFileSync(desk.path("key.pem"), (await generateKeyPair()).privateKey, { mode: 0o600 });
    const plain = ["--base-url", "http://api.example.com", "--merchant-id", "m-1", "--key-file", "key.pem"];
    expect((await desk.run(["campaigns", ...plain])).stderr).toContain("plain http");
  });
});
