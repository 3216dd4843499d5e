import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, openWindow, visit } from "../harness/browser.ts";
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
import { applicationBody, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const PHONE = { width: 390, height: 844 };

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "northwind.example" });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

const createToken = async (name: string) =>
  (await service.operator("/tokens", { body: { name, role: "operator" } })).body.token;

const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

describe("two tabs of one browser", () => {
  async function openTwoTabs() {
    const [ada, bob] = await Promise.all([createToken("Ada"), createToken("Bob")]);
    const context = await openWindow(browser);
    const first = await visit(browser, service, { context, token: ada });
    await first.go(`/merchants/${merchant.id}`);
    await first.page.getByRole("button", { name: "Account: Ada" }).waitFor();
    return { context, first, bob };
  }

  test("a change is not sent once another tab has signed in as someone else", async () => {
    const { context, first, bob } = await openTwoTabs();
    const { page } = first;
    await page.getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Display name").fill("Renamed by whom?");
    // Without the console's own sign-in page, so that no message from another tab warns this one.
    await (await visit(browser, service, { context, token: bob })).leave();
    // Signing in is audited too, so this is read after it.
    const before = await lastAudit();
    first.expectRefusal(409);
    await dialog.getByRole("button", { name: "Save name" }).click();
    await page.getByText("You are now signed in as Bob. Nothing was changed.").first().waitFor();
    await page.getByRole("button", { name: "Account: Bob" }).waitFor();
    expect(await lastAudit()).toEqual(before);
    await first.leave();
    await context.close();
  });

  test("a tab notices when another tab signs in as someone else, and when it signs out", async () => {
    const { context, first, bob } = await openTwoTabs();
    const { page } = first;
    await page.getByRole("button", { name: "Account: Ada" }).waitFor();
    const second = await visit(browser, service, { context });
    await second.go("/tokens");
    await second.page.getByRole("button", { name: "Account: Ada" }).click();
    await second.page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("Your session has ended").waitFor();
    await second.signIn(bob);
    await page.getByRole("button", { name: "Account: Bob" }).waitFor();
    await Promise.all([first.leave(), second.leave()]);
    await context.close();
  });
});

describe("the way back", () => {
  test("leads from tab to tab", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/merchants");
    await go(`/merchants/${merchant.id}`);
    await page.getByRole("tab", { name: "Key" }).click();
    await page.getByText("-----BEGIN PUBLIC KEY-----").waitFor();
    await page.getByRole("tab", { name: "Domains" }).click();
    await page.getByText("Whitelisted domains").waitFor();
    await page.goBack();
    await page.getByText("-----BEGIN PUBLIC KEY-----").waitFor();
    await page.goBack();
    await page.getByText("Primary domain").waitFor();
    await leave();
  });

  test("does not lead to an empty form after a campaign was created", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/campaigns");
    await page.getByRole("link", { name: "New campaign" }).click();
    await page.getByRole("combobox", { name: "Merchant" }).fill("northwind");
    await page.getByRole("option", { name: /northwind/ }).click();
    const typed = {
      Name: "Spring",
      "Starts (UTC)": "2026-12-01T00:00",
      "Ends (UTC)": "2026-12-31T00:00",
      Multiplier: "2",
      "Cap per user": "500",
      "Total budget": "100",
      "Payout chain": "8453",
      "Payout token": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    };
    for (const [label, text] of Object.entries(typed)) {
      await page.locator("input").and(page.getByLabel(label)).fill(text);
    }
    await page.keyboard.press("Tab");
    // The cap is above the budget: legal, but hardly meant.
    await page.getByText("The cap per user is higher than the total budget.").waitFor();
    await page.locator("input").and(page.getByLabel("Total budget")).fill("5000");
    await expect.poll(() => page.getByText("The cap per user is higher").count()).toBe(0);
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.getByRole("heading", { name: "Spring", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
    await leave();
  });
});

describe("times and numbers", () => {
  test("are the same in a German browser, and one switch changes every time from UTC to local", async () => {
    await ingest(service, depositBody(merchant.id, newAddress(), { createDate: "2026-01-10T23:30:00.000Z" }));
    const context = await browser.newContext({ locale: "de-DE", timezoneId: "Europe/Berlin" });
    const { page, go, leave } = await visit(browser, service, { context, token: OPERATOR_TOKEN });
    await go(`/deposits?merchantId=${merchant.id}`);
    await page.getByText("10 Jan 2026, 23:30 UTC").first().waitFor();
    await page.getByRole("button", { name: "Times are in UTC. Show local times" }).click();
    await page.getByText("11 Jan 2026, 00:30 CET").first().waitFor();
    expect(await page.getByText("23:30 UTC").count()).toBe(0);
    await page.reload();
    await page.getByText("11 Jan 2026, 00:30 CET").first().waitFor();
    await leave();
    await context.close();
  });
});

