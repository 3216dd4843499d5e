import fc from "fast-check";

// What a run is made of: plain data, so that a failure shrinks and prints well.

export type Command =
  | { readonly kind: "deposit"; readonly deposit: number; readonly completed: boolean }
  | { readonly kind: "create"; readonly terms: Terms }
  | { readonly kind: "move"; readonly campaign: number; readonly verb: "activate" | "pause" | "end" }
  | {
      readonly kind: "edit";
      readonly campaign: number;
      readonly moreCap: number;
      readonly moreTotal: number;
      readonly moreDays: number;
    }
  | { readonly kind: "burst"; readonly campaign: number; readonly members: readonly Member[]; readonly pause: boolean }
  | {
      readonly kind: "payout";
      readonly campaign: number;
      readonly user: number;
      readonly percent: number;
      readonly key: number;
    }
  | {
      readonly kind: "payout-status";
      readonly campaign: number;
      readonly user: number;
      readonly payout: number;
      readonly status: "PENDING" | "SUBMITTED" | "CONFIRMED" | "FAILED";
    };

export interface Terms {
  readonly firstDay: number;
  readonly days: number;
  readonly multiplierMillionths: number;
  readonly decimals: number;
  readonly cap: number;
  readonly total: number;
}

/** One submission of a burst. Two engines stand for two server processes. */
export interface Member {
  readonly engine: number;
  readonly user: number;
  readonly wallets: readonly number[];
  readonly profit: bigint;
}

export const WALLETS = 4;
export const DEPOSITS = 12;

const profit = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 3_000_000n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 10n ** 78n - 1n) },
);
const campaign = fc.nat(1);
const user = fc.nat(3);
const terms: fc.Arbitrary<Terms> = fc.record({
  firstDay: fc.integer({ min: 1, max: 6 }),
  days: fc.integer({ min: 1, max: 6 }),
  multiplierMillionths: fc.oneof(fc.constant(2_000_000), fc.integer({ min: 1, max: 3_000_000 })),
  decimals: fc.constantFrom(6, 6, 0, 2, 18),
  cap: fc.integer({ min: 0, max: 2_000_000 }),
  total: fc.integer({ min: 0, max: 5_000_000 }),
});
const member: fc.Arbitrary<Member> = fc.record({
  engine: fc.nat(1),
  user,
  wallets: fc.uniqueArray(fc.nat(WALLETS * 2 - 1), { minLength: 1, maxLength: 4 }),
  profit,
});

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("deposit" as const),
      deposit: fc.nat(DEPOSITS - 1),
      completed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("create" as const), terms }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      campaign,
      verb: fc.constantFrom("activate", "activate", "pause", "end"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      campaign,
      moreCap: fc.integer({ min: -1, max: 500_000 }),
      moreTotal: fc.integer({ min: -1, max: 500_000 }),
      moreDays: fc.integer({ min: -1, max: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("burst" as const),
      campaign,
      members: fc.array(member, { minLength: 1, maxLength: 6 }),
      pause: fc.boolean().map((value) => value),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("payout" as const),
      campaign,
      user,
      percent: fc.constantFrom(0, 30, 60, 100, 101),
      key: fc.nat(3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("payout-status" as const),
      campaign,
      user,
      payout: fc.nat(2),
      status: fc.constantFrom("SUBMITTED", "CONFIRMED", "FAILED", "PENDING"),
    }),
  },
);

// Every run begins with a campaign that accepts data and a wallet that qualifies, so that most of it is not refusals.
export const runs: fc.Arbitrary<Command[]> = fc
  .tuple(terms, fc.array(command, { minLength: 5, maxLength: 30, size: "max" }))
  .map(([first, rest]) => [
    { kind: "create", terms: { ...first, firstDay: 1, days: 6 } },
    { kind: "move", campaign: 0, verb: "activate" },
    { kind: "deposit", deposit: 0, completed: true },
    ...rest,
  ]);
