import { createPrivateKey, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, openWindow, type Visitor, visit } from "../harness/browser.ts";
import { submission, submit, usdc } from "../harness/campaigns.ts";
import { databaseUrl } from "../harness/database.ts";
import { asMerchant } from "../harness/merchant.ts";
import { makeDataDir, removeDataDir, runProgram } from "../harness/program.ts";
import { OPERATOR_TOKEN, SECRET, type Service, startService } from "../harness/service.ts";

// Every page with much on it, in both colour schemes and at the width of a phone.

const PHONE = { width: 390, height: 844 };
const TAB_STOPS_MAX = 60;

let browser: Browser;
let service: Service;
/** What stands for itself in the addresses below. */
let ids: { merchant: string; applicant: string; campaign: string; participant: string };
/** Signed in, and shared: most of a page is loaded already when the next one opens. */
let context: BrowserContext;
const dataDir = makeDataDir();
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService({ auditTickMs: 200 })]);
  await makeDemo();
  ids = await addWhatTheDemoLacks();
  context = await openWindow(browser);
  await (await visit(browser, service, { context, token: OPERATOR_TOKEN })).leave();
});
afterAll(async () => {
  removeDataDir(dataDir);
  await Promise.all([browser.close(), service.close()]);
});

async function makeDemo(): Promise<void> {
  const counts = ["--merchants", "3", "--deposits", "600", "--campaigns", "6", "--applications", "3"];
  const program = runProgram(["demo", "--environment", "production", ...counts], {
    ENVIRONMENTS: "production",
    DATABASE_URL: databaseUrl(service.database.connection),
    MATCHBOOK_DATA_DIR: dataDir,
    MATCHBOOK_SECRET: SECRET,
    MATCHBOOK_OPERATOR_TOKEN: OPERATOR_TOKEN,
  });
  expect(await program.exited, program.output()).toBe(0);
}

/** A domain, a rejection, tokens, a job that is stuck, and participants with payouts in every state. */
async function addWhatTheDemoLacks(): Promise<typeof ids> {
  const read = async (path: string) => (await service.operator(path)).body.items;
  const change = async (path: string, body: object = {}) => {
    const answer = await service.operator(path, { body, headers: { "idempotency-key": randomUUID() } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const [campaign] = (await read("/campaigns?status=ACTIVE")).filter(
    ({ displayName }: { displayName: string }) => displayName === "Double Profit Weeks",
  );
  const keys = JSON.parse(readFileSync(join(dataDir, "demo-merchants-production.json"), "utf8"));
  const { privateKey } = keys.find(({ id }: { id: string }) => id === campaign.merchantId);
  const merchant = asMerchant(service, campaign.merchantId, {
    privateKey: createPrivateKey(privateKey),
    publicKeyPem: "",
  });
  expect((await merchant.call("/v1/merchant-domains", { body: { domain: "pay.demo.example" } })).status).toBe(201);
  const [wallet] = await read(`/campaigns/${campaign.id}/qualifiedWallets?chainId=8453`);

  const participants = [];
  for (const [user, profit] of [
    ["user-1042", 100],
    ["user-1042", 50],
    ["user-7", 20],
  ] as const) {
    const submitted = await submit(merchant, campaign.id, submission(user, [wallet.address], profit * 1_000_000));
    expect(submitted.status, JSON.stringify(submitted.body)).toBeLessThan(300);
    participants.push(submitted.body);
  }
  const [participant, , failed] = participants;
  for (const [{ id }, ...moves] of [
    [participant, "SUBMITTED", "CONFIRMED"],
    [participant, "FAILED"],
    [participant, "SUBMITTED"],
    [participant],
    [failed, "FAILED"],
  ]) {
    const body = { amount: usdc(10_000_000), recipientAddress: wallet.address };
    const payout = await change(`/participants/${id}/payouts`, body);
    for (const status of moves) {
      const because = { SUBMITTED: { transactionHash: `0x${"5e".repeat(32)}` }, FAILED: { reason: "It bounced." } };
      await change(`/payouts/${payout.id}/status`, { status, ...because[status as keyof typeof because] });
    }
  }

  const applications = await read("/applications?status=PENDING");
  const of = (name: string) => applications.find(({ domain }: { domain: string }) => domain === name);
  const { applicationId } = of("granite-futures.example");
  await change(`/applications/${applicationId}/reject`, { reason: "The domain does not resolve." });
  await change("/tokens", { name: "night watch", role: "viewer" });
  const { id: revoked } = await change("/tokens", { name: "gone", role: "viewer" });
  await service.operator(`/tokens/${revoked}`, { method: "DELETE" });
  await service.db.query(
    `insert into outbox (id, kind, payload, attempts, next_attempt_date, last_error, create_date)
     values (gen_random_uuid(), 'mail', '{}', 5, now() + interval '1 hour', 'SMTP: CONN ECONNREFUSED failed', now())`,
  );
  return {
    merchant: campaign.merchantId,
    applicant: of("meadow-casino.example").merchantId,
    campaign: campaign.id,
    participant: participant.id,
  };
}

/** Opens a page as somebody who is signed in, and waits until nothing of it is still to come. */
async function open(path: string): Promise<Visitor> {
  const visitor = await visit(browser, service, { context });
  await visitor.go(
    path.replaceAll(/:(merchant|applicant|campaign|participant)\b/g, (_, name: keyof typeof ids) => ids[name]),
  );
  await visitor.page.getByRole("heading", { level: 1 }).waitFor();
  await visitor.page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: "detached" });
  return visitor;
}

async function checkBothSchemes({ page, checkAccessibility }: Visitor): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    // Of all rules, only that of contrast depends on the colours.
    await checkAccessibility(colorScheme === "light" ? undefined : ["color-contrast"]);
  }
}

