import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../src/limits.ts";
import { COVERED, everything, type FourEyes, type Operator, startFourEyes } from "../harness/four-eyes.ts";
import { readPages } from "../harness/pages.ts";
import type { Answer } from "../harness/service.ts";

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

const REQUEST = { name: "carol", role: "operator", expiresInDays: 30 };
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const create = (who: Operator, key: string, body: object = REQUEST) =>
  who.call("/tokens", { body, headers: { "idempotency-key": key } });
const approve = (who: Operator, id: string) => who.call(`/approvals/${id}/approve`, { body: {} });

async function approved(by = alice, body: object = REQUEST) {
  const key = randomUUID();
  const { approval } = (await create(by, key, body)).body;
  expect((await approve(by === bob ? alice : bob, approval.id)).status).toBe(200);
  return { key, approval };
}

describe("POST /operator/v1/tokens with APPROVALS=on", () => {
  test("202 until a second person approves, then 201 once with the secret, then 200 without it", async () => {
    const key = randomUUID();
    const before = await everything(eyes.service);
    const waiting = await create(alice, key);
    expect(waiting.status).toBe(202);
    expect(waiting.body.approval).toMatchObject({
      action: "token.create",
      status: "PENDING",
      merchantId: null,
      change: { ...REQUEST, idempotencyKey: key },
    });
    expect((await create(alice, key)).body).toEqual(waiting.body);
    const reordered = { expiresInDays: 30, role: "operator", name: "carol" };
    expect((await create(alice, key, reordered)).body, "in any order of its fields").toEqual(waiting.body);
    expect(codeOf(await approve(alice, waiting.body.approval.id))).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
    expect((await approve(bob, waiting.body.approval.id)).body).not.toHaveProperty("token");
    expect(await everything(eyes.service), "no token before the asker fetches it").toBe(before);

    expect((await create(bob, key)).status, "the key is the asker's").toBe(202);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(alice, key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    const { token, id } = answers.find(({ status }) => status === 201)?.body ?? {};
    expect(id).toBe(waiting.body.approval.subject);
    expect((await eyes.operatorWith(token).call("/merchants")).status).toBe(200);
    const [row] = (await readPages(eyes.service, "/tokens", 100)).flat().filter((item) => item.id === id);
    expect(row.createdBy, "revoking the asker's token revokes this one, too").toEqual({ id: alice.id, name: "alice" });
    const random = token.slice(token.indexOf("_") + 1);
    const shown = JSON.stringify([
      await readPages(eyes.service, "/approvals", 100),
      await readPages(eyes.service, "/audit-log", 100),
      await eyes.service.db.query("select * from approvals"),
    ]);
    expect(shown.includes(random)).toBe(false);
  });

  test("a token that a second person approved is a person; what it makes without one is not", async () => {
    const { key } = await approved();
    const carol = eyes.operatorWith((await create(alice, key)).body.token);
    const { path, options } = await COVERED["campaign.activate"](eyes.free);
    const { approval } = (await alice.call(path, options)).body;
    const made = await eyes.operatorWith(carol.token, null, eyes.free).call("/tokens", { body: REQUEST });
    const puppet = eyes.operatorWith(made.body.token);
    const other = await COVERED["campaign.activate"](eyes.free);
    const asked = (await carol.call(other.path, other.options)).body.approval;
    expect(codeOf(await approve(puppet, asked.id))).toEqual([403, "APPROVAL_NEEDS_ANOTHER"]);
    expect((await approve(carol, approval.id)).status).toBe(200);
    expect((await approve(alice, asked.id)).status).toBe(200);
  });

  test("400 without an Idempotency-Key, and no request is stored", async () => {
    const answer = await alice.call("/tokens", { body: REQUEST });
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain("Idempotency-Key");
  });

  test("another request under the key is not the approved one", async () => {
    const { key } = await approved();
    expect((await create(alice, key, { ...REQUEST, name: "mallory" })).status).toBe(202);
    expect((await create(alice, key, { ...REQUEST, expiresInDays: 31 })).status).toBe(202);
    expect((await create(alice, key)).status).toBe(201);
    expect(codeOf(await create(alice, key, { ...REQUEST, name: "mallory" }))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("a rejected one is not made, and an approved one waits 72 hours for the asker", async () => {
    const key = randomUUID();
    const { approval } = (await create(alice, key)).body;
    await bob.call(`/approvals/${approval.id}/reject`, { body: {} });
    expect((await create(alice, key)).status).toBe(202);
    const [early, late] = [await approved(), await approved()];
    try {
      offsetMs = 72 * HOUR_MS - 60_000;
      expect((await create(alice, early.key)).status).toBe(201);
      offsetMs = 72 * HOUR_MS + 60_000;
      expect((await create(alice, late.key)).status).toBe(202);
    } finally {
      offsetMs = 0;
    }
  });

  test("a seal covers who is a person: a row that was changed in the database does not work any more", async () => {
    const { body } = await eyes.free.operator("/tokens", { body: REQUEST });
    const puppet = eyes.operatorWith(body.token);
    expect((await puppet.call("/merchants")).status).toBe(200);
    await eyes.service.db.query("update operator_tokens set own_person = 'HOST' where id = $1", [body.id]);
    expect((await puppet.call("/merchants")).status).toBe(401);
  });
});
