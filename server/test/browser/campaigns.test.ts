import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import { createActive, createDraft, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const TOKEN_ADDRESS = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const TRANSACTION_HASH = `0x${"5e".repeat(32)}`;
const TERMS = {
  Name: "Double Winter",
  "Starts (UTC)": "2026-01-01T00:00",
  "Ends (UTC)": "2026-01-31T23:59",
  Multiplier: "2",
  "Cap per user": "500",
  "Total budget": "10000",
  "Payout chain": "8453",
  "Payout token": TOKEN_ADDRESS,
};

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "northwind.example" });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

// The label of a required field ends with an asterisk, and a list of suggestions has the label of its field.
const field = (page: Page, label: string) =>
  page.getByLabel(new RegExp(`^${label.replaceAll(/[()]/g, "\\$&")}( \\*)?$`)).and(page.locator("input"));

async function fill(page: Page, terms: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(terms)) await field(page, label).fill(value);
}

/** Rows of a table as the texts of their cells, the heading left out. */
function rowsOf(page: Page, table: string): Promise<string[][]> {
  return page
    .getByRole("table", { name: table })
    .getByRole("row")
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => Array.from(row.querySelectorAll("td"), (cell) => cell.innerText.trim())),
    );
}

async function confirm(page: Page, button: string, confirmation = button): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: confirmation, exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

const profit = (merchantUserId: string, wallet: string, tokens: number) =>
  submission(merchantUserId, [wallet], BigInt(tokens * 1_000_000));

