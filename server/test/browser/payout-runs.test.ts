import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, type Visitor, visit } from "../harness/browser.ts";
import { createActive, depositBody, ingest, newAddress, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const OPTIMISM = 10;
const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const PHONE = { width: 390, height: 844 };

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "northwind.example" });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

/** A user who is owed 200 USDC. Its wallet qualifies on the payout chain, or only on another one. */
async function someoneOwed(campaignId: string, user: string, { hasReceiver = true } = {}) {
  const wallet = newAddress();
  const chainId = hasReceiver ? undefined : OPTIMISM;
  await ingest(service, depositBody(merchant.id, wallet, chainId === undefined ? {} : { chainId }));
  const body = submission(user, [wallet], 100_000_000);
  if (chainId !== undefined) body.wallets = [{ address: wallet, chain: { id: chainId } }];
  const submitted = await submit(merchant, campaignId, body);
  expect(submitted.status, JSON.stringify(submitted.body)).toBe(201);
  return {
    id: submitted.body.id as string,
    wallet,
    path: `/campaigns/${campaignId}/participants/${submitted.body.id}`,
  };
}

async function participantOf(campaignId: string, id: string) {
  return (await service.operator(`/campaigns/${campaignId}/participants?id=${id}`)).body;
}

async function checkLooks({ page, checkAccessibility }: Visitor): Promise<void> {
  await checkAccessibility();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await checkAccessibility(["color-contrast"]);
  await page.emulateMedia({ colorScheme: "light" });
}

async function checkOnPhone({ page }: Visitor): Promise<void> {
  await page.setViewportSize(PHONE);
  const overflow = () => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
  await expect.poll(overflow).toBe(0);
}

describe("a participant without a receiver", () => {
  test("cannot be paid, is said so beside the button, and gets one in the dialog that leads on", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "No receiver" });
    const someone = await someoneOwed(campaignId, "user-none", { hasReceiver: false });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go(someone.path);
    const payouts = page.getByRole("region", { name: "Payouts" });
    await payouts.getByText("There is no receiver on Base").waitFor();
    expect(await payouts.getByRole("button", { name: "Record a payout" }).isDisabled()).toBe(true);
    await checkLooks(visitor);

    await payouts.getByRole("button", { name: "Set the receiver" }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Set the receiver" });
    const address = dialog.getByLabel("Address on Base");
    await dialog.getByLabel("Reason").fill("The merchant named it, ticket 4711.");
    for (const [wrong, why] of [
      ["0x52908400098527886E0F7030069857D2E4169EE", "characters long"],
      [`0x${"0".repeat(40)}`, "zero address"],
      [TOKEN.toLowerCase(), "the token's own contract"],
    ] as const) {
      await address.fill(wrong);
      await dialog.getByText(why).waitFor();
      expect(await save.isDisabled()).toBe(true);
    }
    const receiver = newAddress();
    await address.fill(` ${receiver} `);
    await dialog.getByLabel("Reason").fill("");
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("The merchant named it,\nticket 4711.");
    await visitor.checkAccessibility();
    await save.click();
    await dialog.waitFor({ state: "detached" });

    const section = page.getByRole("region", { name: "Receiver" });
    await section.getByText(receiver, { exact: true }).waitFor();
    await section.getByText("An operator set this receiver").waitFor();
    await payouts.getByRole("button", { name: "Record a payout" }).and(page.locator(":enabled")).waitFor();
    expect(await payouts.getByText("There is no receiver").count()).toBe(0);
    expect(await participantOf(campaignId, someone.id)).toMatchObject({
      receiver: { address: receiver, setBy: "OPERATOR" },
      flags: ["RECEIVER_CHANGED"],
    });
    await visitor.go("/audit-log");
    const entry = page.getByRole("row").filter({ hasText: "Changed where a participant is paid" });
    await entry.getByText("The merchant named it, ticket 4711.").waitFor();
    await entry.getByRole("link", { name: /^Open/ }).click();
    await page.getByRole("heading", { name: "user-none" }).waitFor();
    await checkOnPhone(visitor);
    await visitor.leave();
  });
});

describe("a participant", () => {
  test("that is held cannot be paid until it is released, each with a reason", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Held" });
    const someone = await someoneOwed(campaignId, "user-held");
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    const section = page.getByRole("region", { name: "Receiver" });
    const record = page.getByRole("button", { name: "Record a payout" });
    await visitor.go(someone.path);
    await section.getByText("The merchant's submission").waitFor();
    await section.getByRole("button", { name: "Hold" }).click();
    expect(await dialog.getByRole("button", { name: "Hold" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("Asked for by the merchant.");
    await dialog.getByRole("button", { name: "Hold" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("HELD", { exact: true }).waitFor();
    await page.getByText("This participant is held").waitFor();
    expect(await record.isDisabled()).toBe(true);
    expect(await participantOf(campaignId, someone.id)).toMatchObject({ held: true });
    await checkLooks(visitor);
    await visitor.go(`/campaigns/${campaignId}?tab=participants`);
    await page.getByRole("row").filter({ hasText: "user-held" }).getByText("HELD", { exact: true }).waitFor();

    await visitor.go(someone.path);
    await section.getByRole("button", { name: "Release" }).click();
    await dialog.getByLabel("Reason").fill("Cleared.");
    await dialog.getByRole("button", { name: "Release" }).click();
    await dialog.waitFor({ state: "detached" });
    await record.and(page.locator(":enabled")).waitFor();
    expect(await participantOf(campaignId, someone.id)).toMatchObject({ held: false });
    await visitor.leave();
  });

  test("whose wallet another one submitted is flagged in words", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Shared" });
    const wallet = await qualify(service, merchant.id);
    const [first] = await Promise.all(
      ["user-one", "user-two"].map((user) => submit(merchant, campaignId, submission(user, [wallet]))),
    );
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${campaignId}/participants/${first?.body.id}`);
    const section = page.getByRole("region", { name: "Receiver" });
    await section.getByText("Another participant of this campaign submitted the same wallet").waitFor();
    await leave();
  });
});
