import type { Actor } from "../audit/audit.ts";
import { isUniqueViolation } from "../db/failures.ts";
import { fail } from "../http/errors.ts";
import { enqueueMail } from "../outbox/mail.ts";
import { keySwapMail } from "./account-mails.ts";
import { lockKeys } from "./key-locks.ts";
import { fingerprint, parsePublicKey } from "./public-key.ts";
import { deleteRetiredKey, isRetired, lockMerchant, retireKey, updateMerchant } from "./queries.ts";
import type { Merchant } from "./record.ts";
import type { MerchantDependencies } from "./suspension.ts";

export interface Rotation {
  readonly publicKey: string;
  /** Whether a key that was swapped out before may be used again. */
  readonly allowRetired?: boolean;
  readonly reason?: string;
}

/** Swaps the key. The old one is retired for every merchant, and stops working everywhere once the caches have ended. */
export async function rotate(
  { db, clock, audit, mailsMerchants }: MerchantDependencies,
  merchantId: string,
  rotation: Rotation,
  actor: Actor,
): Promise<Merchant> {
  const publicKey = parsePublicKey(rotation.publicKey);
  return db.transaction(async (transaction) => {
    const merchant = (await lockMerchant(transaction, merchantId)) ?? fail("MERCHANT_NOT_FOUND");
    if (merchant.status !== "ACTIVE" && merchant.status !== "SUSPENDED") {
      fail("MERCHANT_TRANSITION_INVALID", `The merchant is ${merchant.status}; only an approved one swaps its key.`);
    }
    if (merchant.publicKey === publicKey.pem) return merchant;
    const now = clock();
    await lockKeys(transaction, [parsePublicKey(merchant.publicKey).point, publicKey.point]);
    const wasRetired =
      rotation.allowRetired === true
        ? await deleteRetiredKey(transaction, publicKey.point)
        : await isRetired(transaction, publicKey.point);
    if (wasRetired && rotation.allowRetired !== true) fail("PUBLIC_KEY_RETIRED");
    const [from, to] = [fingerprint(merchant.publicKey), fingerprint(publicKey.pem)];
    const change = {
      publicKey: { from, to },
      ...(wasRetired && { allowRetired: true }),
      reason: rotation.reason,
    };
    await actor.review?.(transaction, { subject: merchantId, merchantId, change });
    await retireKey(transaction, merchantId, now);
    const updated = await updateMerchant(transaction, merchantId, { publicKey }, now).catch((error: unknown) => {
      if (isUniqueViolation(error, "merchants_active_key")) fail("PUBLIC_KEY_IN_USE");
      throw error;
    });
    if (mailsMerchants) await enqueueMail(transaction, keySwapMail(updated, from, to), now);
    await audit.record(transaction, {
      actor,
      action: "merchant.rotate-key",
      subject: merchantId,
      merchantId,
      detail: { from, to, ...(wasRetired && { allowRetired: true }), reason: rotation.reason },
      date: now,
    });
    return updated;
  });
}
