import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, openWindow } from "../harness/browser.ts";
import { type Service, startService } from "../harness/service.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Opens a page of the public listener. Errors of the browser and requests to other hosts are complaints. */
async function open(service: Service, path: string, viewport = { width: 1280, height: 900 }) {
  const context = await openWindow(browser, { viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${service.publicUrl}/`)) {
      complaints.push(`another host: ${request.url()}`);
    }
  });
  await page.goto(service.publicUrl + path);
  return { page, complaints, context };
}

const isOnFirstScreen = (page: Page, text: string) =>
  page
    .getByText(text)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });

describe.each([
  ["production", { width: 1280, height: 900 }],
  ["production", { width: 390, height: 844 }],
  ["sandbox", { width: 1280, height: 720 }],
] as const)("a browser at / in %s, %o", (environment, viewport) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ environment });
  });
  afterAll(() => service.close());

  test("reads on its first screen how requests are signed, and the link there works", async () => {
    const { page, complaints, context } = await open(service, "/", viewport);
    expect(new URL(page.url()).pathname).toBe("/docs");
    const link = page.getByRole("link", { name: /How to sign/ });
    await link.waitFor();
    expect(await isOnFirstScreen(page, "Sign every request")).toBe(true);
    expect(await isOnFirstScreen(page, "How to sign, with code")).toBe(true);
    expect(await isOnFirstScreen(page, "Write the payload")).toBe(true);
    const target = new URL((await link.getAttribute("href")) ?? "", page.url());
    expect(target.pathname).toBe("/docs/authentication");
    await page.goto(target.href);
    await page.getByRole("heading", { name: "Bind the header to its request" }).waitFor();
    await page.getByRole("link", { name: "below" }).first().click();
    await expect.poll(() => isOnFirstScreen(page, "Without bind, a header is good for any request.")).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
