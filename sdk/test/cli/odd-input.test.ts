import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../server/test/harness/program.ts";
import { type Service, startService } from "../../../server/test/harness/service.ts";
import { type Desk, makeDesk, removeDesk } from "./cli.ts";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER_WALLET = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const CHAIN = "84532";
const SOLANA_WALLET = "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs";
const ABOUT = ["--email", "you@shop.example", "--domain", "shop.example", "--description", "A shop in the sandbox."];
const ACCOUNT = ["--merchant-id", "m", "--key-file", "k"];

let service: Service;
let desk: Desk;
let campaignId: string;

beforeAll(async () => {
  service = await startService({ environment: "sandbox" });
  desk = makeDesk();
  await desk.run(["keygen"]);
  const connection = ["--base-url", service.publicUrl, "--key-file", "merchant.pem", "--save", "sandbox"];
  const applied = await desk.run(["apply", ...connection, ...ABOUT]);
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  campaignId = (await desk.run(["sandbox", "campaign", "--quiet"])).stdout.trim();
  const deposited = await desk.run(["sandbox", "deposit", "--wallet", `${CHAIN}:${WALLET}`]);
  expect(deposited, deposited.stderr).toMatchObject({ code: 0 });
});

afterAll(async () => {
  removeDesk(desk);
  await service.close();
});

/** One line on standard error, with exit code 2. */
async function usageError(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await desk.run(args);
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^matchbook: [^\n]*\n$/);
  return stderr;
}

describe("a wallet on the command line", () => {
  test("wallets check takes CHAIN:ADDRESS, and answers for that chain", async () => {
    const there = await desk.run(["wallets", "check", campaignId, `${CHAIN}:${WALLET}`]);
    expect(there, there.stderr).toMatchObject({ code: 0 });
    expect(there.stdout).toMatch(new RegExp(`^yes +${WALLET} `, "m"));
    const elsewhere = await desk.run(["wallets", "check", campaignId, `1:${WALLET}`, WALLET, `1:${OTHER_WALLET}`]);
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.stdout).toMatch(new RegExp(`^yes +${WALLET} `, "m"));
    expect(elsewhere.stdout).toMatch(new RegExp(`^no +1:${WALLET}$`, "m"));
    expect(elsewhere.stdout).toMatch(new RegExp(`^no +1:${OTHER_WALLET}$`, "m"));
    const twice = await desk.run(["wallets", "check", campaignId, `${CHAIN}:${WALLET}`, WALLET, "--json"]);
    expect(JSON.parse(twice.stdout)).toHaveLength(1);
  });

  test("users --wallet takes CHAIN:ADDRESS too", async () => {
    const found = await desk.run(["users", "--wallet", `${CHAIN}:${WALLET.toLowerCase()}`, "--json"]);
    expect(JSON.parse(found.stdout)).toHaveLength(1);
    const absent = await desk.run(["users", "--wallet", `1:${WALLET}`, "--json"]);
    expect(JSON.parse(absent.stdout)).toEqual([]);
  });

  test.each([
    ["garbage", "garbage is not a wallet address"],
    ["0x5290840009", "is 12 characters long"],
    [`${WALLET}0`, "is 43 characters long"],
    ["0xZZ908400098527886E0F7030069857D2E4169EE7", "hexadecimal"],
    ["5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11", "is not a wallet address"],
    [`base:${WALLET}`, "chain"],
    [`0:${WALLET}`, "chain"],
    [`99999999999999999:${WALLET}`, "chain"],
    ["", "empty"],
  ])("%j is refused wherever a wallet is taken", async (wallet, words) => {
    const submission = ["submit", campaignId, "--user", "u", "--profit", "1", "--wallet"];
    const commands = [
      ["wallets", "check", campaignId],
      ["users", "--wallet"],
      ["sandbox", "deposit", "--wallet"],
    ];
    for (const command of [...commands, submission]) expect(await usageError([...command, wallet])).toContain(words);
  });

  test("the chain of a wallet must be clear", async () => {
    const both = await usageError(["wallets", "check", campaignId, `${CHAIN}:${WALLET}`, "--chain", "1"]);
    expect(both).toContain("--chain");
    expect(await usageError(["users", "--chain", CHAIN])).toContain("--wallet");
    expect(await usageError(["submit", campaignId, "--user", "u", "--profit", "1", "--wallet", WALLET])).toContain(
      "CHAIN:ADDRESS",
    );
  });
});

