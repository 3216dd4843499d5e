import { createHash, createPublicKey } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import { applicationBody, asMerchant, generateKeys, type KeyPair, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let browser: Browser;
let service: Service;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
});
afterAll(() => Promise.all([browser.close(), service.close()]));

/** Applies through the public API, as a stranger does. */
async function apply(domain: string, change: Record<string, unknown> = {}, keys: KeyPair = generateKeys()) {
  const applied = await service.call("/v1/merchants/applications", {
    body: applicationBody({ domain, email: `payments@${domain}`, publicKey: keys.publicKeyPem, ...change }),
  });
  expect(applied.status, JSON.stringify(applied.body)).toBe(202);
  return asMerchant(service, applied.body.merchantId, keys);
}

const applicationOf = (page: Page, domain: string): Locator =>
  page.getByRole("article", { name: `Application of ${domain}` });

const listCampaigns = "/v1/marketings/campaigns";

describe("the queue of applications", () => {
  test("shows everything needed to decide, and the key's fingerprint as the applicant can compute it", async () => {
    const keys = generateKeys();
    const description = "Sells lanterns to sailors.";
    const merchant = await apply("lantern.example", { telegram: "@lantern_pay", description }, keys);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/");
    await page.getByRole("region", { name: /applications? waiting for review$/ }).waitFor();
    await go("/applications");
    const application = applicationOf(page, "lantern.example");
    const der = createPublicKey(keys.publicKeyPem).export({ type: "spki", format: "der" });
    const fingerprint = `SHA256:${createHash("sha256").update(der).digest("base64").replace(/=+$/, "")}`;
    for (const text of ["PENDING", description, "payments@lantern.example", "@lantern_pay", merchant.id, fingerprint]) {
      await application.getByText(text, { exact: true }).waitFor();
    }
    await application.getByRole("button", { name: /Show the public key/ }).click();
    await application.getByText(keys.publicKeyPem.trim()).waitFor();
    // No other merchant has this key or this domain.
    expect(await application.getByText(/^The same (key|domain)/).count()).toBe(0);
    await leave();
  });

  test("warns of a merchant with the same domain, and of one with the same key, whose approval is refused", async () => {
    const known = await registerMerchant(service, { domain: "known.example" });
    await apply("known.example");
    await apply("pretender.example", {}, known.keys);
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go("/applications");
    const sameDomain = applicationOf(page, "known.example");
    await sameDomain.getByText("The same domain as another merchant").waitFor();
    expect(await sameDomain.getByText("The same key as another merchant").count()).toBe(0);
    const sameKey = applicationOf(page, "pretender.example");
    await sameKey.getByText("The same key as another merchant").waitFor();
    expect(await sameKey.getByText("The same domain as another merchant").count()).toBe(0);
    for (const application of [sameDomain, sameKey]) {
      const link = application.getByRole("alert").getByRole("link", { name: "known.example" });
      expect(await link.getAttribute("href")).toBe(`/console/merchants/${known.id}`);
    }

    visitor.expectRefusal(409);
    await sameKey.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve this merchant" }).click();
    await page.getByRole("dialog").getByText("Another active merchant uses this public key").waitFor();
    await page.getByRole("dialog").getByText("PUBLIC_KEY_IN_USE").waitFor();
    await visitor.leave();
  });
});

describe("an address with a status that does not exist", () => {
  test("is refused in the API's own words", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    visitor.expectRefusal(400);
    await visitor.go("/applications?status=LOST");
    const refusal = visitor.page.getByRole("alert").getByText("status must be one of");
    await refusal.waitFor();
    await visitor.page.getByRole("tab", { name: "Waiting" }).click();
    await refusal.waitFor({ state: "detached" });
    await visitor.leave();
  });
});

