import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Accepted, type MatchState, match, matchOne, type Outcome, type Step, type Submission } from "./match.ts";

const HUGE = 10n ** 78n - 1n;
const usdc = (dollars: number) => BigInt(dollars) * 1_000_000n;

const step: Step = {
  profit: usdc(500),
  multiplierMillionths: 2_000_000n,
  tokenDecimals: 6,
  cap: usdc(5_000),
  matched: 0n,
  remaining: usdc(100_000),
};

describe("one submission", () => {
  test("the specification's example: 500 USDC twice is 1000 USDC", () => {
    const result = matchOne({ ...step, profit: 500000000n });
    expect(result).toEqual({ next: 1000000000n, delta: 1000000000n, clampedBy: null });
  });

  test.each<[string, Partial<Step>, bigint, bigint, string | null]>([
    ["no profit", { profit: 0n }, 0n, 0n, null],
    ["exactly the cap", { cap: usdc(1_000) }, usdc(1_000), usdc(1_000), null],
    ["above the cap", { cap: usdc(999) }, usdc(999), usdc(999), "MAX_AMOUNT_PER_USER"],
    [
      "one base unit above the cap",
      { cap: usdc(1_000) - 1n },
      usdc(1_000) - 1n,
      usdc(1_000) - 1n,
      "MAX_AMOUNT_PER_USER",
    ],
    ["exactly the budget", { remaining: usdc(1_000) }, usdc(1_000), usdc(1_000), null],
    ["above the budget", { remaining: usdc(300) }, usdc(300), usdc(300), "CAMPAIGN_BUDGET"],
    ["no budget left", { remaining: 0n }, 0n, 0n, "CAMPAIGN_BUDGET"],
    ["no budget left and no profit", { remaining: 0n, profit: 0n }, 0n, 0n, null],
    ["no budget left for one who has a match", { remaining: 0n, matched: usdc(700) }, usdc(700), 0n, "CAMPAIGN_BUDGET"],
    ["no budget left, but none needed", { remaining: 0n, matched: usdc(1_000) }, usdc(1_000), 0n, null],
    ["a higher profit later", { matched: usdc(600) }, usdc(1_000), usdc(400), null],
    ["the same profit again", { matched: usdc(1_000) }, usdc(1_000), 0n, null],
    ["a lower profit later", { matched: usdc(1_200) }, usdc(1_200), 0n, null],
    ["a lower profit of one at the cap", { matched: usdc(1_200), cap: usdc(1_200) }, usdc(1_200), 0n, null],
    ["a higher profit of one at the cap", { matched: usdc(900), cap: usdc(900) }, usdc(900), 0n, "MAX_AMOUNT_PER_USER"],
    ["a cap below the budget", { cap: usdc(200), remaining: usdc(300) }, usdc(200), usdc(200), "MAX_AMOUNT_PER_USER"],
    ["a budget below the cap", { cap: usdc(300), remaining: usdc(200) }, usdc(200), usdc(200), "CAMPAIGN_BUDGET"],
    [
      "both at one amount: the cap is named",
      { cap: usdc(200), remaining: usdc(200) },
      usdc(200),
      usdc(200),
      "MAX_AMOUNT_PER_USER",
    ],
    [
      "both spent: the cap is named",
      { cap: usdc(200), matched: usdc(200), remaining: 0n },
      usdc(200),
      0n,
      "MAX_AMOUNT_PER_USER",
    ],
    [
      "a budget that the match already holds",
      { matched: usdc(400), remaining: usdc(100) },
      usdc(500),
      usdc(100),
      "CAMPAIGN_BUDGET",
    ],
    ["a cap of zero", { cap: 0n }, 0n, 0n, "MAX_AMOUNT_PER_USER"],
  ])("%s", (_, change, next, delta, clampedBy) => {
    expect(matchOne({ ...step, ...change })).toEqual({ next, delta, clampedBy });
  });

  test.each<[string, bigint, bigint, number, bigint]>([
    ["a third of a cent is floored", 1n, 333_333n, 6, 0n],
    ["the smallest multiplier", 999_999n, 1n, 6, 0n],
    ["the smallest multiplier of one dollar", 1_000_000n, 1n, 6, 1n],
    ["one and a half of three base units", 3n, 1_500_000n, 6, 4n],
    ["18 decimals keep what 6 would floor away", 1n, 333_333n, 18, 333_333_000_000n],
    ["8 decimals scale before the floor", 1n, 1_000n, 8, 0n],
    ["8 decimals scale before the floor, one more", 1n, 10_000n, 8, 1n],
    ["2 decimals floor once, at the end", 19_999n, 1_500_000n, 2, 2n],
    ["no decimals", 1_999_999n, 1_000_000n, 0, 1n],
    ["no decimals, floored after the multiplier", 1_500_000n, 2_000_000n, 0, 3n],
    ["36 decimals", 1n, 1n, 36, 10n ** 24n],
    ["the largest multiplier", 1n, 10n ** 12n, 6, 1_000_000n],
  ])("%s", (_, profit, multiplierMillionths, tokenDecimals, next) => {
    const result = matchOne({
      profit,
      multiplierMillionths,
      tokenDecimals,
      cap: HUGE,
      matched: 0n,
      remaining: HUGE,
    });
    expect(result).toEqual({ next, delta: next, clampedBy: null });
  });

  test("78 digits everywhere", () => {
    const result = matchOne({
      ...step,
      profit: HUGE,
      multiplierMillionths: 10n ** 12n,
      cap: HUGE,
      remaining: HUGE,
    });
    expect(result).toEqual({ next: HUGE, delta: HUGE, clampedBy: "MAX_AMOUNT_PER_USER" });
  });

  test.each<[string, Partial<Step>]>([
    ["a negative profit", { profit: -1n }],
    ["a multiplier of zero", { multiplierMillionths: 0n }],
    ["a match above the cap", { matched: usdc(5_000) + 1n }],
    ["a negative match", { matched: -1n }],
    ["an overspent budget", { remaining: -1n }],
    ["37 decimals", { tokenDecimals: 37 }],
    ["-1 decimals", { tokenDecimals: -1 }],
    ["half a decimal", { tokenDecimals: 0.5 }],
  ])("%s is a broken invariant", (_, change) => {
    expect(() => matchOne({ ...step, ...change })).toThrow();
  });
});