describe("mail", () => {
  test.each([
    ["is promised when a mail server is set", true, "A mail to"],
    ["is not promised without one", false, "No mail server is configured, so no mail is sent"],
  ])("%s", async (_name, isConfigured, sentence) => {
    const mail = {
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "matchbook@ours.example",
      OPERATOR_EMAIL: "ops@ours.example",
    };
    const fresh = await startService(isConfigured ? { variables: mail } : {});
    try {
      await fresh.call("/v1/merchants/applications", { body: applicationBody({ domain: "new.example" }) });
      const { page, go, leave } = await visit(browser, fresh, { token: OPERATOR_TOKEN });
      await go("/applications");
      for (const verb of ["Approve", "Reject"]) {
        await page.getByRole("button", { name: `${verb} new.example` }).click();
        await page.getByRole("dialog").getByText(sentence).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await leave();
    } finally {
      await fresh.close();
    }
  });
});

describe("the home page", () => {
  test("counts failed payouts, leads to all of them, and leaves out cancelled ones", async () => {
    const fresh = await startService();
    try {
      const payer = await registerMerchant(fresh, { domain: "payer.example" });
      const campaign = await createActive(fresh, payer.id);
      const wallet = await qualify(fresh, payer.id);
      for (let user = 0; user < 13; user++) {
        const { body } = await submit(payer, campaign.id, submission(`user-${user}`, [wallet], 1_000));
        const payout = await fresh.operator(`/participants/${body.id}/payouts`, {
          body: { amount: usdc(100), recipientAddress: wallet },
          headers: { "idempotency-key": randomUUID() },
        });
        // The last one is cancelled before it is sent.
        for (const status of user === 12 ? ["FAILED"] : ["SUBMITTED", "FAILED"]) {
          await fresh.operator(`/payouts/${payout.body.id}/status`, { body: { status } });
        }
      }
      const { page, go, leave } = await visit(browser, fresh, { token: OPERATOR_TOKEN });
      await go("/");
      const card = page.getByRole("region", { name: "12 payouts failed" });
      await card.getByText("The 10 most recent:").waitFor();
      await card.getByRole("link", { name: "Show all failed payouts" }).click();
      const rows = page.getByRole("table", { name: "Failed payouts" }).locator("tbody tr");
      await expect.poll(() => rows.count()).toBe(12);
      expect(await page.getByText("user-12", { exact: true }).count()).toBe(0);
      await page.getByRole("link", { name: "user-11", exact: true }).click();
      await page.getByRole("heading", { name: "user-11", level: 1 }).waitFor();
      await leave();
    } finally {
      await fresh.close();
    }
  });

  test("draws a line for every label of a chart's axis", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const today = new Date().toISOString();
    await ingest(
      service,
      ...Array.from({ length: 7 }, () => depositBody(merchant.id, newAddress(), { createDate: today })),
    );
    // Figures of the days are remembered for a minute, so give some that make the axis long.
    await page.route("**/operator/v1/overview/days*", async (route) => {
      const answer = await route.fetch();
      const { days } = await answer.json();
      for (const [index, day] of days.entries()) day.deposits = { completed: 60 * index, pending: 3, failed: 7 };
      await route.fulfill({ response: answer, json: { days } });
    });
    await go("/");
    const chart = page.getByRole("region", { name: "Deposits per day" });
    const labels = chart.locator(".recharts-yAxis-tick-labels .recharts-cartesian-axis-tick-label");
    await labels.first().waitFor();
    expect(await labels.count()).toBeGreaterThan(2);
    const positionsOf = (selector: string, attribute: string) =>
      chart
        .locator(selector)
        .evaluateAll(
          (elements, name) =>
            elements.map((element) => Math.round(Number(element.getAttribute(name)))).sort((a, b) => a - b),
          attribute,
        );
    const lines = await positionsOf(".recharts-cartesian-grid-horizontal line", "y1");
    expect(new Set(lines).size).toBe(await labels.count());
    await leave();
  });
});

