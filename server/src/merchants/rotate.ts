import { isUniqueViolation } from "../db/failures.ts";
import { fail } from "../http/errors.ts";
import type { Actor } from "../operators/audit.ts";
import { inForceEverywhere } from "./in-force.ts";
import { fingerprint, parsePublicKey } from "./public-key.ts";
import { lockMerchant, type Merchant, updateMerchant } from "./queries.ts";
import type { StandingDependencies } from "./standing.ts";

/** Swaps the key. The old one is dead once this returns. */
export async function rotate(
  { db, clock, audit }: StandingDependencies,
  merchantId: string,
  publicKeyText: string,
  actor: Actor,
): Promise<Merchant> {
  const publicKey = parsePublicKey(publicKeyText);
  const rotated = await db.transaction(async (transaction) => {
    const merchant = (await lockMerchant(transaction, merchantId)) ?? fail("MERCHANT_NOT_FOUND");
    if (merchant.status !== "ACTIVE" && merchant.status !== "SUSPENDED") {
      fail("MERCHANT_TRANSITION_INVALID", `The merchant is ${merchant.status}; only an approved one swaps its key.`);
    }
    if (merchant.publicKey === publicKey.pem) return merchant;
    const now = clock();
    const updated = await updateMerchant(transaction, merchantId, { publicKey }, now).catch((error: unknown) => {
      if (isUniqueViolation(error, "merchants_active_key")) fail("PUBLIC_KEY_IN_USE");
      throw error;
    });
    await audit.record(transaction, {
      actor,
      action: "merchant.rotate-key",
      subject: merchantId,
      merchantId,
      detail: { from: fingerprint(merchant.publicKey), to: fingerprint(publicKey.pem) },
      date: now,
    });
    return updated;
  });
  await inForceEverywhere();
  return rotated;
}
