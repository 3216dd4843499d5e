import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../src/limits.ts";
import { createDraft, usdc } from "../harness/campaigns.ts";
import { COVERED, everything, type FourEyes, type Operator, ready, startFourEyes } from "../harness/four-eyes.ts";
import { registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { OPERATORS, READERS, statusByRole } from "../harness/roles.ts";
import { type Answer, OPERATOR_TOKEN } from "../harness/service.ts";

let offsetMs = 0;
const clock = () => new Date(Date.now() + offsetMs);

let eyes: FourEyes;
let alice: Operator;
let bob: Operator;
beforeAll(async () => {
  eyes = await startFourEyes({ clock });
  alice = await eyes.person("alice");
  bob = await eyes.person("bob");
});
afterAll(() => eyes.close());

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const approve = (who: Operator, id: string, body: object = {}) => who.call(`/approvals/${id}/approve`, { body });
const reject = (who: Operator, id: string, body: object = {}) => who.call(`/approvals/${id}/reject`, { body });
const auditOf = async (subject: string) =>
  (
    await eyes.service.db.query<{ action: string; actor: string; detail: string }>(
      "select action, actor, detail from audit_log where subject = $1 order by position",
      [subject],
    )
  ).map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) }));
const actionsOf = async (subject: string) => (await auditOf(subject)).map(({ action }) => action);

/** Asks as alice for the activation of a new draft. */
async function asked(who = alice) {
  const { path, options, subject } = await COVERED["campaign.activate"](eyes.free);
  const answer = await who.call(path, options);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return { approval: answer.body.approval, campaignId: subject, path, options };
}
const statusOf = async (campaignId: string) => (await eyes.free.operator(`/campaigns/${campaignId}`)).body.status;

describe.each(Object.entries(COVERED))("%s", (action, prepare) => {
  test("acts immediately without APPROVALS", async () => {
    const { path, options, subject } = await prepare(eyes.free);
    const answer = await eyes.free.operator(path, options);
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
    expect((await actionsOf(subject)).at(-1)).toBe(action);
  });

  test("waits for a second person, changes nothing until then, and is made once", async () => {
    const { path, options, subject } = await prepare(eyes.free);
    const before = await everything(eyes.service);
    const answer = await alice.call(path, options);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const { approval } = answer.body;
    expect(approval).toMatchObject({
      status: "PENDING",
      action,
      subject,
      requestedBy: { id: alice.id, name: `alice (${alice.id})` },
      decidedBy: null,
      reason: null,
    });
    expect(JSON.stringify(approval.change)).toMatch(/"from":.*"to":/);
    expect((await alice.call(path, options)).body.approval, "the same call again").toEqual(approval);
    expect(codeOf(await approve(alice, approval.id))).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
    expect(await everything(eyes.service)).toBe(before);

    const approved = await approve(bob, approval.id);
    expect(approved.body).toMatchObject({ status: "APPROVED", change: approval.change, decidedBy: { id: bob.id } });
    const after = await everything(eyes.service);
    expect(after).not.toBe(before);
    expect((await auditOf(subject)).at(-1)).toMatchObject({ action, actor: `bob (${bob.id})` });
    expect(await actionsOf(approval.id)).toEqual(["approval.request", "approval.approve"]);

    expect((await approve(bob, approval.id)).body, "repeating the decision").toEqual(approved.body);
    expect(await everything(eyes.service)).toBe(after);
  });

  test("a rejected one changes nothing", async () => {
    const { path, options } = await prepare(eyes.free);
    const before = await everything(eyes.service);
    const { approval } = (await alice.call(path, options)).body;
    const rejected = await reject(bob, approval.id, { reason: "not agreed" });
    expect(rejected.body).toMatchObject({ status: "REJECTED", reason: "not agreed", decidedBy: { id: bob.id } });
    expect(codeOf(await approve(bob, approval.id))).toEqual([409, "APPROVAL_ALREADY_DECIDED"]);
    expect(await everything(eyes.service)).toBe(before);
    const again = await alice.call(path, options);
    expect([again.status, again.body.approval.status]).toEqual([202, "PENDING"]);
    expect(again.body.approval.id, "asking again is a new request").not.toBe(approval.id);
  });
});

