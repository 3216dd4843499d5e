// A wallet qualifies for a campaign by its earliest completed deposit in the window, both ends included. Nothing else sets
// it: `qualified_wallets` always equals what the deposits say.
//
// Two races are prevented here. A campaign is created while deposits arrive: ingest holds the merchant's guard `for share`,
// creation and window changes hold it `for update`, so one of the two sees the rows of the other. Two ingests change the
// same wallet: each first locks the wallet's rows, and only a later statement, with a new snapshot, reads the deposits.
import type { Queryable } from "../db/pool.ts";
import { WALLETS_PER_DERIVATION } from "../limits.ts";

import {
  deleteCampaignQualified,
  deleteQualified,
  deriveQualified,
  insertOrLockQualified,
  listDepositWallets,
  listQualified,
  lockQualified,
  type Qualified,
  upsertQualified,
} from "./queries.ts";
import type { WalletKey } from "./record.ts";

/**
 * Updates the qualification of these wallets in all of the merchant's campaigns. Call it after the deposits are written, in
 * their transaction, which holds the merchant's guard. Rows are locked in order, so that two calls cannot deadlock.
 */
export async function deriveQualification(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  if (wallets.length === 0) return;
  await insertOrLockQualified(transaction, merchantId, wallets);
  await lockQualified(transaction, merchantId, wallets);
  const wrong = (await listQualified(transaction, merchantId, wallets)).filter((row) => !isRight(row));
  const moved = wrong.filter(({ derivedDate }) => derivedDate !== null);
  if (moved.length > 0) await upsertQualified(transaction, merchantId, moved);
  for (const row of wrong) if (row.derivedDate === null) await deleteQualified(transaction, merchantId, row);
}

function isRight({ address, date, derivedAddress, derivedDate }: Qualified): boolean {
  return address === derivedAddress && date.getTime() === derivedDate?.getTime();
}

/**
 * Derives the qualification of a whole campaign when it is created or its window changes. The caller holds the merchant's
 * guard `for update`, so no deposit of the merchant changes meanwhile. It walks from wallet to wallet along the index of
 * completed deposits: the time depends on the number of wallets, not of deposits. If the window has only grown, every
 * existing row stays valid and is kept.
 */
export async function deriveCampaignQualification(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
  { hasOnlyGrown }: { hasOnlyGrown: boolean },
): Promise<void> {
  if (!hasOnlyGrown) await deleteCampaignQualified(transaction, merchantId, campaignId);
  // No address is empty, so this sorts before every wallet.
  let last: WalletKey | undefined = { addressKey: "", chainId: 0 };
  while (last !== undefined) {
    const wallets: WalletKey[] = await listDepositWallets(transaction, merchantId, last, WALLETS_PER_DERIVATION);
    if (wallets.length > 0) await deriveQualified(transaction, merchantId, campaignId, wallets);
    last = wallets.length < WALLETS_PER_DERIVATION ? undefined : wallets.at(-1);
  }
}