describe("values of options", () => {
  test.each([
    [["submit", "c", "--user", "u", "--wallet", `${CHAIN}:${WALLET}`, "--profit", "-5"], "--profit must be", "not -5"],
    [["submit", "c", "--user", "u", "--wallet", `${CHAIN}:${WALLET}`, "--profit-base", "-5"], "--profit-base", "-5"],
    [["sandbox", "deposit", "--wallet", `${CHAIN}:${WALLET}`, "--amount", "-5"], "--amount must be", "-5"],
    [["sandbox", "deposit", "--wallet", `${CHAIN}:${WALLET}`, "--amount", "lots"], "--amount must be", "lots"],
    [["sandbox", "campaign", "--multiplier", "-2"], "--multiplier must be", "-2"],
    [["sandbox", "campaign", "--multiplier", "Infinity"], "--multiplier must be", "Infinity"],
    [["sandbox", "campaign", "--multiplier", "0x10"], "--multiplier must be", "0x10"],
    [["deposits", "--limit", "-1"], "--limit must be", "-1"],
    [["deposits", "--user", "--all"], "--user needs a value", "--user="],
    [["deposits", "--user"], "--user needs a value", ""],
    [["deposits", "--all=yes"], "--all", "no value"],
    [["deposits", "--status", "failed", "--status", "pending"], "--status is given twice", ""],
    [["deposits", "--user", "user-42"], "--user must be", "matchbook users"],
    [["campaigns", "--base-url", ""], "--base-url is empty", ""],
    [["campaigns", ""], "<CAMPAIGN_ID> is empty", ""],
    [["campaigns", ".."], ".. is not the id of a campaign", ""],
    [["participants", "a/b"], "a/b is not the id of a campaign", ""],
    [["submit", ".", "--csv", "a.csv"], ". is not the id of a campaign", ""],
    [["wallets", "check", "..", WALLET], ".. is not the id of a campaign", ""],
    [["submit", "c", "--user", "u", "--wallet", `${CHAIN}:${WALLET}`, "--profit", "1", "--strict"], "needs --csv", ""],
    [["submit", "c", "--user", "u", "--concurrency", "4"], "--concurrency needs --csv", ""],
    [["submit", "c", "--user", "u", "--patience", "4"], "--patience needs --csv", ""],
    [["submit", "c", "--user", "u", "--restart"], "--restart needs --csv", ""],
    [["doctor", "--method", "GET"], "--method needs a header", ""],
    [["doctor", "--path", "/v1"], "--path needs a header", ""],
    [["doctor", "--body-file", "a.json"], "--body-file needs a header", ""],
    [["campaigns", "c", "--limit", "1"], "--limit does not go with one campaign", ""],
    [["campaigns", "c", "--all"], "--all does not go with one campaign", ""],
    [["users", "--all", "--limit", "1"], "--limit does not go with --all", ""],
    [["deposits", "--after", "2026-02-01", "--before", "2026-01-01"], "--after is later than --before", ""],
    [["deposits", "--after", "now", "--before", "-7d", "--csv", "x.csv"], "--after is later than --before", ""],
    [["campaigns", "--environment", "foo"], "--environment: foo is no environment", ""],
    [["campaigns", "--base-url", "garbage"], "--base-url: garbage is no address", ""],
    [["header", "GET", "/v1", "--base-url", "garbage"], "--base-url: garbage is no address", ""],
    [["doctor", "--base-url", "ftp://x.example"], "--base-url: ftp://x.example is no address", ""],
    [["apply", "--base-url", "garbage", "--key-file", "merchant.pem", ...ABOUT], "garbage is no address", ""],
    [
      ["profile", "set", "p", "--base-url", "garbage", "--merchant-id", "m", "--key-file", "k"],
      "garbage is no address",
      "",
    ],
    [["profile", "set", "p", "--environment", "foo", "--base-url", "https://x.example", ...ACCOUNT], "foo is no", ""],
    [["submit", "c", "--user", "u", "--profit", "1", "--wallet", `792703809:${WALLET}`], "is an EVM address", ""],
    [["users", "--wallet", SOLANA_WALLET, "--chain", "8453"], "is not a wallet address on chain 8453", ""],
    [["wallets", "check", "c", `8453:${SOLANA_WALLET}`], "is not a wallet address on chain 8453", ""],
    [["submit", "c", "--csv", "-"], "--csv", "file"],
    [["keygen", "--out", "-"], "--out", "file"],
  ])("%j is explained in one line", async (args, words, more) => {
    const line = await usageError(args);
    expect(line).toContain(words);
    expect(line).toContain(more);
    expect(existsSync(desk.path("-"))).toBe(false);
  });

  test("--quiet and --json are refused together, and nothing is made", async () => {
    for (const args of [["campaign"], ["deposit", "--wallet", `${CHAIN}:${WALLET}`]]) {
      const both = await desk.run(["sandbox", ...args, "--quiet", "--json"]);
      expect(both).toMatchObject({ code: 2, stdout: "" });
      expect(JSON.parse(both.stderr).error.message).toContain("--quiet does not go with --json");
    }
  });

  test("a wrong address or environment in a variable is a failure that names the variable", async () => {
    const address = await desk.run(["campaigns"], { MATCHBOOK_BASE_URL: "garbage" });
    expect(address).toMatchObject({ code: 1, stderr: expect.stringContaining("MATCHBOOK_BASE_URL: garbage is no") });
    const environment = await desk.run(["campaigns"], { MATCHBOOK_ENVIRONMENT: "foo" });
    expect(environment).toMatchObject({ code: 1, stderr: expect.stringContaining("MATCHBOOK_ENVIRONMENT: foo is no") });
  });

  test("a state may be written in either case, in every command", async () => {
    const failed = await desk.run([
      ...["sandbox", "deposit", "--wallet", `${CHAIN}:${OTHER_WALLET}`, "--state", "failed"],
    ]);
    expect(failed, failed.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse((await desk.run(["deposits", "--status", "FAILED", "--json"])).stdout)).toHaveLength(1);
    expect(await desk.run(["participants", campaignId, "--status", "paid"])).toMatchObject({ code: 0 });
    expect(await desk.run(["sandbox", "campaign", "--status", "draft", "--quiet"])).toMatchObject({ code: 0 });
    expect(await usageError(["deposits", "--status", "gone"])).toContain("pending, completed, failed");
  });

  test("every command takes the same dates, and names its flag when it does not understand one", async () => {
    const count = async (...args: string[]) => {
      const { stdout, stderr } = await desk.run(["deposits", "--status", "completed", "--json", ...args]);
      expect(stderr).toBe("");
      return JSON.parse(stdout).length;
    };
    const old = await desk.run([
      ...["sandbox", "deposit", "--wallet", `${CHAIN}:${WALLET}`, "--date", "2026-01-15", "--json"],
    ]);
    expect(JSON.parse(old.stdout)).toMatchObject({ createDate: "2026-01-15T00:00:00.000Z" });
    expect(await count("--after", "yesterday")).toBe(1);
    expect(await count("--after", "-7d", "--before", "tomorrow")).toBe(1);
    expect(await count("--before", "2026-01-15T01:00:00+01:00")).toBe(1);
    expect(await count("--before", "-1h")).toBe(1);
    const campaign = await desk.run(["sandbox", "campaign", "--start", "today", "--end", "+30d", "--json"]);
    expect(campaign, campaign.stderr).toMatchObject({ code: 0 });

    const deposit = ["sandbox", "deposit", "--wallet", `${CHAIN}:${WALLET}`, "--date"];
    const places = [["deposits", "--after"], ["deposits", "--before"], deposit, ["sandbox", "campaign", "--end"]];
    for (const place of places) {
      for (const text of ["next week", "2026-02-30", "2026-01-15T12:00", "1", "0000-01-01", "-7"]) {
        const line = await usageError([...place, text]);
        expect(line).toContain(`${place.at(-1)} must be`);
        expect(line).toContain("2026-01-15T12:00:00Z");
        expect(line).toContain("yesterday");
      }
    }
  });
});

