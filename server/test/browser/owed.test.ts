import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, type Visitor, visit } from "../harness/browser.ts";
import { createActive, newAddress, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const HASH = `0x${"5e".repeat(32)}`;
const PHONE = { width: 390, height: 844 };

let browser: Browser;
let service: Service;
let merchant: Merchant;
const campaigns: { id: string }[] = [];
const people: string[] = [];
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "northwind.example" });
  for (const displayName of ["Double January", "Triple February"]) {
    campaigns.push(await createActive(service, merchant.id, { displayName }));
  }
  const wallets = Array.from({ length: 3 }, newAddress);
  await qualify(service, merchant.id, wallets);
  for (const [index, wallet] of wallets.entries()) {
    const campaignId = campaigns[index === 2 ? 1 : 0]?.id ?? "";
    const submitted = await submit(merchant, campaignId, submission(`user-${index}`, [wallet], 100_000_000));
    people.push(submitted.body.id);
  }
});
afterAll(() => Promise.all([browser.close(), service.close()]));

async function checkLooks({ page, checkAccessibility }: Visitor): Promise<void> {
  await checkAccessibility();
  await page.setViewportSize(PHONE);
  const overflow = () => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
  await expect.poll(overflow).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
}

describe("the Owed page", () => {
  test("adds up by campaign, merchant and token, and leads to a run of chosen participants", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go("/owed");
    const table = page.getByRole("table", { name: "Owed" });
    await table.getByRole("row").filter({ hasText: "Double January" }).getByText("400.00 USDC").first().waitFor();
    await checkLooks(visitor);
    await page.getByText("By token").click();
    await table.getByText("600.00 USDC").first().waitFor();
    await page.getByText("By merchant").click();
    await table
      .getByRole("row")
      .filter({ hasText: "northwind.example" })
      .getByRole("link", { name: "New run" })
      .click();

    await page.getByText(/^Owed: 600\.00 USDC on Base/).waitFor();
    await checkLooks(visitor);
    await page.getByLabel("Participants").fill("user-0");
    await page.getByText("user-0 is not the id of a participant").waitFor();
    expect(await page.getByRole("button", { name: "Create run" }).isDisabled()).toBe(true);
    await page.getByLabel("Participants").fill(`${people[0]}\n${people[2]}`);
    await page.getByRole("button", { name: "Create run" }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "run" }).waitFor();
    await page.waitForURL(/\/payout-runs\/[0-9a-f-]{36}$/);
    const run = (await service.operator("/payout-runs?limit=1")).body.items[0];
    expect(run).toMatchObject({ campaignId: null, counts: { payouts: 2 } });
    await visitor.go("/owed");
    await table.getByRole("row").filter({ hasText: "Double January" }).getByText("200.00 USDC").first().waitFor();
    expect(await table.getByText("Triple February").count()).toBe(0);
    await visitor.leave();
  });
});

describe("the Payouts page", () => {
  test("finds payouts by each filter, links to the explorer, and says who did what", async () => {
    const [run] = (await service.operator("/payout-runs?limit=1")).body.items;
    for (const [verb, body] of [
      ["approve", { reason: "Looked at each of them" }],
      ["export", { format: "csv" }],
      ["submit", { transactionHashes: [HASH] }],
    ] as const) {
      expect((await service.operator(`/payout-runs/${run.id}/${verb}`, { body })).status).toBe(200);
    }
    await service.operator(`/participants/${people[1]}/payouts`, {
      body: { amount: { amount: "1000000", currency: "USDC", decimalPlaces: 6 } },
      headers: { "idempotency-key": "one" },
    });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go("/payouts");
    const rows = page.getByRole("table", { name: "Payouts" }).getByRole("row");
    const shown = (count: number) => expect.poll(() => rows.count()).toBe(count + 1);
    await shown(3);
    await checkLooks(visitor);
    await page.getByLabel("Transaction hash", { exact: true }).fill(HASH.toUpperCase().replace("X", "x"));
    await shown(2);
    const link = rows.nth(1).getByRole("link", { name: "Open the transaction in the explorer of Base" });
    expect(await link.getAttribute("href")).toBe(`https://basescan.org/tx/${HASH}`);
    await page.getByLabel("Transaction hash", { exact: true }).fill("");
    await page.getByLabel("Payout run").fill(run.id);
    await shown(2);
    await rows
      .nth(1)
      .getByRole("button", { name: /^Trail of the payout/ })
      .click();
    const dialog = page.getByRole("dialog", { name: "What became of the payout" });
    await dialog.getByText("Approved a payout run").waitFor();
    await dialog.getByText("Reason: Looked at each of them").waitFor();
    await dialog.getByText("bootstrap token").first().waitFor();
    await visitor.checkAccessibility();
    await dialog.getByRole("button", { name: "Close" }).click();
    await visitor.go("/payouts?status=PENDING");
    await shown(1);
    await service.db.query(
      "update payouts set proof_status = 'MISMATCH' where id = (select id from payouts where run_id = $1 order by id limit 1)",
      [run.id],
    );
    await visitor.go("/payouts");
    await page.getByRole("combobox", { name: "Proof on chain" }).click();
    await page.getByRole("option", { name: "Does not match the chain" }).click();
    await shown(1);
    await rows.nth(1).getByText("Does not match the chain: the transaction has no such transfer.").waitFor();
    expect(new URL(page.url()).searchParams.get("proof")).toBe("MISMATCH");
    await visitor.leave();
  });
});
