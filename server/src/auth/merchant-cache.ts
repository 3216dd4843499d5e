import type { KeyObject } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Queryable } from "../db/pool.ts";
import { MERCHANT_CACHE_MS, MERCHANTS_CACHED_MAX } from "../limits.ts";
import { keyObject } from "../merchants/public-key.ts";
import { findCredential } from "../merchants/queries.ts";
import type { RememberedMerchant } from "../merchants/record.ts";

export interface Credential {
  /** null: no such merchant. */
  readonly stored: RememberedMerchant | null;
  /** The stored key, ready to verify with; null unless the merchant is active. */
  readonly key: KeyObject | null;
}

interface Entry {
  readonly credential: Credential;
  /** Monotonic time from before the read: what was read is at least as new as this. */
  readonly readAtMs: number;
}

export type MerchantCache = ReturnType<typeof createMerchantCache>;

/**
 * An active merchant's credential is remembered for at most MERCHANT_CACHE_MS, counted from before it was read. A swap or a
 * suspension commits, waits that long, and only then is answered, so no process can still use the old key when the
 * operator reads the answer. Merchants that are not active are not cached, so an approval takes effect immediately.
 */
export function createMerchantCache(db: Queryable) {
  const entries = new Map<string, Entry>();
  const reads = new Map<string, Promise<Entry>>();

  async function read(merchantId: string): Promise<Entry> {
    const readAtMs = performance.now();
    const stored = await findCredential(db, merchantId);
    if (stored?.status !== "ACTIVE") {
      entries.delete(merchantId);
      return { credential: { stored, key: null }, readAtMs };
    }
    // Parsing a key costs more than verifying with it, so one that has not changed is parsed once.
    const known = entries.get(merchantId)?.credential;
    const key = known?.stored?.publicKey === stored.publicKey ? known.key : keyObject(stored.publicKey);
    const entry = { credential: { stored, key }, readAtMs };
    if (entries.size >= MERCHANTS_CACHED_MAX) entries.clear();
    entries.set(merchantId, entry);
    return entry;
  }

  function readTogether(merchantId: string): Promise<Entry> {
    const running = reads.get(merchantId);
    if (running !== undefined) return running;
    const started = read(merchantId).finally(() => reads.delete(merchantId));
    reads.set(merchantId, started);
    return started;
  }

  return {
    /** The credential without waiting, while it is fresh. */
    fresh(merchantId: string): Credential | null {
      const entry = entries.get(merchantId);
      return entry !== undefined && isFresh(entry) ? entry.credential : null;
    },

    /** Whether this merchant was active when it was last read, however long ago. */
    remembers: (merchantId: string): boolean => entries.has(merchantId),

    async find(merchantId: string): Promise<Credential> {
      const shared = await readTogether(merchantId);
      // A read that began before we asked and took too long may be older than an answer already given. It has ended, so the
      // next began after we asked.
      return isFresh(shared) ? shared.credential : (await readTogether(merchantId)).credential;
    },
  };
}

function isFresh(entry: Entry): boolean {
  return performance.now() - entry.readAtMs <= MERCHANT_CACHE_MS;
}
