import { LOCK_KINDS, lockOne } from "../db/locks.ts";
import type { Queryable } from "../db/pool.ts";

/**
 * Every change of who has a public key locks the key first and reads in later statements. So an application, an approval and a
 * swap that race for one key each see what the one before did. Two keys may share a number; then they wait for each other.
 */
export async function lockKeys(transaction: Queryable, points: readonly Buffer[]): Promise<void> {
  const numbers = new Set(points.map((point) => point.readInt32BE(point.length - 4)));
  // Always in the same order, so that two swaps of the same two keys cannot deadlock.
  for (const number of [...numbers].sort((one, other) => one - other)) {
    await lockOne(transaction, LOCK_KINDS.publicKey, number);
  }
}
