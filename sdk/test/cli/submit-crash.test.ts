import { readFileSync, statSync, writeFileSync } from "node:fs";
import { Matchbook } from "@matchbook/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDataDir, type Program, removeDataDir, startProgram, until } from "../../../server/test/harness/program.ts";
import { call } from "../../../server/test/harness/service.ts";
import { type Desk, makeDesk, removeDesk } from "./cli.ts";

const ROWS = 10_000;
const BATCH = 1_000;
const CHAIN = 84532;
const MULTIPLIER = 2n;
const JOURNAL_LINE_BYTES = '{"line":1234,"outcome":"created"}\n'.length;

const userOf = (index: number) => `user-${index}`;
const addressOf = (index: number) => `0x${index.toString(16).padStart(40, "0")}`;
/** Every amount is different, so that a row that is counted twice or left out changes the sum. */
const profitBaseOf = (index: number) => BigInt(index % 97) * 1_000_000n + BigInt(index + 1);

let dataDir: string;
let program: Program;
let ports: { SANDBOX_PORT: string; SANDBOX_OPERATOR_PORT: string };
let desk: Desk;
let merchantId: string;
let campaignId: string;

/** The summary has only the two addresses of the one environment that is served. */
const publicUrl = () => program.urls.production;
const operator = (path: string, body?: unknown) =>
  call(`${program.urls.productionOperator}/operator/v1${path}`, {
    body,
    headers: { authorization: `Bearer ${program.operatorToken()}` },
  });
const start = (variables: Record<string, string> = {}) =>
  startProgram({ ENVIRONMENTS: "sandbox", WORKERS: "1", MATCHBOOK_DATA_DIR: dataDir, ...variables });

beforeAll(async () => {
  dataDir = makeDataDir();
  program = await start();
  ports = {
    SANDBOX_PORT: new URL(publicUrl()).port,
    SANDBOX_OPERATOR_PORT: new URL(program.urls.productionOperator).port,
  };
  desk = makeDesk();
  await desk.run(["keygen"]);
  const about = [
    "--email",
    "you@shop.example",
    "--domain",
    "shop.example",
    "--description",
    "Ten thousand users a night.",
  ];
  const applied = await desk.run([
    ...["apply", "--base-url", publicUrl(), "--key-file", "merchant.pem", "--save", "sandbox", "--quiet", ...about],
  ]);
  merchantId = applied.stdout.trim();
  campaignId = (await desk.run(["sandbox", "campaign", "--budget", "5000000", "--quiet"])).stdout.trim();
  const date = new Date().toISOString();
  for (let from = 0; from < ROWS; from += BATCH) {
    const deposits = Array.from({ length: BATCH }, (_, offset) => ({
      id: `dep_${from + offset}`,
      merchantId,
      payerId: userOf(from + offset),
      state: "COMPLETED",
      amount: { value: "100.00", currency: "USD" },
      chainId: CHAIN,
      token: { symbol: "USDC", address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" },
      embeddedWalletAddress: addressOf(from + offset),
      createDate: date,
      updateDate: date,
    }));
    expect((await operator("/deposits", { deposits })).status).toBe(200);
  }
  const decimals = (base: bigint) => `${base / 1_000_000n}.${String(base % 1_000_000n).padStart(6, "0")}`;
  const rows = Array.from({ length: ROWS }, (_, index) =>
    [userOf(index), decimals(profitBaseOf(index)), `${CHAIN}:${addressOf(index)}`].join(","),
  );
  writeFileSync(desk.path("profits.csv"), `merchantUserId,profit,wallets\n${rows.join("\n")}\n`);
}, 120_000);

afterAll(async () => {
  program?.child.kill("SIGTERM");
  await program?.exited;
  removeDesk(desk);
  removeDataDir(dataDir);
});

/** About how many rows were answered, from the size of the journal. Reading it again and again would slow down the run. */
function answeredRows(): number {
  const { size = 0 } = statSync(desk.path("profits.csv.progress"), { throwIfNoEntry: false }) ?? {};
  return Math.floor(size / JOURNAL_LINE_BYTES);
}

describe("matchbook submit --csv", () => {
  test("10,000 rows are exact after the server and then the command itself are killed", {
    timeout: 300_000,
  }, async () => {
    const first = desk.start(["submit", campaignId, "--csv", "profits.csv", "--concurrency", "64"]);
    await until(() => answeredRows() > ROWS / 5, 120_000);
    program.child.kill("SIGKILL");
    await program.exited;
    const atDeath = answeredRows();
    program = await start(ports);
    // The command continues when the server is back.
    await until(() => answeredRows() > Math.max(atDeath, ROWS / 2), 120_000);
    first.kill("SIGKILL");
    await first.finished;
    const answered = answeredRows();
    expect(answered).toBeLessThan(ROWS);

    const second = await desk.run(["submit", campaignId, "--csv", "profits.csv", "--concurrency", "64", "--json"]);
    expect(second, second.stderr).toMatchObject({ code: 0 });
    const report = JSON.parse(second.stdout);
    expect(report.answeredBefore).toBeGreaterThanOrEqual(answered - 1);
    expect(report).toMatchObject({ rows: ROWS, refused: 0 });
    expect(report.created + report.updated).toBe(ROWS);

    const client = new Matchbook({
      baseUrl: publicUrl(),
      merchantId,
      privateKey: readFileSync(desk.path("merchant.pem"), "utf8"),
    });
    const matches = new Map<string, bigint>();
    let count = 0;
    for await (const participant of client.participants.list(campaignId, { limit: 100 })) {
      count++;
      matches.set(participant.merchantUserId, BigInt(participant.amountMatched.amount));
    }
    expect(count).toBe(ROWS);
    expect(matches.size).toBe(ROWS);
    let sum = 0n;
    for (let index = 0; index < ROWS; index++) {
      const match = matches.get(userOf(index)) ?? -1n;
      if (match !== MULTIPLIER * profitBaseOf(index)) expect.fail(`${userOf(index)} was matched ${match}.`);
      sum += match;
    }
    const { perTradeProfitMatch } = await client.campaigns.get(campaignId);
    expect(perTradeProfitMatch.currentAmountTotal.amount).toBe(sum.toString());
    expect((await operator(`/invariants?merchantId=${merchantId}`)).body).toMatchObject({ ok: true });
  });
});
