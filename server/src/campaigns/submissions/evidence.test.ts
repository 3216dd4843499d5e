// What the journal keeps of a submission: the wallets it named, why it was accepted, and the receiver it set.
import { expect, test } from "vitest";
import type { JournalEntry } from "../journal/record.ts";
import { decide, type State } from "./decide.ts";

const NOW = new Date("2026-11-16T00:00:00Z");
const DATE = new Date("2026-11-02T00:00:00Z");
const BASE = 8453;
const address = (digit: string) => `0x${digit.repeat(40)}`;

const campaign: State["campaign"] = {
  status: "ACTIVE",
  multiplierMillionths: 2_000_000n,
  decimalPlaces: 6,
  maxAmountPerUser: 1_000n,
  maxAmountTotal: 10_000n,
  committed: 0n,
  journalLength: 0,
  payoutChainId: BASE,
  payoutTokenAddress: address("9"),
  minimumDepositMicros: null,
  participantsPerWalletMax: null,
};

/** The journal of one user's submissions, each with its wallets and profit. Wallets of digits in `qualified` qualify. */
function journalOf(
  submissions: readonly [digits: string, profit: bigint][],
  qualified: string,
): readonly JournalEntry[] {
  const state: State = {
    campaign,
    participants: new Map(),
    claims: new Map(),
    qualified: new Map([...qualified].map((digit) => [`${BASE}/${address(digit)}`, DATE])),
  };
  const batch = submissions.map(([digits, profit], index) => ({
    id: `submission ${index}`,
    merchantUserId: "ada",
    profit,
    wallets: [...digits].map((digit) => ({ address: address(digit), addressKey: address(digit), chainId: BASE })),
  }));
  return decide(state, batch, NOW, () => "a participant").journal;
}

const namedIn = ({ evidence }: JournalEntry) =>
  evidence?.wallets.map(({ ordinal, addressKey }) => [ordinal, addressKey[2]]);

test("every wallet that a submission named is kept in its order, new or not, with its place among the user's wallets", () => {
  const journal = journalOf(
    [
      ["ab", 1n],
      ["cb", 1n],
      ["a", 1n],
    ],
    "abc",
  );
  expect(journal.map(namedIn)).toEqual([
    [
      [0, "a"],
      [1, "b"],
    ],
    [
      [2, "c"],
      [1, "b"],
    ],
    [[0, "a"]],
  ]);
});

test("the first of its wallets that qualified is the evidence, with the deposit's date", () => {
  const [entry] = journalOf([["abc", 1n]], "bc");
  expect(entry?.evidence).toMatchObject({ qualifiedOrdinal: 1, qualifiedDate: DATE });
});

test("the receiver is noted once, by the submission that set it, also when an earlier one named the wallet", () => {
  const receivers = (list: readonly [string, bigint][]) =>
    journalOf(list, "ab").map(({ evidence }) => evidence?.receiver?.ordinal ?? null);
  expect(
    receivers([
      ["ab", 5n],
      ["b", 9n],
    ]),
  ).toEqual([0, null]);
  expect(
    receivers([
      ["a", 0n],
      ["b", 5n],
      ["b", 9n],
    ]),
  ).toEqual([null, 0, null]);
});
