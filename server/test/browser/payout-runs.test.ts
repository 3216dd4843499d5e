import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, type Visitor, visit } from "../harness/browser.ts";
import {
  createActive,
  depositBody,
  IN_WINDOW,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";

const OPTIMISM = 10;
const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const HASH = `0x${"5e".repeat(32)}`;
const MANY = 500;
const CLICKS_MAX = 12;
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

/** Users who are owed 1, 2, 3 … USDC, each to a wallet of its own. */
async function manyOwed(campaignId: string, count: number): Promise<void> {
  await service.db.query(
    `with added as (
       insert into participants
         (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
          payouts_open, payouts_confirmed, payouts_count, last_payout_failed, create_date, update_date,
          receiver_address, receiver_set_by)
       select $1, gen_random_uuid(), $2, 'user-' || n, 'MATCHED', $3, n * 1000000, n * 1000000, n * 1000000, 0, 0, 0, false,
              $3::timestamptz + n * interval '1 ms', $3, '0x' || lpad(to_hex(n), 40, '0'), 'SUBMISSION'
       from generate_series(1, $4::integer) n
       returning merchant_id, id, campaign_id, receiver_address, amount_matched
     )
     insert into participant_wallets
       (merchant_id, participant_id, address_key, chain_id, campaign_id, address, ordinal, claim_position)
     select merchant_id, id, receiver_address, 8453, campaign_id, receiver_address, 0, amount_matched
     from added`,
    [merchant.id, campaignId, IN_WINDOW, count],
  );
}

/** A run of everything that the campaign owes, after these steps. */
async function runAfter(campaignId: string, ...steps: readonly (readonly [verb: string, body: object])[]) {
  const headers = { "idempotency-key": randomUUID() };
  const created = await service.operator("/payout-runs", { body: { campaignId }, headers });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  for (const [verb, body] of steps) {
    const answer = await service.operator(`/payout-runs/${created.body.id}/${verb}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  const rows = (await service.operator(`/payout-runs/${created.body.id}/payouts`)).body.items;
  return { id: created.body.id as string, path: `/payout-runs/${created.body.id}`, rows };
}

const APPROVE = ["approve", {}] as const;
const EXPORT = ["export", { format: "csv" }] as const;
const SUBMIT = ["submit", { transactionHashes: [HASH] }] as const;

const readRun = async (id: string) => (await service.operator(`/payout-runs/${id}`)).body;
const textOf = async (download: Download) => readFile(await download.path(), "utf8");
const statusOf = (page: Page, status: string) => page.getByRole("main").getByText(status, { exact: true }).first();

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
    await entry.getByText("Reason: The merchant named it, ticket 4711.").waitFor();
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

describe("a payout run", () => {
  test(`pays ${MANY} participants in at most ${CLICKS_MAX} clicks from the home page`, async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Five hundred" });
    await manyOwed(campaignId, MANY);
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    const downloads: Download[] = [];
    page.on("download", (download) => downloads.push(download));
    // Counted by the browser itself. A file input and a button inside a label get a click of their own, which is no press.
    let clicks = 0;
    await page.exposeFunction("countClick", () => clicks++);
    await page.addInitScript(() => {
      const { countClick } = globalThis as unknown as { countClick: () => void };
      addEventListener("pointerdown", () => countClick(), true);
    });
    const press = (role: "button" | "link", name: string | RegExp) =>
      page.getByRole(role, { name, exact: true }).last().click();

    await visitor.go("/");
    await press("link", "Campaigns");
    await press("link", "Five hundred");
    await press("button", "New payout run");
    await press("button", "Create run");
    await page.getByRole("heading", { name: "Payout run of 125,250.00 USDC" }).waitFor();
    await page.getByText("No one was left out of this run.").waitFor();
    await press("button", "Approve");
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press("button", "Safe transaction builder");
    await page.getByText("3 files were saved.").waitFor();
    await press("button", "Mark as submitted");
    await page.getByRole("dialog").getByLabel("Paid in several transactions").click();
    const hashes = ["5a", "5b", "5c"].map((digits) => `0x${digits.repeat(32)}`);
    for (const [index, hash] of hashes.entries()) {
      await page
        .getByRole("dialog")
        .getByLabel(`Transaction hash of file ${index + 1}`)
        .fill(hash);
    }
    await page.getByRole("dialog").getByRole("button", { name: "Mark as submitted" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const id = page.url().split("/").at(-1) ?? "";
    const exported: string = (await service.operator(`/payout-runs/${id}/export`, { body: { format: "csv" } })).body;
    const payoutIds = exported
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",", 1)[0]);
    await press("button", "Import results");
    // Pasted: the field has the keyboard already.
    await page.getByRole("dialog").getByRole("textbox", { name: "Results" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.insertText(payoutIds.map((one) => `${one},CONFIRMED`).join("\n"));
    await page.getByText("500 payouts confirmed, 0 payouts failed.").waitFor();
    await press("button", "Import 500 results");
    await statusOf(page, "SETTLED").waitFor();
    expect(clicks).toBeGreaterThan(8);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);

    expect(await readRun(id)).toMatchObject({ status: "SETTLED", counts: { payouts: MANY, confirmed: MANY } });
    const sums = await service.db.query(
      "select transaction_hash, count(*)::integer from payouts where run_id = $1 group by 1 order by 1",
      [id],
    );
    expect(sums).toEqual(hashes.map((hash, index) => ({ transaction_hash: hash, count: index < 2 ? 200 : 100 })));
    await expect.poll(() => downloads.length).toBe(3);
    const batches = await Promise.all(downloads.map(async (download) => JSON.parse(await textOf(download))));
    const { body } = await service.operator(`/payout-runs/${id}/export`, { body: { format: "safe-builder" } });
    expect(batches).toEqual(body.files);
    expect(downloads.map((download) => download.suggestedFilename())).toEqual(
      [1, 2, 3].map((part) => `payout-run-${id}-safe-builder-${part}-of-3.json`),
    );
    await visitor.leave();
  });

  test("says who was left out and why, and which rows to look at", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Left out" });
    const shared = await qualify(service, merchant.id);
    for (const [user, profit] of [
      ["user-shared", 200_000_000],
      ["user-sharing", 200_000_000],
      ["user-small", 1_000_000],
    ] as const) {
      const wallet = user === "user-small" ? await qualify(service, merchant.id) : shared;
      expect((await submit(merchant, campaignId, submission(user, [wallet], profit))).status).toBe(201);
    }
    await someoneOwed(campaignId, "user-none", { hasReceiver: false });
    const { id: heldId } = await someoneOwed(campaignId, "user-on-hold");
    await service.operator(`/participants/${heldId}/hold`, { body: { reason: "Asked for." } });
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN, viewport: { width: 1024, height: 900 } });
    const { page } = visitor;
    await visitor.go(`/campaigns/${campaignId}?tab=owed`);
    await page.getByText("No payout runs of this campaign yet.").waitFor();
    await page.getByRole("button", { name: "New payout run" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Minimum in USDC").fill("1,5");
    await dialog.getByText("Write a decimal point").waitFor();
    expect(await dialog.getByRole("button", { name: "Create run" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Minimum in USDC").fill("10");
    await dialog.getByLabel("Note").fill("November");
    await visitor.checkAccessibility();
    await dialog.getByRole("button", { name: "Create run" }).click();

    const leftOut = page.getByRole("region", { name: "Left out" });
    for (const [user, reason] of [
      ["user-small", "Owed less than the minimum"],
      ["user-none", "No receiver on the payout chain"],
      ["user-on-hold", "Held by an operator"],
    ] as const) {
      await leftOut.getByRole("row").filter({ hasText: user }).getByText(reason).waitFor();
    }
    const row = page.getByRole("region", { name: "Payouts" }).getByRole("row").filter({ hasText: "user-sharing" });
    await row.getByText("Shared wallet").waitFor();
    await row.getByText("400.00 USDC").waitFor();
    await row.getByText("PENDING", { exact: true }).waitFor();
    await page.getByText("November", { exact: true }).waitFor();
    await checkLooks(visitor);
    await checkOnPhone(visitor);
    await page.setViewportSize({ width: 1024, height: 900 });

    await row.getByRole("link", { name: "user-sharing" }).click();
    await page.getByRole("link", { name: "a payout run" }).waitFor();
    // Such a payout moves with its run alone.
    expect(await page.getByRole("button", { name: /^(Mark as|Cancel payout)/ }).count()).toBe(0);
    await page.getByRole("link", { name: "a payout run" }).click();
    await leftOut.waitFor();
    await visitor.leave();
  });

  test("is found by its status, merchant and campaign", async () => {
    const other = await registerMerchant(service, { domain: "southwind.example" });
    const names = ["First runs", "Second runs"];
    const campaigns = await Promise.all(
      names.map((displayName) => createActive(service, merchant.id, { displayName })),
    );
    for (const { id } of campaigns) await someoneOwed(id, "user-listed");
    const [first, second] = campaigns;
    await runAfter(first.id);
    await runAfter(second.id, APPROVE);
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go("/payout-runs");
    const rowOf = (name: string) => page.getByRole("row").filter({ hasText: name });
    for (const name of names) await rowOf(name).waitFor();
    await checkLooks(visitor);
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "APPROVED" }).click();
    await rowOf("First runs").waitFor({ state: "detached" });
    await rowOf("Second runs").waitFor();
    await page.getByRole("combobox", { name: "Campaign" }).fill("first run");
    await page.getByRole("option", { name: "First runs" }).click();
    await page.getByText("No payout run matches these filters.").waitFor();
    await page.getByLabel("Show every status").click();
    await rowOf("First runs").waitFor();
    await visitor.go(`/payout-runs?merchantId=${other.id}`);
    await page.getByText("No payout run matches these filters.").waitFor();
    await visitor.go("/payout-runs");
    await rowOf("Second runs").waitFor();
    await checkOnPhone(visitor);
    await visitor.leave();
  });

  test("is exported in four formats, with the bytes that the API answers", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Exported" });
    await someoneOwed(campaignId, "user-exported");
    const run = await runAfter(campaignId, APPROVE);
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go(run.path);
    for (const [button, format, ending] of [
      ["CSV with payout ids", "csv", ".csv"],
      ["Safe CSV airdrop", "safe-airdrop", ".csv"],
      ["JSON with payout ids", "json", ".json"],
      ["Safe transaction builder", "safe-builder", "-1-of-1.json"],
    ] as const) {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: button }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`payout-run-${run.id}-${format}${ending}`);
      const { body } = await service.operator(`/payout-runs/${run.id}/export`, { body: { format } });
      const text = await textOf(file);
      if (ending === ".csv") expect(text).toBe(body);
      else expect(JSON.parse(text)).toEqual(format === "json" ? body : body.files[0]);
      await page.getByText("The file was saved.").waitFor();
    }
    await statusOf(page, "EXPORTED").waitFor();
    await checkLooks(visitor);
    await visitor.leave();
  });

  test("is cancelled with one press as a draft, and once exported only with a word that nothing was sent", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Cancelled" });
    await someoneOwed(campaignId, "user-cancelled");
    const { page, go, leave } = await visit(browser, service, { token: OPERATOR_TOKEN });
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Cancel run" });
    const draft = await runAfter(campaignId);
    await go(draft.path);
    await page.getByRole("button", { name: "Cancel run" }).click();
    await confirm.click();
    await statusOf(page, "CANCELLED").waitFor();

    const exported = await runAfter(campaignId, APPROVE, EXPORT);
    await go(exported.path);
    await page.getByRole("button", { name: "Cancel run" }).click();
    await dialog.getByText("users are paid twice").waitFor();
    await dialog.getByLabel("Reason").fill("Exported for the wrong Safe.");
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Nothing of this run was sent").check();
    await confirm.click();
    await statusOf(page, "CANCELLED").waitFor();
    await page.getByRole("region", { name: "Payouts" }).getByText("Exported for the wrong Safe.").waitFor();
    expect(await page.getByRole("button", { name: /^(Approve|Cancel run|Mark as|Import)/ }).count()).toBe(0);
    expect(await readRun(exported.id)).toMatchObject({ status: "CANCELLED", counts: { failed: 1 } });
    await leave();
  });

  test("whose results are wrong says in which lines, and imports nothing before they are right", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Results" });
    for (const user of ["user-a", "user-b"]) await someoneOwed(campaignId, user);
    const run = await runAfter(campaignId, APPROVE, EXPORT, SUBMIT);
    const [a, b] = run.rows;
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    await visitor.go(run.path);
    await page.getByRole("button", { name: "Import results" }).click();
    await dialog.getByRole("button", { name: "Fill in: all confirmed" }).click();
    await dialog.getByRole("button", { name: "Import 2 results" }).and(page.locator(":enabled")).waitFor();
    const wrong = [
      "payout_id,status,transaction_hash,reason",
      `${a.id},CONFIRMED,${HASH},`,
      `${b.id},PAID,,`,
      `${randomUUID()},FAILED,,Reverted.`,
    ];
    await dialog.getByRole("textbox", { name: "Results" }).fill(wrong.join("\n"));
    await dialog.getByText("2 lines to correct").waitFor();
    await dialog.getByText("Line 3: The status must be CONFIRMED or FAILED.").waitFor();
    await dialog.getByText("Line 4: The run has no such payout.").waitFor();
    const submitButton = dialog.getByRole("button", { name: /^Import/ });
    expect(await submitButton.isDisabled()).toBe(true);
    expect(await readRun(run.id)).toMatchObject({ counts: { submitted: 2 } });
    await checkLooks(visitor);
    await checkOnPhone(visitor);

    const right = `${a.id},CONFIRMED,${HASH}\n${b.id},FAILED,,"Reverted, out of gas."\n`;
    const file = { name: "results.csv", mimeType: "text/csv", buffer: Buffer.from(right) };
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      dialog.getByRole("button", { name: "Choose a CSV file" }).click(),
    ]);
    await chooser.setFiles(file);
    await dialog.getByText("1 payout confirmed, 1 payout failed.").waitFor();
    await dialog.getByRole("button", { name: "Import 2 results" }).click();
    await statusOf(page, "SETTLED").waitFor();
    expect(await readRun(run.id)).toMatchObject({ status: "SETTLED", counts: { confirmed: 1, failed: 1 } });
    await visitor.leave();
  });

  test("that another operator changed says so, and shows how it stands", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Outdated" });
    const someone = await someoneOwed(campaignId, "user-outdated");
    const run = await runAfter(campaignId);
    const visitor = await visit(browser, service, { token: OPERATOR_TOKEN });
    const { page } = visitor;
    await visitor.go(run.path);
    await page.getByRole("button", { name: "Approve" }).click();
    await service.operator(`/participants/${someone.id}/hold`, { body: { reason: "Asked for." } });
    visitor.expectRefusal(409);
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page.getByRole("alert").getByText("1 of its participants were held").waitFor();
    await page.keyboard.press("Escape");
    await statusOf(page, "DRAFT").waitFor();
    await visitor.leave();
  });

  test("has no buttons for a viewer", async () => {
    const { id: campaignId } = await createActive(service, merchant.id, { displayName: "Watched" });
    const someone = await someoneOwed(campaignId, "user-watched");
    const run = await runAfter(campaignId, APPROVE);
    const { body } = await service.operator("/tokens", { body: { name: "watcher", role: "viewer" } });
    const { page, go, leave } = await visit(browser, service, { token: body.token });
    await go(run.path);
    await page.getByRole("row").filter({ hasText: "user-watched" }).waitFor();
    expect(await page.getByRole("button", { name: /^(Cancel run|Safe|CSV|JSON)/ }).count()).toBe(0);
    await go(someone.path);
    await page.getByRole("region", { name: "Receiver" }).waitFor();
    expect(
      await page
        .getByRole("button", { name: /receiver$|^(Hold|Release)/ })
        .filter({ hasText: /./ })
        .count(),
    ).toBe(0);
    await leave();
  });
});