const state: MatchState = {
  campaign: {
    status: "ACTIVE",
    multiplierMillionths: 2_000_000n,
    tokenDecimals: 6,
    maxAmountPerUser: usdc(1_000),
    maxAmountTotal: usdc(1_500),
    committed: 0n,
  },
  participants: new Map(),
};

function submit(merchantUserId: string, dollars: number, qualifies = true): Submission {
  return { merchantUserId, profit: usdc(dollars), qualifies };
}

describe("a batch", () => {
  test("nothing in, nothing out", () => {
    expect(match(state, [])).toEqual([]);
  });

  test("the budget goes to those who come first", () => {
    expect(match(state, [submit("a", 400), submit("b", 400), submit("c", 400)])).toEqual([
      {
        accepted: true,
        created: true,
        cap: usdc(1_000),
        next: usdc(800),
        delta: usdc(800),
        clampedBy: null,
        committed: usdc(800),
      },
      {
        accepted: true,
        created: true,
        cap: usdc(1_000),
        next: usdc(700),
        delta: usdc(700),
        clampedBy: "CAMPAIGN_BUDGET",
        committed: usdc(1_500),
      },
      {
        accepted: true,
        created: true,
        cap: usdc(1_000),
        next: 0n,
        delta: 0n,
        clampedBy: "CAMPAIGN_BUDGET",
        committed: usdc(1_500),
      },
    ]);
  });

  test("a user's later submissions see the earlier ones, and only the first creates", () => {
    const outcomes = match(state, [
      submit("a", 100),
      submit("b", 100),
      submit("a", 300),
      submit("a", 200),
    ]) as Accepted[];
    expect(outcomes.map(({ created }) => created)).toEqual([true, true, false, false]);
    expect(outcomes.map(({ next }) => next)).toEqual([usdc(200), usdc(200), usdc(600), usdc(600)]);
    expect(outcomes.map(({ delta }) => delta)).toEqual([usdc(200), usdc(200), usdc(400), 0n]);
    expect(outcomes.map(({ committed }) => committed)).toEqual([usdc(200), usdc(400), usdc(800), usdc(800)]);
  });

  test("a refused member changes nothing for its neighbours, nor for its own user", () => {
    const outcomes = match(state, [
      submit("a", 100, false),
      submit("b", 100),
      submit("a", 300),
      submit("b", 400, false),
    ]);
    const refused = { accepted: false, code: "NO_QUALIFYING_WALLET" };
    expect([outcomes[0], outcomes[3]]).toEqual([refused, refused]);
    expect(outcomes[1]).toMatchObject({ created: true, committed: usdc(200) });
    expect(outcomes[2]).toMatchObject({ created: true, committed: usdc(800) });
  });

  test.each(["DRAFT", "PAUSED", "ENDED"] as const)("a %s campaign refuses all, whatever their wallets", (status) => {
    const resting = { ...state, campaign: { ...state.campaign, status } };
    const refused = { accepted: false, code: "CAMPAIGN_NOT_ACTIVE" };
    expect(match(resting, [submit("a", 1), submit("b", 1, false)])).toEqual([refused, refused]);
  });

  test("a raised cap holds from the next submission on", () => {
    const participants = new Map([["a", { matched: usdc(600), cap: usdc(600) }]]);
    expect(match({ ...state, participants }, [submit("a", 900)])).toMatchObject([
      {
        created: false,
        cap: usdc(1_000),
        next: usdc(1_000),
        delta: usdc(400),
        clampedBy: "MAX_AMOUNT_PER_USER",
      },
    ]);
  });

  test("a user's own cap is never lowered", () => {
    const participants = new Map([["a", { matched: usdc(1_100), cap: usdc(1_200) }]]);
    expect(match({ ...state, participants }, [submit("a", 900)])).toMatchObject([
      {
        created: false,
        cap: usdc(1_200),
        next: usdc(1_200),
        delta: usdc(100),
        clampedBy: "MAX_AMOUNT_PER_USER",
      },
    ]);
  });

  test.each(["__proto__", "constructor", "toString", ""])("the user id %j is an id like any other", (id) => {
    expect(match(state, [submit(id, 1), submit(id, 1)])).toMatchObject([{ created: true }, { created: false }]);
  });

  test("neither the state nor the submissions are changed", () => {
    const participants = new Map([["a", Object.freeze({ matched: 1n, cap: usdc(600) })]]);
    const frozen = Object.freeze({ campaign: Object.freeze({ ...state.campaign }), participants });
    match(frozen, Object.freeze([Object.freeze(submit("a", 900)), Object.freeze(submit("b", 900))]));
    expect(participants).toEqual(new Map([["a", { matched: 1n, cap: usdc(600) }]]));
  });

  test("an overspent campaign is a broken invariant", () => {
    const overspent = { ...state, campaign: { ...state.campaign, committed: usdc(1_501) } };
    expect(() => match(overspent, [submit("a", 1)])).toThrow("never commits more than its budget");
  });
});

