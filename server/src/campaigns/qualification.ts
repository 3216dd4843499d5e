// A wallet qualifies for a campaign by its earliest completed deposit in the window, both ends included. Nothing else sets
// it: `qualified_wallets` always equals what the deposits say.
//
// Two races are closed here. A campaign that comes into being while deposits arrive: ingest holds the merchant's guard
// `for share`, creation and window changes hold it `for update`, so one of the two sees the other's work. And two
// ingests that touch one wallet: each first takes the wallet's rows, waiting for the other, and only a later statement,
// with a snapshot of its own, reads the deposits that decide.
import type { Queryable } from "../db/pool.ts";
import { WALLETS_PER_DERIVATION } from "../limits.ts";
import type { WalletKey } from "./participant.ts";
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
} from "./qualification-queries.ts";

/**
 * Brings the qualification of these wallets up to date in all of the merchant's campaigns. To be called after the deposits
 * were written, in their transaction, which holds the merchant's guard. Rows are taken in order, so that two calls do not
 * wait for each other in a circle.
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
  const moved = wrong.filter(({ derived }) => derived !== null);
  if (moved.length > 0) await upsertQualified(transaction, merchantId, moved);
  for (const row of wrong) if (row.derived === null) await deleteQualified(transaction, merchantId, row);
}

function isRight({ stored, derived }: Qualified): boolean {
  return derived !== null && stored.address === derived.address && stored.date.getTime() === derived.date.getTime();
}

/**
 * Derives a whole campaign, when it comes into being over existing deposits or its window changes. The caller holds the
 * merchant's guard `for update`, so no deposit of the merchant moves meanwhile. It goes from wallet to wallet along the
 * index of completed deposits: the time depends on how many wallets there are, not on how often each deposited. Where the
 * window has only grown, nobody loses a qualification and what is there is kept.
 */
export async function deriveCampaignQualification(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
  { hasOnlyGrown }: { hasOnlyGrown: boolean },
): Promise<void> {
  if (!hasOnlyGrown) await deleteCampaignQualified(transaction, merchantId, campaignId);
  // No address is empty, so this stands before every wallet.
  let last: WalletKey | undefined = { addressKey: "", chainId: 0 };
  while (last !== undefined) {
    const wallets: WalletKey[] = await listDepositWallets(transaction, merchantId, last, WALLETS_PER_DERIVATION);
    if (wallets.length > 0) await deriveQualified(transaction, merchantId, campaignId, wallets);
    last = wallets.length < WALLETS_PER_DERIVATION ? undefined : wallets.at(-1);
  }
}
