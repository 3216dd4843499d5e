import type { KeyObject } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Queryable } from "../db/pool.ts";
import { MERCHANT_CACHE_MS, MERCHANTS_CACHED_MAX } from "../limits.ts";
import { keyObject } from "../merchants/public-key.ts";
import { findCredential } from "../merchants/queries.ts";

export type Credential =
  | { readonly standing: "unknown" | "inactive" }
  | { readonly standing: "active"; readonly publicKey: KeyObject };

interface Entry {
  readonly credential: Credential;
  readonly pem: string;
  /** Monotonic time from before the read: what was read is at least as new as this. */
  readonly readAtMs: number;
}

export type MerchantCache = ReturnType<typeof createMerchantCache>;

/**
 * An active merchant's key is remembered for at most MERCHANT_CACHE_MS, counted from before it was read. A swap or a
 * suspension commits, waits that long, and only then is answered, so no process anywhere can still be using the old key
 * when the operator reads the answer. Nobody else is remembered: an approval is in force at once.
 */
export function createMerchantCache(db: Queryable) {
  const entries = new Map<string, Entry>();
  const reads = new Map<string, Promise<Entry>>();

  async function read(merchantId: string): Promise<Entry> {
    const readAtMs = performance.now();
    const row = await findCredential(db, merchantId);
    if (row?.status !== "ACTIVE") {
      entries.delete(merchantId);
      return { credential: { standing: row === null ? "unknown" : "inactive" }, pem: "", readAtMs };
    }
    // Parsing a key costs more than verifying with it, so one that has not changed is parsed once.
    const known = entries.get(merchantId);
    const credential: Credential =
      known?.pem === row.publicKey ? known.credential : { standing: "active", publicKey: keyObject(row.publicKey) };
    const entry = { credential, pem: row.publicKey, readAtMs };
    if (entries.size >= MERCHANTS_CACHED_MAX) entries.clear();
    entries.set(merchantId, entry);
    return entry;
  }

  function readTogether(merchantId: string): Promise<Entry> {
    const underWay = reads.get(merchantId);
    if (underWay !== undefined) return underWay;
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
