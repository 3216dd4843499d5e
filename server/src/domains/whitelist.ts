import type { Queryable } from "../db/pool.ts";
import { originsOf } from "./origins.ts";
import { insertDomain } from "./queries.ts";

/** The domain a merchant registered with is whitelisted by its approval and takes none of its slots. */
export async function whitelistPrimaryDomain(
  transaction: Queryable,
  merchantId: string,
  domain: string,
  now: Date,
): Promise<void> {
  await insertDomain(transaction, { merchantId, domain, isPrimary: true, origins: originsOf(domain) }, now);
}
