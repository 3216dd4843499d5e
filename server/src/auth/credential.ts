// A credential is checked when a request's headers are read. It may end while the body is on its way or while the work
// waits for a lock, so whoever changes something asks again, with what is noted here.
import type { Queryable } from "../db/pool.ts";
import { AppError } from "../http/errors.ts";
import { findCredential, type StoredCredential } from "../merchants/queries.ts";

/** Who signed a request, and how. */
export interface Signer {
  readonly merchantId: string;
  /** The key that signed, as it is stored. */
  readonly publicKey: string;
  readonly isBound: boolean;
}

/** Why the merchant's stored credential does not let this signer in; null while it does. */
export function refusalOf(stored: StoredCredential | null, signer: Signer): AppError | null {
  if (stored === null) return new AppError("MERCHANT_NOT_REGISTERED");
  if (stored.status !== "ACTIVE") return new AppError("MERCHANT_NOT_ACTIVE");
  if (stored.publicKey !== signer.publicKey) return new AppError("MERCHANT_SIGNATURE_INVALID", KEY_SWAPPED);
  if (stored.requireBoundSignatures && !signer.isBound) {
    return new AppError("MERCHANT_SIGNATURE_INVALID", BOUND_REQUIRED);
  }
  return null;
}

/**
 * Throws the refusal of a signer whose credential has ended. To be called inside the transaction that changes something, in
 * a statement after its lock was taken. It is a plain read: a share lock on the merchant would make every change of it wait
 * for every submission. So a transaction that reads just before a suspension commits may commit just after it.
 */
export async function recheck(transaction: Queryable, signer: Signer): Promise<void> {
  const refusal = refusalOf(await findCredential(transaction, signer.merchantId), signer);
  if (refusal !== null) throw refusal;
}

const KEY_SWAPPED =
  "The key that signed this request was replaced before the request was carried out. Sign with the merchant's present key.";

const BOUND_REQUIRED =
  "This merchant requires bound signatures, and this header is not bound to its request. Add bind to the signed payload: " +
  "{ environment, merchantId, method, path, bodySha256 }. docs/authentication.md shows how; the SDK does it by default.";
