import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Participant } from "../participants/record.ts";
import { decide, type State, type Submission } from "./decide.ts";

const usdc = (dollars: number) => BigInt(dollars) * 1_000_000n;
const NOW = new Date("2026-11-16T00:00:00Z");
const QUALIFIED_DATE = new Date("2026-11-02T00:00:00Z");

// Only what the amounts depend on; `match` below fills in the rest.
interface MatchState {
  campaign: Omit<State["campaign"], "journalLength">;
  participants: ReadonlyMap<string, Pick<Participant, "matched" | "cap">>;
}

interface Input {
  merchantUserId: string;
  profit: bigint;
  qualifies: boolean;
}

type Accepted = ReturnType<typeof acceptedAt>;
type Result = Accepted | { accepted: false; code: string };

const wallet = (name: string) => ({ address: name, addressKey: name, chainId: 1 });

function participant(merchantUserId: string, fields: Partial<Participant>): Participant {
  return {
    id: `id of ${merchantUserId}`,
    merchantUserId,
    status: "MATCHED",
    qualifiedDate: QUALIFIED_DATE,
    profit: 0n,
    matched: 0n,
    cap: 0n,
    payoutsOpen: 0n,
    payoutsConfirmed: 0n,
    payoutsCount: 0,
    lastPayoutFailed: false,
    receiver: null,
    held: false,
    createDate: NOW,
    updateDate: NOW,
    wallets: [],
    payouts: [],
    ...fields,
  };
}

function decideAll({ campaign, participants }: MatchState, batch: readonly Input[]) {
  let ids = 0;
  const state: State = {
    campaign: Object.freeze({ ...campaign, journalLength: 7 }),
    participants: new Map([...participants].map(([id, fields]) => [id, Object.freeze(participant(id, fields))])),
    qualified: new Map([["1/qualified", QUALIFIED_DATE]]),
    claims: new Map(),
  };
  const submissions = batch.map(
    ({ merchantUserId, profit, qualifies }, index): Submission =>
      Object.freeze({
        id: `submission ${index}`,
        merchantUserId,
        profit,
        wallets: [wallet(qualifies ? "qualified" : `other ${index}`)],
      }),
  );
  return decide(state, submissions, NOW, () => `new ${++ids}`);
}

function acceptedAt(decided: ReturnType<typeof decide>, index: number) {
  const entry = decided.journal.find(({ submissionId }) => submissionId === `submission ${index}`);
  const decision = decided.decisions[index];
  if (entry === undefined || !decision?.accepted) throw new Error("Every accepted submission is in the journal.");
  const { created, match } = decision;
  expect([entry.created, entry.delta, entry.matchAfter, entry.clampedBy]).toEqual([
    created,
    match.delta,
    match.next,
    match.clampedBy,
  ]);
  return { accepted: true as const, created, cap: entry.cap, committed: entry.committedAfter, ...match };
}

/** The amounts that a batch leads to, one result per submission. */
function match(state: MatchState, batch: readonly Input[]): Result[] {
  const decided = decideAll(state, batch);
  return decided.decisions.map((decision, index) =>
    decision.accepted ? acceptedAt(decided, index) : { accepted: false, code: decision.refusal.code },
  );
}

const state: MatchState = {
  campaign: {
    status: "ACTIVE",
    multiplierMillionths: 2_000_000n,
    decimalPlaces: 6,
    maxAmountPerUser: usdc(1_000),
    maxAmountTotal: usdc(1_500),
    committed: 0n,
    payoutChainId: 1,
    payoutTokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    participantsPerWalletMax: null,
    minimumDepositMicros: null,
  },
  participants: new Map(),
};

