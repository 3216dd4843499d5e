import { createHmac } from "node:crypto";
import { LOCK_KEYS, tryLock } from "../db/locks.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { AUDIT_VERIFICATION_DURATION_MAX_MS } from "../limits.ts";
import { type AuditRow, findAuditHead, insertAuditRow, listAuditRowsAfter, lockAuditHead } from "./queries.ts";

/** Who made a change, and through which request. */
export interface Actor {
  readonly name: string;
  readonly requestId: string | null;
}

export interface AuditEntry {
  readonly actor: Actor;
  readonly action: string;
  /** What was changed: an id, or a name where there is no id. */
  readonly subject: string;
  readonly merchantId: string | null;
  readonly detail: Record<string, unknown>;
  readonly date: Date;
}

export interface AuditVerdict {
  readonly ok: boolean;
  readonly rows: number;
  /** Where the chain breaks first, and how. */
  readonly problem: string | null;
  /** The last row's MAC: noted elsewhere, it also shows a chain that was cut short. */
  readonly head: string;
}

export type Audit = ReturnType<typeof createAudit>;

/** The append-only log of operator changes, chained by MACs so that an edited, removed or invented row shows. */
export function createAudit(key: Buffer) {
  const macOf = (previous: Buffer, row: Omit<AuditRow, "mac">) =>
    createHmac("sha256", key)
      .update(
        JSON.stringify([
          previous.toString("hex"),
          row.position,
          row.date.toISOString(),
          row.actor,
          row.action,
          row.subject,
          row.merchant_id,
          row.detail,
          row.request_id,
        ]),
      )
      .digest();

  return {
    /** To be called last in the transaction of the change: every operator waits here for the end of the chain. */
    async record(transaction: Queryable, entry: AuditEntry): Promise<void> {
      const head = await lockAuditHead(transaction);
      const row = {
        position: head.position + 1,
        date: entry.date,
        actor: entry.actor.name,
        action: entry.action,
        subject: entry.subject,
        merchant_id: entry.merchantId,
        detail: JSON.stringify(entry.detail),
        request_id: entry.actor.requestId,
      };
      await insertAuditRow(transaction, { ...row, mac: macOf(head.mac, row) });
    },

    /**
     * Recomputes the whole chain in one snapshot. `alone`: refused while another such run is under way, anywhere, and given
     * up when it takes too long.
     */
    verify: (
      db: Database,
      { alone = false, durationMaxMs = AUDIT_VERIFICATION_DURATION_MAX_MS } = {},
    ): Promise<AuditVerdict> =>
      db.transaction(
        async (transaction) => {
          const endMs = performance.now() + durationMaxMs;
          if (alone && !(await tryLock(transaction, LOCK_KEYS.auditVerification))) {
            fail("OVERLOADED", "The audit log is being verified already. Retry when that run is done.");
          }
          const head = await findAuditHead(transaction);
          let previous: Buffer = Buffer.alloc(0);
          let position = 0;
          const verdict = (problem: string | null) => ({
            ok: problem === null,
            rows: position,
            problem,
            head: previous.toString("hex"),
          });
          for (;;) {
            const rows = await listAuditRowsAfter(transaction, position === 0 ? null : position);
            for (const row of rows) {
              if (row.position !== position + 1) return verdict(`Row ${position + 1} is missing.`);
              if (!macOf(previous, row).equals(row.mac)) return verdict(`Row ${row.position} was changed or invented.`);
              previous = row.mac;
              position = row.position;
            }
            if (rows.length === 0) break;
            if (alone && performance.now() >= endMs) {
              fail(
                "OVERLOADED",
                "The audit log is too long to be verified while you wait. Use matchbook-server audit verify.",
              );
            }
          }
          if (position !== head.position || !previous.equals(head.mac)) {
            return verdict(`The chain ends at row ${position}, but row ${head.position} was written.`);
          }
          return verdict(null);
        },
        { isolation: "repeatable read" },
      ),
  };
}
