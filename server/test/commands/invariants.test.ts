import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, depositBody, ingest, newAddress, submission, submit } from "../harness/campaigns.ts";
import { databaseUrl } from "../harness/database.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { runProgram } from "../harness/program.ts";
import { SECRET, type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  const wallet = newAddress();
  await ingest(service, depositBody(merchant.id, wallet));
  const { id } = await createActive(service, merchant.id);
  await submit(merchant, id, submission("user-1", [wallet]));
});
afterAll(() => service.close());

async function verify(...args: string[]) {
  const run = runProgram(["verify", ...args], {
    ENVIRONMENTS: "production",
    DATABASE_URL: databaseUrl(service.database.connection),
    MATCHBOOK_SECRET: SECRET,
  });
  return { code: await run.exited, output: run.output() };
}

describe("matchbook-server verify", () => {
  test("prints every rule and exits with 0 while all hold", async () => {
    const { code, output } = await verify("--merchant", merchant.id);
    expect(output).toContain("ok      I1: the matches of a campaign add up to its committed amount");
    expect(output).toMatch(/production: every rule holds as of .*Z\.\n$/);
    expect(code).toBe(0);
  });

  test("names what is broken and exits with 1", async () => {
    await service.db.query("update participants set amount_matched = amount_matched - 1");
    const { code, output } = await verify();
    expect(output).toContain("BROKEN  I1");
    expect(output).toContain("RULES ARE BROKEN");
    expect(code).toBe(1);
  });

  test("says how to write it", async () => {
    const { code, output } = await verify("--merchant", "shop");
    expect(output).toBe("matchbook-server: --merchant must be a merchant's id.\n");
    expect(code).toBe(1);
  });
});