// The model is the specification's paragraph without any of the code's shortcuts: every submission is its own story, and
// the budget left is what the sum of everyone's matches leaves of the total.
interface Model {
  matches: Map<string, bigint>;
  unlisted: bigint;
}

function tell(model: Model, { campaign }: MatchState, cap: bigint, { merchantUserId, profit }: Submission): bigint {
  let spent = model.unlisted;
  for (const amount of model.matches.values()) spent += amount;
  const own = model.matches.get(merchantUserId) ?? 0n;
  // Written out in decimal, profit and multiplier have six digits each behind the point, and the token's decimals move it
  // back. What still stands behind the point is dropped.
  const product = `${profit * campaign.multiplierMillionths}${"0".repeat(campaign.tokenDecimals)}`;
  let reward = BigInt(product.slice(0, -12));
  const limits = [cap, own + (campaign.maxAmountTotal - spent)];
  for (const limit of limits) if (reward > limit) reward = limit;
  if (reward < own) reward = own;
  model.matches.set(merchantUserId, reward);
  return reward;
}

function modelOf({ campaign, participants }: MatchState): Model {
  const matches = new Map([...participants].map(([id, { matched }]) => [id, matched]));
  const listed = [...matches.values()].reduce((sum, amount) => sum + amount, 0n);
  return { matches, unlisted: campaign.committed - listed };
}

