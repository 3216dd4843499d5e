import { setTimeout as pause } from "node:timers/promises";
import { MERCHANT_CACHE_MARGIN_MS, MERCHANT_CACHE_MS } from "../limits.ts";

/**
 * Waits until no process can still remember a merchant as it was before the last commit. A swap and a suspension are
 * answered only after this, also when they found the work done: an earlier call may have committed a moment ago.
 */
export function inForceEverywhere(): Promise<void> {
  return pause(MERCHANT_CACHE_MS + MERCHANT_CACHE_MARGIN_MS);
}
