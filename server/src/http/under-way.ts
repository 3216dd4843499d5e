import { performance } from "node:perf_hooks";
import type { FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyReply {
    /** Where it stands in the list of replies under way. */
    place?: number;
    /** When its request arrived, in monotonic milliseconds. */
    beganMs?: number;
  }
}

/** The requests being worked on. Each knows its place in the list, so that none has to be looked for. */
export function createUnderWay() {
  const replies: FastifyReply[] = [];

  return {
    replies: replies as readonly FastifyReply[],

    enter(reply: FastifyReply): void {
      reply.beganMs = performance.now();
      reply.place = replies.push(reply) - 1;
    },

    /** May be told more than once. The last of the list takes the place of the one that leaves. */
    leave(reply: FastifyReply): void {
      const { place } = reply;
      if (place === undefined || replies[place] !== reply) return;
      const last = replies.pop() as FastifyReply;
      if (last === reply) return;
      replies[place] = last;
      last.place = place;
    },
  };
}
