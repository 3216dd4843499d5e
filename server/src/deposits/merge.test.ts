import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEvent, compareEvents, findConflict, overrule, STATUS_OF_STATE } from "./merge.ts";
import type { DepositStatus, StoredDeposit } from "./record.ts";

const base: StoredDeposit = {
  merchantId: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
  id: "dep_1",
  userId: "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10",
  status: "pending",
  amountMicros: 1_000_000n,
  chainId: 8453,
  tokenSymbol: "USDC",
  tokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
  createDate: new Date("2026-01-01T00:00:00.000Z"),
  updateDate: new Date("2026-01-01T00:00:00.000Z"),
  reportedStatus: null,
};

// Few values, so that equal times and equal contents are common.
const events = fc
  .record({
    status: fc.constantFrom<DepositStatus>("pending", "completed", "failed"),
    amountMicros: fc.bigInt({ min: 0n, max: 2n }),
    updateDate: fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms)),
  })
  .map((change): StoredDeposit => ({ ...base, ...change }));

const merge = (a: StoredDeposit, b: StoredDeposit) => applyEvent(a, b).deposit;

describe("merging events about one deposit", () => {
  test("does not depend on their order: it is commutative", () => {
    fc.assert(
      fc.property(events, events, (a, b) => {
        expect(merge(a, b)).toEqual(merge(b, a));
      }),
    );
  });

  test("does not depend on how they are batched: it is associative", () => {
    fc.assert(
      fc.property(events, events, events, (a, b, c) => {
        expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
      }),
    );
  });

  test("does not depend on how often one arrives: it is idempotent", () => {
    fc.assert(
      fc.property(events, (a) => {
        expect(merge(a, a)).toEqual(a);
      }),
    );
    fc.assert(
      fc.property(events, events, (a, b) => {
        expect(merge(merge(a, b), b)).toEqual(merge(a, b));
      }),
    );
  });

  test("distinguishes an update, a repeated event and a late event", () => {
    fc.assert(
      fc.property(events, events, (stored, event) => {
        const { deposit, outcome } = applyEvent(stored, event);
        if (outcome === "updated") expect(deposit).toEqual(event);
        else expect(deposit).toBe(stored);
        expect(outcome === "unchanged").toBe(compareEvents(stored, event) === 0);
      }),
    );
  });

  test.each([
    [
      "newer beats older, even pending over completed",
      { status: "pending", updateDate: new Date(2) },
      { status: "completed", updateDate: new Date(1) },
    ],
    ["completed beats failed at one time", { status: "completed" }, { status: "failed", amountMicros: 9n }],
    ["failed beats pending at one time", { status: "failed" }, { status: "pending", amountMicros: 9n }],
    ["the larger amount stands at one time and status", { amountMicros: 2n }, { amountMicros: 1n }],
  ] as const)("%s", (_name, winner, loser) => {
    expect(merge({ ...base, ...loser }, { ...base, ...winner })).toEqual({ ...base, ...winner });
    expect(merge({ ...base, ...winner }, { ...base, ...loser })).toEqual({ ...base, ...winner });
  });

  test("keeps the address as it was first spelled", () => {
    const lower = {
      ...base,
      walletAddress: base.walletAddress.toLowerCase(),
      updateDate: new Date(base.updateDate.getTime() + 1),
    };
    expect(findConflict(base, lower)).toBeNull();
    expect(applyEvent(base, lower)).toMatchObject({
      outcome: "updated",
      deposit: { walletAddress: base.walletAddress },
    });
  });
});

describe("an operator's word", () => {
  const statuses = fc.constantFrom<DepositStatus>("pending", "completed", "failed");

  test("is kept through all events before and after it, and taking it back leaves what the flow's events alone give", () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 1 }), fc.nat(), statuses, (all, at, status) => {
        const [first = base, ...others] = all;
        const place = at % all.length;
        let alone = first;
        let overruled = place === 0 ? overrule(first, status) : first;
        for (const [index, event] of others.entries()) {
          const merged = applyEvent(alone, event);
          const under = applyEvent(overruled, event);
          expect(under.outcome).toBe(merged.outcome);
          alone = merged.deposit;
          overruled = index + 1 === place ? overrule(under.deposit, status) : under.deposit;
        }
        expect(overruled).toEqual({ ...alone, status, reportedStatus: alone.status });
        expect(overrule(overruled, null)).toEqual(alone);
      }),
    );
  });

  test("said twice it changes nothing", () => {
    fc.assert(
      fc.property(events, statuses, (stored, status) => {
        const once = overrule(stored, status);
        expect(overrule(once, status)).toBe(once);
        expect(overrule(stored, null)).toBe(stored);
      }),
    );
  });
});

describe("what never changes", () => {
  test.each([
    ["payerId", { userId: "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a11" }],
    ["chainId", { chainId: 1 }],
    ["embeddedWalletAddress", { walletAddress: "0x52908400098527886E0F7030069857D2E4169EE8" }],
    ["token.symbol", { tokenSymbol: "USDT" }],
    ["token.address", { tokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" }],
    ["createDate", { createDate: new Date("2026-01-01T00:00:00.001Z") }],
  ])("%s", (field, change) => {
    expect(findConflict(base, { ...base, ...change })).toBe(field);
  });

  test("the case of a base58 address is part of it", () => {
    const solana = { ...base, walletAddress: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV" };
    expect(findConflict(solana, { ...solana, walletAddress: solana.walletAddress.toLowerCase() })).toBe(
      "embeddedWalletAddress",
    );
  });
});

test("every raw state has its status", () => {
  expect(STATUS_OF_STATE).toEqual({
    CREATED: "pending",
    REQUIRES_AUTHORIZATION: "pending",
    AUTHORIZED: "pending",
    PENDING: "pending",
    COMPLETED: "completed",
    FAILED: "failed",
    EXPIRED: "failed",
  });
});
