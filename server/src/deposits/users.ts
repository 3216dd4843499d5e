import { type Static, Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { type Cursors, pageQuery } from "../http/pagination.ts";
import { PAGE_LIMIT_DEFAULT } from "../limits.ts";
import { presentUser } from "./present.ts";
import { userFilters } from "./schemas.ts";
import { listUsers } from "./user-queries.ts";

export const UsersQuery = Type.Object({ ...pageQuery, ...userFilters }, { additionalProperties: false });

/** A page of a merchant's users. `list` keeps the cursors of operators and merchants apart. */
export async function readUsers(
  { db, cursors }: { db: Queryable; cursors: Cursors },
  list: string,
  merchantId: string,
  query: Static<typeof UsersQuery>,
) {
  const { limit = PAGE_LIMIT_DEFAULT, cursor, embeddedWalletAddress: walletAddress = null, chainId = null } = query;
  if (walletAddress === null && chainId !== null) {
    fail("VALIDATION_ERROR", "chainId narrows embeddedWalletAddress and cannot be given without it.");
  }
  const scope = [list, merchantId, walletAddress?.toLowerCase() ?? null, chainId];
  const found = await listUsers(db, merchantId, { walletAddress, chainId }, cursors.open(scope, cursor), limit + 1);
  const page = cursors.page(scope, found, limit, ({ userId }) => [userId]);
  return { ...page, items: page.items.map(presentUser) };
}
