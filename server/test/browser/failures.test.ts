import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import { createActive, createDraft, depositBody, ingest, newAddress } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "harbor.example" });
});
afterAll(() => Promise.all([browser.close(), service.close()]));

const PAGE_OF_A_PROXY = { status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" };
const NOTHING = { status: 502, body: "" };
const FOREIGN_ANSWERS = [
  ["a proxy's page", PAGE_OF_A_PROXY],
  ["nothing", NOTHING],
  ["JSON of somebody else", { status: 502, json: { error: "Bad Gateway" } }],
] as const;

const MERCHANTS = /\/operator\/v1\/merchants(\?|$)/;

describe("an error that is not the API's", () => {
  test("to a read is said in plain words, and the read can be repeated", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(502);
    await page.route(MERCHANTS, (route) => route.fulfill(PAGE_OF_A_PROXY));
    await visitor.go("/merchants");
    const alert = page.getByRole("alert");
    await alert.getByText("A proxy answered instead of the server, with status 502").waitFor();
    await page.unroute(MERCHANTS);
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Merchants" }).getByText("harbor.example").first().waitFor();
    await visitor.leave();
  });

  test.each(FOREIGN_ANSWERS)("%s to a change is no success, and the change can be sent again", async (_, answer) => {
    await service.operator("/tokens", { body: { name: "brittle", role: "viewer" } });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(502);
    await visitor.go("/tokens");
    await page.route("**/operator/v1/tokens/*", (route) => route.fulfill(answer));
    await page.getByRole("button", { name: "Revoke brittle" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await dialog.getByRole("alert").getByText("with status 502").waitFor();
    await page.unroute("**/operator/v1/tokens/*");
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("brittle was revoked.").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Revoke brittle" }).waitFor({ state: "detached" });
    await visitor.leave();
  });

  test("a next page that fails is asked for again, and not the pages before it", async () => {
    await ingest(
      service,
      ...Array.from({ length: 30 }, (_, number) =>
        depositBody(merchant.id, newAddress(), { id: `deposit-more-${number}` }),
      ),
    );
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(502);
    await visitor.go("/deposits");
    const rows = page.getByRole("table", { name: "Deposits" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(25);
    await page.route("**/operator/v1/deposits?*", (route) => route.fulfill(NOTHING));
    await page.getByRole("button", { name: "Show more" }).click();
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute("**/operator/v1/deposits?*");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await again.click();
    await expect.poll(() => rows.count()).toBe(30);
    expect(asked.filter((url) => url.includes("/deposits?")).map((url) => url.includes("cursor="))).toEqual([true]);
    await visitor.leave();
  });

  test("on the home page is not taken for quiet, and what was known stays", async () => {
    const visitor = await visit(browser, service);
    const { page } = visitor;
    visitor.expectRefusal(502);
    await page.route("**/operator/v1/overview**", (route) => route.fulfill(NOTHING));
    await visitor.go("/");
    await visitor.signIn();
    await page.getByText("Could not load the number of merchants and campaigns.").waitFor();
    expect(await page.getByRole("alert").getByText("with status 502").count()).toBe(2);
    expect(await page.getByText("Nothing needs attention").count()).toBe(0);
    await page.unroute("**/operator/v1/overview**");
    const again = page.getByRole("button", { name: "Try again" });
    await again.last().click();
    await expect.poll(() => again.count()).toBe(1);
    await again.click();
    await page.getByText("Nothing needs attention").waitFor();

    await page.route("**/operator/v1/overview**", (route) => route.fulfill(NOTHING));
    await page.getByRole("link", { name: "Merchants", exact: true }).click();
    await page.getByRole("heading", { name: "Merchants", level: 1 }).waitFor();
    await page.evaluate(() =>
      Object.assign(Date, {
        now: (
          (now) => () =>
            now() + 60_000
        )(Date.now.bind(Date)),
      }),
    );
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByRole("alert").getByText("with status 502").first().waitFor();
    expect(await page.getByText("Nothing needs attention").count()).toBe(0);
    await page.getByText("1 active merchant").waitFor();
    await visitor.leave();
  });
});

describe("a change", () => {
  test("that somebody else was faster with is refused in the API's words, and the page shows what is true", async () => {
    const campaign = await createDraft(service, merchant.id, { displayName: "Race" });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(409);
    await visitor.go(`/campaigns/${campaign.id}`);
    await page.getByRole("button", { name: "Activate", exact: true }).click();
    expect((await service.operator(`/campaigns/${campaign.id}/activate`, { body: {} })).status).toBe(200);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Activate", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "ACTIVE" }).waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await dialog.waitFor({ state: "detached" });
    await visitor.leave();
  });

  test("whose answer is lost shows on the page", async () => {
    const campaign = await createActive(service, merchant.id, { displayName: "Lost" });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(502);
    await visitor.go(`/campaigns/${campaign.id}`);
    await page.route("**/pause", async (route) => {
      await route.fetch();
      await route.fulfill(NOTHING);
    });
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("alert").getByText("with status 502").first().waitFor();
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await visitor.leave();
  });

  test("is done when it is answered, however long the page takes to be read again", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/merchants/${merchant.id}`);
    await page.getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Display name").fill("Harbor");
    let readOn = () => {};
    const held = new Promise<void>((resolve) => {
      readOn = resolve;
    });
    await page.route(`**/operator/v1/merchants/${merchant.id}`, async (route) => {
      if (route.request().method() === "GET") await held;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Save name" }).click();
    await page.getByText("Name saved.").waitFor();
    await dialog.waitFor({ state: "detached" });
    readOn();
    await page.getByRole("heading", { name: "Harbor", level: 1 }).waitFor();
    await leave();
  });

  test("that takes its own button away leaves the keyboard at the page's heading", async () => {
    const campaign = await createDraft(service, merchant.id, { displayName: "Keys" });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go(`/campaigns/${campaign.id}`);
    await page.getByRole("button", { name: "Activate", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Activate", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Keys", level: 1 }).and(page.locator(":focus")).waitFor();
    await leave();
  });
});

describe("a machine without a network", () => {
  test("still shows and changes what is served on itself", async () => {
    await service.operator("/tokens", { body: { name: "at sea", role: "viewer" } });
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/merchants");
    await page.getByRole("heading", { name: "Merchants", level: 1 }).waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event("offline")));
    await page.getByRole("link", { name: "Tokens", exact: true }).click();
    await page.getByRole("button", { name: "Revoke at sea" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("at sea was revoked.").waitFor();
    await leave();
  });
});
