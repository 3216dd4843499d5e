import fc from "fast-check";
import { expect, test } from "vitest";
import { spread } from "./burndown.ts";

test("a short journal is shown whole, and an empty one not at all", () => {
  expect(spread(0, 101)).toEqual([]);
  expect(spread(1, 101)).toEqual([1]);
  expect(spread(5, 5)).toEqual([1, 2, 3, 4, 5]);
});

test("a longer one by as many positions as were asked for, at equal distances, with both ends", () => {
  expect(spread(1_001, 101)).toEqual(Array.from({ length: 101 }, (_, index) => 1 + 10 * index));
  fc.assert(
    fc.property(fc.integer({ min: 102, max: 10 ** 12 }), (length) => {
      const positions = spread(length, 101);
      const distances = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
      expect(positions).toHaveLength(101);
      expect([positions[0], positions.at(-1)]).toEqual([1, length]);
      expect(Math.max(...distances) - Math.min(...distances)).toBeLessThanOrEqual(1);
    }),
  );
});