describe("what is covered", () => {
  test("a call that would be refused is refused immediately, and nothing waits", async () => {
    const { id } = await ready(eyes.free);
    const count = async () => (await readPages(eyes.service, "/approvals", 100)).flat().length;
    const before = await count();
    expect(codeOf(await alice.call(`/campaigns/${id}/activate`, { body: {} }))).toEqual([
      409,
      "CAMPAIGN_TRANSITION_INVALID",
    ]);
    expect(codeOf(await alice.call(`/payout-runs/${randomUUID()}/approve`, { body: {} }))).toEqual([
      404,
      "PAYOUT_RUN_NOT_FOUND",
    ]);
    expect(await count()).toBe(before);
  });

  test("lowering a budget or renaming acts immediately; a raise of either amount waits, with its exact change", async () => {
    const { id } = await createDraft(eyes.free, (await registerMerchant(eyes.free)).id);
    const patch = (perTradeProfitMatch: object, more: object = {}) =>
      alice.call(`/campaigns/${id}`, { method: "PATCH", body: { perTradeProfitMatch, ...more } });
    expect((await patch({ maxAmountTotal: { amount: "90000000000" } })).status).toBe(200);
    expect((await patch({}, { displayName: "Renamed" })).status).toBe(200);
    const waiting = await patch({ maxAmountPerUser: { amount: "5000000001" } }, { displayName: "Raised" });
    expect([waiting.status, waiting.body.approval.change]).toEqual([
      202,
      {
        displayName: { from: "Renamed", to: "Raised" },
        maxAmountPerUser: { from: usdc(5_000_000_000), to: usdc(5_000_000_001) },
      },
    ]);
    // The same number with fewer decimals is more money.
    const token = { currency: "USDC", decimalPlaces: 5 };
    expect((await patch({ maxAmountPerUser: token, maxAmountTotal: token })).status).toBe(202);
  });

  test("pausing and resuming need no second person", async () => {
    const { id } = await ready(eyes.free);
    expect((await alice.call(`/campaigns/${id}/pause`, { body: {} })).status).toBe(200);
    expect((await alice.call(`/campaigns/${id}/resume`, { body: {} })).status).toBe(200);
  });

  test("a payout run shows what it pays", async () => {
    const { path, options } = await COVERED["payout-run.approve"](eyes.free);
    const { approval } = (await alice.call(path, options)).body;
    expect(approval.change).toMatchObject({
      status: { from: "DRAFT", to: "APPROVED" },
      payouts: 1,
      total: usdc(1_000),
      chainId: 8453,
    });
  });
});

describe("a change since it was asked", () => {
  test("an edited draft is not activated: 409 APPROVAL_OUTDATED names what differs, and it still waits", async () => {
    const { approval, campaignId } = await asked();
    await eyes.free.operator(`/campaigns/${campaignId}`, { method: "PATCH", body: { displayName: "Other terms" } });
    const answer = await approve(bob, approval.id);
    expect(codeOf(answer)).toEqual([409, "APPROVAL_OUTDATED"]);
    expect(answer.body.error.message).toContain("terms");
    expect(await statusOf(campaignId)).toBe("DRAFT");
    expect((await bob.call(`/approvals/${approval.id}`)).body.status).toBe("PENDING");
    expect((await reject(bob, approval.id)).status).toBe(200);
  });

  test("a cancelled run is not approved", async () => {
    const { path, options, subject } = await COVERED["payout-run.approve"](eyes.free);
    const { approval } = (await alice.call(path, options)).body;
    expect((await alice.call(`/payout-runs/${subject}/cancel`, { body: {} })).status).toBe(200);
    const answer = await approve(bob, approval.id);
    expect(codeOf(answer)).toEqual([409, "APPROVAL_OUTDATED"]);
    expect(answer.body.error.message).toContain("The run is CANCELLED");
    expect((await bob.call(`/payout-runs/${subject}`)).body.status).toBe("CANCELLED");
  });

  test("a change that somebody else has made meanwhile is not made again", async () => {
    const { approval, campaignId, path, options } = await asked();
    await eyes.free.operator(path, options);
    expect(codeOf(await approve(bob, approval.id))).toEqual([409, "APPROVAL_OUTDATED"]);
    expect((await actionsOf(campaignId)).filter((action) => action === "campaign.activate")).toHaveLength(1);
  });

  test("what a revoked token asked for is not done", async () => {
    const carol = await eyes.person("carol");
    const { approval, campaignId } = await asked(carol);
    await eyes.free.operator(`/tokens/${carol.id}`, { method: "DELETE" });
    const answer = await approve(bob, approval.id);
    expect(codeOf(answer)).toEqual([409, "APPROVAL_OUTDATED"]);
    expect(answer.body.error.message).toContain("has ended");
    expect(await statusOf(campaignId)).toBe("DRAFT");
  });
});

