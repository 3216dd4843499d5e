import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../../../server/test/harness/service.ts";
import { type Desk, makeDesk, removeDesk } from "./cli.ts";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER_WALLET = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const CHAIN = "84532";
const DESCRIPTION = "A shop that takes stablecoin deposits.";

let service: Service;
let desk: Desk;
let campaignId: string;

beforeAll(async () => {
  service = await startService({ environment: "sandbox" });
  desk = makeDesk();
  await desk.run(["keygen"]);
  const connection = ["--base-url", service.publicUrl, "--key-file", "merchant.pem", "--save", "sandbox"];
  const about = ["--email", "you@shop.example", "--domain", "shop.example", "--description", DESCRIPTION];
  const applied = await desk.run(["apply", ...connection, ...about]);
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  campaignId = (await desk.run(["sandbox", "campaign", "--name", "Double it", "--quiet"])).stdout.trim();
  for (let made = 0; made < 3; made++) {
    await desk.run(["sandbox", "deposit", "--wallet", `${CHAIN}:${WALLET}`, "--amount", "250.50"]);
  }
});

afterAll(async () => {
  removeDesk(desk);
  await service.close();
});

const json = async (...args: string[]) => {
  const { stdout, stderr } = await desk.run([...args, "--json"]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
};

describe("a merchant's day on the command line", () => {
  test("campaigns lists all campaigns and shows one", async () => {
    expect((await desk.run(["campaigns"])).stdout).toMatch(
      new RegExp(`^ID .*\\n${campaignId}  ACTIVE .*Double it\\n$`),
    );
    expect((await desk.run(["campaigns", campaignId])).stdout).toMatch(/^multiplier +2$/m);
    expect(await json("campaigns", campaignId)).toMatchObject({ id: campaignId, status: "ACTIVE" });
  });

  test("wallets check shows which wallets qualify, and exits with 1 when one does not", async () => {
    const both = await desk.run(["wallets", "check", campaignId, WALLET.toLowerCase(), OTHER_WALLET]);
    expect(both.code).toBe(1);
    expect(both.stdout).toMatch(new RegExp(`^yes +${WALLET} `, "m"));
    expect(both.stdout).toMatch(new RegExp(`^no +${OTHER_WALLET}$`, "m"));
    expect((await desk.run(["wallets", "check", campaignId, WALLET, "--chain", CHAIN])).code).toBe(0);
    expect((await desk.run(["wallets", "check", campaignId, WALLET, "--chain", "1"])).code).toBe(1);
  });

  test("submit sends decimals or base units, and a dry run stores nothing", async () => {
    const user = ["--user", "user-1", "--wallet", `${CHAIN}:${WALLET}`];
    const dry = await desk.run(["submit", campaignId, ...user, "--profit", "12.34", "--dry-run"]);
    expect(dry.stdout).toMatch(/^match +24\.68 USDC$/m);
    const absent = await desk.run(["participants", campaignId, "--user", "user-1"]);
    expect(absent).toMatchObject({ code: 1, stdout: "" });
    expect(absent.stderr).toMatch(/^matchbook: PARTICIPANT_NOT_FOUND: .* \(request [^)]+\) Next: .*\n$/);

    const sent = await desk.run(["submit", campaignId, ...user, "--profit", "12.34"]);
    expect(sent, sent.stderr).toMatchObject({ code: 0, stderr: "The participant is new.\n" });
    expect(sent.stdout).toMatch(/^match +24\.68 USDC$/m);
    expect(await json("submit", campaignId, ...user, "--profit-base", "20000000")).toMatchObject({
      amountMatched: { amount: "40000000" },
    });
    expect((await desk.run(["participants", campaignId, "--status", "MATCHED"])).stdout).toMatch(/^user-1 +MATCHED/m);
    expect(await json("participants", campaignId, "--status", "PAID")).toEqual([]);
  });

  test("submit explains a refusal and names the next step", async () => {
    const refused = await desk.run([
      ...["submit", campaignId, "--user", "user-2"],
      ...["--wallet", `${CHAIN}:${OTHER_WALLET}`, "--profit", "1"],
    ]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^matchbook: NO_QUALIFYING_WALLET: .*matchbook wallets check.*\n$/);
  });

  test("deposits prints a table or JSON, and writes every page to a CSV file", async () => {
    const table = await desk.run(["deposits", "--limit", "2"]);
    expect(table.stdout.trim().split("\n")).toHaveLength(3);
    expect(table.stderr).toContain("--all");
    const all = await json("deposits", "--status", "completed");
    expect(all).toHaveLength(3);
    const exported = await desk.run(["deposits", "--csv", "deposits.csv"]);
    expect(exported, exported.stderr).toMatchObject({ code: 0 });
    const [header, ...rows] = readFileSync(desk.path("deposits.csv"), "utf8").trim().split("\n");
    expect(header).toMatch(/^id,userId,status,amount\.value/);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toContain(",completed,250.50,USD,84532,");
    expect((await desk.run(["deposits", "--csv", "deposits.csv"])).stderr).toContain("exists already");
  });

  test("users with an id lists every wallet of that user", async () => {
    const [user] = await json("users");
    expect(user.walletCount).toBe(1);
    expect(await json("users", user.userId)).toEqual(user.embeddedWallets);
    expect((await desk.run(["users", user.userId])).stdout).toMatch(
      new RegExp(`^ADDRESS .*\n${WALLET} .* ${CHAIN}\n$`),
    );
    const unknown = await desk.run(["users", campaignId]);
    expect(unknown.stderr).toMatch(/^matchbook: USER_NOT_FOUND: /);
    for (const args of [
      ["users", ".."],
      ["users", user.userId, "--wallet", WALLET],
    ]) {
      expect((await desk.run(args)).code).toBe(2);
    }
  });

  test("users finds a user by wallet", async () => {
    const [user] = await json("users", "--wallet", WALLET.toLowerCase());
    expect(user).toMatchObject({ amounts: { total: { count: 3 } } });
    expect((await desk.run(["deposits", "--user", user.userId])).stdout).toContain(user.userId);
    expect((await desk.run(["users", "--wallet", OTHER_WALLET])).stdout).toBe("There are none.\n");
  });

  test("domains add prints the origins it added", async () => {
    const added = await desk.run(["domains", "add", "trade.example"]);
    expect(added.stdout).toBe(
      "https://trade.example is allowed from now on.\nhttps://www.trade.example is allowed from now on.\n",
    );
    expect((await desk.run(["domains", "add", "trade.example"])).stdout).toContain("allowed already");
  });

  test("a CSV file with wrong rows submits the other rows and lists every refusal", async () => {
    const rows = [
      "merchantUserId,profit,wallets",
      `user-10,10,${CHAIN}:${WALLET}`,
      `"user ""11"", inc.",0.000001,${CHAIN}:${WALLET};1:${OTHER_WALLET}`,
      `user-12,1.0000001,${CHAIN}:${WALLET}`,
      `user-13,5,${WALLET}`,
      `user-14,5,${CHAIN}:${OTHER_WALLET}`,
      `user-10,99,${CHAIN}:${WALLET}`,
    ];
    writeFileSync(desk.path("profits.csv"), rows.join("\r\n"));
    const run = await desk.run(["submit", campaignId, "--csv", "profits.csv"]);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("6 rows: 1 created, 0 updated, 1 not qualified, 4 refused.");
    expect(run.stdout).toMatch(/^4 +user-12 +ROW_INVALID/m);
    expect(run.stdout).toMatch(/^5 +user-13 +ROW_INVALID/m);
    expect(run.stdout).toMatch(/^6 +user-14 +NO_QUALIFYING_WALLET/m);
    // A match never falls, so neither of the two rows may count.
    expect(run.stdout).toMatch(/^2 +user-10 +ROW_DUPLICATE +The user is also on line 7/m);
    expect(run.stdout).toMatch(/^7 +user-10 +ROW_DUPLICATE +The user is also on line 2/m);
    const refused = readFileSync(desk.path("profits.csv.refused.csv"), "utf8").trim().split("\n");
    expect(refused.map((line) => line.split(",")[0])).toEqual([
      "merchantUserId",
      "user-10",
      "user-12",
      "user-13",
      "user-14",
      "user-10",
    ]);
    expect(await json("participants", campaignId, "--user", 'user "11", inc.')).toMatchObject({
      amountMatched: { amount: "2" },
    });

    writeFileSync(desk.path("profits.csv"), rows.slice(0, 2).join("\n"));
    const clean = await desk.run(["submit", campaignId, "--csv", "profits.csv"]);
    expect(clean.stdout).toContain("1 row: 1 created, 0 updated, 0 not qualified, 0 refused.");
    expect(existsSync(desk.path("profits.csv.refused.csv"))).toBe(false);
  });
});