describe("matchbook deposits --csv", () => {
  test("- writes to standard output and creates no file", async () => {
    const { code, stdout, stderr } = await desk.run(["deposits", "--csv", "-"]);
    expect({ code, file: existsSync(desk.path("-")) }, stderr).toEqual({ code: 0, file: false });
    const [header, ...rows] = stdout.trimEnd().split("\n");
    expect(header).toMatch(/^id,userId,status/);
    expect(rows.length).toBeGreaterThan(0);
    expect(stderr).toContain(`${rows.length} `);
  });

  test("Ctrl-C leaves no file behind, exits with 130 and prints the command to repeat", async () => {
    const { url, asked } = await serveSlowly(2);
    const run = desk.start(["deposits", "--csv", "slow.csv", "--base-url", url]);
    await until(() => asked() === 2);
    run.kill("SIGINT");
    const { code, stderr } = await run.finished;
    expect(code).toBe(130);
    expect(stderr).toContain("slow.csv was not written. To export again: matchbook deposits --csv slow.csv");
    expect([existsSync(desk.path("slow.csv")), existsSync(desk.path("slow.csv.part"))]).toEqual([false, false]);
  });
});

describe("matchbook submit --csv", () => {
  const HEADER = "merchantUserId,profit,wallets";

  test("users who do not qualify are counted, and make the exit code 1 only with --strict", async () => {
    const rows = [HEADER, `a,1,${CHAIN}:${WALLET}`, `b,1,1:${OTHER_WALLET}`];
    writeFileSync(desk.path("night.csv"), rows.join("\n"));
    const run = await desk.run(["submit", campaignId, "--csv", "night.csv"]);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(run.stdout).toContain("2 rows: 1 created, 0 updated, 1 not qualified, 0 refused.");
    const strict = await desk.run(["submit", campaignId, "--csv", "night.csv", "--strict", "--json"]);
    expect(strict).toMatchObject({ code: 1, stderr: "" });
    expect(JSON.parse(strict.stdout)).toMatchObject({ rows: 2, created: 0, updated: 1, notQualified: 1, refused: 0 });
  });

  test("standard error and standard output show the same counts, also for rows that were never sent", async () => {
    const rows = [
      HEADER,
      `a,1,${CHAIN}:${WALLET}`,
      `b,1,1:${OTHER_WALLET}`,
      `c,one,${CHAIN}:${WALLET}`,
      "d,1,8453:0x1",
    ];
    writeFileSync(desk.path("mixed.csv"), rows.join("\n"));
    const run = await desk.run(["submit", campaignId, "--csv", "mixed.csv"]);
    expect(run.code).toBe(1);
    const counts = /\d+ created, \d+ updated, \d+ not qualified, \d+ refused/;
    expect(counts.exec(run.stdout)?.[0]).toMatch(/, 1 not qualified, 2 refused$/);
    expect(counts.exec(run.stderr.trimEnd().split("\n").at(-1) ?? "")?.[0]).toBe(counts.exec(run.stdout)?.[0]);
    expect(run.stdout).toMatch(/^5 +d +ROW_INVALID +.*8453:0x1/m);
  });

  test.each([
    ["semicolons", `${HEADER.replaceAll(",", ";")}\na;1;${CHAIN}:${WALLET}\n`],
    ["semicolons", `"merchantUserId";"profit";"wallets"\n"a";"1";"${CHAIN}:${WALLET}"\n`],
    ["tabs", `${HEADER.replaceAll(",", "\t")}\na\t1\t${CHAIN}:${WALLET}\n`],
  ])("a file with %s between its columns gets a hint", async (name, text) => {
    writeFileSync(desk.path("other.csv"), text);
    const run = await desk.run(["submit", campaignId, "--csv", "other.csv"]);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain(`other.csv has ${name} between its columns. Save it with commas`);
  });

  test("a row with more or fewer fields than the first line is refused, not cut", async () => {
    writeFileSync(
      desk.path("fields.csv"),
      `merchantUserId,wallets,profit\nbigwin,${CHAIN}:${WALLET},1,500\nshort,${CHAIN}:${WALLET}\n`,
    );
    const run = await desk.run(["submit", campaignId, "--csv", "fields.csv"]);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("2 rows: 0 created, 0 updated, 0 not qualified, 2 refused.");
    expect(run.stdout).toMatch(/^2 +bigwin +ROW_INVALID +the row has 4 fields and the first line 3/m);
    writeFileSync(desk.path("twice.csv"), `${HEADER},profit\na,1,${CHAIN}:${WALLET},2\n`);
    const twice = await desk.run(["submit", campaignId, "--csv", "twice.csv"]);
    expect(twice.stderr).toContain("twice.csv has the column profit twice.");
  });

  test("names the columns that are missing", async () => {
    writeFileSync(desk.path("columns.csv"), "user,profit,wallets\na,1,1:b\n");
    const run = await desk.run(["submit", campaignId, "--csv", "columns.csv"]);
    expect(run.stderr).toContain("has no column merchantUserId");
  });

  test("Ctrl-C exits with 130 and prints the command that continues the run", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `slow-${index},1,${CHAIN}:${WALLET}`);
    writeFileSync(desk.path("the night.csv"), `${[HEADER, ...rows].join("\n")}\n`);
    const { url, asked } = await serveSlowly(8);
    const args = ["submit", campaignId, "--csv", "the night.csv", "--concurrency", "1", "--base-url", url];
    const run = desk.start([...args, "--restart"]);
    await until(() => asked() === 8);
    run.kill("SIGINT");
    const { code, stdout, stderr } = await run.finished;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    const [, answered, command] = /(\d+) of 20 rows are answered\. To go on: (.*)$/m.exec(stderr) ?? [];
    expect(Number(answered)).toBeGreaterThan(0);
    expect(command).toBe(`matchbook submit ${campaignId} --csv 'the night.csv' --concurrency 1 --base-url ${url}`);
    const again = await desk.run([...args.slice(0, -1), (await serveSlowly(Number.POSITIVE_INFINITY)).url]);
    expect(again.stderr).toContain("belongs to a submission to campaign");
    const progress = readFileSync(desk.path("the night.csv.progress"), "utf8");
    writeFileSync(desk.path("the night.csv.progress"), progress.replaceAll(url, service.publicUrl));
    const rest = await desk.run(["submit", campaignId, "--csv", "the night.csv"]);
    expect(rest, rest.stderr).toMatchObject({ code: 0 });
    expect(rest.stderr).toContain(`Going on after ${answered} rows`);
    expect(rest.stdout).toContain("20 rows: ");
  });
});

