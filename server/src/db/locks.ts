import type { Queryable } from "./pool.ts";

/** Work that runs once at a time over all processes. The numbers are arbitrary but fixed. */
export const LOCK_KEYS = {
  migration: 7_202_611,
  invariants: 7_202_612,
  auditVerification: 7_202_613,
  backgroundAudit: 7_202_615,
} as const;

/** Locks on one thing of a kind. The numbers are arbitrary but fixed. */
export const LOCK_KINDS = { publicKey: 7_202_614 } as const;

/** Waits for the lock on the thing with this number and holds it until the transaction ends. */
export async function lockOne(transaction: Queryable, kind: number, number: number): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock($1::integer, $2::integer)", [kind, number]);
}

/** Holds the lock until the transaction ends. False when another transaction has it. */
export async function tryLock(transaction: Queryable, key: number): Promise<boolean> {
  const [lock] = await transaction.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [key]);
  return lock?.taken === true;
}
