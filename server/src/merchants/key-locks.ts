import { LOCK_KINDS, lockOne } from "../db/locks.ts";
import type { Queryable } from "../db/pool.ts";

/**
 * Whoever gives a public key to somebody or takes it away locks it first and reads in later statements, so that of an
 * application, an approval and a swap that race for one key, each sees what the one before it did. Two keys may share a
 * number; then they wait for each other for a moment.
 */
export async function lockKeys(transaction: Queryable, points: readonly Buffer[]): Promise<void> {
  const numbers = new Set(points.map((point) => point.readInt32BE(point.length - 4)));
  // In one order, so that two swaps of the same two keys do not wait for each other.
  for (const number of [...numbers].sort((one, other) => one - other)) {
    await lockOne(transaction, LOCK_KINDS.publicKey, number);
  }
}
