import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { OPERATOR_TOKEN, type Service } from "./service.ts";

// A person at the console, in a real Chromium. Any complaint of that browser fails the test: errors and
// warnings in its console (a breach of the content security policy is one), uncaught errors, requests to other hosts.

// The shell is the same browser without its own windows, which take half of the time.
const CHROMIUM = ["chromium-headless-shell", "chromium", "google-chrome"].map((name) => `/usr/bin/${name}`);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find(existsSync);
  if (executablePath === undefined)
    throw new Error("Chromium is needed: apt-get install chromium-headless-shell, or set CHROMIUM.");
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

export interface VisitOptions {
  /** Whose the session is that the browser has already. */
  readonly token?: string;
  readonly colorScheme?: "light" | "dark";
  readonly viewport?: { width: number; height: number };
  /** A browser window that is open already, with its cookies and what it has loaded. It stays open. */
  readonly context?: BrowserContext;
}

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to a page of the console. */
  go(path: string): Promise<void>;
  signIn(token?: string): Promise<void>;
  /** An answer of this status is expected and Chromium's line about it is no complaint. */
  expectRefusal(status: number): void;
  /** Fails on serious accessibility findings and on landmarks that are not unique, of all rules or of these. */
  checkAccessibility(rules?: readonly string[]): Promise<void>;
  /** Fails on anything the browser complained about, and leaves. */
  leave(): Promise<void>;
}

export function openWindow(browser: Browser, options: VisitOptions = {}): Promise<BrowserContext> {
  const { colorScheme = "light", viewport = { width: 1280, height: 900 } } = options;
  return browser.newContext({
    colorScheme,
    viewport,
    timezoneId: "UTC",
    locale: "en-GB",
    // Nothing to see while it moves, and axe would measure what is half transparent.
    reducedMotion: "reduce",
  });
}

export async function visit(browser: Browser, service: Service, options: VisitOptions = {}): Promise<Visitor> {
  const context = options.context ?? (await openWindow(browser, options));
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const refusals = new Set<number>();
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    const refused = Number(/responded with a status of (\d+)/.exec(message.text())?.[1]);
    // One check of the books at a time: that of a page one has left is waited for.
    const isBusy = refused === 503 && message.location().url.endsWith("/operator/v1/invariants");
    if (["error", "warning"].includes(message.type()) && !refusals.has(refused) && !isBusy) {
      complaints.push(message.text());
    }
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${service.operatorUrl}/`)) complaints.push(`another host: ${request.url()}`);
  });

  const visitor: Visitor = {
    page,
    context,
    async go(path) {
      await page.goto(`${service.operatorUrl}/console${path}`);
    },
    async signIn(token = OPERATOR_TOKEN) {
      await page.getByLabel("Operator token").fill(token);
      await page.getByRole("button", { name: /^Sign in to/ }).click();
      await page.getByRole("button", { name: "Account" }).waitFor();
    },
    expectRefusal: (status) => refusals.add(status),
    async checkAccessibility(rules) {
      // What is still moving is half transparent, which would be measured as a lack of contrast.
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
      if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
      const findings = await page.evaluate(async (runOnly) => {
        const { axe } = globalThis as unknown as { axe: Axe };
        const { violations } = await axe.run({ resultTypes: ["violations"], ...(runOnly && { runOnly }) });
        return violations.map(({ id, impact, nodes }) => ({
          id,
          impact,
          nodes: nodes.map(({ html }) => html.slice(0, 200)),
        }));
      }, rules);
      const isGrave = ({ id, impact }: { id: string; impact: string }) =>
        impact === "serious" || impact === "critical" || id.startsWith("landmark-");
      expect(findings.filter(isGrave)).toEqual([]);
    },
    async leave() {
      await (options.context === undefined ? context : page).close();
      expect(complaints).toEqual([]);
    },
  };
  // Not by the sign-in page, which has tests of its own and would take half of the time of many others.
  if (options.token !== undefined) {
    const signedIn = await context.request.post(`${service.operatorUrl}/operator/v1/session`, {
      data: { token: options.token },
      headers: { origin: service.operatorUrl },
    });
    expect(signedIn.status()).toBe(201);
  }
  return visitor;
}

interface Axe {
  run(options: object): Promise<{ violations: AxeViolation[] }>;
}

interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