const digits = fc.integer({ min: 0, max: 78 }).chain((count) => fc.bigInt(0n, 10n ** BigInt(count) - 1n));
const users = fc.constantFrom("a", "b", "c", "d", "e");

// Amounts of like size meet, so that caps and budgets bind often; other runs mix all sizes.
const amounts = fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, 5_000_000_000n), digits);

const states: fc.Arbitrary<MatchState> = fc
  .record({
    multiplierMillionths: fc.oneof(fc.bigInt(1n, 3_000_000n), fc.bigInt(1n, 10n ** 12n)),
    tokenDecimals: fc.oneof(fc.constant(6), fc.integer({ min: 0, max: 36 })),
    maxAmountPerUser: amounts,
    slack: amounts,
    elsewhere: amounts,
    known: fc.dictionary(users, fc.record({ matched: amounts, above: amounts }), { noNullPrototype: true }),
  })
  .map(({ multiplierMillionths, tokenDecimals, maxAmountPerUser, slack, elsewhere, known }) => {
    const participants = new Map(
      Object.entries(known).map(([id, { matched, above }]) => [id, { matched, cap: matched + above }] as const),
    );
    const committed = [...participants.values()].reduce((sum, { matched }) => sum + matched, elsewhere);
    return {
      campaign: {
        status: "ACTIVE" as const,
        multiplierMillionths,
        tokenDecimals,
        maxAmountPerUser,
        maxAmountTotal: committed + slack,
        committed,
      },
      participants,
    };
  });

const submissions: fc.Arbitrary<Submission[]> = fc.array(
  fc.record({
    merchantUserId: users,
    profit: amounts,
    qualifies: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
  }),
  { maxLength: 24 },
);

const runs = { numRuns: 2_000 };

function isAccepted(outcome: Outcome | undefined): outcome is Accepted {
  return outcome?.accepted === true;
}

/** The state that a writer of these outcomes leaves behind. */
function advance(before: MatchState, batch: readonly Submission[], outcomes: readonly Outcome[]): MatchState {
  const participants = new Map(before.participants);
  let { committed } = before.campaign;
  batch.forEach(({ merchantUserId }, index) => {
    const outcome = outcomes[index];
    if (!isAccepted(outcome)) return;
    participants.set(merchantUserId, { matched: outcome.next, cap: outcome.cap });
    committed = outcome.committed;
  });
  return { campaign: { ...before.campaign, committed }, participants };
}

