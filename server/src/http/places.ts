import { performance } from "node:perf_hooks";
import type { FastifyReply } from "fastify";
import { AUTHENTICATED_REQUESTS_MAX, UNAUTHENTICATED_REQUESTS_MAX } from "../limits.ts";
import { AppError } from "./errors.ts";

export type Caller = "authenticated" | "unauthenticated";

const PLACES: Readonly<Record<Caller, number>> = {
  authenticated: AUTHENTICATED_REQUESTS_MAX,
  unauthenticated: UNAUTHENTICATED_REQUESTS_MAX,
};

export type Places = ReturnType<typeof createPlaces>;

/**
 * The requests being worked on. Callers we do not know have fewer places of their own, so they cannot take those of
 * merchants and operators. A request takes its place when its body is there: a client that never finishes one holds none.
 */
export function createPlaces(options: {
  onShed: (caller: Caller) => void;
  timeoutMsOf: (reply: FastifyReply) => number;
}) {
  /** When each request took its place, in monotonic milliseconds. */
  const taken: Readonly<Record<Caller, Map<FastifyReply, number>>> = {
    authenticated: new Map(),
    unauthenticated: new Map(),
  };

  /** Frees the places of clients that hung up or ended their side, and answers those who waited too long. */
  function sweep(places: Map<FastifyReply, number>): void {
    const nowMs = performance.now();
    for (const [reply, enteredMs] of [...places]) {
      if (reply.raw.closed || reply.raw.socket?.readableEnded) places.delete(reply);
      else if (nowMs - enteredMs > options.timeoutMsOf(reply) && !reply.sent) reply.send(new AppError("OVERLOADED"));
    }
  }

  function enter(reply: FastifyReply, caller: Caller): void {
    const places = taken[caller];
    if (places.size >= PLACES[caller]) sweep(places);
    if (places.size >= PLACES[caller]) {
      options.onShed(caller);
      throw new AppError("OVERLOADED");
    }
    places.set(reply, performance.now());
  }

  /** May be called more than once. */
  function leave(reply: FastifyReply): void {
    taken.authenticated.delete(reply);
    taken.unauthenticated.delete(reply);
  }

  return {
    enter,
    leave,
    sweep: () => Object.values(taken).forEach(sweep),

    /** Runs the work of finding out who calls in an unauthenticated place. */
    async whileUnknown<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
      enter(reply, "unauthenticated");
      try {
        return await work();
      } finally {
        leave(reply);
      }
    },
  };
}
