import type { Queryable } from "./pool.ts";

/** Work that runs once at a time over all processes. The numbers are arbitrary but fixed. */
export const LOCK_KEYS = { migration: 7_202_611, invariants: 7_202_612, auditVerification: 7_202_613 } as const;

/** Holds the lock until the transaction ends. False when another transaction has it. */
export async function tryLock(transaction: Queryable, key: number): Promise<boolean> {
  const [lock] = await transaction.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [key]);
  return lock?.taken === true;
}
