import { type Static, Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { type Cursors, pageQuery } from "../http/pagination.ts";
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
  const { embeddedWalletAddress: walletAddress = null, chainId = null } = query;
  if (walletAddress === null && chainId !== null) {
    fail("VALIDATION_ERROR", "chainId narrows embeddedWalletAddress and cannot be given without it.");
  }
  return cursors.readPage(query, {
    scope: [list, merchantId, walletAddress?.toLowerCase() ?? null, chainId],
    list: (after, count) => listUsers(db, merchantId, { walletAddress, chainId }, after, count),
    positionOf: ({ userId }) => [userId],
    present: presentUser,
  });
}
