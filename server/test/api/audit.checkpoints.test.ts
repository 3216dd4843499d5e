import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAudit } from "../../src/audit/audit.ts";
import type { Database } from "../../src/db/pool.ts";
import { createKeyring } from "../../src/keyring.ts";
import {
  type Checkpoints,
  compareCheckpoints,
  exportCheckpoints,
  readCheckpoints,
} from "../../src/oversight/checkpoints.ts";
import { verifyJournalChains } from "../../src/oversight/invariants.ts";
import { rechain, whileDamaged } from "../harness/books.ts";
import { createActive, qualify, submission, submit } from "../harness/campaigns.ts";
import { databaseUrl } from "../harness/database.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { runProgram } from "../harness/program.ts";
import { SECRET, type Service, startService, TEST_CHAIN } from "../harness/service.ts";

const audit = createAudit(createKeyring(SECRET, "production"));
const folder = mkdtempSync(join(tmpdir(), "checkpoints-"));
const file = join(folder, "checkpoints.jsonl");

let service: Service;
let kept: Checkpoints;
beforeAll(async () => {
  service = await startService();
  const merchant = await registerMerchant(service);
  const wallet = await qualify(service, merchant.id);
  const { id } = await createActive(service, merchant.id);
  for (const user of ["ada", "bob", "cleo"]) await submit(merchant, id, submission(user, [wallet], 100));
  kept = await take(service.db);
  await submit(merchant, id, submission("dora", [wallet], 100));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

async function take(db: Database): Promise<Checkpoints> {
  const lines = await exportCheckpoints({ db, audit, chain: TEST_CHAIN }, () => new Date(), "production");
  return readCheckpoints(lines.join("\n")) as Checkpoints;
}

const compare = (db: Database, checkpoints = kept) => compareCheckpoints({ db, audit, chain: TEST_CHAIN }, checkpoints);

describe("checkpoints kept elsewhere", () => {
  test("hold while the history only grows", async () => {
    expect(kept.journals).toEqual([
      expect.objectContaining({ position: 3, digest: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    ]);
    expect(kept.auditLog.position).toBeGreaterThan(0);
    expect(await compare(service.db)).toEqual([]);
  });

  test("show a journal that was rewritten with the key, digests and all", async () => {
    const rewrite = "update submission_journal set submission_id = gen_random_uuid() where position = 1";
    await whileDamaged(service.db, rewrite, async (db) => {
      await rechain(db);
      expect((await verifyJournalChains(db, TEST_CHAIN)).wrong).toBe(0);
      expect(await compare(db)).toEqual([
        expect.stringMatching(/^The journal of campaign .* up to row 3 is not what it was/),
      ]);
    });
  });

  test("show a journal whose end was cut off, and one that is gone", async () => {
    const cut = ["delete from submission_journal where position > 2"];
    expect(await whileDamaged(service.db, cut, (db) => compare(db))).toHaveLength(1);
    expect(await whileDamaged(service.db, ["truncate submission_journal"], (db) => compare(db))).toHaveLength(1);
  });

  test("show rows from before the chain that were changed", async () => {
    const old = [
      "update submission_journal set digest = null, key_version = null where position <= 2",
      "update campaigns set chained_after = 2",
    ];
    await whileDamaged(service.db, old, async (db) => {
      const before = await take(db);
      expect(await compare(db, before)).toEqual([]);
      await db.query("update submission_journal set trade_profit = trade_profit + 1 where position = 1");
      expect(await compare(db, before)).toHaveLength(1);
    });
  });

  test("show an audit log that was cut off and ends earlier", async () => {
    const cut = [
      "delete from audit_log where position = (select max(position) from audit_log)",
      "update audit_head h set position = l.position, mac = l.mac from (select * from audit_log order by position desc limit 1) l",
    ];
    await whileDamaged(service.db, cut, async (db) => {
      expect((await audit.verify(db)).ok).toBe(true);
      expect(await compare(db)).toEqual([expect.stringMatching(/^The audit log up to row \d+ is not what it was/)]);
    });
  });
});

describe("matchbook-server audit", () => {
  const run = async (...args: string[]) => {
    const program = runProgram(["audit", ...args], {
      ENVIRONMENTS: "production",
      DATABASE_URL: databaseUrl(service.database.connection),
      MATCHBOOK_SECRET: SECRET,
    });
    return { code: await program.exited, output: program.output() };
  };

  test("export writes a file that verify takes, and verify exits with 1 when it does not fit any more", async () => {
    expect(await run("export", "--output", file)).toEqual({ code: 0, output: "" });
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(3);
    const good = await run("verify", "--checkpoints", file);
    expect(good.output).toMatch(
      /rows is whole.*\n.*the journals' chains of 4 rows are whole\.\n.*as the checkpoints of/,
    );
    expect(good.code).toBe(0);
    await service.db.query("update submission_journal set submission_id = gen_random_uuid() where position = 4");
    await rechain(service.db);
    const bad = await run("verify", "--checkpoints", file);
    expect(bad.output).toContain("production: BROKEN. The journal of campaign");
    expect(bad.code).toBe(1);
  });
});
