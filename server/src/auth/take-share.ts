import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { MerchantShares } from "../http/merchant-shares.ts";
import { isUuid } from "../http/path-ids.ts";
import { merchantOf } from "./authenticate.ts";
import type { MerchantCache } from "./merchant-cache.ts";

/** Every valid request of a merchant takes that merchant's share, and waits for its turn if it has to. */
export function takeShare(shares: MerchantShares) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const name = request.routeOptions.config.shareOf?.(request) ?? "requests";
    const ownMax = name === "requests" || name === "submissions" ? request.rateLimit?.[name] : undefined;
    shares[name].take(merchantOf(request), ownMax, request, reply, done);
  };
}

interface DepositsShareOptions {
  readonly shares: MerchantShares;
  readonly merchants: MerchantCache;
}

/**
 * For batches of deposits, which the hosted flow sends for all merchants with one token. A batch takes the share of the merchant
 * that most of its deposits belong to: turns by sender would let one merchant's batches hold up those of all others.
 */
export function takeDepositsShare({ shares, merchants }: DepositsShareOptions) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { deposits } = request.body as { deposits: readonly unknown[] };
    const merchantId = mostFrequent(deposits.flatMap(merchantIdOf));
    if (merchantId === undefined) {
      done();
      return;
    }
    merchants.find(merchantId).then(
      ({ stored }) => shares.deposits.take(merchantId, stored?.rateLimit?.depositBatches, request, reply, done),
      (error) => done(error ?? new Error("The merchant could not be read.")),
    );
  };
}

/** Of a partial batch, some items may be anything. */
function merchantIdOf(deposit: unknown): string[] {
  const { merchantId } = (deposit ?? {}) as { merchantId?: unknown };
  return typeof merchantId === "string" && isUuid(merchantId) ? [merchantId.toLowerCase()] : [];
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let [most] = values;
  for (const [value, count] of counts) if (count > (counts.get(most ?? "") ?? 0)) most = value;
  return most;
}
