import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COVERED, everything, type FourEyes, type Operator, startFourEyes } from "../harness/four-eyes.ts";
import { type Service, startService } from "../harness/service.ts";

let eyes: FourEyes;
let second: Service;
let alice: Operator;
let bob: Operator;
let carol: Operator;
beforeAll(async () => {
  eyes = await startFourEyes();
  second = await startService({ variables: { APPROVALS: "on" }, database: eyes.service.database });
  alice = await eyes.person("alice");
  bob = await eyes.person("bob");
  const { token, id } = await eyes.person("carol");
  carol = eyes.operatorWith(token, id, second);
});
afterAll(async () => {
  await second.close();
  await eyes.close();
});

const decide = (who: Operator, id: string, verb: "approve" | "reject") =>
  who.call(`/approvals/${id}/${verb}`, { body: {} });
const rowsOf = async (subject: string) =>
  eyes.service.db.query<{ action: string; position: number }>(
    "select action, position from audit_log where subject = $1 order by position",
    [subject],
  );
const countOf = async (subject: string, action: string) =>
  (await rowsOf(subject)).filter((row) => row.action === action).length;

async function ask(action: keyof typeof COVERED) {
  const covered = await COVERED[action](eyes.free);
  const { body } = await alice.call(covered.path, covered.options);
  return { ...covered, id: body.approval.id as string };
}

describe("four eyes in a race", () => {
  test("ten calls for the same change, in two processes, make one request", async () => {
    const { path, options } = await COVERED["payout-run.approve"](eyes.free);
    const elsewhere = eyes.operatorWith(alice.token, alice.id, second);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? alice : elsewhere).call(path, options)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect(new Set(answers.map(({ body }) => body.approval.id)).size).toBe(1);
    expect(await countOf(answers[0]?.body.approval.id, "approval.request")).toBe(1);
  });

  test("two people who approve at the same moment make the change once", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, subject } = await ask("payout-run.approve");
      const answers = await Promise.all([decide(bob, id, "approve"), decide(carol, id, "approve")]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await countOf(subject, "payout-run.approve")).toBe(1);
      expect(await countOf(id, "approval.approve")).toBe(1);
    }
  });

  test("one approves while the other rejects: one of them is answered 200, and the change fits to it", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, subject } = await ask("campaign.activate");
      const [approved, rejected] = await Promise.all([decide(bob, id, "approve"), decide(carol, id, "reject")]);
      expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
      expect(await countOf(subject, "campaign.activate")).toBe(approved.status === 200 ? 1 : 0);
    }
  });

  test("an edit at the moment of the approval is made after it, or stops it", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, subject } = await ask("campaign.activate");
      const edit = { method: "PATCH", body: { displayName: "Edited" } };
      const [approved, edited] = await Promise.all([
        decide(bob, id, "approve"),
        eyes.free.operator(`/campaigns/${subject}`, edit),
      ]);
      expect(edited.status).toBe(200);
      const actions = (await rowsOf(subject))
        .map(({ action }) => action)
        .filter((action) => action !== "campaign.create");
      if (approved.status === 200) expect(actions).toEqual(["campaign.activate", "campaign.edit"]);
      else expect([approved.body.error.code, actions]).toEqual(["APPROVAL_OUTDATED", ["campaign.edit"]]);
    }
  });

  test("a failure after the change and before the decision is stored undoes both", async () => {
    const { id, subject } = await ask("payout-run.approve");
    const before = await everything(eyes.service);
    const { db } = eyes.service;
    await db.query(
      `create function break_down() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`,
    );
    await db.query("create trigger break_down before update on approvals for each row execute function break_down()");
    try {
      expect((await decide(bob, id, "approve")).status).toBe(500);
      expect(await everything(eyes.service)).toBe(before);
      expect(await countOf(subject, "payout-run.approve")).toBe(0);
    } finally {
      await db.query("drop trigger break_down on approvals");
    }
    expect((await decide(bob, id, "approve")).status, "nothing is lost").toBe(200);
    expect(await countOf(subject, "payout-run.approve")).toBe(1);
  });
});