function submit(merchantUserId: string, dollars: number, qualifies = true): Input {
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
    const results = match(state, [
      submit("a", 100),
      submit("b", 100),
      submit("a", 300),
      submit("a", 200),
    ]) as Accepted[];
    expect(results.map(({ created }) => created)).toEqual([true, true, false, false]);
    expect(results.map(({ next }) => next)).toEqual([usdc(200), usdc(200), usdc(600), usdc(600)]);
    expect(results.map(({ delta }) => delta)).toEqual([usdc(200), usdc(200), usdc(400), 0n]);
    expect(results.map(({ committed }) => committed)).toEqual([usdc(200), usdc(400), usdc(800), usdc(800)]);
  });

  test("a refused member changes nothing for its neighbours, nor for its own user", () => {
    const results = match(state, [
      submit("a", 100, false),
      submit("b", 100),
      submit("a", 300),
      submit("b", 400, false),
    ]);
    const refused = { accepted: false, code: "NO_QUALIFYING_WALLET" };
    expect([results[0], results[3]]).toEqual([refused, refused]);
    expect(results[1]).toMatchObject({ created: true, committed: usdc(200) });
    expect(results[2]).toMatchObject({ created: true, committed: usdc(800) });
  });

  test.each(["DRAFT", "PAUSED", "ENDED"] as const)(
    "a %s campaign refuses all submissions, with and without qualified wallets",
    (status) => {
      const resting = { ...state, campaign: { ...state.campaign, status } };
      const refused = { accepted: false, code: "CAMPAIGN_NOT_ACTIVE" };
      expect(match(resting, [submit("a", 1), submit("b", 1, false)])).toEqual([refused, refused]);
    },
  );

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
    const participants = new Map([["a", Object.freeze(participant("a", { matched: 1n, cap: usdc(600) }))]]);
    const before = new Map(participants);
    const frozen: State = Object.freeze({
      campaign: Object.freeze({ ...state.campaign, journalLength: 0 }),
      participants,
      qualified: new Map([["1/w", QUALIFIED_DATE]]),
      claims: new Map(),
    });
    const submissions = ["a", "b"].map((merchantUserId) =>
      Object.freeze({ id: merchantUserId, merchantUserId, profit: usdc(900), wallets: Object.freeze([wallet("w")]) }),
    );
    expect(decide(frozen, Object.freeze(submissions), NOW, () => "new").journal).toHaveLength(2);
    expect(participants).toEqual(before);
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

function tell(model: Model, { campaign }: MatchState, cap: bigint, { merchantUserId, profit }: Input): bigint {
  let spent = model.unlisted;
  for (const amount of model.matches.values()) spent += amount;
  const own = model.matches.get(merchantUserId) ?? 0n;
  // Written out in decimal, profit and multiplier have six digits each behind the point, and the token's decimals move it
  // back. What still stands behind the point is dropped.
  const product = `${profit * campaign.multiplierMillionths}${"0".repeat(campaign.decimalPlaces)}`;
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
    decimalPlaces: fc.oneof(fc.constant(6), fc.integer({ min: 0, max: 36 })),
    maxAmountPerUser: amounts,
    slack: amounts,
    elsewhere: amounts,
    known: fc.dictionary(users, fc.record({ matched: amounts, above: amounts }), { noNullPrototype: true }),
  })
  .map(({ multiplierMillionths, decimalPlaces, maxAmountPerUser, slack, elsewhere, known }) => {
    const participants = new Map(
      Object.entries(known).map(([id, { matched, above }]) => [id, { matched, cap: matched + above }] as const),
    );
    const committed = [...participants.values()].reduce((sum, { matched }) => sum + matched, elsewhere);
    return {
      campaign: {
        ...state.campaign,
        multiplierMillionths,
        decimalPlaces,
        maxAmountPerUser,
        maxAmountTotal: committed + slack,
        committed,
      },
      participants,
    };
  });

const submissions: fc.Arbitrary<Input[]> = fc.array(
  fc.record({
    merchantUserId: users,
    profit: amounts,
    qualifies: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
  }),
  { maxLength: 24 },
);

const runs = { numRuns: 2_000 };

function isAccepted(result: Result | undefined): result is Accepted {
  return result?.accepted === true;
}

/** The state that a writer of these results leaves behind. */
function advance(before: MatchState, batch: readonly Input[], results: readonly Result[]): MatchState {
  const participants = new Map(before.participants);
  let { committed } = before.campaign;
  batch.forEach(({ merchantUserId }, index) => {
    const result = results[index];
    if (!isAccepted(result)) return;
    participants.set(merchantUserId, { matched: result.next, cap: result.cap });
    committed = result.committed;
  });
  return { campaign: { ...before.campaign, committed }, participants };
}

