import { describe, expect, test } from "vitest";
import { type Balance, owed, participantStatus } from "./status.ts";

const balance = (change: Partial<Balance>): Balance => ({
  matched: 100n,
  payoutsOpen: 0n,
  payoutsConfirmed: 0n,
  lastPayoutFailed: false,
  ...change,
});

describe("a participant's status", () => {
  test.each<[string, Partial<Balance>, string]>([
    ["no match", { matched: 0n }, "QUALIFIED"],
    ["a match", {}, "MATCHED"],
    ["an open payout of all of it", { payoutsOpen: 100n }, "MATCHED"],
    ["a confirmed part", { payoutsConfirmed: 99n }, "MATCHED"],
    ["all confirmed", { payoutsConfirmed: 100n }, "PAID"],
    ["all confirmed, though a later payout failed", { payoutsConfirmed: 100n, lastPayoutFailed: true }, "PAID"],
    ["a raised match after it was paid", { matched: 101n, payoutsConfirmed: 100n }, "MATCHED"],
    ["the last payout failed", { lastPayoutFailed: true }, "FAILED"],
    ["the last payout failed and another is open", { lastPayoutFailed: true, payoutsOpen: 1n }, "MATCHED"],
  ])("%s", (_name, change, status) => {
    expect(participantStatus(balance(change))).toBe(status);
  });

  test("open payouts are not owed again", () => {
    expect(owed(balance({ payoutsOpen: 30n, payoutsConfirmed: 50n }))).toBe(20n);
  });
});
