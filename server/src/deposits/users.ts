import { type Static, Type } from "typebox";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { type Cursors, pageQuery } from "../http/pagination.ts";
import { uuidOr } from "../http/path-ids.ts";
import { presentUser, presentWallet } from "./present.ts";
import { userFilters } from "./schemas.ts";
import { listUsers, listWalletsOfUser } from "./user-queries.ts";

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

export const UserWalletsQuery = Type.Object(pageQuery, { additionalProperties: false });

/** A page of all wallets of one user. */
export async function readUserWallets(
  { db, cursors }: { db: Queryable; cursors: Cursors },
  list: string,
  merchantId: string,
  userId: string,
  query: Static<typeof UserWalletsQuery>,
) {
  const id = uuidOr("USER_NOT_FOUND", userId);
  return cursors.readPage(query, {
    scope: [list, merchantId, id],
    list: async (after, count) => {
      const wallets = await listWalletsOfUser(db, merchantId, id, after, count);
      // Every user has a wallet.
      return wallets.length === 0 && after === null ? fail("USER_NOT_FOUND") : wallets;
    },
    positionOf: ({ addressKey, chainId }) => [addressKey, String(chainId)],
    present: presentWallet,
  });
}