const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));

describe("for everybody, in light and dark, on a desk and on a phone", () => {
  test.each([
    ["home", "/", "SMTP: CONN ECONNREFUSED failed"],
    ["applications", "/applications", "The same domain as another merchant"],
    ["rejected applications", "/applications?status=REJECTED", "The domain does not resolve."],
    ["merchants", "/merchants", "Northwind Arcade"],
    ["a merchant", "/merchants/:merchant", "Primary domain"],
    ["a merchant who waits", "/merchants/:applicant", "Waiting for review"],
    ["a merchant's key", "/merchants/:merchant?tab=key", "-----BEGIN PUBLIC KEY-----"],
    ["a merchant's domains", "/merchants/:merchant?tab=domains", "https://pay.demo.example"],
    ["a merchant's deposits", "/merchants/:merchant?tab=deposits", /^\$/],
    ["a merchant's users", "/merchants/:merchant?tab=users", /^\$/],
    ["a merchant's campaigns", "/merchants/:merchant?tab=campaigns", "Double Profit Weeks"],
    ["a merchant's changes", "/merchants/:merchant?tab=audit", "Recorded a payout"],
    ["campaigns", "/campaigns", "Double Profit Weeks"],
    ["a new campaign", "/campaigns/new?merchantId=:merchant", "Payout token"],
    ["a campaign", "/campaigns/:campaign", /is committed to users/],
    ["a campaign's participants", "/campaigns/:campaign?tab=participants", /^player-/],
    ["a campaign's wallets", "/campaigns/:campaign?tab=wallets", /^0x/],
    ["a campaign's journal", "/campaigns/:campaign?tab=journal", "user-1042"],
    ["what a campaign owes", "/campaigns/:campaign?tab=owed", "Download owed.csv"],
    ["a participant", "/campaigns/:campaign/participants/:participant", /A match never falls/],
    ["deposits", "/deposits", /^\$/],
    ["the audit log", "/audit-log", "Recorded a payout"],
    ["tokens", "/tokens", "night watch"],
    ["an address without a page", "/nowhere", "Page not found"],
  ])("%s", async (_name, path, content) => {
    const visitor = await open(path);
    await visitor.page.getByText(content).first().waitFor();
    await checkBothSchemes(visitor);
    await visitor.page.setViewportSize(PHONE);
    await expect.poll(() => overflow(visitor.page)).toBe(0);
    await visitor.leave();
  });
});

describe("a dialog", () => {
  test.each([
    ["to reject an application", "/applications", "Reject meadow-casino.example", "Reason"],
    ["to approve an application", "/applications", "Approve meadow-casino.example", "Display name"],
    ["to rotate a key", "/merchants/:merchant?tab=key", "Rotate key", "New public key"],
    ["to edit a campaign", "/campaigns/:campaign", "Edit", "Cap per user"],
    ["to record a payout", "/campaigns/:campaign/participants/:participant", "Record a payout", "Amount in USDC"],
    ["to create a token", "/tokens", "New token", "Valid for (days)"],
    ["to rename a merchant", "/merchants/:merchant", "Rename", "Display name"],
    ["to confirm a suspension", "/merchants/:merchant", "Suspend", "Close"],
    ["to submit a payout", "/campaigns/:campaign/participants/:participant", "Mark as submitted", "Transaction hash"],
    ["to fail a payout", "/campaigns/:campaign/participants/:participant", "Mark as failed", "Reason"],
  ])("%s", async (_name, path, button, label) => {
    const visitor = await open(path);
    const { page } = visitor;
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("dialog").getByLabel(label).waitFor();
    await checkBothSchemes(visitor);
    await page.setViewportSize(PHONE);
    await expect.poll(() => overflow(page)).toBe(0);
    // It opens with the keyboard inside, and gives it back.
    expect(await page.getByRole("dialog").locator(":focus").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: button, exact: true }).and(page.locator(":focus")).waitFor();
    await visitor.leave();
  });
});

