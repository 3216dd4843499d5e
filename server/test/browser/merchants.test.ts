import { createHash, createPublicKey } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import { createDraft } from "../harness/campaigns.ts";
import { depositEvent, reported } from "../harness/deposits.ts";
import { asMerchant, generateKeys, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let browser: Browser;
let service: Service;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
});
afterAll(() => Promise.all([browser.close(), service.close()]));

async function registerAs(displayName: string, domain: string): Promise<Merchant> {
  const merchant = await registerMerchant(service, { domain });
  const renamed = await service.operator(`/merchants/${merchant.id}`, { method: "PATCH", body: { displayName } });
  expect(renamed.status).toBe(200);
  return merchant;
}

const listCampaigns = "/v1/marketings/campaigns";

function fingerprintOf(pem: string): string {
  const der = createPublicKey(pem).export({ type: "spki", format: "der" });
  return `SHA256:${createHash("sha256").update(der).digest("base64").replace(/=+$/, "")}`;
}

describe("finding a merchant", () => {
  test("by a part of its name, in any case; the search is in the address", async () => {
    await registerAs("Cobalt Racing", "cobalt.example");
    await registerAs("Juniper Pay", "juniper.example");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/merchants");
    const table = page.getByRole("table", { name: "Merchants" });
    await table.getByRole("link", { name: "Cobalt Racing" }).waitFor();
    await page.getByLabel("Search").fill("JUNIPER p");
    await table.getByRole("link", { name: "Cobalt Racing" }).waitFor({ state: "detached" });
    await table.getByRole("link", { name: "Juniper Pay" }).waitFor();
    await page.reload();
    await table.getByRole("link", { name: "Juniper Pay" }).waitFor();
    expect(await page.getByLabel("Search").inputValue()).toBe("JUNIPER p");
    expect(await table.getByRole("link", { name: "Cobalt Racing" }).count()).toBe(0);
    await table.getByRole("link", { name: "Juniper Pay" }).click();
    await page.getByRole("heading", { name: "Juniper Pay", level: 1 }).waitFor();
    await page.getByText("juniper.example", { exact: true }).first().waitFor();
    await leave();
  });

  test("by a status that does not exist is refused in the API's own words", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    visitor.expectRefusal(400);
    await visitor.go("/merchants?status=LOST");
    await visitor.page.getByRole("alert").getByText("status must be one of").waitFor();
    await visitor.leave();
  });

  test("a name that no merchant has shows a message", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/merchants?search=no-such-merchant");
    await page.getByText("No merchant matches.").waitFor();
    await leave();
  });
});

