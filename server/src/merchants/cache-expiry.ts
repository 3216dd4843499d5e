import { setTimeout as pause } from "node:timers/promises";
import { MERCHANT_CACHE_MARGIN_MS, MERCHANT_CACHE_MS } from "../limits.ts";

/**
 * Waits until no process can still have the merchant in its cache as it was before the last commit. A key swap and a
 * suspension are answered only after this wait, even when they changed nothing: an earlier call may have committed just now.
 */
export function waitForCaches(): Promise<void> {
  return pause(MERCHANT_CACHE_MS + MERCHANT_CACHE_MARGIN_MS);
}
