import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, visit } from "../harness/browser.ts";
import { depositBody, ingest, newAddress } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { call, OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const DEPOSITS = 60;
const STATES = ["COMPLETED", "PENDING", "FAILED"];

let browser: Browser;
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  merchant = await registerMerchant(service, { domain: "harbor.example" });
  const deposits = Array.from({ length: DEPOSITS }, (_, number) =>
    depositBody(merchant.id, newAddress(), {
      id: idOf(number),
      state: STATES[number % STATES.length] ?? "",
      createDate: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    }),
  );
  await ingest(service, ...deposits);
});
afterAll(() => Promise.all([browser.close(), service.close()]));

function idOf(number: number): string {
  return `deposit-number-${String(number).padStart(2, "0")}`;
}

/** The ids of the deposits on the page, in its order. */
function listedDeposits(page: Page): Promise<(string | null)[]> {
  return page
    .getByRole("table", { name: "Deposits" })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.querySelector("[title^=deposit-]")?.getAttribute("title") ?? null));
}

describe("the deposits explorer", () => {
  test("shows a short first page, then more on demand, until every deposit is listed once, newest first", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/deposits");
    await expect.poll(async () => (await listedDeposits(page)).length).toBe(25);
    // One that comes in while the list is read moves nothing.
    await ingest(service, depositBody(merchant.id, newAddress(), { id: "deposit-of-latecomer" }));
    const showMore = page.getByRole("button", { name: "Show more" });
    await showMore.click();
    await showMore.waitFor({ state: "detached" });
    const expected = Array.from({ length: DEPOSITS }, (_, number) => idOf(DEPOSITS - 1 - number));
    expect(await listedDeposits(page)).toEqual(expected);
    await page.reload();
    await expect.poll(async () => (await listedDeposits(page))[0]).toBe("deposit-of-latecomer");
    await leave();
  });

  test("keeps its filters in the address, where they survive a reload", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/deposits");
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "failed" }).click();
    await page.getByRole("combobox", { name: "Merchant" }).fill("harbor.ex");
    await page.getByRole("option", { name: "harbor.example" }).click();
    await page.getByLabel("Created after (UTC)").fill("2026-01-01T00:41");
    const expected = [59, 56, 53, 50, 47, 44, 41].map(idOf);
    await expect.poll(() => listedDeposits(page)).toEqual(expected);
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ status: "failed", merchantId: merchant.id, createdAfter: "2026-01-01T00:41:00.000Z" });
    await page.reload();
    await expect.poll(() => listedDeposits(page)).toEqual(expected);
    expect(await page.getByRole("combobox", { name: "Status" }).inputValue()).toBe("failed");
    await expect.poll(() => page.getByRole("combobox", { name: "Merchant" }).inputValue()).toBe("harbor.example");
    expect(await page.getByLabel("Created after (UTC)").inputValue()).toBe("2026-01-01T00:41");
    await page.getByRole("link", { name: "Clear all filters" }).click();
    await expect.poll(async () => (await listedDeposits(page)).length).toBe(25);
    expect(new URL(page.url()).search).toBe("");
    await leave();
  });

  test("reads and shows the times of its filters in the zone of the switch", async () => {
    const context = await browser.newContext({ timezoneId: "Asia/Kolkata", locale: "en-GB" });
    const { page, go, leave } = await visit(browser, service, { context, token: OPERATOR_TOKEN });
    for (const [path, label] of [
      ["/deposits", "Created after"],
      ["/audit-log", "After"],
    ] as const) {
      await go(path);
      await page.getByLabel(`${label} (UTC)`, { exact: true }).fill("2026-01-01T00:41");
      await expect.poll(() => new URL(page.url()).searchParams.get("createdAfter")).toBe("2026-01-01T00:41:00.000Z");
      await page.getByRole("button", { name: "Times are in UTC. Show local times" }).click();
      const local = page.getByLabel(`${label} (local time)`, { exact: true });
      await expect.poll(() => local.inputValue()).toBe("2026-01-01T06:11");
      await local.fill("2026-01-01T06:12");
      await expect.poll(() => new URL(page.url()).searchParams.get("createdAfter")).toBe("2026-01-01T00:42:00.000Z");
      await page.getByRole("button", { name: "Times are local. Show UTC" }).click();
      await expect.poll(() => page.getByLabel(`${label} (UTC)`, { exact: true }).inputValue()).toBe("2026-01-01T00:42");
    }
    await leave();
    await context.close();
  });

  test("loses none of the filters that are set faster than a slow machine can show them", async () => {
    const { page, context, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/deposits");
    await expect.poll(async () => (await listedDeposits(page)).length).toBe(25);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 8 });
    await page.getByLabel("Created after (UTC)").fill("2026-01-01T00:41");
    await page.getByLabel("Created before (UTC)").fill("2026-01-01T00:43");
    await page.getByLabel("Chain id").and(page.locator("input")).fill("8453");
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({
        chainId: "8453",
        createdAfter: "2026-01-01T00:41:00.000Z",
        createdBefore: "2026-01-01T00:43:00.000Z",
      });
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await expect.poll(() => listedDeposits(page)).toEqual([43, 42, 41].map(idOf));
    await leave();
  });

  test("says in the API's own words what is wrong with a filter", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(400);
    await visitor.go("/deposits?status=lost");
    await page.getByRole("alert").getByText("status must be one of pending, completed, failed.").waitFor();
    await visitor.go("/deposits");
    await page.getByLabel("Chain id").and(page.locator("input")).fill("Base");
    const { message } = (await service.operator("/deposits?chainId=Base")).body.error;
    expect(message).toContain("chainId");
    await page.getByRole("alert").getByText(message).waitFor();
    await visitor.leave();
  });
});