describe("a run that ends early", () => {
  test("says why, how much is done and how to go on, in words and as JSON", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `cut-${index},1,${CHAIN}:${WALLET}`);
    writeFileSync(desk.path("cut.csv"), `${["merchantUserId,profit,wallets", ...rows].join("\n")}\n`);
    const { url } = await serveSlowly(8, "cut");
    const args = ["submit", campaignId, "--csv", "cut.csv", "--concurrency", "1", "--patience", "1", "--base-url", url];
    const first = await desk.run([...args, "--restart"]);
    expect(first).toMatchObject({ code: 1, stdout: "" });
    expect(first.stderr).toMatch(
      /^matchbook: CONNECTION_FAILED: .* Next: \d+ of 20 rows are answered\. To go on: .*$/m,
    );
    expect(first.stderr).toContain(`To go on: matchbook ${args.join(" ")}\nSettings used: address ${url} (--base-url)`);
    const second = await desk.run([...args, "--json"]);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(second.stderr).error).toMatchObject({ code: "CONNECTION_FAILED" });
  });
});

describe("errors with --json", () => {
  const errorOf = async (args: string[], code: number) => {
    const run = await desk.run([...args, "--json"]);
    expect({ code: run.code, stdout: run.stdout }, run.stderr).toEqual({ code, stdout: "" });
    expect(run.stderr).toMatch(/^\{.*\}\n$/);
    return JSON.parse(run.stderr).error;
  };

  test("are one line of JSON on standard error, for every kind of error", async () => {
    expect(await errorOf(["nonsense"], 2)).toMatchObject({ code: "USAGE" });
    expect(await errorOf(["deposits", "--status", "gone"], 2)).toMatchObject({ code: "USAGE" });
    expect(await errorOf(["wallets", "check", campaignId, "garbage"], 2)).toMatchObject({ code: "USAGE" });
    expect(await errorOf(["submit", campaignId, "--csv", "absent.csv"], 1)).toMatchObject({ code: "FAILED" });
    expect(await errorOf(["campaigns", "--key-file", "absent.pem"], 1)).toMatchObject({ code: "FAILED" });
    writeFileSync(desk.path("broken.pem"), "-----BEGIN PRIVATE KEY-----\nMIG", { mode: 0o600 });
    expect(await errorOf(["campaigns", "--key-file", "broken.pem"], 1)).toMatchObject({ code: "KEY_INVALID" });
    expect(await errorOf(["participants", campaignId, "--user", "absent"], 1)).toEqual({
      code: "PARTICIPANT_NOT_FOUND",
      message: expect.stringMatching(/./),
      next: expect.stringContaining("matchbook help submit"),
      status: 404,
      requestId: expect.stringMatching(/./),
      retryAfterMs: null,
      settings: null,
    });
    expect(await errorOf(["campaigns", "--base-url", "http://127.0.0.1:1"], 1)).toMatchObject({
      code: "CONNECTION_FAILED",
      status: null,
      settings: {
        baseUrl: { value: "http://127.0.0.1:1", from: "--base-url" },
        merchantId: { from: "the profile sandbox" },
        key: { value: desk.path("merchant.pem"), from: "the profile sandbox" },
      },
    });
  });

  test("nothing but the answer is printed when a call succeeds", async () => {
    const user = ["--user", "json", "--wallet", `${CHAIN}:${WALLET}`, "--profit", "1"];
    expect(await desk.run(["submit", campaignId, ...user, "--json"])).toMatchObject({ code: 0, stderr: "" });
  });
});

/** A proxy of the service that answers fewer requests than this, and then never answers or cuts the connections. */
async function serveSlowly(
  answered: number,
  end: "hang" | "cut" = "hang",
): Promise<{ url: string; asked: () => number }> {
  let count = 0;
  const proxy = createServer(async (request, response) => {
    if (++count >= answered) {
      if (end === "cut") request.socket.destroy();
      return;
    }
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const headers = { ...(request.headers as Record<string, string>) };
    for (const name of ["host", "connection", "content-length", "transfer-encoding"]) delete headers[name];
    const answer = await fetch(service.publicUrl + request.url, {
      method: request.method ?? "GET",
      headers,
      ...(body.length === 0 ? {} : { body: Buffer.concat(body) }),
    });
    const environment = answer.headers.get("x-matchbook-environment") ?? "";
    response.writeHead(answer.status, { "x-matchbook-environment": environment });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked: () => count };
}