describe("a campaign's times", () => {
  test("are typed and shown in the zone of the switch, and survive switching and a reload", async () => {
    const shop = await registerMerchant(service);
    const { id } = await createDraft(service, shop.id);
    const before = (await service.operator(`/campaigns/${id}`)).body;
    const context = await browser.newContext({ timezoneId: "Asia/Kolkata", locale: "en-GB" });
    const { page, go, leave } = await visit(browser, service, { context, token: OPERATOR_TOKEN });
    await go(`/campaigns/${id}`);
    await page.getByRole("button", { name: "Times are in UTC. Show local times" }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await field(page, "Ends (local time)").fill("2031-05-01T05:00");
    await page.reload();
    await expect.poll(() => field(page, "Ends (local time)").inputValue()).toBe("2031-05-01T05:00");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Changes saved.").waitFor();
    const after = (await service.operator(`/campaigns/${id}`)).body;
    expect([after.startDate, after.endDate]).toEqual([before.startDate, "2031-04-30T23:30:00.000Z"]);

    await go("/campaigns/new");
    await field(page, "Starts (local time)").fill("2031-01-01T05:30");
    await page.getByRole("button", { name: "Times are local. Show UTC" }).click();
    await expect.poll(() => field(page, "Starts (UTC)").inputValue()).toBe("2031-01-01T00:00");
    await leave();
    await context.close();
  });
});

describe("a campaign's life", () => {
  test("from its first term to a paid reward", { timeout: 90_000 }, async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/campaigns");
    await page.getByRole("link", { name: "New campaign" }).click();

    // Half of the form, and a reload: nothing typed is lost.
    await page.getByRole("combobox", { name: "Merchant" }).fill("northw");
    await page.getByRole("option", { name: "northwind.example" }).click();
    const { Name, Multiplier, "Starts (UTC)": starts, "Cap per user": cap, ...rest } = TERMS;
    const half = { Name, Multiplier, "Starts (UTC)": starts, "Cap per user": cap };
    await fill(page, half);
    await page.reload();
    for (const [label, value] of Object.entries(half)) {
      expect(await field(page, label).inputValue(), label).toBe(value);
    }
    await expect.poll(() => page.getByRole("combobox", { name: "Merchant" }).inputValue()).toBe("northwind.example");
    await fill(page, rest);

    // The preview follows the terms.
    const preview = () => rowsOf(page, "Matches for sample profits");
    await expect.poll(preview).toEqual([
      ["10.00 USDC", "20.00 USDC"],
      ["100.00 USDC", "200.00 USDC"],
      ["1,000.00 USDC", expect.stringMatching(/^500\.00 USDC\s+limited by the cap$/i)],
      ["10,000.00 USDC", expect.stringMatching(/^500\.00 USDC\s+limited by the cap$/i)],
    ]);
    await field(page, "Total budget").fill("150");
    await field(page, "Another profit to try").fill("70.5");
    await expect
      .poll(async () => (await preview()).slice(1))
      .toEqual([
        ["100.00 USDC", expect.stringMatching(/^150\.00 USDC\s+limited by the budget$/i)],
        ["1,000.00 USDC", expect.stringMatching(/^150\.00 USDC\s+limited by the budget$/i)],
        ["10,000.00 USDC", expect.stringMatching(/^150\.00 USDC\s+limited by the budget$/i)],
        ["70.50 USDC", "141.00 USDC"],
      ]);
    await field(page, "Total budget").fill(TERMS["Total budget"]);

    // A double click makes one campaign.
    await page.getByRole("button", { name: "Create draft" }).dblclick();
    await page.getByRole("heading", { name: TERMS.Name, level: 1 }).waitFor();
    const campaigns = (await service.operator(`/campaigns?merchantId=${merchant.id}`)).body.items;
    expect(campaigns).toMatchObject([
      {
        displayName: TERMS.Name,
        status: "DRAFT",
        startDate: "2026-01-01T00:00:00.000Z",
        endDate: "2026-01-31T23:59:00.000Z",
        perTradeProfitMatch: {
          matchMultiplier: 2,
          maxAmountPerUser: usdc(500_000_000),
          maxAmountTotal: usdc(10_000_000_000),
          payoutChainId: 8453,
          payoutTokenAddress: TOKEN_ADDRESS,
        },
      },
    ]);
    const { id } = campaigns[0];
    const wallet = await qualify(service, merchant.id);
    const otherWallet = await qualify(service, merchant.id);
    const early = await submit(merchant, id, profit("user-1042", wallet, 100));
    expect(early.body.error.code).toBe("CAMPAIGN_NOT_ACTIVE");
    await confirm(page, "Activate");
    await page.getByText(`${TERMS.Name} is active.`).waitFor();

    // The merchant submits: in full, then over the cap, then less, and for somebody else.
    for (const [user, address, tokens, status] of [
      ["user-1042", wallet, 100, 201],
      ["user-1042", wallet, 400, 200],
      ["user-1042", wallet, 50, 200],
      ["user-7", otherWallet, 120.25, 201],
    ] as const) {
      expect((await submit(merchant, id, profit(user, address, tokens))).status).toBe(status);
    }
    await page.reload();
    const budget = page.getByRole("region", { name: "Budget" });
    await budget.getByText("740.50 USDC of 10,000.00 USDC is committed to users (7.4%)").waitFor();
    await budget.getByRole("img", { name: /9,259\.50 USDC remains/ }).waitFor();
    await page.getByRole("tab", { name: "Journal" }).click();
    await page.getByRole("link", { name: "user-7" }).waitFor();
    const journal = (await rowsOf(page, "Journal of submissions")).map(([position, , ...cells]) => [
      position,
      ...cells,
    ]);
    expect(journal).toEqual([
      ["4", "user-7", "120.25 USDC", "+240.50 USDC", "240.50 USDC", "–", "740.50 USDC"],
      ["3", "user-1042", "50.00 USDC", "+0.00 USDC", "500.00 USDC", "–", "500.00 USDC"],
      ["2", "user-1042", "400.00 USDC", "+300.00 USDC", "500.00 USDC", "Cap per user", "500.00 USDC"],
      ["1", "user-1042", "100.00 USDC", "+200.00 USDC", "200.00 USDC", "–", "200.00 USDC"],
    ]);

    // The participant's page says why.
    await page.getByRole("link", { name: "user-1042" }).first().click();
    await page.getByRole("heading", { name: "user-1042", level: 1 }).waitFor();
    const why = page.getByRole("region", { name: "How this match was computed" });
    for (const sentence of [
      "2 × 100.00 USDC profit: matched in full.",
      "2 × 400.00 USDC profit: limited by the cap of 500.00 USDC per user.",
      "2 × 50.00 USDC profit: no more than before. A match never falls.",
    ]) {
      await why.getByText(sentence, { exact: true }).waitFor();
    }

    // A payout from pending to confirmed; a double click records one.
    const payouts = page.getByRole("region", { name: "Payouts" });
    await page.getByRole("button", { name: "Record a payout" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Amount in USDC").inputValue()).toBe("500");
    expect(await dialog.getByRole("textbox", { name: /^Receiver on Base/ }).inputValue()).toBe(wallet);
    await dialog.getByRole("button", { name: "Record", exact: true }).dblclick();
    await dialog.waitFor({ state: "detached" });
    await payouts.getByRole("article").getByText("PENDING", { exact: true }).first().waitFor();
    expect(await payouts.getByRole("article").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Record a payout" }).isDisabled()).toBe(true);

    await page.getByRole("button", { name: "Mark as submitted" }).click();
    const markSubmitted = dialog.getByRole("button", { name: "Mark as submitted" });
    expect(await markSubmitted.isDisabled()).toBe(true);
    await dialog.getByLabel("Transaction hash").fill(TRANSACTION_HASH);
    await markSubmitted.click();
    await dialog.waitFor({ state: "detached" });
    await payouts.getByText(TRANSACTION_HASH, { exact: true }).waitFor();
    await confirm(page, "Mark as confirmed");
    await page.getByText("PAID", { exact: true }).waitFor();
    const trail = await payouts.getByRole("article").locator("strong").allInnerTexts();
    expect(trail).toEqual(["PENDING", "SUBMITTED", "CONFIRMED"]);
    const { body: participant } = await merchant.call(
      `/v1/marketings/campaigns/${id}/participants?merchantUserId=user-1042`,
    );
    expect(participant).toMatchObject({
      status: "PAID",
      payouts: [{ status: "CONFIRMED", amount: usdc(500_000_000), transactionHash: TRANSACTION_HASH }],
    });

    // What is still owed is somebody else's.
    await go(`/campaigns/${id}?tab=owed`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download owed.csv" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/owed.*\.csv$/);
    expect((await readFile(await download.path(), "utf8")).split("\r\n")).toEqual([
      expect.stringMatching(/^report_only_not_for_payment,/),
      expect.stringMatching(new RegExp(`^OWED,.*,${otherWallet},240.5,USDC,${TOKEN_ADDRESS},$`)),
      "",
    ]);
    await leave();
  });
});

describe("a new campaign", () => {
  test("is for the merchant chosen last, also after a reload of an address that named another", async () => {
    const chosen = await registerMerchant(service, { domain: "southwind.example" });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/new?merchantId=${merchant.id}`);
    const box = page.getByRole("combobox", { name: "Merchant" });
    await expect.poll(() => box.inputValue()).toBe("northwind.example");
    await box.fill("southw");
    await page.getByRole("option", { name: "southwind.example" }).click();
    await fill(page, TERMS);
    await page.reload();
    await expect.poll(() => box.inputValue()).toBe("southwind.example");
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.getByRole("heading", { name: TERMS.Name, level: 1 }).waitFor();
    expect((await service.operator(`/campaigns?merchantId=${chosen.id}`)).body.items).toHaveLength(1);
    await leave();
  });

  test("whose answer was lost is made once, also by a second try after a reload", async () => {
    const unlucky = await registerMerchant(service, { domain: "eastwind.example" });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(502);
    await visitor.go(`/campaigns/new?merchantId=${unlucky.id}`);
    await fill(page, TERMS);
    await page.route("**/operator/v1/campaigns", async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, body: "" });
    });
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.getByRole("alert").getByText("with status 502").waitFor();
    await page.unroute("**/operator/v1/campaigns");
    await page.reload();
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.getByRole("heading", { name: TERMS.Name, level: 1 }).waitFor();
    expect((await service.operator(`/campaigns?merchantId=${unlucky.id}`)).body.items).toHaveLength(1);
    await visitor.leave();
  });

  test("previews no match while the server cannot be reached, and says so", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/campaigns/new");
    await page.route("**/campaigns/preview", (route) =>
      route.fulfill({ status: 200, contentType: "application/json", body: "broken" }),
    );
    const { Multiplier, "Cap per user": cap, "Total budget": budget } = TERMS;
    await fill(page, { Multiplier, "Cap per user": cap, "Total budget": budget });
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByRole("alert").getByText("Could not load the preview").waitFor();
    await page.unroute("**/campaigns/preview");
    await preview.getByRole("button", { name: "Try again" }).click();
    await preview.getByRole("table", { name: "Matches for sample profits" }).waitFor();
    await leave();
  });

  test("rests once its preview is shown", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await page.clock.install();
    await go("/campaigns/new");
    const { Multiplier, "Cap per user": cap, "Total budget": budget } = TERMS;
    await fill(page, { Multiplier, "Cap per user": cap, "Total budget": budget });
    await page.getByRole("table", { name: "Matches for sample profits" }).waitFor();
    await page.evaluate(() => {
      const { setTimeout } = window;
      Object.assign(window, { pauses: 0 });
      window.setTimeout = ((...timer: Parameters<typeof setTimeout>) => {
        if (timer[1] === 300) Object.assign(window, { pauses: (window as unknown as { pauses: number }).pauses + 1 });
        return setTimeout(...timer);
      }) as typeof setTimeout;
    });
    for (let pause = 0; pause < 5; pause++) await page.clock.runFor(400);
    expect(await page.evaluate(() => (window as unknown as { pauses: number }).pauses)).toBeLessThan(3);
    await leave();
  });
});

describe("a campaign that is a draft", () => {
  test("can be changed in every term", async () => {
    const { id } = await createDraft(service, merchant.id, { displayName: "First Thoughts" });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    const token = "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85";
    await fill(page, {
      Name: "Second Thoughts",
      "Starts (UTC)": "2026-02-01T00:00",
      "Ends (UTC)": "2026-02-28T23:59",
      Multiplier: "1.5",
      "Cap per user": "40",
      "Total budget": "300.25",
      Currency: "USDT",
      Decimals: "8",
      "Payout chain": "10",
      "Payout token": token,
    });
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { name: "Second Thoughts", level: 1 }).waitFor();
    const terms = page.getByRole("region", { name: "Terms" });
    for (const text of ["1.5 × the profit", "40.00 USDT", "300.25 USDT", "OP Mainnet (10)", token]) {
      await terms.getByText(text, { exact: true }).waitFor();
    }
    const usdt = (amount: string) => ({ amount, currency: "USDT", decimalPlaces: 8 });
    expect((await service.operator(`/campaigns/${id}`)).body).toMatchObject({
      displayName: "Second Thoughts",
      status: "DRAFT",
      startDate: "2026-02-01T00:00:00.000Z",
      endDate: "2026-02-28T23:59:00.000Z",
      perTradeProfitMatch: {
        matchMultiplier: 1.5,
        maxAmountPerUser: usdt("4000000000"),
        maxAmountTotal: usdt("30025000000"),
        payoutChainId: 10,
        payoutTokenAddress: token,
      },
    });
    await leave();
  });
});

describe("a campaign that is active", () => {
  test("keeps what somebody else changed while an edit was typed and the page loaded again", async () => {
    const { id } = await createActive(service, merchant.id, { displayName: "Two Pens" });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await field(page, "Name").fill("Two Pens, One Paper");
    const maxAmountTotal = usdc(200_000_000_000);
    const raised = await service.operator(`/campaigns/${id}`, {
      method: "PATCH",
      body: { perTradeProfitMatch: { maxAmountTotal } },
    });
    expect(raised.status, JSON.stringify(raised.body)).toBe(200);
    await page.reload();
    await expect.poll(() => field(page, "Total budget").inputValue()).toBe("200000");
    expect(await field(page, "Name").inputValue()).toBe("Two Pens, One Paper");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { name: "Two Pens, One Paper", level: 1 }).waitFor();
    expect((await service.operator(`/campaigns/${id}`)).body.perTradeProfitMatch).toMatchObject({ maxAmountTotal });
    await leave();
  });

  test("can only get better for users: everything else is fixed, and a lower cap is refused", async () => {
    const { id } = await createActive(service, merchant.id, { displayName: "Steady Terms" });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go(`/campaigns/${id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    const labels = [...Object.keys(TERMS), "Currency", "Decimals"];
    const open = [];
    for (const label of labels) if (await field(page, label).isEnabled()) open.push(label);
    expect(open).toEqual(["Name", "Ends (UTC)", "Cap per user", "Total budget"]);

    visitor.expectRefusal(409);
    const save = page.getByRole("dialog").getByRole("button", { name: "Save changes" });
    expect(await save.isDisabled()).toBe(true);
    await field(page, "Cap per user").fill("4999");
    await save.click();
    await page.getByRole("dialog").getByRole("alert").getByText("CAMPAIGN_EDIT_INVALID").waitFor();

    // A reload loses nothing of an edit, either.
    await field(page, "Cap per user").fill("6000.5");
    await field(page, "Name").fill("Better Terms");
    await page.reload();
    expect(await field(page, "Cap per user").inputValue()).toBe("6000.5");
    expect(await field(page, "Name").inputValue()).toBe("Better Terms");
    await save.click();
    await page.getByRole("heading", { name: "Better Terms", level: 1 }).waitFor();
    await page.getByRole("region", { name: "Terms" }).getByText("6,000.50 USDC").waitFor();
    expect((await service.operator(`/campaigns/${id}`)).body).toMatchObject({
      displayName: "Better Terms",
      perTradeProfitMatch: { maxAmountPerUser: usdc(6_000_500_000), maxAmountTotal: usdc(100_000_000_000) },
    });
    await visitor.leave();
  });

  test("refuses submissions while it is paused, takes them again, and ends for good", async () => {
    const { id } = await createActive(service, merchant.id, { displayName: "Stop and Go" });
    const wallet = await qualify(service, merchant.id);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${id}`);
    await confirm(page, "Pause");
    await page.getByText("PAUSED", { exact: true }).waitFor();
    expect((await submit(merchant, id, profit("user-1", wallet, 10))).body.error.code).toBe("CAMPAIGN_NOT_ACTIVE");
    await confirm(page, "Resume");
    await page.getByText("ACTIVE", { exact: true }).waitFor();
    expect((await submit(merchant, id, profit("user-1", wallet, 10))).status).toBe(201);
    await confirm(page, "End", "End campaign");
    await page.getByText("ENDED", { exact: true }).waitFor();
    expect((await submit(merchant, id, profit("user-1", wallet, 20))).body.error.code).toBe("CAMPAIGN_NOT_ACTIVE");
    expect(await page.getByRole("button", { name: /^(Activate|Pause|Resume|End)$/ }).count()).toBe(0);
    await leave();
  });
});

describe("the participants of a campaign", () => {
  test("are listed page by page, each once", async () => {
    const { id } = await createActive(service, merchant.id, { displayName: "Full House" });
    const wallet = await qualify(service, merchant.id);
    const users = Array.from({ length: 60 }, (_, number) => `guest-${String(number).padStart(2, "0")}`);
    const submitted = await Promise.all(users.map((user) => submit(merchant, id, profit(user, wallet, 10))));
    expect(submitted.map(({ status }) => status)).toEqual(users.map(() => 201));
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${id}?tab=participants`);
    const guests = page.getByRole("table", { name: "Participants" }).getByRole("link", { name: /^guest-/ });
    const showMore = page.getByRole("button", { name: "Show more" });
    await expect.poll(() => guests.count()).toBe(25);
    await showMore.click();
    await showMore.waitFor({ state: "detached" });
    expect((await guests.allInnerTexts()).sort()).toEqual(users);
    await leave();
  });

  test("are found by the merchant's user id, and their wallets among those that qualified", async () => {
    const { id } = await createActive(service, merchant.id, { displayName: "Who Is Who" });
    const [mine, unclaimed] = [newAddress(), newAddress()];
    await qualify(service, merchant.id, [mine, unclaimed]);
    expect((await submit(merchant, id, profit("player-1", mine, 10))).status).toBe(201);
    expect((await submit(merchant, id, profit("player-2", mine, 20))).status).toBe(201);
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go(`/campaigns/${id}?tab=participants`);
    await page.getByRole("link", { name: "player-1" }).waitFor();
    await page.getByRole("textbox", { name: "User id" }).fill("player-2");
    await page.getByRole("link", { name: "player-1" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "player-2" }).waitFor();
    visitor.expectRefusal(404);
    await page.getByRole("textbox", { name: "User id" }).fill("player-3");
    await page.getByText("No participant matches.").waitFor();

    await visitor.go(`/campaigns/${id}?tab=wallets&address=${mine}`);
    const rowOf = (address: string) => page.getByRole("row").filter({ hasText: address });
    await rowOf(mine).getByRole("link").click();
    await page.getByRole("heading", { name: "player-1", level: 1 }).waitFor();
    await visitor.go(`/campaigns/${id}?tab=wallets`);
    await rowOf(unclaimed).getByText("not claimed").waitFor();
    await visitor.leave();
  });
});
