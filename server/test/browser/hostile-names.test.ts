import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, openWindow, visit } from "../harness/browser.ts";
import { createActive, depositBody, ingest, newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

// Merchants choose names and ids of up to 255 characters, without a space if they like. No page may break over them.

const WIDTHS = [390, 1024, 1440];
const LONG = 200;
const NAME = `Name${"W".repeat(LONG)}`;
const USER = `user${"m".repeat(LONG)}`;
const CAMPAIGN = `Campaign${"Q".repeat(LONG)}`;
/** Two lines of text and the space around them, or a budget bar. Details that are open may be higher. */
const ROW_HEIGHT_MAX = 120;

let browser: Browser;
let service: Service;
let merchant: Merchant;
let context: BrowserContext;
const ids: Record<string, string> = {};
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  const label = "l".repeat(60);
  merchant = await registerMerchant(service, { domain: `${label}.${label}.${label}.example` });
  await service.operator(`/merchants/${merchant.id}`, { method: "PATCH", body: { displayName: NAME } });
  const { token } = (await service.operator("/tokens", { body: { name: "T".repeat(100), role: "operator" } })).body;
  const campaign = await createActive(
    service,
    merchant.id,
    { displayName: CAMPAIGN },
    { maxAmountTotal: usdc(1_000_000_000) },
  );
  const wallet = newAddress();
  await ingest(service, depositBody(merchant.id, wallet, { id: "d".repeat(128) }));
  const { body: participant } = await submit(merchant, campaign.id, submission(USER, [wallet], 490_000_000));
  const payout = await service.operator(`/participants/${participant.id}/payouts`, {
    body: { amount: usdc(1_000_000), recipientAddress: wallet },
    headers: { "idempotency-key": randomUUID() },
  });
  for (const status of ["SUBMITTED", "FAILED"]) {
    const body = { status, ...(status === "FAILED" && { reason: "r".repeat(LONG) }) };
    await service.operator(`/payouts/${payout.body.id}/status`, { body });
  }
  Object.assign(ids, { merchant: merchant.id, campaign: campaign.id, participant: participant.id });
  context = await openWindow(browser);
  // The operator's own name is long, too: the audit log and the account menu show it.
  await (await visit(browser, service, { context, token })).leave();
  await service.operator(`/campaigns/${campaign.id}`, { method: "PATCH", body: { displayName: `${CAMPAIGN}!` } });
  await service.operator(`/merchants/${merchant.id}/suspend`, { body: { reason: "r".repeat(1_000) } });
  await service.operator(`/merchants/${merchant.id}/reinstate`, { body: {} });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

/** What sticks out of the screen, unless a frame around it scrolls. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isScrolled = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      element !== document.documentElement &&
      (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX) ||
        isScrolled(element.parentElement));
    return [...document.querySelectorAll("body *")]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        return width > 0 && right > window.innerWidth + 1 && !isScrolled(element.parentElement);
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

const rowHeights = (page: Page) =>
  page.locator("table.list tbody tr").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));

/** How much of the widest table one has to scroll sideways for. */
const widthBeyondFrame = (page: Page) =>
  page
    .locator("table.list")
    .evaluateAll((tables) =>
      Math.max(
        0,
        ...tables.map((table) => table.scrollWidth - (table.closest(".mantine-Paper-root")?.clientWidth ?? 0)),
      ),
    );

const PAGES = [
  ["home", "/", CAMPAIGN],
  ["failed payouts", "/failed-payouts", USER],
  ["applications", "/applications?status=APPROVED", "lll"],
  ["merchants", "/merchants", NAME],
  ["a merchant", "/merchants/:merchant", NAME],
  ["a merchant's domains", "/merchants/:merchant?tab=domains", "lll"],
  ["a merchant's deposits", "/merchants/:merchant?tab=deposits", NAME],
  ["a merchant's users", "/merchants/:merchant?tab=users", NAME],
  ["a merchant's campaigns", "/merchants/:merchant?tab=campaigns", CAMPAIGN],
  ["a merchant's changes", "/merchants/:merchant?tab=audit", NAME],
  ["campaigns", "/campaigns", CAMPAIGN],
  ["campaigns of one merchant", "/campaigns?merchantId=:merchant", CAMPAIGN],
  ["a new campaign", "/campaigns/new?merchantId=:merchant", "Payout token"],
  ["a campaign", "/campaigns/:campaign", CAMPAIGN],
  ["a campaign's participants", "/campaigns/:campaign?tab=participants", USER],
  ["a campaign's wallets", "/campaigns/:campaign?tab=wallets", USER],
  ["a campaign's journal", "/campaigns/:campaign?tab=journal", USER],
  ["a participant", "/campaigns/:campaign/participants/:participant", USER],
  ["deposits", "/deposits", "$100.00"],
  ["the audit log", "/audit-log", "Created a campaign"],
  ["the audit log of one actor", "/audit-log?action=campaign.edit", "Edited a campaign"],
  ["tokens", "/tokens", "TTT"],
  ["what an id belongs to", "/search?q=:participant", USER],
] as const;

describe("names of 200 characters", () => {
  test.each(PAGES)("break no line, row or page: %s", async (_name, path, content) => {
    const { page, go, leave } = await visit(browser, service, { context });
    await page.setViewportSize({ width: 1440, height: 900 });
    await go(path.replaceAll(/:(merchant|campaign|participant)\b/g, (_, name: string) => ids[name] ?? ""));
    await page.getByText(content).first().waitFor();
    await page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: "detached" });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => overflowing(page), { message: `${width} pixels` }).toEqual([]);
      // Charts follow the width a moment later.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
        .toBeLessThanOrEqual(0);
      if (width >= 1_024) expect(await widthBeyondFrame(page), `${width} pixels`).toBeLessThanOrEqual(0);
      for (const height of await rowHeights(page)) expect(height, `${width} pixels`).toBeLessThan(ROW_HEIGHT_MAX);
    }
    await leave();
  });

  test("are complete on demand: on hover in a table, by a button in a heading", async () => {
    const { page, go, leave } = await visit(browser, service, { context });
    await go(`/campaigns/${ids.campaign}?tab=participants`);
    const link = page.getByRole("link", { name: USER });
    expect(await link.locator("bdi").getAttribute("title")).toBe(USER);
    await link.click();
    const heading = page.getByRole("heading", { level: 1 });
    await heading.waitFor();
    const heightOf = async () => (await heading.boundingBox())?.height ?? 0;
    const short = await heightOf();
    await page.getByRole("button", { name: "Show the full name" }).click();
    await expect.poll(heightOf).toBeGreaterThan(short);
    expect(await heading.innerText()).toBe(USER);
    await leave();
  });

  test("fit into a dialog and its buttons", async () => {
    const { page, go, leave } = await visit(browser, service, { context });
    await page.setViewportSize({ width: 390, height: 844 });
    await go(`/merchants/${ids.merchant}`);
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    await page.getByRole("dialog").getByText("MERCHANT_NOT_ACTIVE").waitFor();
    await expect.poll(() => overflowing(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    await expect.poll(() => overflowing(page)).toEqual([]);
    await leave();
  });
});