describe("the audit log", () => {
  test("says who did what", async () => {
    const { token } = (await service.operator("/tokens", { body: { name: "Ada Reviewer", role: "operator" } })).body;
    const { page, go, leave } = await visit(browser, service, { token });
    await go(`/merchants/${merchant.id}`);
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Display name").fill("Harbor Games");
    await page.getByRole("dialog").getByRole("button", { name: "Save name" }).click();
    await page.getByRole("heading", { name: "Harbor Games", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Audit log", exact: true }).click();
    const entry = page.getByRole("table", { name: "Audit log" }).locator("tbody > tr").first();
    await entry.getByText("Renamed a merchant").waitFor();
    await entry.getByText("Ada Reviewer").waitFor();
    await entry.getByRole("link", { name: "Harbor Games" }).waitFor();
    await entry.getByRole("button", { name: /^Show details/ }).click();
    const details = entry.getByRole("table", { name: /^Details of entry/ });
    await details.getByText("harbor.example → Harbor Games", { exact: true }).waitFor();
    await leave();
  });

  test("is verified on demand, and a forged entry shows", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/audit-log");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await page.getByText("The chain is intact").waitFor();
    const { mac } = (await service.operator("/audit-log?limit=1")).body.items[0];
    await page.getByText(mac, { exact: true }).waitFor();
    const [entry] = await service.db.query<{ actor: string }>("select actor from audit_log where position = 1");
    const forge = (actor: string) => service.db.query("update audit_log set actor = $1 where position = 1", [actor]);
    try {
      await forge("nobody");
      await page.getByRole("button", { name: "Verify again" }).click();
      await page.getByRole("alert").getByText("The chain is broken").waitFor();
    } finally {
      await forge(entry?.actor ?? "");
    }
    await page.getByRole("button", { name: "Verify again" }).click();
    await page.getByText("The chain is intact").waitFor();
    await leave();
  });
});

describe("operator tokens", () => {
  test("a new one is shown once, works as a bearer, and no more once it is revoked", async () => {
    const { page, context, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await go("/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Night watch");
    await dialog.getByRole("radio", { name: "viewer" }).check();
    await dialog.getByRole("button", { name: "Create token" }).dblclick();
    const token = await dialog.getByText(/^mbop_/).innerText();
    await page.keyboard.press("Escape");
    expect(await dialog.getByText(token).isVisible()).toBe(true);
    await dialog.getByRole("button", { name: "Copy token" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await dialog.getByRole("button", { name: "I have stored it, close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New token" }).and(page.locator(":focus")).waitFor();

    const rows = page.getByRole("table", { name: "Operator tokens" }).getByRole("row", { name: "Night watch" });
    await rows.getByText("valid", { exact: true }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await page.content()).not.toContain(token);
    const look = (method: string) =>
      call(`${service.operatorUrl}/operator/v1/merchants/${merchant.id}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(method === "PATCH" ? { body: { displayName: "Harbor" } } : {}),
      });
    expect((await look("GET")).status).toBe(200);
    expect((await look("PATCH")).status).toBe(403);

    await rows.getByRole("button", { name: "Revoke Night watch" }).click();
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await rows.getByText("revoked", { exact: true }).waitFor();
    expect((await look("GET")).status).toBe(401);
    expect(await rows.getByRole("button").count()).toBe(0);
    await leave();
  });

  test("shows who made one, and revoking tells how many others end and lets them stay", async () => {
    const made = async (name: string, headers = {}) =>
      (await service.operator("/tokens", { body: { name, role: "operator" }, headers })).body;
    const parent = await made("Shift lead");
    const headers = { authorization: `Bearer ${parent.token}` };
    const child = await made("Trainee", headers);
    await made("Script", headers);
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/tokens");
    const table = page.getByRole("table", { name: "Operator tokens" });
    await table.getByRole("row", { name: "Trainee" }).getByText("Shift lead").waitFor();
    await table
      .getByRole("row", { name: /^Shift lead/ })
      .getByText("the host")
      .waitFor();
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Revoke Trainee" }).click();
    await dialog.getByText("No valid token was made with it.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Revoke Shift lead" }).click();
    await dialog.getByLabel("Also revoke the 2 tokens it made").uncheck();
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("Shift lead was revoked.").waitFor();
    expect((await service.operator(`/tokens/${child.id}`)).body.revokedAt).toBeNull();
    await page.getByRole("button", { name: "Revoke Script" }).waitFor();
    await leave();
  });

  test("one whose answer was lost is made once by a second try, which says what to do", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(502);
    await visitor.go("/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("castaway");
    await page.route("**/operator/v1/tokens", async (route) => {
      // The list is read again after a failure, and may be on its way when the route is taken back.
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      await route.fulfill({ status: 502, body: "" });
    });
    await dialog.getByRole("button", { name: "Create token" }).click();
    await dialog.getByRole("alert").getByText("with status 502").waitFor();
    await page.unroute("**/operator/v1/tokens");
    await dialog.getByRole("button", { name: "Create token" }).click();
    await page.getByText("Revoke it and create another.").waitFor();
    await dialog.waitFor({ state: "detached" });
    const tokens = (await service.operator("/tokens")).body.items;
    expect(tokens.filter(({ name }: { name: string }) => name === "castaway")).toHaveLength(1);
    await visitor.leave();
  });

  test("while a new one is shown, neither a reload nor the way back loses it unasked", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/merchants");
    await page.getByRole("link", { name: "Tokens", exact: true }).click();
    await page.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Day watch");
    await dialog.getByRole("button", { name: "Create token" }).click();
    const token = dialog.getByText(/^mbop_/);
    await token.waitFor();

    const warning = page.waitForEvent("dialog");
    await page.evaluate(() => setTimeout(() => location.reload()));
    expect((await warning).type()).toBe("beforeunload");
    await (await warning).dismiss();
    await page.evaluate(() => history.back());
    await expect.poll(() => new URL(page.url()).pathname).toBe("/console/tokens");
    expect(await token.isVisible()).toBe(true);

    await dialog.getByRole("button", { name: "I have stored it, close" }).click();
    await page.goBack();
    await page.getByRole("heading", { name: "Merchants", level: 1 }).waitFor();
    await leave();
  });

  test("where the browser keeps the clipboard from the page, a message says to select the text, which is there", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    // As on plain http beyond the loopback.
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "clipboard"));
    const message = page.getByRole("alert").getByText("Select the text and copy it yourself");
    await go("/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Far away");
    await dialog.getByRole("button", { name: "Create token" }).click();
    await dialog.getByRole("button", { name: "Copy token" }).click();
    await message.waitFor();
    await dialog.getByRole("button", { name: "I have stored it, close" }).click();

    await go(`/merchants/${merchant.id}`);
    await page.getByRole("button", { name: "Copy merchant id" }).click();
    await message.waitFor();
    await page.getByText(merchant.id, { exact: true }).waitFor();
    await go(`/merchants/${merchant.id}?tab=key`);
    await page.getByRole("button", { name: "Copy public key" }).click();
    await message.waitFor();
    await leave();
  });
});