describe("a new token", () => {
  test("is shown in a dialog that keeps the keyboard until it is closed", async () => {
    const visitor = await open("/tokens");
    const { page } = visitor;
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("day watch");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Token of day watch" });
    await dialog.getByRole("button", { name: "Copy token" }).and(page.locator(":focus")).waitFor();
    await checkBothSchemes(visitor);
    await page.setViewportSize(PHONE);
    await expect.poll(() => overflow(page)).toBe(0);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New token" }).and(page.locator(":focus")).waitFor();
    await visitor.leave();
  });
});

describe("the books", () => {
  test("are checked unasked, and the verdict is still there when one comes back", async () => {
    const visitor = await open("/");
    const { page } = visitor;
    let checks = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/invariants")) checks++;
    });
    await page.getByText("The books add up").waitFor();
    checks = 0;
    await page.getByRole("link", { name: "Tokens", exact: true }).click();
    await page.getByRole("heading", { name: "Tokens", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByText("The books add up").waitFor();
    expect(checks).toBe(0);
    await page.getByRole("button", { name: "Check again" }).click();
    await expect.poll(() => checks).toBe(1);
    await page.getByRole("button", { name: "Check again" }).and(page.locator(":enabled")).waitFor();
    await visitor.leave();
  });
});

describe("what is wrong", () => {
  test("with the terms of a campaign, beside the preview of the rest", async () => {
    const visitor = await open("/campaigns/new");
    const { page } = visitor;
    for (const [label, value] of [
      ["Multiplier", "2"],
      ["Cap per user", "500"],
      ["Total budget", "900"],
    ] as const) {
      await page.getByLabel(label).fill(value);
    }
    await page
      .getByRole("table", { name: "Matches for sample profits" })
      .getByText("limited by the cap")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.getByText("Choose a merchant").waitFor();
    await checkBothSchemes(visitor);
    await page.setViewportSize(PHONE);
    await expect.poll(() => overflow(page)).toBe(0);
    await visitor.leave();
  });

  test("in the API's words", async () => {
    const visitor = await open("/");
    visitor.expectRefusal(400);
    await visitor.go("/deposits?status=lost");
    await visitor.page.getByRole("alert").getByText("status must be one of").waitFor();
    await checkBothSchemes(visitor);
    await visitor.leave();
  });
});

describe("without a mouse", () => {
  /** Presses Tab until the keyboard is there. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < TAB_STOPS_MAX; stops++) {
      await page.keyboard.press("Tab");
      if ((await target.and(page.locator(":focus")).count()) === 1) return;
    }
    throw new Error(`No ${TAB_STOPS_MAX} tab stops lead to ${target}.`);
  }

  test("one skips the navigation", async () => {
    const visitor = await open("/tokens");
    const { page } = visitor;
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
    await visitor.checkAccessibility();
    await page.keyboard.press("Enter");
    await page.getByRole("main").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "New token" }).and(page.locator(":focus")).waitFor();
    await visitor.leave();
  });

  test("one signs in, opens a merchant, and thinks better of suspending it", async () => {
    const { page, go, leave } = await visit(browser, service);
    await go("/");
    await page.getByLabel("Operator token").and(page.locator(":focus")).waitFor();
    await page.keyboard.type(OPERATOR_TOKEN);
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("link", { name: "Merchants", exact: true }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Merchants", level: 1 }).waitFor();
    await tabTo(page, page.getByRole("link", { name: "Northwind Arcade" }).first());
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Northwind Arcade", level: 1 }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "Suspend" }));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tabTo(page, page.getByRole("tab", { name: "Overview" }));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByText("-----BEGIN PUBLIC KEY-----").waitFor();
    await leave();
  });
});

describe("on a phone", () => {
  test("the pages are behind a button", async () => {
    const visitor = await open("/");
    const { page } = visitor;
    await page.setViewportSize(PHONE);
    const link = page.getByRole("link", { name: "Campaigns", exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Navigation", expanded: false }).click();
    await page.getByRole("button", { name: "Navigation", expanded: true }).waitFor();
    await link.waitFor();
    await checkBothSchemes(visitor);
    await link.click();
    await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
    await link.waitFor({ state: "hidden" });
    await visitor.leave();
  });
});
