import { afterAll, beforeAll, expect, test } from "vitest";
import { createDraft } from "../harness/campaigns.ts";
import { COVERED, type FourEyes, type Operator, startFourEyes } from "../harness/four-eyes.ts";
import { registerMerchant } from "../harness/merchant.ts";

// A participant of the harness is owed 1,000 units; campaigns have a budget of 100,000,000,000.
const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const OTHER = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

let above: FourEyes;
let alice: Operator;
beforeAll(async () => {
  above = await startFourEyes({ variables: { APPROVAL_THRESHOLDS: `8453:${TOKEN.toLowerCase()}=1001,1:${TOKEN}=5` } });
  alice = await above.person("alice");
});
afterAll(() => above.close());

test("a payout run below its token's amount needs no second person", async () => {
  const small = await COVERED["payout-run.approve"](above.free);
  const answer = await alice.call(small.path, small.options);
  expect([answer.status, answer.body.status]).toEqual([200, "APPROVED"]);
});

test("a raise below the amount acts immediately, one of the amount waits, and so does one in another token", async () => {
  const merchant = await registerMerchant(above.free);
  const raise = async (by: number, terms: object = {}, edit: object = {}) => {
    const { id } = await createDraft(above.free, merchant.id, {}, terms);
    const maxAmountTotal = { amount: String(100_000_000_000 + by) };
    const body = { perTradeProfitMatch: { maxAmountTotal, ...edit } };
    return (await alice.call(`/campaigns/${id}`, { method: "PATCH", body })).status;
  };
  expect(await raise(1_000)).toBe(200);
  expect(await raise(1_001)).toBe(202);
  expect(await raise(1_000, { payoutTokenAddress: OTHER })).toBe(202);
  expect(await raise(1_000, {}, { payoutChainId: 1 }), "the token changes with it").toBe(202);
  expect(await raise(1_000, {}, { maxAmountPerUser: { amount: "5000001001" } }), "the cap rises by more").toBe(202);
});

test("thresholds are for amounts: activating a campaign still waits", async () => {
  const { path, options } = await COVERED["campaign.activate"](above.free);
  expect((await alice.call(path, options)).status).toBe(202);
});
