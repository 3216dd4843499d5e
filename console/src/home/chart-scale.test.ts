import { describe, expect, test } from "vitest";
import { ticksOf } from "./chart-scale.ts";

describe("the ticks of an axis", () => {
  test.each([
    [[], [0, 1]],
    [
      [0, 0],
      [0, 1],
    ],
    [
      [1_749, 12],
      [0, 500, 1_000, 1_500, 2_000],
    ],
    [[8_800], [0, 2_500, 5_000, 7_500, 10_000]],
    [[0.3], [0, 0.1, 0.2, 0.30000000000000004]],
  ])("of %j are %j", (values, ticks) => {
    expect(ticksOf(values)).toEqual(ticks);
  });

  test("of counts are whole numbers", () => {
    expect(ticksOf([3], { isWhole: true })).toEqual([0, 1, 2, 3]);
    expect(ticksOf([9], { isWhole: true })).toEqual([0, 3, 6, 9]);
  });
});