describe("deciding about an application", () => {
  test("once approved with a display name, the merchant's signed calls are answered", async () => {
    const merchant = await apply("harbor.example");
    expect((await merchant.call(listCampaigns)).body.error.code).toBe("MERCHANT_NOT_ACTIVE");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/applications");
    await applicationOf(page, "harbor.example").getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Display name").fill("Harbor Games");
    await dialog.getByRole("button", { name: "Approve this merchant" }).click();
    await page.getByText("Harbor Games was approved.").waitFor();
    expect((await merchant.call(listCampaigns)).status).toBe(200);

    // What was decided stays in sight, and leads to the merchant.
    await applicationOf(page, "harbor.example").getByText("APPROVED", { exact: true }).waitFor();
    await applicationOf(page, "harbor.example").getByRole("link", { name: "Open the merchant" }).click();
    await page.getByRole("heading", { name: "Harbor Games", level: 1 }).waitFor();
    await page.getByText("ACTIVE", { exact: true }).first().waitFor();
    await leave();
  });

  test("a double click approves once and shows no error", async () => {
    const merchant = await apply("hasty.example");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const approvals: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/approve")) approvals.push(request.url());
    });
    await go("/applications");
    await applicationOf(page, "hasty.example").getByRole("button", { name: "Approve" }).dblclick();
    // The second click of the first pair did not close the dialog again.
    await page.getByRole("dialog").getByRole("button", { name: "Approve this merchant" }).dblclick();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await applicationOf(page, "hasty.example").getByText("APPROVED", { exact: true }).waitFor();
    expect(await page.getByText(/^Could not/).count()).toBe(0);
    expect(approvals).toHaveLength(1);
    const { items } = (await service.operator(`/audit-log?merchantId=${merchant.id}`)).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(["application.approve"]);
    await leave();
  });

  test("one that another operator decided meanwhile shows a message and the decision", async () => {
    await apply("contested.example");
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const other = await visit(browser, service, { token: OPERATOR_TOKEN });
    for (const { page, go } of [visitor, other]) {
      await go("/applications");
      await applicationOf(page, "contested.example").getByRole("button", { name: "Approve" }).click();
    }
    const approve = (page: Page) =>
      page.getByRole("dialog").getByRole("button", { name: "Approve this merchant" }).click();
    await approve(other.page);
    await other.page.getByText("Contested was approved.").waitFor();

    visitor.expectRefusal(409);
    await approve(visitor.page);
    await visitor.page.getByRole("alert").getByText("already been decided").waitFor();
    await applicationOf(visitor.page, "contested.example").waitFor({ state: "detached" });
    expect(await visitor.page.getByText("Contested was approved.").count()).toBe(0);
    await visitor.page.getByRole("tab", { name: "Approved" }).click();
    await applicationOf(visitor.page, "contested.example").getByText("APPROVED", { exact: true }).waitFor();
    await Promise.all([visitor.leave(), other.leave()]);
  });

  test("a rejection needs a reason, keeps it over a reload, and is shown with it", async () => {
    const reason = "The domain does not resolve.\nApply again when it does.";
    const merchant = await apply("nowhere.example");
    await apply("waiting.example");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/applications");
    const openDialog = () => applicationOf(page, "nowhere.example").getByRole("button", { name: "Reject" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Reject application" });
    await openDialog();
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel("Reason").fill(reason);
    await page.reload();
    await openDialog();
    expect(await page.getByLabel("Reason").inputValue()).toBe(reason);
    await confirm.click();
    await applicationOf(page, "nowhere.example").getByText("REJECTED", { exact: true }).waitFor();

    // It has left the queue, and is among the rejected with its reason.
    await page.getByRole("tab", { name: "Rejected" }).click();
    await applicationOf(page, "nowhere.example").getByText("The domain does not resolve.").waitFor();
    await page.getByRole("tab", { name: "Waiting" }).click();
    await applicationOf(page, "waiting.example").waitFor();
    expect(await applicationOf(page, "nowhere.example").count()).toBe(0);
    expect((await merchant.call(listCampaigns)).status).toBe(403);
    const rejected = (await service.operator("/applications?status=REJECTED")).body.items;
    expect(rejected).toMatchObject([{ domain: "nowhere.example", reason }]);
    await leave();
  });
});