describe("the tabs of a merchant", () => {
  test("lead to everything of that merchant: its campaigns, its changes, its deposits", async () => {
    const merchant = await registerAs("Saffron Stakes", "saffron.example");
    const campaign = await createDraft(service, merchant.id, { displayName: "Saffron Days" });
    await createDraft(service, (await registerAs("Other Stakes", "other.example")).id, { displayName: "Other Days" });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/merchants/${merchant.id}?tab=campaigns`);
    const runs = page.getByRole("row").filter({ hasText: campaign.displayName });
    await runs.getByText("1 Jan 2026, 00:00 UTC").waitFor();
    await page.getByRole("link", { name: "Open in campaigns" }).click();
    await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Saffron Days" }).waitFor();
    await page.getByRole("button", { name: "Only Saffron Stakes" }).waitFor();
    expect(await page.getByRole("link", { name: "Other Days" }).count()).toBe(0);

    await go(`/merchants/${merchant.id}?tab=audit`);
    await page.getByRole("link", { name: "Open in the audit log" }).click();
    await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
    const filter = page.getByRole("combobox", { name: "Merchant" });
    await expect.poll(() => filter.inputValue()).toBe("Saffron Stakes");
    await page.getByText("Renamed a merchant").first().waitFor();
    expect(await page.getByRole("table").getByText("Renamed a merchant").count()).toBe(1);

    await go(`/merchants/${merchant.id}?tab=deposits`);
    await page.getByRole("link", { name: "Open in deposits" }).click();
    const box = page.getByRole("combobox", { name: "Merchant" });
    await expect.poll(() => box.inputValue()).toBe("Saffron Stakes");
    await page.getByText("No deposit matches these filters.").waitFor();
    expect(new URL(page.url()).searchParams.get("merchantId")).toBe(merchant.id);
    await page.getByLabel("Show every merchant").click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await leave();
  });

  test("wait for Enter, and leave the filter of the last one behind", async () => {
    const merchant = await registerAs("Tabula Rasa", "tabula.example");
    const { id } = await createDraft(service, merchant.id);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    for (const [path, label, tab, filter] of [
      [`/merchants/${merchant.id}`, "About this merchant", "users", "wallet"],
      [`/campaigns/${id}`, "About this campaign", "wallets", "address"],
    ] as const) {
      await go(`${path}?tab=${tab}&${filter}=0xAb`);
      const tabs = page.getByRole("tablist", { name: label });
      await tabs.getByRole("tab", { selected: true }).focus();
      const before = await page.evaluate(() => history.length);
      await page.keyboard.press("ArrowRight");
      expect(new URL(page.url()).searchParams.get("tab")).toBe(tab);
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).searchParams.get("tab")).not.toBe(tab);
      expect(new URL(page.url()).searchParams.has(filter)).toBe(false);
      // One step more, so that Back leads to the tab before.
      expect(await page.evaluate(() => history.length)).toBe(before + 1);
    }
    await leave();
  });
});

describe("rotating a key", () => {
  test("the old key stops working immediately and the new one works; a wrong text shows the message of the API", async () => {
    const merchant = await registerAs("Quartz Markets", "quartz.example");
    const next = generateKeys();
    const renewed = asMerchant(service, merchant.id, next);
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go(`/merchants/${merchant.id}?tab=key`);
    await page.getByText(fingerprintOf(merchant.keys.publicKeyPem), { exact: true }).waitFor();
    await page.getByRole("button", { name: "Rotate key" }).click();
    const dialog = page.getByRole("dialog");

    visitor.expectRefusal(400);
    await dialog.getByLabel("New public key").fill(next.privateKey.export({ type: "pkcs8", format: "pem" }) as string);
    await dialog.getByRole("button", { name: "Replace key" }).click();
    await dialog.getByRole("alert").getByText("is a private key. Keep it secret").waitFor();
    await dialog.getByRole("alert").getByText("VALIDATION_ERROR").waitFor();
    expect((await merchant.call(listCampaigns)).status).toBe(200);

    await dialog.getByLabel("New public key").fill(next.publicKeyPem);
    await dialog.getByRole("button", { name: "Replace key" }).click();
    await page.getByText("The new key is active.").waitFor();
    const refused = await merchant.call(listCampaigns);
    expect([refused.status, refused.body.error.code]).toEqual([422, "MERCHANT_SIGNATURE_INVALID"]);
    expect((await renewed.call(listCampaigns)).status).toBe(200);
    await page.getByText(fingerprintOf(next.publicKeyPem), { exact: true }).waitFor();
    await page.getByRole("group", { name: "Public key" }).getByText(next.publicKeyPem.trim()).waitFor();
    await visitor.leave();
  });
});

describe("requiring bound signatures", () => {
  test("is a switch that says what it does; unbound requests are refused while it is on", async () => {
    const merchant = await registerAs("Cedar Vault", "cedar.example");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/merchants/${merchant.id}?tab=key`);
    const toggle = page.getByRole("switch", { name: "Require bound signatures" });
    await page.getByText("A bound signature is valid for one request").waitFor();
    expect(await toggle.isChecked()).toBe(false);
    const press = async () => {
      await expect.poll(() => toggle.isEnabled()).toBe(true);
      await toggle.press("Space");
    };
    await press();
    await page.getByText("Bound signatures are required now.").waitFor();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    const refused = await merchant.call(listCampaigns);
    expect([refused.status, refused.body.error.code]).toEqual([422, "MERCHANT_SIGNATURE_INVALID"]);
    await press();
    await page.getByText("Unbound signatures are accepted again.").waitFor();
    await expect.poll(async () => (await merchant.call(listCampaigns)).status).toBe(200);
    await leave();
  });
});

