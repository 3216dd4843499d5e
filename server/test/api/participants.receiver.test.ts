import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createActive,
  depositBody,
  ingest,
  newAddress,
  qualify,
  submission,
  submit,
  usdc,
} from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service, { email: "money@shop.example" });
  campaign = await createActive(service, merchant.id);
});
afterAll(() => service.close());

let users = 0;

/** A user who is matched 1,000 units through a wallet of its own. */
async function matched(wallets?: string[], campaignId = campaign.id) {
  const wallet = await qualify(service, merchant.id, wallets);
  const user = `user-${++users}`;
  const answer = await submit(merchant, campaignId, submission(user, wallets ?? [wallet], 500));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { id: answer.body.id as string, user, wallet };
}
const read = async (id: string, campaignId = campaign.id) =>
  (await service.operator(`/campaigns/${campaignId}/participants?id=${id}`)).body;
const change = (id: string, address: string, reason = "The user lost the wallet.") =>
  service.operator(`/participants/${id}/receiver`, { method: "PUT", body: { address, reason } });
const pay = (id: string) =>
  service.operator(`/participants/${id}/payouts`, {
    body: { amount: usdc(10) },
    headers: { "idempotency-key": String(Math.random()) },
  });
const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];

describe("the receiver of a participant", () => {
  test("is the first submitted wallet that qualifies on the payout chain; operators see it, the merchant does not", async () => {
    const [elsewhere, first, second] = [newAddress(), newAddress(), newAddress()];
    await ingest(
      service,
      depositBody(merchant.id, elsewhere, { chainId: 1 }),
      depositBody(merchant.id, first),
      depositBody(merchant.id, second, { createDate: "2026-01-02T00:00:00.000Z" }),
    );
    const body = submission("first-of-several", [newAddress(), first.toLowerCase(), second], 500);
    const wallets = [{ address: elsewhere, chain: { id: 1 } }, ...body.wallets];
    const { body: submitted } = await submit(merchant, campaign.id, { ...body, wallets });
    expect(Object.keys(submitted)).not.toContain("receiver");
    expect(await read(submitted.id)).toMatchObject({
      receiver: { address: first, setBy: "SUBMISSION" },
      held: false,
      flags: [],
    });
  });

  test("a later submission with another wallet cannot redirect what is owed", async () => {
    const { id, user, wallet } = await matched();
    // It deposited earlier than the first wallet, so it would have been the receiver before.
    const thief = newAddress();
    await ingest(service, depositBody(merchant.id, thief, { createDate: "2026-01-01T00:00:00.000Z" }));
    expect((await submit(merchant, campaign.id, submission(user, [thief], 600))).status).toBe(200);
    expect((await read(id)).receiver).toEqual({ address: wallet, setBy: "SUBMISSION" });
    expect((await pay(id)).body.recipientAddress).toBe(wallet);
    expect((await service.operator(`/campaigns/${campaign.id}/owed.csv`)).body).not.toContain(thief);
  });

  test("a wallet of several participants is flagged on each of them", async () => {
    const wallet = newAddress();
    const [one, other] = [await matched([wallet]), await matched([wallet])];
    expect((await read(one.id)).flags).toEqual(["SHARED_WALLET"]);
    expect((await read(other.id)).flags).toEqual(["SHARED_WALLET"]);
  });
});

