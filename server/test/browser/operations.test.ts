import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import {
  createActive,
  depositBody,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { generateKeys, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "northwind.example" });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

const newest = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

describe("a dialog asks why", () => {
  test("and the reason is in the audit log, with what changed in one line", async () => {
    const { page, go, checkAccessibility, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/merchants/${merchant.id}`);
    await page.getByRole("button", { name: "Suspend" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Fraud,\nticket 4711");
    await checkAccessibility();
    await dialog.getByRole("button", { name: "Suspend merchant" }).click();
    await page.getByText("was suspended.").waitFor();
    expect(await newest()).toMatchObject({
      action: "merchant.suspend",
      detail: { from: "ACTIVE", to: "SUSPENDED", reason: "Fraud, ticket 4711" },
    });
    await go("/audit-log");
    const row = page.getByRole("row", { name: /Suspended a merchant/ });
    // The merchant's status before and after stand in one line.
    const [before, after] = await Promise.all(
      ["ACTIVE", "SUSPENDED"].map((text) => row.getByText(text, { exact: true }).first().boundingBox()),
    );
    expect(after?.y).toBe(before?.y);
    expect(after?.x).toBeGreaterThan(before?.x ?? Number.POSITIVE_INFINITY);
    await row.getByText("Reason: Fraud, ticket 4711").waitFor();
    await leave();
  });

  test("when a key is rotated, a campaign ends, a token is revoked and a domain is removed", async () => {
    const other = await registerMerchant(service, { domain: "why.example" });
    await other.call("/v1/merchant-domains", { body: { domain: "pay.why.example" } });
    const campaign = await createActive(service, other.id);
    await service.operator("/tokens", { body: { name: "of a leaver", role: "viewer" } });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const steps: [path: string, open: string, submit: string, action: string][] = [
      [`/campaigns/${campaign.id}`, "End", "End campaign", "campaign.end"],
      ["/tokens", "Revoke of a leaver", "Revoke", "token.revoke"],
      [`/merchants/${other.id}?tab=domains`, "Remove pay.why.example", "Remove pay.why.example", "domain.remove"],
      [`/merchants/${other.id}?tab=key`, "Rotate key", "Replace key", "merchant.rotate-key"],
    ];
    for (const [path, open, submitLabel, action] of steps) {
      await go(path);
      await page.getByRole("button", { name: open, exact: true }).click();
      const dialog = page.getByRole("dialog");
      if (action === "merchant.rotate-key") {
        await dialog.getByLabel("New public key").fill(generateKeys().publicKeyPem);
      }
      await dialog.getByLabel("Reason").fill(`Why ${action}`);
      await dialog.getByRole("button", { name: submitLabel, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await newest(), action).toMatchObject({ action, detail: { reason: `Why ${action}` } });
    }
    await leave();
  });
});

describe("the audit log", () => {
  test("is filtered by who, what and when; the address keeps the filters", async () => {
    const { page, go, checkAccessibility, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await service.operator("/tokens", { body: { name: "Ada", role: "viewer" } });
    await go("/audit-log");
    const table = page.getByRole("table", { name: "Audit log" });
    await page.getByRole("combobox", { name: "What" }).fill("Created a token");
    await page.getByRole("option", { name: "Created a token" }).click();
    await expect.poll(() => page.url()).toContain("action=token.create");
    await expect.poll(() => table.getByText("Signed in").count()).toBe(0);
    await table.getByText("Created a token").first().waitFor();
    await page.getByLabel("Before (UTC)").fill("2020-01-01T00:00");
    await page.getByText("No change matches these filters.").waitFor();
    await page.getByLabel("Before (UTC)").fill("2099-01-01T00:00");
    await table.getByText("Created a token").first().waitFor();
    await table.getByRole("button", { name: "bootstrap token" }).first().click();
    await expect.poll(() => page.url()).toContain("actor=bootstrap");
    await page.mouse.move(0, 0);
    await checkAccessibility();
    await page.reload();
    await table.getByText("Created a token").first().waitFor();
    expect(await table.getByText("Signed in").count()).toBe(0);
    await page.getByRole("link", { name: "Clear all filters" }).click();
    await table.getByText("Signed in").first().waitFor();
    await leave();
  });
});

describe("an id as it is shown", () => {
  test("is found in the lists, and by Find an id with all that have it", async () => {
    const shop = await registerMerchant(service, { domain: "ids.example" });
    const wallet = await qualify(service, shop.id);
    const campaign = await createActive(service, shop.id, { displayName: "Findable" });
    const { body: participant } = await submit(shop, campaign.id, submission("user-77", [wallet], 500));
    const { body: payout } = await service.operator(`/participants/${participant.id}/payouts`, {
      body: { amount: usdc(100), recipientAddress: wallet },
      headers: { "idempotency-key": "ids" },
    });
    const shown = (id: string) => `${id.slice(0, 8)}…${id.slice(-4)}`;
    const { page, go, checkAccessibility, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/merchants");
    await page.getByLabel("Search").fill(shown(shop.id));
    await expect.poll(() => page.getByRole("table", { name: "Merchants" }).getByRole("row").count()).toBe(2);
    await page.getByRole("table", { name: "Merchants" }).getByText("ids.example").first().waitFor();
    await go("/campaigns");
    await page.getByLabel("Search").fill(`${campaign.id.slice(0, 8)}…`);
    await page.getByRole("link", { name: "Findable" }).waitFor();
    await go(`/campaigns/${campaign.id}?tab=participants`);
    await page.getByRole("textbox", { name: "User id or participant id" }).fill(shown(participant.id));
    await page.getByRole("link", { name: "user-77" }).waitFor();
    await page.getByRole("link", { name: "Find an id" }).click();
    await page.getByRole("searchbox", { name: "Id" }).fill(shown(payout.id));
    await page.getByRole("link", { name: "Open payout" }).waitFor();
    await page.mouse.move(0, 0);
    await checkAccessibility();
    await page.getByRole("link", { name: "Open payout" }).click();
    await page.getByRole("heading", { level: 1, name: "user-77" }).waitFor();
    await leave();
  });

  test("a deposit's id as the list shows it is found and leads to the deposit", async () => {
    const shop = await registerMerchant(service, { domain: "deposit-ids.example" });
    await ingest(service, depositBody(shop.id, newAddress(), { id: "dep_7e22aa10bb20bab8" }));
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/search");
    await page.getByRole("searchbox", { name: "Id" }).fill("dep_7e22…bab8");
    await page.getByRole("link", { name: "Open deposit" }).click();
    await page.getByRole("table", { name: "Deposits" }).getByText("dep_7e22…bab8").waitFor();
    await leave();
  });

  test("a text that is no id is refused in words that fit the page", async () => {
    const { page, go, expectRefusal, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    expectRefusal(400);
    for (const text of ["no id at all", "é".repeat(300)]) {
      await go(`/search?q=${encodeURIComponent(text)}`);
      const alert = page.getByRole("alert");
      await alert.getByText("Could not search").waitFor();
      await alert.getByText(/^Type an id, its first 8 or more characters/).waitFor();
    }
    await go("/search?q=2d8b");
    await page.getByText("Nothing has exactly this id.").waitFor();
    await leave();
  });
});

describe("names of merchants", () => {
  test("come with one request per list, also of merchants that are older than a hundred others", async () => {
    const old = await Promise.all([1, 2, 3, 4].map((n) => registerMerchant(service, { domain: `old-${n}.example` })));
    for (const { id } of old) await createActive(service, id, { displayName: "Old" });
    await service.db.query(
      `insert into merchants
         select gen_random_uuid(), 'new', 'PENDING', m.algorithm, m.public_key, sha256(n::text::bytea) || '\\x02'::bytea, m.email,
                m.domain, now() + interval '1 minute', now()
         from merchants m, generate_series(1, 120) n where m.id = $1`,
      [merchant.id],
    );
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/operator/v1/merchants")) asked.push(request.url());
    });
    await go("/campaigns?search=Old");
    for (const n of [1, 2, 3, 4]) await page.getByRole("link", { name: `old-${n}.example` }).waitFor();
    expect(asked).toHaveLength(1);
    await leave();
  });
});
