import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../src/limits.ts";
import { openBrowser, type Visitor, visit } from "../harness/browser.ts";
import { createActive, createDraft, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { applicationBody, registerMerchant } from "../harness/merchant.ts";
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
    await visitor.page.getByRole("alert").getByText("This operator token is unknown or has expired.").waitFor();
    await visitor.leave();
  });

  test("neither the token nor the session is within a script's reach", async () => {
    const { page, context, go, signIn, leave } = await visit(browser, service);
    await go("/tokens");
    await signIn();
    const reachable = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(reachable).not.toContain(OPERATOR_TOKEN);
    const [cookie] = await context.cookies(`${service.operatorUrl}/operator/v1`);
    expect(cookie).toMatchObject({ name: "matchbook-production-session", httpOnly: true, sameSite: "Strict" });
    expect(reachable).not.toContain(cookie?.value);
    await leave();
  });

  test("production and sandbox look different and can be open in one browser at the same time", async () => {
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/tokens");
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

describe("signing out", () => {
  test("leaves nothing that was typed for the next person who signs in", async () => {
    const { page, go, signIn, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/campaigns/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Not for the next person");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Operator token").waitFor();
    expect(await page.getByText("Your session has ended").count()).toBe(0);
    await signIn();
    await page.getByRole("heading", { name: "New campaign", level: 1 }).waitFor();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("");
    await leave();
  });

  test("that does not work says so, and can be tried again", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(502);
    await visitor.go("/tokens");
    await page.getByRole("heading", { name: "Tokens", level: 1 }).waitFor();
    await page.route("**/operator/v1/session", (route) => route.fulfill({ status: 502, body: "" }));
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("alert").getByText("with status 502").waitFor();
    await page.unroute("**/operator/v1/session");
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Operator token").waitFor();
    await visitor.leave();
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
      await page.getByRole("textbox", { name: "User id" }).fill("00000000-0000-4000-8000-000000000000");
      await page.getByRole("status").getByText("Your session has ended. Sign in again to continue.").waitFor();
      await visitor.checkAccessibility();
      await visitor.signIn();
      await page.getByRole("heading", { name: "Deposits", level: 1 }).waitFor();
      expect(new URL(page.url()).searchParams.get("status")).toBe("failed");
      expect(await page.getByRole("combobox", { name: "Status" }).inputValue()).toBe("failed");
    } finally {
      offsetMs = 0;
    }
    await visitor.leave();
  });

  test("loses nothing of what was typed into a long form", async () => {
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    visitor.expectRefusal(401);
    await visitor.go("/campaigns/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Half finished");
    try {
      offsetMs += 13 * HOUR_MS;
      await page.getByRole("link", { name: "Tokens", exact: true }).click();
      await page.getByText("Your session has ended").waitFor();
      await visitor.signIn();
      await page.getByRole("heading", { name: "Tokens", level: 1 }).waitFor();
      await visitor.go("/campaigns/new");
      await expect.poll(() => page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Half finished");
    } finally {
      offsetMs = 0;
    }
    await visitor.leave();
  });
});

describe("a viewer", () => {
  let operator: Visitor;
  let viewer: Visitor;
  /** What stands for itself in the addresses below. */
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    await service.call("/v1/merchants/applications", { body: applicationBody({ domain: "new.example" }) });
    const merchant = await registerMerchant(service, { domain: "harbor.example" });
    await merchant.call("/v1/merchant-domains", { body: { domain: "pay.harbor.example" } });
    const draft = await createDraft(service, merchant.id, { displayName: "Later" });
    const active = await createActive(service, merchant.id, { displayName: "Now" });
    const wallet = await qualify(service, merchant.id);
    const { body: participant } = await submit(merchant, active.id, submission("user-1", [wallet]));
    const payout = { amount: usdc(1_000_000), recipientAddress: wallet };
    const request = { body: payout, headers: { "idempotency-key": "one" } };
    expect((await service.operator(`/participants/${participant.id}/payouts`, request)).status).toBe(201);
    await service.db.query(
      `insert into outbox (id, kind, payload, attempts, next_attempt_date, last_error, create_date)
       values (gen_random_uuid(), 'mail', '{}', 5, now() + interval '1 hour', 'SMTP: CONN ECONNREFUSED failed', now())`,
    );
    Object.assign(ids, { merchant: merchant.id, draft: draft.id, active: active.id, participant: participant.id });
    const token = await createToken("viewer");
    [operator, viewer] = await Promise.all([
      visit(browser, service, { token: OPERATOR_TOKEN }),
      visit(browser, service, { token }),
    ]);
  });
  afterAll(() => Promise.all([operator.leave(), viewer.leave()]));

  const PAGES: readonly (readonly [path: string, text: string, changes: readonly string[]])[] = [
    ["/", "SMTP: CONN ECONNREFUSED failed", ["Retry the mail"]],
    ["/applications", "new.example", ["Approve new.example", "Reject new.example"]],
    ["/merchants/:merchant", "Primary domain", ["Suspend", "Rename"]],
    ["/merchants/:merchant?tab=key", "-----BEGIN PUBLIC KEY-----", ["Rotate key"]],
    ["/merchants/:merchant?tab=domains", "https://pay.harbor.example", ["Remove pay.harbor.example"]],
    ["/merchants/:merchant?tab=deposits", "$100.00", []],
    ["/merchants/:merchant?tab=users", "$100.00", []],
    ["/merchants/:merchant?tab=campaigns", "Later", ["New campaign"]],
    ["/merchants/:merchant?tab=audit", "Recorded a payout", []],
    ["/campaigns", "Later", ["New campaign"]],
    ["/campaigns/:draft", "DRAFT", ["Activate", "Edit"]],
    ["/campaigns/:active", "ACTIVE", ["Pause", "End", "Edit"]],
    [
      "/campaigns/:active/participants/:participant",
      "PENDING",
      ["Record a payout", "Mark as submitted", "Cancel payout"],
    ],
    ["/tokens", "the viewer", ["New token", "Revoke the viewer"]],
  ];

  test.each(PAGES)("sees what is at %s, and none of the buttons of an operator", async (path, text, changes) => {
    await Promise.all(
      [operator, viewer].map(async ({ page, go }) => {
        await go(path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? ""));
        await page.getByText(text).first().waitFor();
      }),
    );
    for (const name of changes) {
      const { page } = operator;
      await page.getByRole("button", { name }).or(page.getByRole("link", { name })).first().waitFor();
    }
    const seen = await viewer.page
      .locator("button, a")
      .evaluateAll((elements) => elements.map((element) => element.ariaLabel ?? element.textContent));
    const forbidden = PAGES.flatMap(([, , names]) => names);
    expect(seen.filter((name) => forbidden.some((change) => name.startsWith(change)))).toEqual([]);
  });
});

describe("a page of another origin", () => {
  test("changes nothing with the operator's cookie, by script or by form, from the same host", async () => {
    const { page, context, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    await go("/tokens");
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