describe("PUT /operator/v1/participants/{participantId}/receiver", () => {
  test("changes it, with the reason in the audit log and in a mail to the merchant", async () => {
    const { id, user, wallet } = await matched();
    const address = newAddress();
    const answer = await change(id, address.toLowerCase(), "Ticket 4711");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, receiver: { address, setBy: "OPERATOR" }, flags: ["RECEIVER_CHANGED"] });
    expect(await lastAudit()).toMatchObject({
      action: "participant.receiver",
      subject: id,
      merchantId: merchant.id,
      detail: { campaignId: campaign.id, from: wallet, to: address, reason: "Ticket 4711" },
    });
    await expect.poll(() => service.logged()).toContain(`New address: ${address}`);
    const mail = service
      .logged()
      .split("\n")
      .find((line) => line.includes(`New address: ${address}`));
    for (const part of ["Ticket 4711", wallet, user]) expect(mail).toContain(part);
    expect((await pay(id)).body.recipientAddress).toBe(address);
    await submit(merchant, campaign.id, submission(user, [wallet], 700));
    expect((await read(id)).receiver).toEqual({ address, setBy: "OPERATOR" });
  });

  test("the same address changes nothing and writes nothing", async () => {
    const { id, wallet } = await matched();
    const before = await lastAudit();
    expect((await change(id, wallet.toLowerCase())).body.receiver).toEqual({ address: wallet, setBy: "SUBMISSION" });
    expect(await lastAudit()).toEqual(before);
  });

  test("gives one to a participant who had no wallet on the payout chain", async () => {
    const elsewhere = newAddress();
    await ingest(service, depositBody(merchant.id, elsewhere, { chainId: 1 }));
    const body = { ...submission("only-elsewhere", [], 500), wallets: [{ address: elsewhere, chain: { id: 1 } }] };
    const { id } = (await submit(merchant, campaign.id, body)).body;
    expect((await read(id)).receiver).toBeNull();
    const refused = await pay(id);
    expect([refused.status, refused.body.error.code]).toEqual([422, "PARTICIPANT_WITHOUT_RECEIVER"]);
    const address = newAddress();
    await change(id, address);
    expect((await pay(id)).body.recipientAddress).toBe(address);
  });

  test.each([
    ["words", "not-an-address", "address does not start with 0x"],
    ["a wrong checksum", "0x8617e340B3D01FA5F11F306F4090FD50E238070D", "address does not match its checksum"],
    ["the zero address", `0x${"0".repeat(40)}`, "address is the zero address"],
    ["the token's contract", TOKEN, "address is the token's own contract"],
    ["a line break", "0x1\n", "address must be"],
  ])("400 VALIDATION_ERROR: %s", async (_name, address, message) => {
    const { id, wallet } = await matched();
    const answer = await change(id, address);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
    expect((await read(id)).receiver.address).toBe(wallet);
  });

  test("400 without a reason, 404 for an unknown participant", async () => {
    const { id } = await matched();
    const bare = await service.operator(`/participants/${id}/receiver`, {
      method: "PUT",
      body: { address: newAddress() },
    });
    expect(bare.body.error.message).toContain("reason is required");
    for (const unknown of ["nonsense", "00000000-0000-4000-8000-000000000000"]) {
      expect((await change(unknown, newAddress())).body.error.code).toBe("PARTICIPANT_NOT_FOUND");
    }
  });
});

describe("POST /operator/v1/participants/{participantId}/hold and /release", () => {
  const move = (id: string, verb: string, body: unknown = { reason: "Looks odd." }) =>
    service.operator(`/participants/${id}/${verb}`, { body });

  test("a held participant gets no payout until it is released; both are audited", async () => {
    const { id, user, wallet } = await matched();
    expect((await move(id, "hold")).body).toMatchObject({ id, held: true });
    expect(await lastAudit()).toMatchObject({
      action: "participant.hold",
      subject: id,
      detail: { reason: "Looks odd." },
    });
    const refused = await pay(id);
    expect([refused.status, refused.body.error.code]).toEqual([409, "PARTICIPANT_HELD"]);
    expect((await submit(merchant, campaign.id, submission(user, [wallet], 900))).status).toBe(200);
    expect((await read(id)).held).toBe(true);
    expect((await move(id, "release")).body.held).toBe(false);
    expect(await lastAudit()).toMatchObject({ action: "participant.release", subject: id });
    expect((await pay(id)).status).toBe(201);
  });

  test("a repeat changes nothing and writes nothing; 400 without a reason", async () => {
    const { id } = await matched();
    await move(id, "hold");
    const before = await lastAudit();
    expect((await move(id, "hold")).status).toBe(200);
    expect(await lastAudit()).toEqual(before);
    expect((await move(id, "hold", {})).status).toBe(400);
    expect((await move("nonsense", "release")).body.error.code).toBe("PARTICIPANT_NOT_FOUND");
  });
});
