import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import {
  BASE,
  createActive,
  depositBody,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const OPTIMISM = 10;
const TRANSACTION_HASH = `0x${"5e".repeat(32)}`;

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "northwind.example" });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

/** A user who is owed 200 USDC, with a wallet that qualifies for owed.csv. */
async function someoneOwed(user: string) {
  const campaign = await createActive(service, merchant.id, { displayName: `Reward of ${user}` });
  const wallet = await qualify(service, merchant.id);
  const { status, body } = await submit(merchant, campaign.id, submission(user, [wallet], 100_000_000));
  expect(status, JSON.stringify(body)).toBe(201);
  return { campaignId: campaign.id, participantId: body.id, wallet };
}

const participantPage = (someone: { campaignId: string; participantId: string }) =>
  `/campaigns/${someone.campaignId}/participants/${someone.participantId}`;

async function payoutsOf(participantId: string, campaignId: string) {
  return (await service.operator(`/campaigns/${campaignId}/participants?id=${participantId}`)).body.payouts;
}

async function recordPayout(participantId: string, recipientAddress: string, amount: number) {
  const body = { amount: usdc(amount), recipientAddress };
  const headers = { "idempotency-key": randomUUID() };
  const recorded = await service.operator(`/participants/${participantId}/payouts`, { body, headers });
  expect(recorded.status, JSON.stringify(recorded.body)).toBe(201);
  return recorded.body;
}

const factOf = (page: Page, label: string) =>
  page.locator("dt", { hasText: label }).locator("xpath=following-sibling::dd");

async function download(page: Page, button: string): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  return { name: file.suggestedFilename(), lines: (await readFile(await file.path(), "utf8")).split("\r\n") };
}

