import { fingerprint } from "./public-key.ts";
import type { Merchant } from "./record.ts";

export function presentMerchant(merchant: Merchant) {
  return {
    ...merchant,
    keyFingerprint: fingerprint(merchant.publicKey),
    createDate: merchant.createDate.toISOString(),
    updateDate: merchant.updateDate.toISOString(),
  };
}
