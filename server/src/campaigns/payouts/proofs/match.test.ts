import { describe, expect, test } from "vitest";
import { matchTransfers } from "./match.ts";
import type { Claim, Transfer } from "./record.ts";

const TOKEN = `0x${"70".repeat(20)}`;
const OTHER_TOKEN = `0x${"71".repeat(20)}`;
const ALICE = `0x${"a1".repeat(20)}`;
const BOB = `0x${"b0".repeat(20)}`;
const HASH = `0x${"ab".repeat(32)}`;

const claim = (payoutId: string, change: Partial<Claim> = {}): Claim => ({
  merchantId: "merchant",
  payoutId,
  campaignId: "campaign",
  participantId: `participant of ${payoutId}`,
  runId: null,
  status: "SUBMITTED",
  proofStatus: "PENDING",
  transactionHash: HASH,
  tokenAddress: TOKEN,
  recipientAddress: ALICE,
  amount: 1_000n,
  ...change,
});
const transfer = (logIndex: number, change: Partial<Transfer> = {}): Transfer => ({
  logIndex,
  tokenAddress: TOKEN,
  recipientAddress: ALICE,
  amount: 1_000n,
  ...change,
});
const shown = (logIndex: number, change: Partial<Transfer> = {}, isUsed = false) => {
  const { amount, ...rest } = transfer(logIndex, change);
  return { ...rest, amount: String(amount), isUsed };
};
/** The payouts that are proven, each with the event. */
const proven = (claims: Claim[], transfers: Transfer[], used: number[] = []) =>
  matchTransfers(claims, transfers, new Set(used))
    .filter(({ isProven }) => isProven)
    .map(({ claim: { payoutId }, found }) => [payoutId, found?.logIndex]);
const found = (one: Claim, transfers: Transfer[], used: number[] = []) => {
  const [match] = matchTransfers([one], transfers, new Set(used));
  expect(match?.isProven).toBe(false);
  return match?.found;
};

describe("a payout is proven by a transfer", () => {
  test("of its token, to its receiver, of its exact amount", () => {
    expect(proven([claim("one")], [transfer(3)])).toEqual([["one", 3]]);
  });

  test("with addresses in any case", () => {
    const entered = claim("one", { recipientAddress: `0x${"A1".repeat(20)}`, tokenAddress: `0x${"70".repeat(20)}` });
    expect(proven([entered], [transfer(3)])).toEqual([["one", 3]]);
  });

  test("each event once, when one transaction pays several", () => {
    const claims = [claim("one"), claim("two", { recipientAddress: BOB }), claim("three")];
    const transfers = [transfer(1), transfer(2), transfer(3, { recipientAddress: BOB })];
    expect(proven(claims, transfers)).toEqual([
      ["one", 1],
      ["two", 3],
      ["three", 2],
    ]);
  });

  test("and two payouts of one transfer never both", () => {
    expect(proven([claim("one"), claim("two")], [transfer(1)])).toEqual([["one", 1]]);
  });

  test("and never by an event that proves another payout already", () => {
    expect(proven([claim("one")], [transfer(1)], [1])).toEqual([]);
  });

  test("a payout that a person confirmed takes its event before one that waits, and one that names the transaction before one that does not", () => {
    const listed = claim("listed", { transactionHash: null });
    const byHand = claim("by hand", { status: "CONFIRMED" });
    expect(proven([listed, claim("named"), byHand], [transfer(1)])).toEqual([["by hand", 1]]);
    expect(proven([listed, claim("named")], [transfer(1)])).toEqual([["named", 1]]);
    expect(proven([claim("failed", { status: "FAILED" }), listed], [transfer(1)])).toEqual([["listed", 1]]);
  });

  test("two transfers that add up to the amount are not one", () => {
    expect(proven([claim("one")], [transfer(1, { amount: 400n }), transfer(2, { amount: 600n })])).toEqual([]);
  });
});

describe("what is found in place of it", () => {
  test("another amount", () => {
    expect(found(claim("one"), [transfer(1, { amount: 999n })])).toEqual(shown(1, { amount: 999n }));
  });

  test("another receiver", () => {
    expect(found(claim("one"), [transfer(1, { recipientAddress: BOB })])).toEqual(shown(1, { recipientAddress: BOB }));
  });

  test("another token", () => {
    expect(found(claim("one"), [transfer(1, { tokenAddress: OTHER_TOKEN })])).toEqual(
      shown(1, { tokenAddress: OTHER_TOKEN }),
    );
  });

  test("the right transfer, which proves another payout", () => {
    expect(found(claim("one"), [transfer(1)], [1])).toEqual(shown(1, {}, true));
  });

  test("nothing", () => {
    expect(found(claim("one"), [])).toBeNull();
    const unrelated = { tokenAddress: OTHER_TOKEN, recipientAddress: BOB };
    expect(found(claim("one"), [transfer(1, unrelated)])).toBeNull();
  });

  test("never a transfer that proves another payout while one is left that comes close", () => {
    const [, second] = matchTransfers(
      [claim("one"), claim("two")],
      [transfer(1), transfer(2, { amount: 5n })],
      new Set(),
    );
    expect(second?.found).toEqual(shown(2, { amount: 5n }));
  });
});
