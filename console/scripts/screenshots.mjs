// Takes the pictures of the README and the docs: starts a server of its own, fills it with invented data, and looks at
// the main pages in Chromium. `npm run screenshots`; with a folder as argument they go there instead.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "server/bin/matchbook-server.js");
const target = resolve(process.argv[2] ?? join(root, "docs/images"));
const chromiumPath =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const DEMO = ["--merchants", "8", "--deposits", "40000", "--campaigns", "12", "--environment", "production"];
const DESK = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };

const dataDir = mkdtempSync(join(tmpdir(), "matchbook-screenshots-"));
const [port, operatorPort] = await Promise.all([freePort(), freePort()]);
// Nothing of the shell's own settings: they may be those of a production that must not be filled with invented data.
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  MATCHBOOK_DATA_DIR: dataDir,
  PORT: String(port),
  OPERATOR_PORT: String(operatorPort),
  ENVIRONMENTS: "production",
  WORKERS: "1",
};
const server = spawn(process.execPath, [program, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
const stopped = new Promise((resolveStopped) => server.once("exit", resolveStopped));
try {
  await ready(server);
  const demo = spawnSync(process.execPath, [program, "demo", ...DEMO], { env, stdio: "inherit" });
  if (demo.status !== 0) throw new Error("The demo data could not be made.");
  mkdirSync(target, { recursive: true });
  await takePictures(`http://127.0.0.1:${operatorPort}`, readFileSync(join(dataDir, "operator-token"), "utf8").trim());
} finally {
  server.kill();
  await stopped;
  rmSync(dataDir, { recursive: true, force: true });
}

async function takePictures(url, token) {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path) => (await fetch(`${url}/operator/v1${path}`, { headers })).json();
  const { items: campaigns } = await read("/campaigns?status=ACTIVE&limit=100");
  const campaign = campaigns.find(({ displayName }) => displayName === "High Rollers") ?? campaigns[0];
  const participants = await read(`/campaigns/${campaign.id}/participants?status=PAID`);
  const participant = participants.items[0];

  const pages = [
    ["applications", "/applications"],
    ["merchant", `/merchants/${campaign.merchantId}`],
    ["campaign", `/campaigns/${campaign.id}`],
    ["participant", `/campaigns/${campaign.id}/participants/${participant.id}`],
    ["deposits", "/deposits"],
    // Without the sign-ins of this script.
    ["audit-log", "/audit-log?action=campaign.activate"],
  ];
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  try {
    await picture("home", "/", { viewport: { ...DESK, height: 1250 } }, awaitVerdict);
    for (const [name, path] of pages) await picture(name, path);
    await picture("new-campaign", `/campaigns/new?merchantId=${campaign.merchantId}`, {}, fillCampaign);
    await picture("home-dark", "/", { viewport: { ...DESK, height: 1250 }, colorScheme: "dark" }, awaitVerdict);
    await picture("home-phone", "/", { viewport: PHONE }, awaitVerdict);
    await picture("participants-phone", `/campaigns/${campaign.id}?tab=participants`, { viewport: PHONE });
    await referencePicture();
  } finally {
    await browser.close();
  }

  async function referencePicture() {
    const page = await browser.newPage({ viewport: DESK });
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole("heading", { name: "Sign every request" }).first().waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(target, "reference.png") });
    console.log("reference.png");
  }

  async function picture(name, path, options = {}, prepare = async () => {}) {
    const context = await browser.newContext({ viewport: DESK, locale: "en-GB", timezoneId: "UTC", ...options });
    const page = await context.newPage();
    await page.goto(`${url}/console${path}`);
    await page.getByLabel("Operator token").fill(token);
    await page.getByRole("button", { name: /^Sign in to/ }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await prepare(page);
    await page.waitForLoadState("networkidle");
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
    await page.screenshot({ path: join(target, `console-${name}.png`) });
    console.log(`console-${name}.png`);
    await context.close();
  }
}

async function awaitVerdict(page) {
  await page.getByText("The books add up").waitFor();
}

async function fillCampaign(page) {
  const typed = {
    Name: "Winter Match",
    "Starts (UTC)": "2027-01-01T00:00",
    "Ends (UTC)": "2027-02-28T23:59",
    Multiplier: "2",
    "Cap per user": "1000",
    "Total budget": "250000",
    "Payout chain": "8453",
    "Payout token": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  };
  const field = (label) => page.locator("input").and(page.getByLabel(label));
  for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
  await page.keyboard.press("Tab");
  await page.getByRole("table", { name: "Matches for sample profits" }).waitFor();
}

function ready(child) {
  return new Promise((resolveReady, reject) => {
    child.once("exit", (code) => reject(new Error(`The server exited with ${code}.`)));
    let output = "";
    child.stdout.on("data", (bytes) => {
      output += bytes;
      if (output.includes(" is ready ")) resolveReady();
    });
  });
}

function freePort() {
  return new Promise((resolvePort) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolvePort(port));
    });
  });
}