describe("lists", () => {
  test("name a hundred merchants with one request", async () => {
    const others = await Promise.all(
      Array.from({ length: 4 }, (_, number) => registerMerchant(service, { domain: `shop-${number}.example` })),
    );
    for (const { id } of others) await createActive(service, id, { displayName: `Of ${id}` });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await go("/campaigns");
    for (let number = 0; number < 4; number++)
      await page.getByRole("link", { name: `shop-${number}.example` }).waitFor();
    expect(asked.filter((path) => path.startsWith("/operator/v1/merchants"))).toEqual(["/operator/v1/merchants"]);
    await leave();
  });

  test("align amounts at their decimal points", async () => {
    const campaign = await createActive(service, merchant.id);
    const wallet = await qualify(service, merchant.id);
    for (const [user, amount] of [
      ["whole", 500_000_000],
      ["fraction", 1],
      ["both", 1_234_500_100],
    ] as const) {
      await submit(merchant, campaign.id, submission(user, [wallet], amount));
    }
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${campaign.id}?tab=participants`);
    await page.getByText("1,234.5001 USDC").first().waitFor();
    const points = await decimalPoints(
      page.getByRole("table", { name: "Participants" }).locator("tbody tr td:nth-child(3)"),
    );
    expect(points).toHaveLength(3);
    expect(new Set(points).size).toBe(1);
    await leave();
  });

  test("align what failed payouts owe on the home page, and the headings of the preview", async () => {
    const campaign = await createActive(service, merchant.id);
    const wallet = await qualify(service, merchant.id);
    for (const [user, amount] of [
      ["failed-whole", 500_000_000],
      ["failed-fraction", 1],
    ] as const) {
      const { body: participant } = await submit(merchant, campaign.id, submission(user, [wallet], amount));
      const payout = await service.operator(`/participants/${participant.id}/payouts`, {
        body: { amount: usdc(1), recipientAddress: wallet },
        headers: { "idempotency-key": randomUUID() },
      });
      for (const status of ["SUBMITTED", "FAILED"]) {
        const body = { status, ...(status === "FAILED" && { reason: "refused" }) };
        await service.operator(`/payouts/${payout.body.id}/status`, { body });
      }
    }
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/");
    const amounts = page.getByRole("region", { name: /payouts? failed$/ }).getByText(/USDC owed$/);
    await amounts.first().waitFor();
    const points = await decimalPoints(amounts);
    expect(points.length).toBeGreaterThanOrEqual(2);
    expect(new Set(points).size).toBe(1);

    await go(`/campaigns/new?merchantId=${merchant.id}`);
    for (const [label, text] of [
      ["Multiplier", "2"],
      ["Cap per user", "500"],
      ["Total budget", "10000"],
    ] as const)
      await page.getByLabel(label).fill(text);
    const headings = page.getByRole("table", { name: "Matches for sample profits" }).locator("th");
    await headings.first().waitFor();
    expect(await headings.evaluateAll((all) => all.map((one) => getComputedStyle(one).textAlign))).toEqual([
      "right",
      "right",
    ]);
    await leave();
  });

  test("are cards with three facts on a phone, and show the rest on demand", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN, viewport: PHONE });
    await ingest(service, depositBody(merchant.id, newAddress(), { id: "phone-deposit" }));
    await go(`/deposits?merchantId=${merchant.id}`);
    const card = page.getByRole("list", { name: "Deposits" }).getByRole("listitem").first();
    await card.waitFor();
    expect(await card.locator("dt").allInnerTexts()).toEqual(["Merchant", "Status", "Amount"]);
    await card.getByRole("button", { name: "Show all" }).click();
    await card.getByText("Wallet").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await leave();
  });

  test("of ten thousand rows scroll, with few of them in the page", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await answerWithDeposits(page, 10_000, 2_000);
    await go("/deposits");
    const table = page.getByRole("table", { name: "Deposits" });
    const rows = table.locator("tbody tr[data-index]");
    await rows.first().waitFor();
    const showMore = page.getByRole("button", { name: "Show more" });
    for (let count = 4_000; count <= 10_000; count += 2_000) {
      // By the keyboard: the button moves while the rows above it are measured.
      await showMore.press("Enter");
      await expect.poll(() => table.getAttribute("aria-rowcount")).toBe(String(count + 1));
      expect(await rows.count()).toBeLessThan(200);
    }
    await showMore.waitFor({ state: "detached" });
    // To the end, as one does with the End key; what is there is measured on the way.
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
        return page.locator("[title=deposit-9999]").count();
      })
      .toBe(1);
    expect(await rows.count()).toBeLessThan(200);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator("[title=deposit-0]").waitFor();
    await leave();
  }, 90_000);
});

/** Answers the list of deposits with invented ones, more on a page than the API would give. */
async function answerWithDeposits(page: Page, total: number, size: number): Promise<void> {
  await page.route(/\/operator\/v1\/deposits(\?|$)/, (route) => {
    const start = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
    const items = Array.from({ length: size }, (_, index) => ({
      merchantId: merchant.id,
      id: `deposit-${start + index}`,
      userId: randomUUID(),
      status: "completed",
      amount: { value: `${start + index}.50`, currency: "USD" },
      chain: { chainId: 8453, name: "Base" },
      token: { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" },
      embeddedWalletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
      createDate: "2026-01-10T12:00:00.000Z",
      updateDate: "2026-01-10T12:00:00.000Z",
    }));
    const next = start + size;
    return route.fulfill({ json: { items, nextCursor: next < total ? String(next) : null } });
  });
}

/** Where the decimal point of each amount stands. */
function decimalPoints(amounts: Locator): Promise<number[]> {
  return amounts.evaluateAll((elements) =>
    elements.map((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      let text = walker.nextNode() as Text;
      while (!text.data.includes(".")) text = walker.nextNode() as Text;
      const range = document.createRange();
      range.setStart(text, text.data.indexOf("."));
      range.setEnd(text, text.data.indexOf(".") + 1);
      return Math.round(range.getBoundingClientRect().left);
    }),
  );
}
