import { client } from "../api/client.ts";

// Names that many places on a page ask for at the same time are read with one request for up to a hundred merchants.

const NAMES_MAX = 100;
const WAIT_MS = 5;

interface Waiting {
  readonly resolve: (name: string | null) => void;
  readonly reject: (error: unknown) => void;
}

let waiting = new Map<string, Waiting[]>();

/** The merchant's display name; null if there is no such merchant. */
export function loadMerchantName(merchantId: string): Promise<string | null> {
  if (waiting.size === 0) setTimeout(loadAll, WAIT_MS);
  return new Promise((resolve, reject) => {
    waiting.set(merchantId, [...(waiting.get(merchantId) ?? []), { resolve, reject }]);
  });
}

function loadAll(): void {
  const all = [...waiting];
  waiting = new Map();
  for (let start = 0; start < all.length; start += NAMES_MAX) loadSome(all.slice(start, start + NAMES_MAX));
}

async function loadSome(some: readonly (readonly [string, readonly Waiting[]])[]): Promise<void> {
  try {
    const query = { id: some.map(([merchantId]) => merchantId) };
    const { data, error } = await client.GET("/operator/v1/merchants", { params: { query } });
    if (data === undefined) throw error;
    const names = new Map(data.items.map(({ merchantId, displayName }) => [merchantId, displayName]));
    for (const [merchantId, callers] of some) {
      for (const { resolve } of callers) resolve(names.get(merchantId) ?? null);
    }
  } catch (error) {
    for (const [, callers] of some) for (const { reject } of callers) reject(error);
  }
}