describe("a payout", () => {
  test("that fails is owed again and waits on the home page, until a second one is confirmed", async () => {
    const someone = await someoneOwed("user-fail");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const dialog = page.getByRole("dialog");
    const payouts = page.getByRole("region", { name: "Payouts" }).getByRole("article");
    const record = async () => {
      await page.getByRole("button", { name: "Record a payout" }).click();
      await dialog.getByRole("button", { name: "Record", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    };
    const markSubmitted = async () => {
      await page.getByRole("button", { name: "Mark as submitted" }).click();
      await dialog.getByLabel("Transaction hash").fill(TRANSACTION_HASH);
      await dialog.getByRole("button", { name: "Mark as submitted" }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await go(participantPage(someone));
    await record();
    await markSubmitted();
    expect(await page.getByRole("button", { name: "Record a payout" }).isDisabled()).toBe(true);

    await page.getByRole("button", { name: "Mark as failed" }).click();
    const markFailed = dialog.getByRole("button", { name: "Mark as failed" });
    expect(await markFailed.isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("The wallet refused it.");
    await markFailed.click();
    await page.getByText("Payout marked as failed.").waitFor();
    await payouts.getByText("The wallet refused it.").waitFor();
    await page.getByText("200.00 USDC is owed").waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    const failed = page.getByRole("region", { name: /payouts? failed$/ });
    await failed.getByText("200.00 USDC owed").waitFor();
    await failed.getByRole("link", { name: "user-fail" }).click();

    await record();
    await expect.poll(() => payouts.count()).toBe(2);
    await markSubmitted();
    await page.getByRole("button", { name: "Mark as confirmed" }).click();
    await dialog.getByRole("button", { name: "Mark as confirmed" }).click();
    await page.getByText("PAID", { exact: true }).waitFor();
    expect(await payoutsOf(someone.participantId, someone.campaignId)).toMatchObject([
      { status: "FAILED", failureReason: "The wallet refused it." },
      { status: "CONFIRMED", amount: usdc(200_000_000) },
    ]);
    await leave();
  });

  test("that is pending is cancelled with a reason, which the merchant reads", async () => {
    const someone = await someoneOwed("user-cancel");
    await recordPayout(someone.participantId, someone.wallet, 50_000_000);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(participantPage(someone));
    await page.getByText("150.00 USDC is owed").waitFor();
    await page.getByRole("button", { name: "Cancel payout" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Recorded twice.");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel payout" }).click();
    await page.getByText("Payout cancelled.").waitFor();
    await page.getByText("200.00 USDC is owed").waitFor();
    expect(await page.getByRole("button", { name: /^(Mark|Cancel)/ }).count()).toBe(0);
    const path = `/v1/marketings/campaigns/${someone.campaignId}/participants?merchantUserId=user-cancel`;
    expect((await merchant.call(path)).body).toMatchObject({
      status: "MATCHED",
      payouts: [{ status: "FAILED", cancelled: true, failureReason: "Recorded twice.", transactionHash: null }],
    });
    await leave();
  });

  test("keeps a hash or a reason that is being typed over a reload, and forgets it when cancelled", async () => {
    const someone = await someoneOwed("user-typing");
    await recordPayout(someone.participantId, someone.wallet, 200_000_000);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(participantPage(someone));
    for (const [button, label, dismissal] of [
      ["Mark as submitted", "Transaction hash", "Cancel"],
      ["Cancel payout", "Reason", "Go back"],
    ] as const) {
      const typed = page.getByRole("dialog", { name: "payout of 200.00 USDC" }).getByLabel(label);
      await page.getByRole("button", { name: button }).click();
      await typed.fill(TRANSACTION_HASH);
      await page.reload();
      await page.getByRole("button", { name: button }).click();
      expect(await typed.inputValue()).toBe(TRANSACTION_HASH);
      await page.getByRole("dialog").getByRole("button", { name: dismissal }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: button }).click();
      expect(await typed.inputValue()).toBe("");
      await page.keyboard.press("Escape");
    }
    await leave();
  });

  test("is shown with its whole recipient and hash, on a phone, too", async () => {
    const someone = await someoneOwed("user-whole");
    const { id } = await recordPayout(someone.participantId, someone.wallet, 200_000_000);
    const body = { status: "SUBMITTED", transactionHash: TRANSACTION_HASH };
    expect((await service.operator(`/payouts/${id}/status`, { body })).status).toBe(200);
    const viewport = { width: 390, height: 844 };
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN, viewport });
    await go(participantPage(someone));
    const payout = page.getByRole("region", { name: "Payouts" }).getByRole("article");
    for (const text of [someone.wallet, TRANSACTION_HASH]) await payout.getByText(text, { exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await leave();
  });

  test("that is on its way is no longer owed, wherever one looks", async () => {
    const someone = await someoneOwed("user-open");
    await recordPayout(someone.participantId, someone.wallet, 150_000_000);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(participantPage(someone));
    expect(await factOf(page, "Owed").innerText()).toBe("50.00 USDC");
    await go(`/campaigns/${someone.campaignId}?tab=participants`);
    const row = page.getByRole("row").filter({ hasText: "user-open" });
    await row.getByText("200.00 USDC").waitFor();
    await row.getByText("50.00 USDC", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Owed" }).click();
    const { name, lines } = await download(page, "Download owed.csv");
    expect(name).toBe(`owed-${someone.campaignId}.csv`);
    expect(lines[1]).toMatch(new RegExp(`^OWED,.*,${someone.wallet},50,USDC,0x[0-9a-fA-F]{40},$`));
    await leave();
  });

  test("whose answer was lost is recorded once by a second try", async () => {
    const someone = await someoneOwed("user-lost");
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    const keys: (string | undefined)[] = [];
    await page.route("**/payouts", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      const answer = await route.fetch();
      if (keys.length > 1) return route.fulfill({ response: answer });
      visitor.expectRefusal(502);
      return route.fulfill({ status: 502, contentType: "application/json", body: "{}" });
    });
    await visitor.go(participantPage(someone));
    await page.getByRole("button", { name: "Record a payout" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Record", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    // The page behind the dialog shows what is true.
    const payouts = page.getByRole("region", { name: "Payouts", includeHidden: true });
    await payouts.getByRole("article", { includeHidden: true }).waitFor();
    await dialog.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByText("Payout recorded as pending.").waitFor();
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    expect(await payoutsOf(someone.participantId, someone.campaignId)).toHaveLength(1);
    await visitor.leave();
  });
});

describe("a user without a wallet that qualifies on the payout chain", () => {
  test("cannot be paid before it has a receiver, and is in the second file", async () => {
    const campaign = await createActive(service, merchant.id, { displayName: "Wrong Chain" });
    const [elsewhere, unqualified] = [newAddress(), newAddress()];
    await ingest(service, depositBody(merchant.id, elsewhere, { chainId: OPTIMISM }));
    const wallets = [
      { address: elsewhere, chain: { id: OPTIMISM } },
      { address: unqualified, chain: { id: BASE } },
    ];
    const { body: participant } = await submit(merchant, campaign.id, {
      ...submission("user-far", [], 100_000_000),
      wallets,
    });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${campaign.id}/participants/${participant.id}`);
    expect(await page.getByRole("button", { name: "Record a payout" }).isDisabled()).toBe(true);

    await go(`/campaigns/${campaign.id}?tab=owed`);
    const { name, lines } = await download(page, "Download those without a wallet");
    expect(name).toBe(`owed-without-receiver-${campaign.id}.csv`);
    expect(lines).toEqual([
      expect.stringMatching(/^report_only_not_for_payment,participant_id,/),
      `OWED,${participant.id},user-far,,200,USDC,${campaign.perTradeProfitMatch.payoutTokenAddress},`,
      "",
    ]);
    expect((await download(page, "Download owed.csv")).lines).toHaveLength(2);

    const receiver = { address: newAddress(), reason: "The merchant named it." };
    await service.operator(`/participants/${participant.id}/receiver`, { method: "PUT", body: receiver });
    await go(`/campaigns/${campaign.id}/participants/${participant.id}`);
    await page.getByRole("button", { name: "Record a payout" }).click();
    const field = page.getByRole("dialog").getByRole("textbox", { name: /^Receiver on Base/ });
    expect(await field.inputValue()).toBe(receiver.address);
    await leave();
  });
});

describe("owed.csv", () => {
  test("that cannot be made is said so, and so is a session that is over", async () => {
    const { campaignId } = await someoneOwed("user-csv");
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page, context } = visitor;
    await visitor.go(`/campaigns/${campaignId}?tab=owed`);
    const button = page.getByRole("button", { name: "Download owed.csv" });
    await button.waitFor();
    visitor.expectRefusal(503);
    const error = { code: "SERVICE_UNAVAILABLE", message: "The database cannot be reached." };
    await page.route("**/owed.csv", (route) => route.fulfill({ status: 503, json: { error } }));
    await button.click();
    await page.getByRole("alert").getByText(error.message).waitFor();
    await page.unroute("**/owed.csv");
    visitor.expectRefusal(401);
    await context.clearCookies();
    await button.click();
    await page.getByLabel("Operator token").waitFor();
    await visitor.leave();
  });
});
