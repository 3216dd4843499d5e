import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import { createActive, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "northwind.example" });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

describe("addresses and hashes", () => {
  test("a payout token is checked as it is typed, for the chain that is typed", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/campaigns/new");
    const chain = page.getByLabel("Payout chain").and(page.locator("input"));
    const token = page.getByLabel("Payout token");
    await chain.fill("8453");
    await token.fill("0x123");
    await page.getByText("The address is 5 characters long; an EVM address is 42").waitFor();
    await token.fill("0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913");
    await page.getByText("The address does not match its checksum").waitFor();
    await token.fill("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    await expect.poll(() => page.getByText(/^The address/).count()).toBe(0);
    await chain.fill("792703809");
    await page.getByText("The address has a character that base58 does not have").waitFor();
    await leave();
  });

  test("a payout goes to the receiver alone, and a hash that is none cannot be sent", async () => {
    const campaign = await createActive(service, merchant.id);
    // A deposit may spell an address in any case; the form shows the spelling with the right checksum.
    const wallet = await qualify(service, merchant.id);
    const { body } = await submit(merchant, campaign.id, submission("user-1", [wallet]));
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${campaign.id}/participants/${body.id}`);
    await page.getByRole("button", { name: "Record a payout" }).click();
    const dialog = page.getByRole("dialog");
    const record = dialog.getByRole("button", { name: "Record", exact: true });
    // A payout goes to the receiver, and to no address that is typed here.
    const receiver = dialog.getByRole("textbox", { name: /^Receiver on Base/ });
    expect([await receiver.inputValue(), await receiver.isEditable()]).toEqual([wallet, false]);
    await record.click();
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Mark as submitted" }).click();
    await dialog.getByLabel("Transaction hash").fill("0xabc");
    await dialog.getByText("The hash is 5 characters long").waitFor();
    expect(await dialog.getByRole("button", { name: "Mark as submitted" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Transaction hash").fill(`0x${"ab".repeat(32)}`);
    await dialog.getByRole("button", { name: "Mark as submitted" }).click();
    await dialog.waitFor({ state: "detached" });
    await leave();
  });
});
