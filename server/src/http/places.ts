import { performance } from "node:perf_hooks";
import type { FastifyReply } from "fastify";
import { AUTHENTICATED_REQUESTS_MAX, UNAUTHENTICATED_REQUESTS_MAX } from "../limits.ts";
import { AppError } from "./errors.ts";

export type Caller = "authenticated" | "unauthenticated";

const PLACES: Readonly<Record<Caller, number>> = {
  authenticated: AUTHENTICATED_REQUESTS_MAX,
  unauthenticated: UNAUTHENTICATED_REQUESTS_MAX,
};

/** The place of one request. */
export interface HeldPlace {
  readonly caller: Caller;
  /** Where its reply is in the list of its kind. */
  index: number;
  /** In monotonic milliseconds. */
  readonly enteredMs: number;
}

export type Places = ReturnType<typeof createPlaces>;

/**
 * The requests being worked on. Callers we do not know have fewer places of their own, so they cannot take those of
 * merchants and operators. A request takes its place when its body is there: a client that never finishes one holds none.
 */
export function createPlaces(options: {
  onShed: (caller: Caller) => void;
  timeoutMsOf: (reply: FastifyReply) => number;
}) {
  // Lists in which each reply knows its index. In a Map that requests enter and leave all the time, V8 keeps the tables that it
  // replaced linked to the newer ones, and with them the replies (measured: 1.0 MB instead of 0.3 MB of each 16 MB survive a
  // minor collection).
  const taken: Readonly<Record<Caller, FastifyReply[]>> = { authenticated: [], unauthenticated: [] };

  /** Frees the places of clients that hung up or ended their side, and answers those who waited too long. */
  function sweep(replies: readonly FastifyReply[]): void {
    const nowMs = performance.now();
    for (const reply of [...replies]) {
      const { raw, heldPlace } = reply;
      if (raw.closed || raw.socket?.readableEnded) leave(reply);
      else if (heldPlace !== null && nowMs - heldPlace.enteredMs > options.timeoutMsOf(reply) && !reply.sent) {
        reply.send(new AppError("OVERLOADED"));
      }
    }
  }

  function enter(reply: FastifyReply, caller: Caller): void {
    const replies = taken[caller];
    if (replies.length >= PLACES[caller]) sweep(replies);
    if (replies.length >= PLACES[caller]) {
      options.onShed(caller);
      throw new AppError("OVERLOADED");
    }
    reply.heldPlace = { caller, index: replies.length, enteredMs: performance.now() };
    replies.push(reply);
  }

  /** May be called more than once. */
  function leave(reply: FastifyReply): void {
    const { heldPlace } = reply;
    if (heldPlace === null) return;
    reply.heldPlace = null;
    const replies = taken[heldPlace.caller];
    const last = replies.pop();
    // The last one moves to where there is room now.
    if (last !== undefined && last !== reply && last.heldPlace !== null) {
      last.heldPlace.index = heldPlace.index;
      replies[heldPlace.index] = last;
    }
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
