import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../src/limits.ts";
import { openBrowser, visit } from "../harness/browser.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

let offsetMs = 0;
const clock = () => new Date(Date.now() + offsetMs);

let browser: Browser;
let service: Service;
let sandbox: Service;
beforeAll(async () => {
  [browser, service, sandbox] = await Promise.all([
    openBrowser(),
    startService({ clock }),
    startService({ clock, environment: "sandbox" }),
  ]);
});
afterAll(() => Promise.all([browser.close(), service.close(), sandbox.close()]));

async function createToken(role: string): Promise<string> {
  return (await service.operator("/tokens", { body: { name: `the ${role}`, role } })).body.token;
}

describe("signing in", () => {
  test("an operator signs in with a token, stays signed in over a reload, and signs out", async () => {
    const { page, go, signIn, checkAccessibility, leave } = await visit(browser, service);
    await go("/merchants");
    await checkAccessibility();
    await signIn();
    // The address asked for is where one arrives.
    await page.getByRole("heading", { name: "Merchants", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Merchants", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Operator token").waitFor();
    await page.reload();
    await page.getByLabel("Operator token").waitFor();
    await leave();
  });

  test("a wrong token is refused in the API's own words", async () => {
    const visitor = await visit(browser, service);
    visitor.expectRefusal(401);
    await visitor.go("/");
    await visitor.page.getByLabel("Operator token").fill("mbop_wrong");
    await visitor.page.getByRole("button", { name: /^Sign in to/ }).click();
    await visitor.page.getByRole("alert").getByText("This is not an operator token").waitFor();
    await visitor.leave();
  });

  test("neither the token nor the session is within a script's reach", async () => {
    const { page, context, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const reachable = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(reachable).not.toContain(OPERATOR_TOKEN);
    const [cookie] = await context.cookies(`${service.operatorUrl}/operator/v1`);
    expect(cookie).toMatchObject({ name: "matchbook-production-session", httpOnly: true, sameSite: "Strict" });
    expect(reachable).not.toContain(cookie?.value);
    await leave();
  });

  test("a viewer sees everything and no button that would fail", async () => {
    const { page, go, leave } = await visit(browser, service, { token: await createToken("viewer") });
    await go("/tokens");
    await page.getByRole("table").getByText("the viewer").first().waitFor();
    expect(await page.getByRole("button", { name: /create|revoke/i }).count()).toBe(0);
    await go("/campaigns");
    await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
    expect(await page.getByRole("link", { name: "New campaign" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "New campaign" }).count()).toBe(0);
    await leave();
  });

  test("production and sandbox look different and can be open in one browser at once", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await page.getByRole("banner").getByText("production", { exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${sandbox.operatorUrl}/console`);
    await other.getByRole("button", { name: "Sign in to sandbox" }).waitFor();
    await other.getByLabel("Operator token").fill(OPERATOR_TOKEN);
    await other.getByRole("button", { name: "Sign in to sandbox" }).click();
    await other.getByRole("banner").getByText("sandbox", { exact: true }).waitFor();
    await go("/merchants");
    await page.getByRole("heading", { name: "Merchants", level: 1 }).waitFor();
    await page.getByRole("banner").getByText("production", { exact: true }).waitFor();
    await leave();
  });
});

describe("a session that is over", () => {
  test("leads to the sign-in page, and from there back to where one was", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(401);
    await visitor.go("/deposits?status=failed");
    await page.getByRole("heading", { name: "Deposits", level: 1 }).waitFor();
    try {
      offsetMs += 13 * HOUR_MS;
      await page.getByRole("link", { name: "Tokens" }).click();
      await page.getByLabel("Operator token").waitFor();
      await visitor.signIn();
      await page.getByRole("heading", { name: "Tokens", level: 1 }).waitFor();
    } finally {
      offsetMs = 0;
    }
    await visitor.leave();
  });
});

describe("a page of another origin", () => {
  test("changes nothing with the operator's cookie, by script or by form, from the same host", async () => {
    const { page, context, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const target = `${service.operatorUrl}/operator/v1/tokens`;
    // Another port of the same host is the same site to a browser: SameSite lets its cookies through.
    const foreign = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><title>Foreign</title>
        <form method="post" action="${target}" enctype="text/plain"><input name='{"name":"forged","role":"operator","x":"' value='"}'><button>Send</button></form>`);
    });
    await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
    try {
      const before = (await service.operator("/audit-log")).body.items[0]?.position;
      const attacker = await context.newPage();
      await attacker.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
      const outcomes = await attacker.evaluate(async (url) => {
        const body = JSON.stringify({ name: "forged", role: "operator" });
        const attempts = [
          fetch(url, { method: "POST", credentials: "include", mode: "no-cors", body }),
          fetch(url, {
            method: "POST",
            credentials: "include",
            headers: { "content-type": "application/json" },
            body,
          }),
          fetch(url, { credentials: "include" }).then((answer) => answer.text()),
        ];
        return (await Promise.allSettled(attempts)).map(({ status }) => status);
      }, target);
      // The browser sends the first but shows nothing of its answer; it refuses to send the second, or to show the third.
      expect(outcomes).toEqual(["fulfilled", "rejected", "rejected"]);
      const [submission] = await Promise.all([
        attacker.waitForResponse((response) => response.request().method() === "POST"),
        attacker.getByRole("button").click(),
      ]);
      expect(submission.status()).toBe(403);
      expect(await submission.text()).toContain("SESSION_ORIGIN_REFUSED");
      expect((await service.operator("/audit-log")).body.items[0]?.position).toBe(before);
      await page.reload();
      await page.getByRole("button", { name: "Account" }).waitFor();
    } finally {
      foreign.close();
    }
    await leave();
  });
});
