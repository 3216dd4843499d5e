import { expect, test } from "vitest";
import { dividePool } from "./pool-shares.ts";

test.each([
  [1, { merchants: 1, operators: 0, strangers: 0 }],
  [2, { merchants: 1, operators: 1, strangers: 0 }],
  [3, { merchants: 1, operators: 1, strangers: 1 }],
  [4, { merchants: 2, operators: 1, strangers: 1 }],
  [10, { merchants: 6, operators: 2, strangers: 2 }],
])("%i connections are divided without opening one more", (poolSize, shares) => {
  expect(dividePool(poolSize)).toEqual(shares);
});
