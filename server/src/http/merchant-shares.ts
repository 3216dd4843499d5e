import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { MerchantLimits } from "../config.ts";
import {
  AUTHENTICATED_REQUESTS_MAX,
  CHANGE_WAIT_MAX_MS,
  DEPOSIT_BATCHES_WAITING_MAX,
  DOMAIN_CALLS_PER_MERCHANT_MAX,
  READ_WAIT_MAX_MS,
  REQUESTS_WAITING_MAX,
  SHARE_RETRY_AFTER_SECONDS,
  SUBMISSIONS_RUNNING_MAX,
  SUBMISSIONS_RUNNING_PER_MERCHANT_MAX,
  SUBMISSIONS_WAITING_MAX,
} from "../limits.ts";
import { AppError } from "./errors.ts";
import type { Metrics } from "./metrics.ts";
import { rateLimitFields } from "./rate-limit-fields.ts";
import { createShares, type SharesOptions } from "./shares.ts";

export type ShareName = "requests" | "submissions" | "domains" | "deposits";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The share that a request of this route takes. Without it: `requests`. */
    shareOf?: (request: FastifyRequest) => ShareName;
  }
}

export interface MerchantSharesOptions {
  /** The connections of this process that serve merchants and deposits. */
  readonly connections: number;
  /** For merchants without limits of their own. */
  readonly limits: MerchantLimits;
  readonly metrics: Metrics;
}

interface Kind extends SharesOptions {
  readonly inProgressMax: number;
  readonly waitMaxMs: number;
}

export type MerchantShares = ReturnType<typeof createMerchantShares>;

/** Each merchant's share of this process. What a request holds while it runs decides which share it takes. */
export function createMerchantShares({ connections, limits, metrics }: MerchantSharesOptions) {
  const atLeastOne = (count: number) => Math.max(1, Math.floor(count));
  const shares = {
    // One connection each. One merchant gets half of them.
    requests: openShare("requests", {
      runningMax: connections,
      runningPerMerchantMax: atLeastOne(connections / 2),
      waitingMax: REQUESTS_WAITING_MAX,
      inProgressMax: limits.requests,
      waitMaxMs: READ_WAIT_MAX_MS,
    }),
    // No connection, but room in the batches of the submission engine.
    submissions: openShare("submissions", {
      runningMax: SUBMISSIONS_RUNNING_MAX,
      runningPerMerchantMax: SUBMISSIONS_RUNNING_PER_MERCHANT_MAX,
      waitingMax: SUBMISSIONS_WAITING_MAX,
      inProgressMax: limits.submissions,
      waitMaxMs: CHANGE_WAIT_MAX_MS,
    }),
    // No connection most of the time: they wait for the registry, which may be slow. So they have no turns, only a limit.
    domains: openShare("domains", {
      runningMax: AUTHENTICATED_REQUESTS_MAX,
      runningPerMerchantMax: DOMAIN_CALLS_PER_MERCHANT_MAX,
      waitingMax: 0,
      inProgressMax: DOMAIN_CALLS_PER_MERCHANT_MAX,
      waitMaxMs: 0,
    }),
    // One connection each, for long, and much of the process's time. So all of them get a third, and one merchant one.
    deposits: openShare("deposits", {
      runningMax: atLeastOne(connections / 3),
      runningPerMerchantMax: 1,
      waitingMax: DEPOSIT_BATCHES_WAITING_MAX,
      inProgressMax: limits.depositBatches,
      waitMaxMs: CHANGE_WAIT_MAX_MS,
    }),
  } as const satisfies Record<ShareName, unknown>;

  const figure = (read: (counts: { waiting: number; atLimit: number }) => number) =>
    Object.fromEntries(Object.entries(shares).map(([name, { counts }]) => [name, () => read(counts())]));
  metrics.gaugeByShare(
    "matchbook_share_waiting",
    "Requests that wait for their turn, by share.",
    figure(({ waiting }) => waiting),
  );
  metrics.gaugeByShare(
    "matchbook_share_merchants_at_limit",
    "Merchants whose next request has to wait, by share.",
    figure(({ atLimit }) => atLimit),
  );

  function openShare(name: ShareName, { inProgressMax, waitMaxMs, ...sizes }: Kind) {
    const share = createShares(sizes);

    function refuse(isOwnFault: boolean, max: number): AppError {
      if (!isOwnFault) {
        metrics.shed.inc({ listener: name === "deposits" ? "operator" : "public", limit: name });
        return new AppError("OVERLOADED");
      }
      metrics.rateLimited.inc({ share: name });
      const fields = rateLimitFields({ name, quota: max }, SHARE_RETRY_AFTER_SECONDS);
      return new AppError("RATE_LIMITED", describe(name, max), fields);
    }

    function wait(merchantId: string, max: number, request: FastifyRequest, reply: FastifyReply, done: Done): void {
      const stopWaiting = () => {
        clearTimeout(timer);
        reply.raw.off("close", hangUp);
      };
      const place = share.wait(merchantId, max, {
        start() {
          stopWaiting();
          done();
        },
        refuse() {
          stopWaiting();
          done(refuse(true, max));
        },
      });
      if (typeof place === "string") {
        done(refuse(place === "merchant", max));
        return;
      }
      request.place = place;
      // A merchant that runs all it may keeps itself waiting. Any other waits because of what all merchants do.
      const timer = setTimeout(() => {
        reply.raw.off("close", hangUp);
        const isOwnFault = share.isAtLimit(merchantId);
        place.leave();
        done(refuse(isOwnFault, max));
      }, waitMaxMs);
      // No answer can be sent, so the request ends here.
      const hangUp = () => {
        clearTimeout(timer);
        place.leave();
        reply.server.places.leave(reply);
      };
      reply.raw.once("close", hangUp);
    }

    return {
      /**
       * Takes the merchant's share for this request, and calls `done` when it may run, or with its refusal. The place is freed
       * when the answer is sent. `ownMax` replaces the limit that all merchants have.
       */
      take(
        merchantId: string,
        ownMax: number | undefined,
        request: FastifyRequest,
        reply: FastifyReply,
        done: Done,
      ): void {
        const max = ownMax ?? inProgressMax;
        request.place = share.enter(merchantId, max);
        if (request.place !== null) done();
        else wait(merchantId, max, request, reply, done);
      },
      counts: () => share.counts,
    };
  }

  return shares;
}

type Done = HookHandlerDoneFunction;

function describe(name: ShareName, max: number): string {
  const what = name === "deposits" ? "batches of deposits" : name === "domains" ? "calls for domains" : name;
  return `This merchant has too many ${what} in progress: at most ${max} at a time. Retry after the Retry-After period.`;
}
