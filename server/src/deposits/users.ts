import { type Static, Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { type Cursors, pageQuery } from "../http/pagination.ts";
import { PAGE_LIMIT_DEFAULT } from "../limits.ts";
import { userFilters } from "./schemas.ts";
import { listUsers, listUsersOfWallet } from "./user-queries.ts";

export const UsersQuery = Type.Object({ ...pageQuery, ...userFilters }, { additionalProperties: false });

/** A merchant's users. `list` keeps the cursors of operators and merchants apart. */
export async function readUsers(
  { db, cursors }: { db: Queryable; cursors: Cursors },
  list: string,
  merchantId: string,
  query: Static<typeof UsersQuery>,
) {
  const { limit = PAGE_LIMIT_DEFAULT, cursor, embeddedWalletAddress: address, chainId = null } = query;
  if (address === undefined && chainId !== null) {
    fail("VALIDATION_ERROR", "chainId narrows embeddedWalletAddress and cannot be given without it.");
  }
  const scope = [list, merchantId, address?.toLowerCase() ?? null, chainId];
  const after = cursors.open(scope, cursor);
  const found =
    address === undefined
      ? await listUsers(db, merchantId, after, limit + 1)
      : await listUsersOfWallet(db, merchantId, { address, chainId }, after, limit + 1);
  return cursors.page(scope, found, limit, ({ userId }) => [userId]);
}
