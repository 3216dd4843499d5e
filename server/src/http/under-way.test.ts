import fc from "fast-check";
import type { FastifyReply } from "fastify";
import { expect, test } from "vitest";
import { createUnderWay } from "./under-way.ts";

test("lists exactly those that entered and have not left, however often leaving is told", () => {
  const steps = fc.array(fc.record({ enters: fc.boolean(), which: fc.nat() }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (taken) => {
      const underWay = createUnderWay();
      const seen: FastifyReply[] = [];
      const inside = new Set<FastifyReply>();
      for (const { enters, which } of taken) {
        if (enters) {
          const reply = {} as FastifyReply;
          underWay.enter(reply);
          seen.push(reply);
          inside.add(reply);
        } else {
          const reply = seen[which % seen.length];
          if (reply === undefined) continue;
          underWay.leave(reply);
          inside.delete(reply);
        }
        expect(new Set(underWay.replies)).toEqual(inside);
        expect(underWay.replies).toHaveLength(inside.size);
      }
    }),
  );
});

test("notes when each began", () => {
  const before = performance.now();
  const reply = {} as FastifyReply;
  createUnderWay().enter(reply);
  expect(reply.beganMs).toBeGreaterThanOrEqual(before);
  expect(reply.beganMs).toBeLessThanOrEqual(performance.now());
});