describe("a dialog that was cancelled", () => {
  test("has forgotten what was typed into it", async () => {
    const merchant = await registerAs("Onyx Trading", "onyx.example");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const typeAndCancel = async (button: string, label: string) => {
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: button }).click();
      await dialog.getByLabel(label).fill("-----BEGIN PRIVATE KEY-----");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: button }).click();
      return dialog.getByLabel(label).inputValue();
    };
    await go(`/merchants/${merchant.id}?tab=key`);
    expect(await typeAndCancel("Rotate key", "New public key")).toBe("");
    await page.getByRole("dialog", { name: "Rotate the key of Onyx Trading" }).waitFor();
    await go(`/merchants/${merchant.id}`);
    expect(await typeAndCancel("Rename", "Display name")).toBe("Onyx Trading");
    await leave();
  });
});

describe("removing a domain", () => {
  test("takes it off the list, and its origins may no longer embed the deposit flow", async () => {
    const merchant = await registerAs("Blue Lantern", "lantern.example");
    const added = await merchant.call("/v1/merchant-domains", { body: { domain: "pay.blue.example" } });
    expect(added.status).toBe(201);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/merchants/${merchant.id}?tab=domains`);
    const rowOf = (domain: string) => page.getByRole("table", { name: "Domains" }).getByRole("row", { name: domain });
    const testOrigin = () => page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByLabel("Origin").fill("https://pay.blue.example");
    await testOrigin();
    await page.getByText("Allowed", { exact: true }).waitFor();
    await page.getByText("Whitelisted by pay.blue.example.").waitFor();

    // The primary domain stays as long as the merchant does.
    await rowOf("lantern.example").waitFor();
    expect(await rowOf("lantern.example").getByRole("button").count()).toBe(0);
    await rowOf("pay.blue.example").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove pay.blue.example" }).click();
    await page.getByText("pay.blue.example was removed.").waitFor();
    await rowOf("pay.blue.example").waitFor({ state: "detached" });
    await testOrigin();
    await page.getByText("Not allowed", { exact: true }).waitFor();
    expect(await page.getByText("Allowed", { exact: true }).count()).toBe(0);
    await page.reload();
    await rowOf("lantern.example").waitFor();
    expect(await rowOf("pay.blue.example").count()).toBe(0);
    await leave();
  });
});

describe("suspending a merchant", () => {
  test("refuses its signed calls until it is reinstated", async () => {
    const merchant = await registerAs("Vesper Perps", "vesper.example");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/merchants/${merchant.id}`);
    await page.getByRole("button", { name: "Suspend" }).click();
    // Nothing happens before it is confirmed.
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await merchant.call(listCampaigns)).status).toBe(200);

    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Suspend merchant" }).click();
    await page.getByText("Vesper Perps was suspended.").waitFor();
    const refused = await merchant.call(listCampaigns);
    expect([refused.status, refused.body.error.code]).toEqual([403, "MERCHANT_NOT_ACTIVE"]);
    await page.getByText("SUSPENDED", { exact: true }).first().waitFor();

    await page.getByRole("button", { name: "Reinstate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reinstate merchant" }).click();
    await page.getByText("Vesper Perps is active again.").waitFor();
    expect((await merchant.call(listCampaigns)).status).toBe(200);
    await page.getByRole("button", { name: "Suspend" }).waitFor();

    await page.getByRole("tab", { name: "Audit" }).click();
    const changes = page.getByRole("table", { name: "Changes to this merchant" });
    for (const change of [/approve/i, /rename/i, /suspended a merchant/i, /reinstate/i]) {
      await changes.getByRole("row", { name: change }).waitFor();
    }
    await leave();
  });
});

test("the wallets of a user are counted in the list and shown page by page in a dialog", async () => {
  const shop = await registerMerchant(service, { domain: "wallets.example" });
  const events = Array.from({ length: 120 }, (_, index) =>
    depositEvent(shop.id, { payerId: "whale", embeddedWalletAddress: `0x${String(index).padStart(40, "0")}` }),
  );
  await reported(service, events);
  const { page, go, checkAccessibility, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
  await go(`/merchants/${shop.id}?tab=users`);
  await page.getByRole("button", { name: /^Wallets of user .*: 120$/ }).click();
  const dialog = page.getByRole("dialog", { name: "120 wallets" });
  await expect.poll(() => dialog.getByRole("listitem").count()).toBe(100);
  await checkAccessibility();
  await dialog.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => dialog.getByRole("listitem").count()).toBe(120);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await leave();
});
