import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import { createActive, depositBody, ingest, newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
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

describe("corrections", () => {
  test("a deposit's page shows its events; its status is overruled with a reason, and left to the flow again", async () => {
    const deposit = depositBody(merchant.id, newAddress(), { id: "dep/7e22?aa", state: "PENDING" });
    await ingest(service, deposit);
    await ingest(service, { ...deposit, state: "COMPLETED", updateDate: "2026-02-01T00:00:00.000Z" });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const dialog = page.getByRole("dialog");
    const events = page.getByRole("table", { name: "Events" });
    await go("/deposits");
    await page.getByRole("link", { name: "Details of deposit dep/7e22?aa" }).click();
    await events.getByText("updated").waitFor();
    await events.getByText("created").waitFor();

    const overrule = async (status: string, reason: string) => {
      await page.getByRole("button", { name: "Overrule the status" }).click();
      const submitButton = dialog.getByRole("button", { name: "Overrule", exact: true });
      await dialog.getByRole("combobox", { name: "New status" }).click();
      await page.getByRole("option", { name: status, exact: true }).click();
      expect(await submitButton.isDisabled()).toBe(true);
      await dialog.getByLabel("Reason").fill(reason);
      await submitButton.click();
      await dialog.waitFor({ state: "detached" });
    };
    await overrule("failed", "The bank recalled it");
    await page.getByText("The hosted flow reports completed").waitFor();
    await events.getByText("overruled").waitFor();
    await events.getByText("The bank recalled it").waitFor();

    await overrule("what the hosted flow reports", "The bank paid after all");
    await events.getByText("released").waitFor();
    await page.getByText("The hosted flow reports completed").waitFor({ state: "detached" });
    await leave();
  });

  test("a confirmed payout is reversed with a reason, and its amount is owed again", async () => {
    const wallet = newAddress();
    await ingest(service, depositBody(merchant.id, wallet));
    const { id: campaignId } = await createActive(service, merchant.id);
    const { id } = (await submit(merchant, campaignId, submission("user-1", [wallet], 100_000_000))).body;
    const { body: payout } = await service.operator(`/participants/${id}/payouts`, {
      body: { amount: usdc(200_000_000) },
      headers: { "idempotency-key": randomUUID() },
    });
    for (const status of ["SUBMITTED", "CONFIRMED"]) {
      await service.operator(`/payouts/${payout.id}/status`, { body: { status } });
    }
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const dialog = page.getByRole("dialog");
    await go(`/campaigns/${campaignId}/participants/${id}`);
    await page.getByRole("button", { name: "Reverse" }).click();
    const submitButton = dialog.getByRole("button", { name: "Reverse" });
    expect(await submitButton.isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("The account was closed");
    await submitButton.click();
    await page.getByText("200.00 USDC is owed").waitFor();
    await page.getByRole("region", { name: "Payouts" }).getByText("The account was closed").waitFor();
    expect((await service.operator(`/campaigns/${campaignId}/participants?id=${id}`)).body).toMatchObject({
      status: "FAILED",
      payouts: [{ status: "FAILED", failureReason: "The account was closed" }],
    });
    await leave();
  });
});
