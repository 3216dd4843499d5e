import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { AUTHORIZATION_HEADER, generateKeyPair, verifyHeader } from "@matchbook/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { judgeProof } from "../proof-verdict.ts";
import { openDesk } from "./cli.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const PROFILE = ["--base-url", "http://127.0.0.1:8081", "--merchant-id", "m-1", "--key-file", "merchant.pem"];

describe("matchbook keygen", () => {
  test("writes both keys in files that only the owner can read, prints no key and overwrites nothing", async () => {
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
  test("stores profiles with mode 0600 and signs with the current one", async () => {
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

  test("refuses a profile file or a key file that other users can read", async () => {
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

  test("switches between profiles, and variables go before the current one", async () => {
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

  test("--profile goes before every variable, and the other flags before --profile", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    await desk.run(["profile", "set", "one", ...PROFILE.with(1, "http://127.0.0.1:1"), "--environment", "sandbox"]);
    await desk.run(["profile", "set", "two", ...PROFILE.with(1, "http://127.0.0.1:2").with(3, "m-2")]);
    const variables = {
      MATCHBOOK_BASE_URL: "http://127.0.0.1:3",
      MATCHBOOK_MERCHANT_ID: "m-3",
      MATCHBOOK_PRIVATE_KEY: "not a key",
      MATCHBOOK_ENVIRONMENT: "production",
      MATCHBOOK_PROFILE: "two",
    };
    const errorOf = async (args: string[], set: Record<string, string>) => {
      const { code, stderr } = await desk.run(["campaigns", "--json", ...args], set);
      expect(code).toBe(1);
      return JSON.parse(stderr).error;
    };
    const profile = "the profile one";
    expect(await errorOf(["--profile", "one"], variables)).toMatchObject({
      code: "CONNECTION_FAILED",
      settings: {
        baseUrl: { value: "http://127.0.0.1:1", from: profile },
        merchantId: { value: "m-1", from: profile },
        key: { value: desk.path("merchant.pem"), from: profile },
        environment: { value: "sandbox", from: profile },
      },
    });
    const flags = ["--base-url", "http://127.0.0.1:4", "--merchant-id", "m-4"];
    expect(await errorOf(["--profile", "one", ...flags], variables)).toMatchObject({
      settings: {
        baseUrl: { value: "http://127.0.0.1:4", from: "--base-url" },
        merchantId: { value: "m-4", from: "--merchant-id" },
        environment: null,
      },
    });
    expect(await errorOf([], { ...variables, MATCHBOOK_PRIVATE_KEY: "" })).toMatchObject({
      settings: {
        baseUrl: { value: "http://127.0.0.1:3", from: "MATCHBOOK_BASE_URL" },
        merchantId: { value: "m-3", from: "MATCHBOOK_MERCHANT_ID" },
        key: { from: "the profile two" },
        environment: { value: "production", from: "MATCHBOOK_ENVIRONMENT" },
      },
    });
    // Nothing of a profile is needed here, so one that does not exist does no harm.
    const all = [...flags, "--key-file", "merchant.pem"];
    expect(await errorOf(all, { MATCHBOOK_PROFILE: "gone" })).toMatchObject({ code: "CONNECTION_FAILED" });
  });

  test("a call that fails says in words which settings were used, and where each comes from", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    await desk.run(["profile", "set", "one", ...PROFILE]);
    const { code, stderr } = await desk.run(["campaigns", "--merchant-id", "m-9"], {
      MATCHBOOK_BASE_URL: "http://127.0.0.1:1",
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^matchbook: CONNECTION_FAILED: .*\nSettings used: /);
    expect(stderr).toContain(
      `address http://127.0.0.1:1 (MATCHBOOK_BASE_URL), merchant id m-9 (--merchant-id), key ${desk.path("merchant.pem")} (the profile one).`,
    );
  });

  test("takes the key from the file that MATCHBOOK_KEY_FILE names, but not from two variables", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    const publicKey = readFileSync(desk.path("merchant.pub.pem"), "utf8");
    const variables = { MATCHBOOK_MERCHANT_ID: "m-1", MATCHBOOK_KEY_FILE: "merchant.pem" };
    const { stdout } = await desk.run(["header", "--value"], variables);
    expect(await verifyHeader(stdout.trim(), { merchantId: "m-1", publicKey })).toMatchObject({ status: 200 });
    const both = await desk.run(["header"], { ...variables, MATCHBOOK_PRIVATE_KEY: "x" });
    expect(both).toMatchObject({ code: 1, stdout: "" });
    expect(both.stderr).toContain("Both MATCHBOOK_PRIVATE_KEY and MATCHBOOK_KEY_FILE are set");
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

describe("matchbook header", () => {
  const REQUEST = { environment: "sandbox", method: "POST", path: "/v1/merchant-domains?a=1" } as const;

  test("binds the header to a method, a path and the bytes of a body", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    writeFileSync(desk.path("body.json"), '{"domain":"shop.example"}\n');
    const publicKey = readFileSync(desk.path("merchant.pub.pem"), "utf8");
    const who = ["--merchant-id", "m-1", "--key-file", "merchant.pem", "--environment", "sandbox", "--value"];
    const { stdout } = await desk.run(["header", "post", REQUEST.path, "--body-file", "body.json", ...who]);
    const request = { ...REQUEST, body: '{"domain":"shop.example"}\n' };
    expect(await verifyHeader(stdout.trim(), { merchantId: "m-1", publicKey, request })).toMatchObject({ status: 200 });

    const bare = await desk.run(["header", "GET", "/v1/merchant-users", ...who]);
    const read = { ...REQUEST, method: "GET", path: "/v1/merchant-users" };
    const verdict = await verifyHeader(bare.stdout.trim(), { merchantId: "m-1", publicKey, request: read });
    expect(verdict).toMatchObject({ status: 200 });
  });

  test("asks the service for its environment, and fails when it is not known", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    const url = await serve((_request, response) => {
      response.writeHead(404, { "x-matchbook-environment": "sandbox" });
      response.end('{"error":{"code":"MERCHANT_NOT_REGISTERED","message":"No."}}');
    });
    const who = ["--merchant-id", "m-1", "--key-file", "merchant.pem", "--value"];
    const { stdout } = await desk.run(["header", "GET", "/v1/merchant-users", "--base-url", url, ...who]);
    const { payload } = JSON.parse(Buffer.from(stdout, "base64").toString());
    expect(JSON.parse(Buffer.from(payload, "base64url").toString()).bind.environment).toBe("sandbox");
    const unknown = await desk.run(["header", "GET", "/v1/merchant-users", ...who]);
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toContain("Give --environment production or sandbox.");
  });

  test.each([
    [["GET"], 2, "PATH"],
    [["--body-file", "merchant.pem"], 2, "METHOD and PATH"],
    [["GET", "https://api.example.com/v1"], 1, "exactly as they are sent"],
    [["GET", "/v1", "--environment", "test"], 2, "test is no environment"],
  ])("explains what is wrong with %j", async (args, code, words) => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    const who = ["--merchant-id", "m-1", "--key-file", "merchant.pem"];
    const environment = args.includes("--environment") ? [] : ["--environment", "sandbox"];
    const refused = await desk.run(["header", ...args, ...who, ...environment]);
    expect(refused).toMatchObject({ code, stdout: "" });
    expect(refused.stderr).toContain(words);
  });
});

describe("matchbook apply", () => {
  test("sends a proof of the key, and saves the environment that answered", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    const bodies: Record<string, unknown>[] = [];
    const url = await serve(async (request, response) => {
      bodies.push(JSON.parse(await text(request)));
      response.writeHead(202, { "x-matchbook-environment": "sandbox" });
      response.end('{"applicationId":"a-1","merchantId":"m-1","status":"ACTIVE","message":"Approved."}');
    });
    const about = [
      "--email",
      "You@shop.example",
      "--domain",
      "Shop.example",
      "--description",
      "A shop in the sandbox.",
    ];
    const saved = await desk.run(["apply", "--base-url", url, "--key-file", "merchant.pem", "--save", "s", ...about]);
    expect(saved, saved.stderr).toMatchObject({ code: 0 });
    const { profiles } = JSON.parse((await desk.run(["profile", "list", "--json"])).stdout);
    expect(profiles.s).toMatchObject({ environment: "sandbox", merchantId: "m-1", baseUrl: url });

    // From a machine that does not have the private key.
    const proof = await desk.run(["proof", "--key-file", "merchant.pem", ...about.slice(0, 4)]);
    writeFileSync(desk.path("proof.json"), proof.stdout);
    const elsewhere = ["--base-url", url, "--public-key-file", "merchant.pub.pem", "--quiet"];
    expect(await desk.run(["apply", ...elsewhere, "--proof-file", "proof.json", ...about])).toMatchObject({
      stderr: "",
    });
    expect((await desk.run(["apply", ...elsewhere, ...about])).stderr).toContain("without a proof");

    expect(bodies.map(({ proof: sent }) => sent !== undefined)).toEqual([true, true, false]);
    const publicKey = readFileSync(desk.path("merchant.pub.pem"), "utf8");
    for (const body of bodies.slice(0, 2)) {
      const application = { email: "You@shop.example", domain: "Shop.example", publicKey };
      const verdict = await judgeProof({ application, proof: body.proof, now: new Date().toISOString() });
      expect(verdict).toEqual({ status: 202, code: null });
      expect(body).toMatchObject(application);
    }
  });

  test("the environment of a profile applies to its own address only", async () => {
    const desk = openDesk();
    await desk.run(["keygen"]);
    const own = await desk.run(["profile", "set", "live", ...PROFILE, "--environment", "production"]);
    expect(own.code).toBe(0);
    const environmentOf = async (args: string[], variables: Record<string, string> = {}) => {
      const { stdout, stderr } = await desk.run(["header", "GET", "/v1", "--value", ...args], variables);
      if (stdout === "") return stderr;
      const { payload } = JSON.parse(Buffer.from(stdout, "base64").toString());
      return JSON.parse(Buffer.from(payload, "base64url").toString()).bind.environment;
    };
    expect(await environmentOf([])).toBe("production");
    expect(await environmentOf([], { MATCHBOOK_BASE_URL: "http://127.0.0.1:8081/" })).toBe("production");
    expect(await environmentOf([], { MATCHBOOK_ENVIRONMENT: "sandbox" })).toBe("sandbox");
    expect(await environmentOf(["--environment", "production"], { MATCHBOOK_ENVIRONMENT: "sandbox" })).toBe(
      "production",
    );
    expect(await environmentOf(["--base-url", "http://127.0.0.1:1"])).toContain("It is not known which environment");
    expect((await desk.run(["profile", "list"])).stdout).toMatch(/live .*production .*m-1/);
  });
});

/** A service with the given answers, until the end of the test. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("matchbook", () => {
  test("has help with an example for every command, and explains a mistake in one line with exit code 2", async () => {
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

  test("names the missing setting, and refuses plain http to another machine", async () => {
    const desk = openDesk();
    const bare = await desk.run(["campaigns"]);
    expect(bare).toMatchObject({ code: 1 });
    expect(bare.stderr).toContain("Give --base-url, set MATCHBOOK_BASE_URL, or save a profile");
    writeFileSync(desk.path("key.pem"), (await generateKeyPair()).privateKey, { mode: 0o600 });
    const plain = ["--base-url", "http://api.example.com", "--merchant-id", "m-1", "--key-file", "key.pem"];
    expect((await desk.run(["campaigns", ...plain])).stderr).toContain("plain http");
    const about = [
      "--email",
      "you@shop.example",
      "--domain",
      "shop.example",
      "--description",
      "A shop in the sandbox.",
    ];
    const applied = await desk.run(["apply", ...plain.slice(0, 2), ...plain.slice(4), ...about]);
    expect(applied.code).toBe(1);
    expect(applied.stderr).toMatch(/^matchbook: baseUrl is plain http[^\n]*\n$/);
  });
});
