import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, type Visitor, visit } from "../harness/browser.ts";
import { createDraft, newAddress } from "../harness/campaigns.ts";
import { COVERED, type FourEyes, type Operator, ready, startFourEyes } from "../harness/four-eyes.ts";
import { generateKeys, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN } from "../harness/service.ts";

const PHONE = { width: 390, height: 844 };

let browser: Browser;
let eyes: FourEyes;
let alice: Operator;
let bob: Operator;
beforeAll(async () => {
  [browser, eyes] = await Promise.all([openBrowser(), startFourEyes()]);
  alice = await eyes.person("alice");
  bob = await eyes.person("bob");
});
afterAll(() => Promise.all([browser.close(), eyes.close()]));

const visitAs = (who: Operator): Promise<Visitor> => visit(browser, eyes.service, { token: who.token });
const waits = (page: Page) => page.getByRole("alert").filter({ hasText: "Waits for a second person" });
const link = (page: Page) => page.getByRole("navigation").getByRole("link", { name: /^Approvals/ });

async function confirm(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

describe("with APPROVALS=on", () => {
  test("a payout run waits: it says so, the navigation counts it, and the other operator sees what it pays", async () => {
    const { subject: runId } = await COVERED["payout-run.approve"](eyes.free);
    const asking = await visitAs(alice);
    await asking.go(`/payout-runs/${runId}`);
    await asking.page.getByRole("button", { name: "Approve" }).click();
    await confirm(asking.page, "Approve");
    await asking.page.getByText("This waits for a second person. Nothing is changed yet").waitFor();
    await waits(asking.page).getByText("Approve a payout run").waitFor();
    expect(await asking.page.getByText("The payout run is approved.").count()).toBe(0);
    await asking.page.getByRole("main").getByText("DRAFT", { exact: true }).first().waitFor();
    await link(asking.page).getByText("1", { exact: true }).waitFor();
    await asking.checkAccessibility();
    await link(asking.page).click();
    await asking.page.getByText("You asked for this, so another operator has to decide.").waitFor();
    expect(await asking.page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await asking.leave();

    const deciding = await visitAs(bob);
    await deciding.go("/approvals");
    const card = deciding.page.getByRole("article", { name: new RegExp(runId) });
    const change = card.getByRole("table", { name: "The exact change" });
    await change.getByRole("row", { name: /Status.*DRAFT → APPROVED/ }).waitFor();
    await change.getByRole("row", { name: /Total.*0\.001 USDC/ }).waitFor();
    await card.getByText(/alice/).waitFor();
    await card.getByText("Expires").waitFor();
    await deciding.checkAccessibility();
    await deciding.page.setViewportSize(PHONE);
    const overflow = () =>
      deciding.page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
    await expect.poll(overflow).toBe(0);
    await card.getByRole("button", { name: "Approve" }).click();
    await deciding.page.getByRole("dialog").getByLabel("Reason").fill("Checked against the ledger");
    await confirm(deciding.page, "Approve");
    await deciding.page.getByText("Approved and done.").waitFor();
    await deciding.page.getByText("No change waits for a second person.").waitFor();
    await deciding.go("/approvals?status=APPROVED");
    await deciding.page.getByText("Checked against the ledger").waitFor();
    expect((await bob.call(`/payout-runs/${runId}`)).body.status).toBe("APPROVED");
    await deciding.leave();
  });

  test("activating, raising, holding, another receiver and another key each say that they wait", async () => {
    const draft = await createDraft(eyes.free, (await registerMerchant(eyes.free)).id, { displayName: "Draft" });
    const { merchantId, id, participantId } = await ready(eyes.free);
    const visitor = await visitAs(alice);
    const { page, go } = visitor;
    const dialog = page.getByRole("dialog");
    const steps: [path: string, open: string, fill: () => Promise<void>, submit: string, what: string][] = [
      [`/campaigns/${draft.id}`, "Activate", async () => {}, "Activate", "Activate a campaign"],
      [
        `/campaigns/${id}`,
        "Edit",
        () => dialog.getByLabel("Budget").fill("200000"),
        "Save changes",
        "Raise a budget or a cap",
      ],
      [
        `/campaigns/${id}/participants/${participantId}`,
        "Hold",
        () => dialog.getByLabel("Reason").fill("ticket 4711"),
        "Hold",
        "Hold a participant",
      ],
      [
        `/campaigns/${id}/participants/${participantId}`,
        "Change the receiver",
        async () => {
          await dialog.getByLabel("Address on Base").fill(newAddress());
          await dialog.getByLabel("Reason").fill("ticket 4711");
        },
        "Change the receiver",
        "Change where a participant is paid",
      ],
      [
        `/merchants/${merchantId}?tab=key`,
        "Rotate key",
        () => dialog.getByLabel("New public key").fill(generateKeys().publicKeyPem),
        "Replace key",
        "Replace a merchant's key",
      ],
    ];
    for (const [path, open, fill, submit, what] of steps) {
      await go(path);
      await page.getByRole("button", { name: open, exact: true }).click();
      await fill();
      await confirm(page, submit);
      await waits(page).getByText(what).waitFor();
    }
    const { items } = (await bob.call("/approvals?status=PENDING")).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      "merchant.rotate-key",
      "participant.receiver",
      "participant.hold",
      "campaign.edit",
      "campaign.activate",
    ]);
    for (const item of items) await bob.call(`/approvals/${item.id}/reject`, { body: {} });
    await visitor.leave();
  });

  test("a new token is shown to the one who asked, once, when another approved it", async () => {
    const visitor = await visitAs(alice);
    const { page, go } = visitor;
    await go("/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("carol");
    await confirm(page, "Create token");
    await waits(page).getByText("Create a token").waitFor();
    const [approval] = (await bob.call("/approvals?status=PENDING")).body.items;
    expect((await bob.call(`/approvals/${approval.id}/approve`, { body: {} })).status).toBe(200);

    await go("/tokens");
    await page.getByRole("button", { name: "Show the token" }).click();
    const token = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
    expect((await eyes.operatorWith(token).call("/merchants")).status).toBe(200);
    await visitor.checkAccessibility();
    await confirm(page, "I have stored it, close");
    await page.getByRole("row", { name: /carol/ }).waitFor();
    expect(await page.getByText("Approved for you").count()).toBe(0);
    await visitor.leave();
  });
});

test("without approvals the navigation and the page say that they are off", async () => {
  const { page, go, checkAccessibility, leave } = await visit(browser, eyes.free, { token: OPERATOR_TOKEN });
  await go("/");
  await link(page).getByText("off", { exact: true }).waitFor();
  await go("/approvals");
  await page.getByText("Approvals are off").waitFor();
  await checkAccessibility();
  await leave();
});
