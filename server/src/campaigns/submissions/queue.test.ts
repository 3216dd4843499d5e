import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Participant } from "../participants/record.ts";
import { type Decision, decide, type State, type Submission } from "./decide.ts";
import { type BatchQueueOptions, createBatchQueue, type Group, type Outcome } from "./queue.ts";

interface Batch {
  readonly alone: boolean;
  /** `merchant/campaign: items`. */
  readonly groups: readonly string[];
  /** Ends the batch. The named campaigns were locked by somebody else. */
  finish(...locked: string[]): Promise<void>;
  fail(error: Error): Promise<void>;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose batches end when the test says so. */
function setup(options: Partial<BatchQueueOptions<string, string>> = {}) {
  const batches: Batch[] = [];
  const resultsOf = ({ items }: Group<string>) =>
    items.map(
      (item): PromiseSettledResult<string> =>
        item.startsWith("bad")
          ? { status: "rejected", reason: new Error(item) }
          : { status: "fulfilled", value: `${item} done` },
    );
  const begin = (alone: boolean, groups: readonly Group<string>[]) =>
    new Promise<Outcome<string>[]>((resolve, reject) => {
      batches.push({
        alone,
        groups: groups.map(({ merchantId, campaignId, items }) => `${merchantId}/${campaignId}: ${items.join(" ")}`),
        async finish(...locked) {
          resolve(groups.map((group) => (locked.includes(group.campaignId) ? "alone" : resultsOf(group))));
          // Its answers are given, and the next batches begin.
          await turn();
          await turn();
        },
        async fail(error) {
          reject(error);
          await turn();
          await turn();
        },
      });
    });
  const queue = createBatchQueue<string, string>({
    sizeOf: (item) => (item.startsWith("large") ? 10 : 1),
    batchMax: 6,
    shareMax: 2,
    campaignsMax: 4,
    queuedMax: 5,
    batchesMax: 1,
    aloneMax: 2,
    oneMerchant: false,
    ...options,
    settle: (groups) => begin(false, groups),
    settleAlone: async (group) => (await begin(true, [group]))[0] as PromiseSettledResult<string>[],
  });
  const add = (merchantId: string, campaignId: string, ...items: string[]) =>
    items.map((item) => queue.add(merchantId, campaignId, item));
  const groups = () => batches.map((batch) => batch.groups);
  return { queue, batches, add, groups };
}

describe("the batch queue", () => {
  test("an idle process sends immediately, without a timer: what arrived in this turn is one batch", async () => {
    const { queue, batches, add, groups } = setup();
    const answers = [...add("m", "c", "a", "b"), ...add("n", "d", "x")];
    expect(queue.waiting).toBe(3);
    await turn();
    expect(groups()).toEqual([["m/c: a b", "n/d: x"]]);
    expect(queue.waiting).toBe(0);
    await batches[0]?.finish();
    expect(await Promise.all(answers)).toEqual(["a done", "b done", "x done"]);
  });

  test("a campaign is in one batch at a time; arrivals form the next ones, in order, of a bounded size", async () => {
    const { batches, add, groups } = setup({ batchMax: 3, batchesMax: 3 });
    const answers = add("m", "c", "1");
    await turn();
    answers.push(...add("m", "c", "2", "3", "4", "5"));
    await turn();
    expect(groups()).toEqual([["m/c: 1"]]);
    for (let index = 0; index < 3; index++) await batches[index]?.finish();
    await Promise.all(answers);
    expect(groups()).toEqual([["m/c: 1"], ["m/c: 2 3 4"], ["m/c: 5"]]);
  });

  test("another campaign does not wait for the batches in flight, as long as there is a place", async () => {
    const { batches, add, groups } = setup({ batchesMax: 3 });
    add("m", "c", "1");
    await turn();
    add("n", "d", "2");
    await turn();
    expect(groups()).toEqual([["m/c: 1"], ["n/d: 2"]]);
    add("m", "e", "3");
    add("m", "f", "4");
    await turn();
    expect(groups()[2]).toEqual(["m/e: 3", "m/f: 4"]);
    add("o", "g", "5");
    await turn();
    expect(batches).toHaveLength(3);
    // A batch that ends makes place, also if nothing more waits for its own campaigns.
    await batches[1]?.finish();
    expect(groups()[3]).toEqual(["o/g: 5"]);
  });

  test("a merchant leaves one of the batches in flight to others", async () => {
    const { add, groups } = setup({ batchesMax: 3 });
    for (const campaign of ["a", "b", "c"]) {
      add("whale", campaign, "1");
      await turn();
    }
    expect(groups()).toEqual([["whale/a: 1"], ["whale/b: 1"]]);
    add("small", "d", "2");
    await turn();
    expect(groups()[2]).toEqual(["small/d: 2"]);
  });

  test("while others wait, a merchant takes its share of a batch, and its campaigns take turns", async () => {
    const { batches, add, groups } = setup({ queuedMax: 100 });
    add("whale", "busy", "1", "2", "3", "4", "5", "6", "7", "8");
    add("whale", "quiet", "9");
    add("small", "c", "10");
    await turn();
    expect(groups()).toEqual([["whale/busy: 1 2", "small/c: 10"]]);
    add("small", "c", "11");
    await batches[0]?.finish();
    expect(groups()[1]).toEqual(["whale/quiet: 9", "small/c: 11", "whale/busy: 3"]);
    // Alone, it has the whole batch.
    await batches[1]?.finish();
    expect(groups()[2]).toEqual(["whale/busy: 4 5 6 7 8"]);
  });

  test("merchants take turns when a batch is full before all had theirs", async () => {
    const { batches, add, groups } = setup({ campaignsMax: 2 });
    for (const merchant of ["a", "b", "c"]) for (const campaign of ["1", "2"]) add(merchant, campaign, "x");
    await turn();
    await batches[0]?.finish();
    await batches[1]?.finish();
    expect(groups()).toEqual([
      ["a/1: x", "b/1: x"],
      ["c/1: x", "a/2: x"],
      ["b/2: x", "c/2: x"],
    ]);
  });

  test("an item that is larger than a share, or than a batch, has its turn like any other", async () => {
    const { batches, add, groups } = setup();
    add("m", "c", "large-1", "large-2");
    add("n", "d", "1");
    await turn();
    await batches[0]?.finish();
    expect(groups()).toEqual([["m/c: large-1"], ["n/d: 1", "m/c: large-2"]]);
  });

  test("a batch of one merchant, if the database is sharded by merchant", async () => {
    const { batches, add, groups } = setup({ oneMerchant: true });
    add("m", "c", "1", "2", "3");
    add("n", "d", "4");
    add("m", "e", "5");
    await turn();
    await batches[0]?.finish();
    expect(groups()).toEqual([["m/c: 1 2 3", "m/e: 5"], ["n/d: 4"]]);
  });

  test("a bad member fails alone; a batch that fails as a whole fails its members, and the next one runs", async () => {
    const { batches, add, groups } = setup({ batchMax: 3 });
    const answers = add("m", "c", "a", "bad", "c", "d");
    const settled = Promise.allSettled(answers);
    await turn();
    await batches[0]?.finish();
    await batches[1]?.fail(new Error("the database is gone"));
    expect(
      (await settled).map((result) => (result.status === "fulfilled" ? result.value : result.reason.message)),
    ).toEqual(["a done", "bad", "c done", "the database is gone"]);
    const [after] = add("m", "c", "e");
    await turn();
    await batches[2]?.finish();
    expect(await after).toBe("e done");
    expect(groups()).toHaveLength(3);
  });

  test("beyond the bound: 503 OVERLOADED with Retry-After, for that campaign alone", async () => {
    const { queue, batches, add } = setup();
    const answers = add("m", "c", "0");
    await turn();
    answers.push(...add("m", "c", "1", "2", "3", "4", "5"));
    await expect(queue.add("m", "c", "6")).rejects.toMatchObject({
      code: "OVERLOADED",
      headers: { "retry-after": "1" },
    });
    answers.push(...add("m", "other", "7"));
    for (let index = 0; index < 3; index++) await batches[index]?.finish();
    expect(await Promise.all(answers)).toHaveLength(7);
  });
});

describe("a campaign that somebody else has locked", () => {
  test("is settled alone, in order, while the others go on; once nothing waits for it, it is mixed again", async () => {
    const { queue, batches, add, groups } = setup();
    const locked = add("m", "locked", "1", "2");
    const free = add("m", "free", "3");
    await turn();
    add("m", "locked", "4");
    await batches[0]?.finish("locked");
    expect(await free[0]).toBe("3 done");
    expect(queue.waiting).toBe(0);
    add("m", "locked", "5");
    add("m", "free", "6");
    await turn();
    expect(batches.map(({ alone, groups: [group] }) => [alone, group])).toEqual([
      [false, "m/locked: 1 2"],
      [true, "m/locked: 1 2 4"],
      [false, "m/free: 6"],
    ]);
    await batches[1]?.finish();
    expect(await Promise.all(locked)).toEqual(["1 done", "2 done"]);
    expect(batches[3]).toMatchObject({ alone: true, groups: ["m/locked: 5"] });
    await batches[2]?.finish();
    await batches[3]?.finish();
    add("m", "locked", "7");
    await turn();
    expect(batches[4]).toMatchObject({ alone: false, groups: ["m/locked: 7"] });
    expect(groups()).toHaveLength(5);
  });

  test("takes one of few places, of which a merchant leaves one to others", async () => {
    const { batches, add } = setup({ aloneMax: 2 });
    add("whale", "a", "1");
    add("whale", "b", "2");
    add("small", "c", "3");
    await turn();
    await batches[0]?.finish("a", "b", "c");
    expect(batches.slice(1).map(({ groups: [group] }) => group)).toEqual(["whale/a: 1", "small/c: 3"]);
    await batches[1]?.finish();
    expect(batches[3]?.groups).toEqual(["whale/b: 2"]);
  });
});

// In any mix, each campaign gets what it would get if its submissions came alone, in order of arrival. The queue is the real one,
// and so is `decide`; the database is a map.
describe("any mix of campaigns and merchants", () => {
  const NOW = new Date("2026-11-16T00:00:00Z");
  const ids = ["a", "b", "c", "d", "e"];
  const merchantOf = (campaign: string) => (campaign < "d" ? "whale" : `small ${campaign}`);
  const startOf = (total: number): State => ({
    campaign: {
      status: "ACTIVE",
      multiplierMillionths: 1_500_000n,
      decimalPlaces: 6,
      maxAmountPerUser: 60n,
      maxAmountTotal: BigInt(total),
      committed: 0n,
      journalLength: 0,
      payoutChainId: 1,
      payoutTokenAddress: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      participantsPerWalletMax: null,
      minimumDepositMicros: null,
    },
    participants: new Map(),
    qualified: new Map([["1/good", NOW]]),
    claims: new Map(),
  });

  /** Decides submissions, and keeps what a writer would. */
  function createStore(totals: readonly number[]) {
    const states = new Map(ids.map((id, index) => [id, startOf(totals[index] ?? 0)]));
    return {
      settle(campaignId: string, items: readonly Submission[]): Decision[] {
        const before = states.get(campaignId) as State;
        const decided = decide(before, items, NOW, () => "new");
        const participants = new Map<string, Participant>(before.participants);
        for (const participant of decided.participants) participants.set(participant.merchantUserId, participant);
        const journalLength = before.campaign.journalLength + decided.journal.length;
        const campaign = { ...before.campaign, committed: decided.committed, journalLength };
        states.set(campaignId, { ...before, campaign, participants });
        return [...decided.decisions];
      },
      states,
    };
  }

  const arrivals = fc.array(
    fc.record({
      campaignId: fc.constantFrom("a", "a", "a", ...ids),
      user: fc.nat(2),
      profit: fc.bigInt(0n, 60n),
      qualifies: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
      turnsLater: fc.constantFrom(0, 0, 0, 1, 2),
    }),
    { maxLength: 40 },
  );
  const limits = fc.record({
    batchMax: fc.integer({ min: 1, max: 8 }),
    shareMax: fc.integer({ min: 1, max: 4 }),
    campaignsMax: fc.integer({ min: 1, max: 4 }),
    batchesMax: fc.integer({ min: 1, max: 3 }),
    aloneMax: fc.integer({ min: 1, max: 2 }),
    oneMerchant: fc.boolean(),
  });

  test("ends as if each campaign were settled alone, with the same answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        limits,
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 5 }),
        // Which campaigns are found locked, and how many turns a batch takes.
        fc.infiniteStream(fc.record({ locked: fc.subarray(ids), turns: fc.nat(2) })),
        async (list, bounds, totals, fates) => {
          const mixed = createStore(totals);
          const inFlight = new Set<string>();
          const settle = (group: Group<Submission>) => {
            const decisions = mixed.settle(group.campaignId, group.items);
            return decisions.map((value) => ({ status: "fulfilled" as const, value }));
          };
          const during = async <Value>(groups: readonly Group<Submission>[], work: () => Value): Promise<Value> => {
            for (const { campaignId } of groups) {
              expect(inFlight.has(campaignId)).toBe(false);
              inFlight.add(campaignId);
            }
            const { turns } = fates.next().value;
            for (let count = 0; count < turns; count++) await turn();
            for (const { campaignId } of groups) inFlight.delete(campaignId);
            return work();
          };
          const queue = createBatchQueue<Submission, Decision>({
            ...bounds,
            queuedMax: 1_000,
            sizeOf: ({ wallets }) => wallets.length,
            settle: (groups) => {
              const { locked } = fates.next().value;
              return during(groups, () =>
                groups.map((group) => (locked.includes(group.campaignId) ? ("alone" as const) : settle(group))),
              );
            },
            settleAlone: (group) => during([group], () => settle(group)),
          });

          const submissions = list.map(({ user, profit, qualifies }, index) => ({
            id: `submission ${index}`,
            merchantUserId: `user ${user}`,
            profit,
            wallets: [{ address: "w", addressKey: qualifies ? "good" : "other", chainId: 1 }],
          }));
          const answers: Promise<Decision>[] = [];
          for (const [index, { campaignId, turnsLater }] of list.entries()) {
            for (let count = 0; count < turnsLater; count++) await turn();
            answers.push(queue.add(merchantOf(campaignId), campaignId, submissions[index] as Submission));
          }
          const mixedAnswers = await Promise.all(answers);

          const apart = createStore(totals);
          for (const [index, { campaignId }] of list.entries()) {
            expect([mixedAnswers[index]]).toEqual(apart.settle(campaignId, [submissions[index] as Submission]));
          }
          expect(mixed.states).toEqual(apart.states);
          expect(queue.waiting).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
