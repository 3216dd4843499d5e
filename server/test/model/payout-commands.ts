// What a random run may do: everything that pays, and everything that corrects.
import fc from "fast-check";

export const USERS = 3;

// Campaigns 0 and 1 pay the first token, campaign 2 the second. User 2 has no wallet on the payout chain.
const campaign = fc.nat(2);
const user = fc.nat(USERS - 1);
// Mostly the same few runs: one that wanders meets nothing twice.
const index = fc.constantFrom<number>(0, 0, 0, 1, 1, 2);
const flowState = fc.constantFrom("COMPLETED" as const, "COMPLETED" as const, "FAILED" as const);
export const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("submit" as const), campaign, user, profit: fc.nat(50) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("run" as const),
      campaign: fc.option(campaign),
      token: fc.nat(1),
      minimum: fc.nat(20),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      run: index,
      verb: fc.constantFrom(
        ...(["forward", "forward", "forward", "forward", "forward"] as const),
        ...(["approve", "export", "submit", "cancel", "cancel for sure"] as const),
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("results" as const),
      run: index,
      lines: fc.array(fc.tuple(fc.nat(3), fc.constantFrom("CONFIRMED" as const, "FAILED" as const)), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hold" as const), campaign, user, held: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("payout" as const), campaign, user, amount: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("payout-status" as const),
      payout: fc.nat(5),
      status: fc.constantFrom("SUBMITTED" as const, "CONFIRMED" as const, "FAILED" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("reverse" as const), payout: fc.nat(5) }) },
  // What the flow reports, and what an operator says. Null: what the flow reports counts again.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("deposit" as const), user, state: flowState }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("overrule" as const), user, state: fc.option(flowState) }) },
);
export type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;