describe("names with hidden characters", () => {
  const TURNED = "Acme \u202e(dednepsus)";
  const TURNED_SHOWN = "Acme ⟨U+202E⟩(dednepsus)";

  test("are written out in lists, headings, dialogs and the audit log", async () => {
    const turned = await registerMerchant(service);
    const body = { displayName: TURNED };
    expect((await service.operator(`/merchants/${turned.id}`, { method: "PATCH", body })).status).toBe(400);
    // A name of an earlier version.
    await service.db.query("update merchants set display_name = $2 where id = $1", [turned.id, TURNED]);
    const campaign = await createActive(service, turned.id);
    const wallet = newAddress();
    await ingest(service, depositBody(turned.id, wallet));
    expect((await submit(turned, campaign.id, submission("\u200b", [wallet], 500))).status).toBe(201);

    const { page, go, leave } = await visit(browser, service, { context });
    await go("/merchants");
    const link = page.getByRole("link", { name: TURNED_SHOWN, exact: true });
    await link.waitFor();
    expect(await link.locator("bdi").count()).toBe(1);
    await link.click();
    await page.getByRole("heading", { level: 1, name: TURNED_SHOWN }).waitFor();
    await expect.poll(() => page.title()).toContain(TURNED_SHOWN);
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Suspend ${TURNED_SHOWN}` });
    await dialog.getByText(`Every signed request of ${TURNED_SHOWN} is rejected`).waitFor();
    await page.keyboard.press("Escape");
    await go(`/audit-log?merchantId=${turned.id}`);
    await page.getByText(TURNED_SHOWN).first().waitFor();
    expect(await page.content()).not.toContain("\u202e");

    await go(`/campaigns/${campaign.id}?tab=participants`);
    await page.getByRole("link", { name: "⟨U+200B⟩", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "⟨U+200B⟩" }).waitFor();
    await leave();
  });
});