describe("any batch", () => {
  test("says what the model says", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const model = modelOf(before);
        const results = match(before, batch);
        batch.forEach((submission, index) => {
          const result = results[index];
          expect(isAccepted(result)).toBe(submission.qualifies);
          if (!isAccepted(result)) return;
          const known = before.participants.get(submission.merchantUserId);
          const cap = before.campaign.maxAmountPerUser;
          expect(result.cap).toBe(known !== undefined && known.cap > cap ? known.cap : cap);
          expect(result.next).toBe(tell(model, before, result.cap, submission));
        });
      }),
      runs,
    );
  });

  test("never lowers a match, never passes a cap or the budget, and commits what it hands out", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const results = match(before, batch);
        const latest = new Map([...before.participants].map(([id, { matched }]) => [id, matched]));
        let { committed } = before.campaign;
        batch.forEach(({ merchantUserId }, index) => {
          const result = results[index];
          if (!isAccepted(result)) return;
          expect(result.created).toBe(!latest.has(merchantUserId));
          const own = latest.get(merchantUserId) ?? 0n;
          expect(result.delta >= 0n && result.next === own + result.delta && result.next <= result.cap).toBe(true);
          committed += result.delta;
          expect(result.committed).toBe(committed);
          latest.set(merchantUserId, result.next);
        });
        expect(committed <= before.campaign.maxAmountTotal).toBe(true);
      }),
      runs,
    );
  });

  test("names a clamp exactly when the multiple is not covered, and the one that holds it back", () => {
    fc.assert(
      fc.property(states, submissions, (before, batch) => {
        const { multiplierMillionths, decimalPlaces, maxAmountTotal } = before.campaign;
        for (const [index, result] of match(before, batch).entries()) {
          if (!isAccepted(result)) continue;
          const wanted = (batch[index]?.profit ?? 0n) * multiplierMillionths * 10n ** BigInt(decimalPlaces);
          const isCovered = wanted < (result.next + 1n) * 10n ** 12n;
          expect(result.clampedBy === null).toBe(isCovered);
          if (result.clampedBy === "MAX_AMOUNT_PER_USER") expect(result.next).toBe(result.cap);
          if (result.clampedBy === "CAMPAIGN_BUDGET") {
            expect(result.committed).toBe(maxAmountTotal);
            expect(result.next < result.cap).toBe(true);
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
        for (const result of match(after, batch)) {
          if (!isAccepted(result)) continue;
          expect(result.delta).toBe(0n);
          expect(result.created).toBe(false);
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
        const accepted = match(before, batch).filter((result) => result.accepted);
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

describe("wallets", () => {
  const qualified = new Map(["1/a", "1/b", "1/c"].map((key) => [key, QUALIFIED_DATE]));
  const of = (names: readonly string[], merchantUserId = "u") => ({ merchantUserId, names });
  const run = (batch: readonly ReturnType<typeof of>[], known: readonly string[] = []) => {
    const wallets = known.map((name) => ({ ...wallet(name), qualifiedDate: null }));
    const participants = new Map(known.length === 0 ? [] : [["u", participant("u", { wallets, cap: 1n })]]);
    return decide(
      { campaign: { ...state.campaign, journalLength: 7 }, participants, qualified, claims: new Map() },
      batch.map(({ merchantUserId, names }, index) => ({
        id: `submission ${index}`,
        merchantUserId,
        profit: 1n,
        wallets: names.map(wallet),
      })),
      NOW,
      () => "new",
    );
  };
  const claims = ({ wallets }: ReturnType<typeof decide>) =>
    wallets.map(({ address, ordinal, claimPosition }) => [address, ordinal, claimPosition]);

  test("each wallet is claimed once, by the first submission that names it, after those the user already has", () => {
    expect(claims(run([of(["a", "x"]), of(["x", "b"]), of(["a"])], ["k", "b"]))).toEqual([
      ["a", 2, 8],
      ["x", 3, 8],
    ]);
  });

  test("a refused submission leaves its wallets to no later one of the same user", () => {
    const decided = run([of(["x", "y"]), of(["a"]), of(["z"]), of(["b"])]);
    expect(decided.decisions.map(({ accepted }) => accepted)).toEqual([false, true, false, true]);
    expect(claims(decided)).toEqual([
      ["a", 0, 8],
      ["b", 1, 9],
    ]);
    expect(decided.participants.map(({ wallets }) => wallets.map(({ address }) => address))).toEqual([["a", "b"]]);
  });

  test("400 for the submission that would give a participant more than 1,000 wallets, and for it alone", () => {
    const known = Array.from({ length: 998 }, (_, index) => `known ${index}`);
    const decided = run([of(["a", "b", "c"]), of(["a", "b"]), of(["c"]), of(["a"]), of(["c"], "v")], known);
    expect(decided.decisions.map((decision) => (decision.accepted ? null : decision.refusal.code))).toEqual([
      "VALIDATION_ERROR",
      null,
      "VALIDATION_ERROR",
      null,
      null,
    ]);
  });

  test("too many wallets are refused after every other reason", () => {
    const known = Array.from({ length: 1_000 }, (_, index) => `known ${index}`);
    const [decision] = run([of(["x"])], known).decisions;
    expect(decision).toMatchObject({ accepted: false, refusal: { code: "NO_QUALIFYING_WALLET" } });
  });

  test("the earliest qualified wallet dates the participant", () => {
    const early = new Date("2026-11-01T00:00:00Z");
    const { participants } = decide(
      {
        campaign: { ...state.campaign, journalLength: 0 },
        participants: new Map(),
        qualified: new Map([
          ["1/a", QUALIFIED_DATE],
          ["1/b", early],
        ]),
        claims: new Map(),
      },
      [{ id: "s", merchantUserId: "u", profit: 1n, wallets: ["x", "a", "b"].map(wallet) }],
      NOW,
      () => "new",
    );
    expect(participants).toMatchObject([{ qualifiedDate: early, wallets: [{ qualifiedDate: null }, {}, {}] }]);
  });
});

describe("the receiver", () => {
  const EVM = "0x52908400098527886E0F7030069857D2E4169EE7";
  const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
  const TOKEN = state.campaign.payoutTokenAddress;
  const on = (address: string, chainId = 1) => ({ address, addressKey: address.toLowerCase(), chainId });
  const receiverAfter = (
    submissions: readonly { wallets: readonly ReturnType<typeof on>[]; profit?: bigint }[],
    unqualified: readonly string[] = [],
    before?: Partial<Participant>,
  ) => {
    const named = submissions.flatMap(({ wallets }) => wallets);
    const qualified = named.filter(({ address }) => !unqualified.includes(address));
    const decided = decide(
      {
        campaign: { ...state.campaign, journalLength: 0 },
        participants: new Map(before === undefined ? [] : [["u", participant("u", before)]]),
        qualified: new Map(qualified.map(({ addressKey, chainId }) => [`${chainId}/${addressKey}`, QUALIFIED_DATE])),
        claims: new Map(),
      },
      submissions.map(({ wallets, profit = 1n }, index) => ({
        id: String(index),
        merchantUserId: "u",
        profit,
        wallets,
      })),
      NOW,
      () => "new",
    );
    return decided.participants[0]?.receiver;
  };

  test("is the first submitted wallet that qualifies on the payout chain", () => {
    const wallets = [on(OTHER), on(OTHER, 8453), on("0x123"), on(EVM.toLowerCase())];
    expect(receiverAfter([{ wallets }], [OTHER])).toEqual({ address: EVM.toLowerCase(), setBy: "SUBMISSION" });
  });

  test("is never the token's contract or the zero address", () => {
    const wallets = [on(TOKEN), on(`0x${"0".repeat(40)}`), on(EVM)];
    expect(receiverAfter([{ wallets }])?.address).toBe(EVM.toLowerCase());
  });

  test("a later submission never moves it, not even in the same batch", () => {
    expect(receiverAfter([{ wallets: [on(EVM)] }, { wallets: [on(OTHER)], profit: 9n }])?.address).toBe(
      EVM.toLowerCase(),
    );
    const receiver = { address: EVM, setBy: "OPERATOR" as const };
    expect(receiverAfter([{ wallets: [on(OTHER)], profit: 9n }], [], { receiver, cap: 1n })).toEqual(receiver);
  });

  test("is not set before there is a match, and set later when no wallet could receive at first", () => {
    expect(receiverAfter([{ wallets: [on(EVM)], profit: 0n }])).toBeNull();
    expect(receiverAfter([{ wallets: [on(EVM, 8453)] }])).toBeNull();
    expect(receiverAfter([{ wallets: [on(EVM, 8453)] }, { wallets: [on(OTHER)] }])?.address).toBe(OTHER.toLowerCase());
  });
});
