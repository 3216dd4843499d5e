import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { addresses } from "../../src/commands/addresses.ts";
import { payouts } from "../../src/commands/payouts.ts";
import { readConfig } from "../../src/config.ts";
import { createActive, newAddress, qualify, submission, submit } from "../harness/campaigns.ts";
import { databaseUrl } from "../harness/database.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { SECRET, type Service, startService } from "../harness/service.ts";

const HASH = `0x${"ab".repeat(32)}`;

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
let folder: string;
const people: string[] = [];
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  campaign = await createActive(service, merchant.id);
  const wallets = Array.from({ length: 3 }, newAddress);
  await qualify(service, merchant.id, wallets);
  for (const [index, wallet] of wallets.entries()) {
    people.push((await submit(merchant, campaign.id, submission(`u${index}`, [wallet], 500_000))).body.id);
  }
  folder = mkdtempSync(join(tmpdir(), "payouts-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

/** The command in this process, with what it printed. The whole program would take seconds to start each time. */
async function run(command: typeof payouts, ...args: string[]) {
  const printed = { out: "", err: "" };
  const keep = (stream: "out" | "err") => (text: string | Uint8Array) => {
    printed[stream] += String(text);
    return true;
  };
  const out = vi.spyOn(process.stdout, "write").mockImplementation(keep("out"));
  const err = vi.spyOn(process.stderr, "write").mockImplementation(keep("err"));
  const variables = {
    ENVIRONMENTS: "production",
    DATABASE_URL: databaseUrl(service.database.connection),
    MATCHBOOK_SECRET: SECRET,
    MATCHBOOK_OPERATOR_TOKEN: "t".repeat(40),
  };
  try {
    await command(readConfig(variables, false), args);
    return { ...printed, code: process.exitCode ?? 0, error: null };
  } catch (error) {
    return { ...printed, code: 1, error: (error as Error).message };
  } finally {
    process.exitCode = 0;
    out.mockRestore();
    err.mockRestore();
  }
}

function fileOf(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

describe("matchbook-server payouts", () => {
  test("a run is made, repeated, approved, exported, submitted, settled and audited", async () => {
    const owed = await run(payouts, "owed", "--json");
    expect(JSON.parse(owed.out).items).toMatchObject([{ campaignId: campaign.id, owed: { amount: "3000000" } }]);
    expect((await run(payouts, "owed", "--by", "token")).out).toMatch(/all +1 +8453 +0x833\w+ +3 USDC +3 +0 +0 +0\n$/);

    const creation = ["run", "create", "--campaign", campaign.id, "--key", "november", "--note", "November"];
    const created = await run(payouts, ...creation, "--json");
    expect(created).toMatchObject({ code: 0, error: null });
    const { id, status } = JSON.parse(created.out);
    expect(status).toBe("DRAFT");
    expect((await run(payouts, ...creation)).out).toBe(
      `${id}  DRAFT  3 USDC in 3 payouts: 3 pending, 0 submitted, 0 confirmed, 0 failed; 0 left out\n`,
    );
    expect((await run(payouts, "run", "submit", id, "--hash", HASH)).error).toContain("submit needs EXPORTED");
    expect((await run(payouts, "run", "approve", id, "--reason", "checked")).out).toContain("APPROVED");
    const exported = await run(payouts, "run", "export", id);
    const ids = exported.out
      .split("\r\n")
      .slice(1, 4)
      .map((line) => line.slice(0, 36));
    expect(
      (
        await run(
          payouts,
          "run",
          "submit",
          id,
          "--csv",
          fileOf("sent.csv", "payout_id,transaction_hash", ...ids.map((one) => `${one},${HASH}`)),
        )
      ).out,
    ).toContain("3 submitted");
    expect(
      (await run(payouts, "list", "--status", "SUBMITTED", "--hash", HASH, "--limit", "2")).out.split("\n"),
    ).toHaveLength(4);

    const wrong = fileOf(
      "wrong.csv",
      "payout_id,status,reason",
      `${ids[0]},CONFIRMED,`,
      `${campaign.id},FAILED,"no, never"`,
    );
    const preview = await run(payouts, "run", "results", id, "--csv", wrong, "--dry-run");
    expect([preview.code, preview.out]).toEqual([1, "Nothing was changed: 1 would be confirmed, 0 would fail.\n"]);
    expect(preview.err).toBe(`line 2: ${campaign.id} The run has no such payout.\n`);
    const refused = await run(payouts, "run", "results", id, "--csv", wrong);
    expect([refused.code, refused.err]).toEqual([1, preview.err]);
    const right = fileOf("right.csv", "status,payout_id", ...ids.map((one) => `CONFIRMED,${one}`));
    expect((await run(payouts, "run", "results", id, "--csv", right)).out).toContain("SETTLED");
    expect((await run(payouts, "run", "show", id)).out).toContain("3 confirmed");

    const { body } = await service.operator(`/audit-log?subject=${id}`);
    expect(
      body.items.map(({ action, actor }: { action: string; actor: string }) => [action, actor.slice(0, 12)]),
    ).toEqual(
      ["results", "submit", "export", "approve", "create"].map((verb) => [`payout-run.${verb}`, "command line"]),
    );
    expect(JSON.parse((await run(payouts, "owed", "--json")).out)).toEqual({ items: [] });
  });

  test("a run for chosen participants, cancelled", async () => {
    for (const index of [0, 1])
      await submit(merchant, campaign.id, submission(`u${index}`, [await qualify(service, merchant.id)], 600_000));
    const chosen = fileOf("chosen.txt", people[0] ?? "", "");
    const created = await run(
      payouts,
      "run",
      "create",
      "--merchant",
      merchant.id,
      "--key",
      "k",
      "--participants",
      chosen,
      "--json",
    );
    const { id, counts } = JSON.parse(created.out);
    expect(counts.payouts).toBe(1);
    expect((await run(payouts, "run", "cancel", id, "--reason", "a test")).out).toContain("CANCELLED");
  });

  test.each([
    [
      "a missing quote in a long file",
      `x,CONFIRMED,${HASH},"12 inch\n${`x,CONFIRMED,${HASH},\n`.repeat(1_000)}`,
      "too long",
    ],
    ["a missing quote in a short file", `x,CONFIRMED,${HASH},"12 inch\n`, "the quotes do not match"],
  ])("%s of results is refused as a whole", async (_what, lines, problem) => {
    const file = join(folder, "results.csv");
    writeFileSync(file, `payout_id,status,transaction_hash,reason\n${lines}`);
    const { code, error } = await run(payouts, "run", "results", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10", "--csv", file);
    expect([code, error]).toEqual([1, expect.stringMatching(`^Line 2 of .*${problem}`)]);
  });

  test.each([
    [["nonsense"], "payouts list|owed|run"],
    [["list", "--status", "PAID"], "--status must be one of PENDING, SUBMITTED"],
    [["list", "--proof", "PROVEN"], "--proof must be one of PENDING, MISMATCH, REVERTED"],
    [["list", "--run", "7"], "--run must be a UUID"],
    [["list", "--limit", "0"], "--limit must be"],
    [["owed", "--by", "day"], "--by must be one of"],
    [["run"], "run create|show"],
    [["run", "launch", "7"], "run create|show"],
    [["run", "show", "7"], "must be a UUID"],
    [["run", "create", "--campaign", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10"], "--key is required"],
    [["run", "create", "--key", "k", "--campaign", "7"], "campaignId"],
    [["run", "create", "--key", "k", "--campaign", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10"], "No such campaign"],
    [["run", "create", "--key", "k", "--participants", "/nowhere"], "/nowhere cannot be read"],
    [["run", "show", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10", "--reason", "x"], "does not take --reason"],
    [["run", "show", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10"], "No such payout run"],
    [["run", "export", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10", "--format", "pdf"], "--format must be one of csv"],
    [["run", "submit", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10"], "either --hash HASH or --csv FILE"],
    [["run", "results", "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10"], "--csv FILE is required"],
  ])("%j says what is wrong, and the exit code is 1", async (args, text) => {
    const { code, error } = await run(payouts, ...args);
    expect([code, error]).toEqual([1, expect.stringContaining(text)]);
  });
});

describe("matchbook-server addresses check", () => {
  test("finds nothing wrong, then each row that today's rules refuse, and changes none", async () => {
    const sound = await run(addresses, "check");
    expect(sound).toMatchObject({ code: 0, out: expect.stringContaining("no stored address or hash breaks a rule") });
    const { db } = service;
    await db.query("update campaigns set payout_token_address = '0x123' where id = $1", [campaign.id]);
    await db.query("update participants set receiver_address = 'not-an-address' where id = $1", [people[1] ?? ""]);
    await db.query("update payouts set transaction_hash = E'0x\\n' where participant_id = $1", [people[2] ?? ""]);
    await db.query("update payouts set recipient_address = token_address where participant_id = $1 and ordinal = 1", [
      people[0] ?? "",
    ]);
    const text = await run(addresses, "check");
    expect(text.code).toBe(1);
    expect(text.out.trim().split("\n")).toHaveLength(5);
    expect(text.out).toContain(`campaign ${campaign.id}: payoutTokenAddress "0x123" is 5 characters long`);
    expect(text.out).toContain(`participant ${people[1]}: receiver "not-an-address" does not start with 0x`);
    expect(text.out).toMatch(/payout \S+: transactionHash "0x\\n" is 3 characters long/);
    expect(text.out).toMatch(/payout \S+: recipientAddress "0x\w+" is the token's own contract/);
    expect(text.out).toContain("production: 4 stored addresses or hashes break a rule. Nothing was changed.");
    const json = (await run(addresses, "check", "--json")).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(json.map(({ kind, field }) => `${kind} ${field}`).sort()).toEqual([
      "campaign payoutTokenAddress",
      "participant receiver",
      "payout recipientAddress",
      "payout transactionHash",
    ]);
    expect((await run(addresses, "list")).error).toContain("addresses check");
  });
});
