import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, type State } from "./decide.ts";

const NOW = new Date("2026-11-16T00:00:00Z");
const wallet = (name: string) => ({ address: name, addressKey: name, chainId: 1 });
const NAMES = ["a", "b", "c"];

function stateWith(participantsPerWalletMax: number | null, claims: Record<string, number> = {}): State {
  return {
    campaign: {
      status: "ACTIVE",
      multiplierMillionths: 1_000_000n,
      decimalPlaces: 6,
      maxAmountPerUser: 1_000n,
      maxAmountTotal: 1_000_000n,
      committed: 0n,
      journalLength: 0,
      payoutChainId: 1,
      payoutTokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      participantsPerWalletMax,
      minimumDepositMicros: null,
    },
    participants: new Map(),
    qualified: new Map(NAMES.map((name) => [`1/${name}`, NOW])),
    claims: new Map(Object.entries(claims).map(([name, count]) => [`1/${name}`, count])),
  };
}

type Named = readonly [user: string, ...names: string[]];

function decideAll(state: State, batch: readonly Named[]) {
  const submissions = batch.map(([merchantUserId, ...names], index) => ({
    id: `submission ${index}`,
    merchantUserId,
    profit: 1n,
    wallets: names.map(wallet),
  }));
  let ids = 0;
  return decide(state, submissions, NOW, () => `participant ${++ids}`);
}

const codesOf = ({ decisions }: ReturnType<typeof decide>) =>
  decisions.map((decision) => (decision.accepted ? null : decision.refusal.code));

describe("a limit of participants for each wallet", () => {
  test("counts those of earlier batches and those of this one, and leaves what is refused out", () => {
    const batch: Named[] = [
      ["u", "a"],
      ["v", "a"],
      ["w", "b", "a"],
      ["x", "b"],
      ["y", "b"],
      ["z", "b"],
    ];
    const decided = decideAll(stateWith(2, { a: 1 }), batch);
    expect(codesOf(decided)).toEqual([null, "WALLET_CLAIMED", "WALLET_CLAIMED", null, null, "WALLET_CLAIMED"]);
    expect(decided.wallets.map(({ address }) => address)).toEqual(["a", "b", "b"]);
    expect(decided.journal).toHaveLength(3);
  });

  test("a participant that names its wallet again makes no second claim", () => {
    const batch: Named[] = [
      ["u", "a"],
      ["u", "a", "b"],
      ["u", "b"],
    ];
    expect(codesOf(decideAll(stateWith(1), batch))).toEqual([null, null, null]);
  });

  test("the message names the wallet and the limit, and quotes no odd text", () => {
    const messages = [stateWith(1, { a: 1, "line\nbreak": 1 }), stateWith(3, { a: 3 })].flatMap((state) =>
      decideAll(state, [
        ["u", "a"],
        ["v", "b", "line\nbreak"],
      ]).decisions.map((decision) => (decision.accepted ? null : decision.refusal.message)),
    );
    expect(messages).toEqual([
      "The address a is already claimed by another participant of this campaign.",
      "A submitted address is already claimed by another participant of this campaign.",
      "The address a is already claimed by 3 participants of this campaign.",
      null,
    ]);
  });

  test("is looked at after every other reason", () => {
    const paused = stateWith(1, { a: 1, x: 1 });
    expect(codesOf(decideAll({ ...paused, campaign: { ...paused.campaign, status: "PAUSED" } }, [["u", "a"]]))).toEqual(
      ["CAMPAIGN_NOT_ACTIVE"],
    );
    expect(codesOf(decideAll(paused, [["u", "x"]]))).toEqual(["NO_QUALIFYING_WALLET"]);
  });

  test("any batch decides as its submissions would one by one, and no wallet has more claims than the limit", () => {
    const named = fc
      .tuple(fc.constantFrom("u", "v", "w", "x"), fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }))
      .map(([user, names]): Named => [user, ...names]);
    fc.assert(
      fc.property(fc.array(named, { maxLength: 12 }), fc.integer({ min: 1, max: 3 }), (batch, limit) => {
        const holders = new Map(NAMES.map((name) => [name, new Set<string>()]));
        const expected = batch.map(([user, ...names]) => {
          const isTaken = names.some((name) => {
            const users = holders.get(name) as Set<string>;
            return !users.has(user) && users.size >= limit;
          });
          if (isTaken) return "WALLET_CLAIMED";
          for (const name of names) holders.get(name)?.add(user);
          return null;
        });
        const decided = decideAll(stateWith(limit), batch);
        expect(codesOf(decided)).toEqual(expected);
        expect(decided.wallets).toHaveLength([...holders.values()].reduce((sum, { size }) => sum + size, 0));
      }),
    );
  });
});

describe("a minimum deposit", () => {
  test("is named in the refusal, beside a mistyped address", () => {
    const state = stateWith(null);
    const campaign = { ...state.campaign, minimumDepositMicros: 50_000_000n };
    const { decisions } = decideAll({ ...state, campaign }, [
      ["u", "0x52908400098527886E0F7030069857D2E4169EE7"],
      ["v", "0x123"],
    ]);
    const messages = decisions.map((decision) => (decision.accepted ? null : decision.refusal.message));
    expect(messages[0]).toBe(
      "No submitted wallet has a qualifying deposit in the campaign window. A deposit counts from 50.00 USD on.",
    );
    expect(messages[1]).toMatch(/from 50\.00 USD on\. The address 0x123 .+\.$/);
  });
});
