import type { Clock } from "../clock.ts";
import { LOCK_KEYS, tryLock } from "../db/locks.ts";
import type { Database } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { INVARIANTS_TIMEOUT_MS } from "../limits.ts";
import { checks } from "./invariant-checks.ts";

export interface Verdict {
  readonly ok: boolean;
  readonly checks: { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  readonly date: string;
}

const FIRST_MERCHANT = "00000000-0000-0000-0000-000000000000";
const LAST_MERCHANT = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Recomputes every rule in one snapshot, of one merchant or of all. */
export async function verifyInvariants(db: Database, clock: Clock, merchantId: string | null): Promise<Verdict> {
  return db.transaction(
    async (transaction) => {
      // Two runs at once would load the database too much.
      if (!(await tryLock(transaction, LOCK_KEYS.invariants))) {
        fail("OVERLOADED", "The invariants are being checked already. Retry when that run is done.");
      }
      const date = clock().toISOString();
      const range = [merchantId ?? FIRST_MERCHANT, merchantId ?? LAST_MERCHANT];
      const results = [];
      for (const { name, sql } of checks) {
        const [row] = await transaction.query<{ checked: number; wrong: number; example: string | null }>(sql, range);
        const { checked, wrong, example } = row ?? { checked: 0, wrong: 0, example: null };
        const detail = wrong === 0 ? `${checked} checked` : `${wrong} of ${checked} wrong, for example ${example}`;
        results.push({ name, ok: wrong === 0, detail });
      }
      return { ok: results.every(({ ok }) => ok), checks: results, date };
    },
    { isolation: "repeatable read", statementTimeoutMs: INVARIANTS_TIMEOUT_MS },
  );
}
