import { generateKeyPairSync } from "node:crypto";
import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MERCHANT_CACHE_MS, MERCHANTS_CACHED_MAX } from "../limits.ts";
import { createMerchantCache } from "./merchant-cache.ts";

const ID = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";

let nowMs: number;
beforeEach(() => {
  nowMs = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => vi.restoreAllMocks());

function pem(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return publicKey.export({ type: "spki", format: "pem" }) as string;
}

/** A cache over a database that answers, with what `answer` is told, only when it is told. */
function start() {
  const waiting: ((rows: object[]) => void)[] = [];
  const query = vi.fn(() => new Promise<object[]>((resolve) => waiting.push(resolve)));
  const cache = createMerchantCache({ query } as never);
  const answer = (...rows: object[]) => waiting.shift()?.(rows);
  const active = (publicKey: string) => answer({ status: "ACTIVE", public_key: publicKey });
  return { cache, query, answer, active };
}

describe("an active merchant's key", () => {
  test("is remembered for half a second from before it was read, and no longer", async () => {
    const { cache, active } = start();
    const found = cache.find(ID);
    nowMs += MERCHANT_CACHE_MS - 100; // The database takes its time.
    active(pem());
    const credential = await found;
    expect(cache.fresh(ID)).toBe(credential);
    nowMs += 100;
    expect(cache.fresh(ID)).toBe(credential);
    nowMs += 1;
    expect(cache.fresh(ID)).toBeNull();
  });

  test("is parsed once while it stays the same, and anew when it was swapped", async () => {
    const { cache, active } = start();
    const [before, after] = [pem(), pem()];
    const credentials = [];
    for (const key of [before, before, after]) {
      const found = cache.find(ID);
      active(key);
      credentials.push(await found);
    }
    expect(credentials[1]?.key).toBe(credentials[0]?.key);
    expect(credentials[2]?.key).not.toBe(credentials[0]?.key);
    expect(credentials[2]).toMatchObject({ stored: { status: "ACTIVE", publicKey: after } });
  });

  test("is read once for all who ask meanwhile", async () => {
    const { cache, query, active } = start();
    const found = Array.from({ length: 50 }, () => cache.find(ID));
    active(pem());
    expect(new Set(await Promise.all(found)).size).toBe(1);
    expect(query).toHaveBeenCalledTimes(1);
  });

  test("is read again, once, for all who shared a read that took too long", async () => {
    const { cache, query, active } = start();
    const [before, after] = [pem(), pem()];
    const found = Array.from({ length: 50 }, () => cache.find(ID));
    nowMs += MERCHANT_CACHE_MS + 1;
    active(before);
    await vi.waitFor(() => expect(query).toHaveBeenCalledTimes(2));
    active(after);
    const credentials = new Set(await Promise.all(found));
    expect(credentials).toEqual(new Set([cache.fresh(ID)]));
    expect(query).toHaveBeenCalledTimes(2);
  });

  test("is one of at most 10,000", async () => {
    const { cache, active } = start();
    const key = pem();
    const remember = async (id: string) => {
      const found = cache.find(id);
      active(key);
      await found;
    };
    for (let count = 0; count < MERCHANTS_CACHED_MAX; count++) await remember(`merchant-${count}`);
    expect(cache.fresh("merchant-0")).not.toBeNull();
    await remember("one more");
    expect(cache.fresh("one more")).not.toBeNull();
    expect(cache.fresh("merchant-0")).toBeNull();
  });
});

test("nobody else is remembered", async () => {
  const { cache, answer, active } = start();
  for (const [row, stored] of [
    [[], null],
    [[{ status: "SUSPENDED", public_key: pem() }], { status: "SUSPENDED" }],
  ] as const) {
    const first = cache.find(ID);
    active(pem());
    await first;
    const found = cache.find(ID);
    answer(...row);
    expect(await found).toMatchObject({ stored, key: null });
    expect(cache.fresh(ID)).toBeNull();
  }
});

test("a read that fails is not remembered either", async () => {
  let fails = true;
  const cache = createMerchantCache({
    query: async () => {
      if (fails) throw new Error("gone");
      return [{ status: "ACTIVE", public_key: pem() }];
    },
  } as never);
  await expect(cache.find(ID)).rejects.toThrow("gone");
  fails = false;
  expect(await cache.find(ID)).toMatchObject({ stored: { status: "ACTIVE" } });
});
