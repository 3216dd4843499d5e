import { createHmac } from "node:crypto";
import type { Clock } from "../clock.ts";
import { LOCK_KEYS, tryLock } from "../db/locks.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import type { Keyring } from "../keyring.ts";
import { AUDIT_VERIFICATION_DURATION_MAX_MS } from "../limits.ts";
import {
  findAuditHead,
  findAuditMac,
  findBootstrapRow,
  insertAuditRow,
  listAuditRowsAfter,
  lockAuditHead,
} from "./queries.ts";
import type { AuditHead, AuditRow } from "./record.ts";

/** A change as a second person is shown it, before it is made. */
export interface Proposal {
  /** What would be changed: an id, or a name where there is no id. */
  readonly subject: string;
  readonly merchantId: string | null;
  /** In plain fields, `{ from, to }` where one changes, and without secrets. */
  readonly change: Readonly<Record<string, unknown>>;
  /** The money at stake, in the token's base units. Small amounts need no second person. */
  readonly amount?: { readonly chainId: number; readonly tokenAddress: string; readonly value: bigint };
}

/** Who made a change, and through which request. */
export interface Actor {
  readonly name: string;
  readonly requestId: string | null;
  /** The token behind it; null for the bootstrap token, for commands and for the service itself. */
  readonly tokenId?: string | null;
  /** Fails when the actor's credential has ended. Commands and the service itself have none. */
  readonly recheck?: (transaction: Queryable) => Promise<void>;
  /**
   * Called by a covered change when its checks have passed and its rows are locked, before it writes. It ends the transaction when
   * a second person is needed first. Commands and the service itself have none.
   */
  readonly review?: (transaction: Queryable, proposal: Proposal) => Promise<"approved" | "not needed">;
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

/** What every audited change needs. */
export interface ChangeDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

/** Rows that switch the bootstrap token off and on. The last of them counts. */
export const BOOTSTRAP_ACTIONS = { close: "bootstrap.close", open: "bootstrap.open" } as const;

export const SERVICE: Actor = { name: "matchbook-server", requestId: null };

/** The append-only log of operator changes, chained by MACs so that an edited, removed or added row is detected. */
export function createAudit(keyring: Keyring) {
  const signing = keyring.signing("audit");
  const active = keyring.active("audit");
  const keys = new Map(keyring.all("audit").map(({ version, key }) => [version, key]));

  const macOf = (key: Buffer, previous: Buffer, row: Omit<AuditRow, "mac" | "keyVersion">) =>
    createHmac("sha256", key)
      .update(
        JSON.stringify([
          previous.toString("hex"),
          row.position,
          row.date.toISOString(),
          row.actor,
          row.action,
          row.subject,
          row.merchantId,
          row.detail,
          row.requestId,
        ]),
      )
      .digest();

  const checkOf = (key: Buffer) => createHmac("sha256", key).update("key check").digest();

  /** A row under another secret than the service's would break the chain, so it is refused before it is written. */
  function assertSameSecret({ keyVersion, keyCheck }: AuditHead): void {
    const key = keys.get(keyVersion);
    if (keyCheck === null || key === undefined || checkOf(key).equals(keyCheck)) return;
    fail(
      "SERVICE_UNAVAILABLE",
      "MATCHBOOK_SECRET is not the one that the audit log was written with. Set the same value everywhere.",
    );
  }

  /** Versions never decrease along the chain. Otherwise an old key that leaked could still add rows. */
  function keyAfter(head: AuditHead) {
    assertSameSecret(head);
    if (head.keyVersion <= signing.version) return signing;
    return (
      active.find(({ version }) => version === head.keyVersion) ??
      fail(
        "SERVICE_UNAVAILABLE",
        "This process has an older MATCHBOOK_SECRET than the audit log. Restart it with the new value.",
      )
    );
  }

  async function append(transaction: Queryable, head: AuditHead, entry: AuditEntry): Promise<AuditHead> {
    const { version, key } = keyAfter(head);
    const row = {
      position: head.position + 1,
      date: entry.date,
      actor: entry.actor.name,
      action: entry.action,
      subject: entry.subject,
      merchantId: entry.merchantId,
      detail: JSON.stringify(entry.detail),
      requestId: entry.actor.requestId,
    };
    const mac = macOf(key, head.mac, row);
    const keyCheck = checkOf(key);
    await insertAuditRow(transaction, { ...row, mac, keyVersion: version }, keyCheck);
    return { position: row.position, mac, keyVersion: version, keyCheck };
  }

  /** The first row under a new version says so. From then on the rows before it cannot be rewritten with the old key. */
  async function seal(transaction: Queryable, date: Date): Promise<AuditHead> {
    const head = await lockAuditHead(transaction);
    const { version } = keyAfter(head);
    if (head.position === 0 || head.keyVersion === version) return head;
    const detail = { from: head.keyVersion, to: version };
    const subject = "MATCHBOOK_SECRET";
    return append(transaction, head, {
      actor: SERVICE,
      action: "secret.rotate",
      subject,
      merchantId: null,
      detail,
      date,
    });
  }

  /**
   * Locks the end of the chain until the transaction ends, and then checks the actor's credential, in a statement of its own
   * and so in a fresh snapshot. Ending a credential locks the end of the chain, too. So a change either commits before
   * the credential ends, or is refused.
   */
  async function hold(transaction: Queryable, actor: Actor, date: Date) {
    let head = await seal(transaction, date);
    await actor.recheck?.(transaction);
    return {
      async append(entry: Omit<AuditEntry, "actor" | "date">): Promise<void> {
        head = await append(transaction, head, { ...entry, actor, date });
      },
    };
  }

  return {
    hold,

    /** Call it last in the transaction of the change: all operators wait here for the lock on the end of the chain. */
    async record(transaction: Queryable, { actor, date, ...entry }: AuditEntry): Promise<void> {
      await (await hold(transaction, actor, date)).append(entry);
    },

    /** Called at start, so that a new version of the secret signs before the first change. */
    seal: async (transaction: Queryable, date: Date): Promise<void> => void (await seal(transaction, date)),

    /**
     * Whether the bootstrap token is switched off. The log itself says so: deleting the row that switched it off breaks
     * the chain, and a row that switches it on counts only with a valid MAC.
     */
    async isBootstrapClosed(db: Queryable): Promise<boolean> {
      const row = await findBootstrapRow(db);
      if (row === null) return false;
      const key = keys.get(row.keyVersion);
      if (row.action !== BOOTSTRAP_ACTIONS.open || key === undefined) return true;
      return row.keyVersion < row.previousKeyVersion || !macOf(key, row.previousMac, row).equals(row.mac);
    },

    /** Where the chain ends now. */
    async end(db: Queryable): Promise<{ position: number; mac: string }> {
      const { position, mac } = await findAuditHead(db);
      return { position, mac: mac.toString("hex") };
    },

    /** The MAC of a row; empty for position 0, null when there is no such row. */
    async macAt(db: Queryable, position: number): Promise<string | null> {
      return position === 0 ? "" : ((await findAuditMac(db, position))?.toString("hex") ?? null);
    },

    /**
     * Recomputes the whole chain in one snapshot. `alone`: refused while another such run is in progress in any process, and
     * stopped when it takes too long.
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
          let newest = 0;
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
              const key = keys.get(row.keyVersion);
              if (key === undefined) {
                return verdict(
                  `Row ${row.position} needs version ${row.keyVersion} of MATCHBOOK_SECRET, which is not set.`,
                );
              }
              if (row.keyVersion < newest) {
                return verdict(`Row ${row.position} was written with an older secret than the row before it.`);
              }
              if (!macOf(key, previous, row).equals(row.mac)) {
                return verdict(`Row ${row.position} was changed or invented.`);
              }
              newest = row.keyVersion;
              previous = row.mac;
              position = row.position;
            }
            if (rows.length === 0) break;
            if (alone && performance.now() >= endMs) {
              fail(
                "OVERLOADED",
                "The audit log is too long to be verified while you wait. Use npx @matchbook/server audit verify.",
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
