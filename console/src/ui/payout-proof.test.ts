import { expect, test } from "vitest";
import type { Schemas } from "../api/client.ts";
import { describeProof } from "./payout-proof.ts";

const amount = { amount: "1000000", currency: "USDC", decimalPlaces: 6 };
const expected = { tokenAddress: "0xT", recipientAddress: "0xR", amount: "1000000" };
type Proof = NonNullable<Schemas["Payout"]["proof"]>;
const shown = (change: Partial<Proof>) =>
  describeProof({ amount, proof: { status: "MISMATCH", expected, found: null, confirmations: 9, ...change } });
const found = (change: object = {}) => ({ ...expected, logIndex: 1, isUsed: false, ...change });

test.each<[Partial<Proof>, string]>([
  [{ status: "PROVEN", found: found() }, "Proven on the chain"],
  [{ status: "REVERTED" }, "Reverted on the chain"],
  [{ status: "PENDING", confirmations: 0 }, "Not found on the chain yet"],
  [{ status: "PENDING", confirmations: 1 }, "On the chain, 1 confirmation"],
  [{ status: "PENDING", confirmations: 5 }, "On the chain, 5 confirmations"],
  [{}, "Does not match the chain: the transaction has no such transfer."],
  [{ found: found({ isUsed: true }) }, "Does not match the chain: the transfer already proves another payout."],
  [{ found: found({ amount: "999999" }) }, "Does not match the chain: 0.999999 USDC was sent."],
  [{ found: found({ recipientAddress: "0xX" }) }, "Does not match the chain: it was sent to 0xX."],
  [{ found: found({ tokenAddress: "0xX" }) }, "Does not match the chain: the token 0xX was sent."],
])("a proof %j is shown as %s", (proof, text) => {
  expect(shown(proof)).toBe(text);
});

test("nothing is shown of a payout that was not looked up", () => {
  expect(describeProof({ amount, proof: null })).toBeNull();
});
