import fc from "fast-check";

// What a run is made of: plain data, so that a failure shrinks and prints well.

export type Command =
  | { readonly kind: "deposit"; readonly deposit: number; readonly completed: boolean }
  | { readonly kind: "create"; readonly terms: Terms }
  | { readonly kind: "move"; readonly campaign: number; readonly verb: "activate" | "pause" | "resume" | "end" }
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
  readonly participantsPerWallet: number | null;
  readonly minimumMicros: number | null;
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
// Most of what happens, happens to the first campaign and to few users: a run that wanders meets nothing twice.
const often = <const Value>(likely: Value, ...others: Value[]) =>
  fc.constantFrom(likely, likely, likely, likely, ...others);
const campaign = often(0, 1);
const user = fc.nat(2);
const terms: fc.Arbitrary<Terms> = fc.record({
  firstDay: fc.integer({ min: 1, max: 6 }),
  days: fc.integer({ min: 1, max: 6 }),
  multiplierMillionths: fc.oneof(fc.constant(2_000_000), fc.integer({ min: 1, max: 3_000_000 })),
  decimals: fc.constantFrom(6, 6, 0, 2, 18),
  cap: fc.integer({ min: 0, max: 2_000_000 }),
  total: fc.integer({ min: 0, max: 5_000_000 }),
  participantsPerWallet: often(null, 1, 2),
  minimumMicros: often(null, 2, 3),
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
      completed: often(true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("create" as const), terms }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      campaign,
      verb: often("activate" as const, "activate" as const, "resume" as const, "pause" as const, "end" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      campaign,
      moreCap: often(400_000, 0, -1),
      moreTotal: often(1_000_000, 0, -1),
      moreDays: often(0, -1, 1, 3),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("burst" as const),
      campaign,
      members: fc.array(member, { minLength: 1, maxLength: 6 }),
      pause: often(false, false, false, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("payout" as const),
      campaign,
      user,
      percent: fc.constantFrom(30, 30, 60, 100, 0, 101),
      key: fc.nat(5),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("payout-status" as const),
      campaign,
      user,
      payout: fc.nat(2),
      status: fc.constantFrom(
        "SUBMITTED" as const,
        "SUBMITTED" as const,
        "CONFIRMED" as const,
        "FAILED" as const,
        "PENDING" as const,
      ),
    }),
  },
);

// Every run begins with a campaign that accepts data and a wallet that qualifies, so that most of it is not refusals.
export const runs: fc.Arbitrary<Command[]> = fc
  .tuple(terms, fc.array(command, { minLength: 10, maxLength: 40, size: "max" }))
  .map(([first, rest]) => [
    { kind: "create", terms: { ...first, firstDay: 1, days: 6 } },
    { kind: "move", campaign: 0, verb: "activate" },
    { kind: "deposit", deposit: 0, completed: true },
    ...rest,
  ]);