describe("any batch", () => {
  test("says what the model says", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const model = modelOf(before);
        const outcomes = match(before, batch);
        batch.forEach((submission, index) => {
          const outcome = outcomes[index];
          expect(isAccepted(outcome)).toBe(submission.qualifies);
          if (!isAccepted(outcome)) return;
          const known = before.participants.get(submission.merchantUserId);
          const cap = before.campaign.maxAmountPerUser;
          expect(outcome.cap).toBe(known !== undefined && known.cap > cap ? known.cap : cap);
          expect(outcome.next).toBe(tell(model, before, outcome.cap, submission));
        });
      }),
      runs,
    );
  });

  test("never lowers a match, never passes a cap or the budget, and commits what it hands out", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const outcomes = match(before, batch);
        const latest = new Map([...before.participants].map(([id, { matched }]) => [id, matched]));
        let { committed } = before.campaign;
        batch.forEach(({ merchantUserId }, index) => {
          const outcome = outcomes[index];
          if (!isAccepted(outcome)) return;
          expect(outcome.created).toBe(!latest.has(merchantUserId));
          const own = latest.get(merchantUserId) ?? 0n;
          expect(outcome.delta >= 0n && outcome.next === own + outcome.delta && outcome.next <= outcome.cap).toBe(true);
          committed += outcome.delta;
          expect(outcome.committed).toBe(committed);
          latest.set(merchantUserId, outcome.next);
        });
        expect(committed <= before.campaign.maxAmountTotal).toBe(true);
      }),
      runs,
    );
  });

  test("names a clamp exactly when the multiple is not covered, and the one that holds it back", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const { multiplierMillionths, tokenDecimals, maxAmountTotal } = before.campaign;
        for (const [index, outcome] of match(before, batch).entries()) {
          if (!isAccepted(outcome)) continue;
          const wanted = (batch[index]?.profit ?? 0n) * multiplierMillionths * 10n ** BigInt(tokenDecimals);
          const isCovered = wanted < (outcome.next + 1n) * 10n ** 12n;
          expect(outcome.clampedBy === null).toBe(isCovered);
          if (outcome.clampedBy === "MAX_AMOUNT_PER_USER") expect(outcome.next).toBe(outcome.cap);
          if (outcome.clampedBy === "CAMPAIGN_BUDGET") {
            expect(outcome.committed).toBe(maxAmountTotal);
            expect(outcome.next < outcome.cap).toBe(true);
          }
        }
      }),
      runs,
    );
  });

  test("means the same when it is cut into several batches", () => {
    fc.assert(
      fc.property(states, submissions, fc.nat(24), (before, batch, cut) => {
        const first = match(before, batch.slice(0, cut));
        const between = advance(before, batch.slice(0, cut), first);
        expect([...first, ...match(between, batch.slice(cut))]).toEqual(match(before, batch));
      }),
      runs,
    );
  });

  test("sent again, hands out nothing that the first time did not lack", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const after = advance(before, batch, match(before, batch));
        for (const outcome of match(after, batch)) {
          if (!isAccepted(outcome)) continue;
          expect(outcome.delta).toBe(0n);
          expect(outcome.created).toBe(false);
        }
      }),
      runs,
    );
  });

  test("of one user ends the same in every order", () => {
    fc.assert(
      fc.property(
        states,
        fc
          .array(amounts, { minLength: 1, maxLength: 8 })
          .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        (before, [profits, shuffled]) => {
          const end = (list: readonly bigint[]) => {
            const batch = list.map((profit) => ({ merchantUserId: "a", profit, qualifies: true }));
            return advance(before, batch, match(before, batch));
          };
          expect(end(shuffled)).toEqual(end(profits));
        },
      ),
      runs,
    );
  });

  test("without a shortage ends the same in every order", () => {
    fc.assert(
      fc.property(
        states,
        submissions.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        (before, [batch, shuffled]) => {
          const plenty = {
            ...before,
            campaign: { ...before.campaign, maxAmountTotal: before.campaign.committed + 10n * 10n ** 80n },
          };
          const one = advance(plenty, batch, match(plenty, batch));
          const other = advance(plenty, shuffled, match(plenty, shuffled));
          expect(other.campaign.committed).toBe(one.campaign.committed);
          expect(other.participants).toEqual(one.participants);
        },
      ),
      runs,
    );
  });

  test("is not touched by the members that are refused", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const accepted = match(before, batch).filter((outcome) => outcome.accepted);
        expect(
          match(
            before,
            batch.filter(({ qualifies }) => qualifies),
          ),
        ).toEqual(accepted);
      }),
      runs,
    );
  });
});