describe("who is another person", () => {
  test("a token made by the asker, and one made by that, is the asker", async () => {
    const made = async (by: Operator) => {
      const { body } = await by.call("/tokens", { body: { name: "second", role: "operator" } });
      return body;
    };
    const freeAlice = eyes.operatorWith(alice.token, alice.id, eyes.free);
    const child = await made(freeAlice);
    const grandchild = await made(eyes.operatorWith(child.token, child.id, eyes.free));
    for (const { token } of [child, grandchild]) {
      const { approval, campaignId } = await asked();
      const puppet = eyes.operatorWith(token);
      expect(codeOf(await approve(puppet, approval.id))).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
      expect(codeOf(await reject(puppet, approval.id))).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
      expect(await statusOf(campaignId)).toBe("DRAFT");
    }
    const { approval } = await asked(eyes.operatorWith(grandchild.token));
    expect(codeOf(await approve(alice, approval.id)), "and the other way around").toEqual([
      403,
      "APPROVAL_NEEDS_ANOTHER",
    ]);
    expect((await approve(bob, approval.id)).status).toBe(200);
  });

  test("the bootstrap token is one person, with every token it made", async () => {
    const bootstrap = eyes.operatorWith(OPERATOR_TOKEN);
    const created = await eyes.free.operator("/tokens", { body: { name: "by bootstrap", role: "operator" } });
    const child = eyes.operatorWith(created.body.token);
    const { approval } = await asked(bootstrap);
    expect(codeOf(await approve(child, approval.id))).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
    const other = await asked(child);
    expect(codeOf(await approve(bootstrap, other.approval.id))).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
    expect((await approve(alice, approval.id)).status).toBe(200);
    expect((await approve(alice, other.approval.id)).status).toBe(200);
  });

  test("a session is the person of its token", async () => {
    const { approval } = await asked();
    const signedIn = await alice.call("/session", { body: { token: alice.token } });
    expect(signedIn.body.approvals, "the console learns that approvals are on").toBe(true);
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const answer = await fetch(`${eyes.service.operatorUrl}/operator/v1/approvals/${approval.id}/approve`, {
      method: "POST",
      headers: { cookie, origin: eyes.service.operatorUrl, "content-type": "application/json" },
      body: "{}",
    });
    expect([answer.status, (await answer.json()).error.code]).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
    const off = await eyes.free.operator("/session", { body: { token: bob.token } });
    expect(off.body.approvals).toBe(false);
  });

  test("viewers read, operators decide, ingest does neither", async () => {
    expect(await statusByRole(eyes.free, "/approvals")).toEqual(READERS);
    const { approval } = await asked();
    expect(await statusByRole(eyes.free, `/approvals/${approval.id}`)).toEqual(READERS);
    expect(await statusByRole(eyes.free, `/approvals/${approval.id}/reject`, { body: {} })).toEqual(OPERATORS);
  });
});

describe("GET /operator/v1/approvals", () => {
  test("pages through all of them, newest first, and filters by status", async () => {
    const { approval } = await asked();
    const other = await asked();
    await reject(bob, other.approval.id);
    const all = (await readPages(eyes.service, "/approvals", 5)).flat();
    expect(all.map(({ id }) => id).slice(0, 2)).toEqual([other.approval.id, approval.id]);
    expect(all.length).toBeGreaterThan(5);
    for (const status of ["PENDING", "APPROVED", "REJECTED", "EXPIRED"]) {
      const { body } = await bob.call(`/approvals?status=${status}&limit=100`);
      expect(body.items.map(({ id }: { id: string }) => id)).toEqual(
        all.filter((item) => item.status === status).map(({ id }) => id),
      );
    }
    const read = await bob.call(`/approvals/${approval.id}`);
    expect(read.body).toEqual(approval);
    expect(Object.keys(approval)).not.toContain("input");
  });

  test("hostile input is refused, never a 5xx", async () => {
    const { approval } = await asked();
    for (const id of [randomUUID(), "x", "%00", "a".repeat(300), "..%2f", `${approval.id}'`]) {
      for (const verb of ["", "/approve", "/reject"]) {
        const answer = await bob.call(`/approvals/${id}${verb}`, verb === "" ? {} : { body: {} });
        expect(codeOf(answer), id + verb).toEqual([404, "APPROVAL_NOT_FOUND"]);
      }
    }
    for (const body of [
      { reason: "r".repeat(1_001) },
      { reason: "" },
      { reason: "a\u0000b" },
      { reason: 5 },
      { x: 1 },
      "{",
    ]) {
      expect(codeOf(await reject(bob, approval.id, body as object))).toEqual([400, "VALIDATION_ERROR"]);
    }
    for (const query of ["status=pending", "status=", "status=PENDING&status=APPROVED", "limit=0", "cursor=x", "x=1"]) {
      expect(codeOf(await bob.call(`/approvals?${query}`)), query).toEqual([400, "VALIDATION_ERROR"]);
    }
    expect((await reject(bob, approval.id, { reason: "r".repeat(1_000) })).status).toBe(200);
  });
});

describe("a request that is not decided", () => {
  test("expires after 72 hours, is audited once, cannot be approved, and can be asked again", async () => {
    const { approval, campaignId, path, options } = await asked();
    expect(Date.parse(approval.expiresAt) - Date.parse(approval.createDate)).toBe(72 * HOUR_MS);
    try {
      offsetMs = 72 * HOUR_MS + 5_000;
      const answers = await Promise.all([approve(bob, approval.id), approve(bob, approval.id)]);
      for (const answer of answers) expect(codeOf(answer)).toEqual([409, "APPROVAL_ALREADY_DECIDED"]);
      expect(await statusOf(campaignId)).toBe("DRAFT");
      expect((await bob.call(`/approvals/${approval.id}`)).body).toMatchObject({ status: "EXPIRED", decidedBy: null });
      expect(await actionsOf(approval.id)).toEqual(["approval.request", "approval.expire"]);
      const again = await alice.call(path, options);
      expect([again.status, again.body.approval.status]).toEqual([202, "PENDING"]);
      expect((await approve(bob, again.body.approval.id)).status).toBe(200);
      expect(await statusOf(campaignId)).toBe("ACTIVE");
    } finally {
      offsetMs = 0;
    }
  });
});
