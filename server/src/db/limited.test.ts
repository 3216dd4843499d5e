import { expect, test } from "vitest";
import { limitConnections } from "./limited.ts";
import type { Database } from "./pool.ts";

test("no more than the given number of statements and transactions use a connection, in the order they came", async () => {
  let used = 0;
  let most = 0;
  const order: number[] = [];
  const work = async (number: number) => {
    most = Math.max(most, ++used);
    await new Promise((resolve) => setImmediate(resolve));
    used--;
    order.push(number);
    if (number % 5 === 0) throw new Error("failed");
    return [];
  };
  const db = {
    query: (_text: string, [number]: readonly number[]) => work(number ?? 0),
    transaction: (run: () => Promise<unknown>) => run(),
  } as unknown as Database;
  const limited = limitConnections(db, 2);
  const all = Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0 ? limited.query("", [n]) : limited.transaction(() => work(n)),
  );
  const results = await Promise.allSettled(all);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(4);
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
});
