import { expect, test } from "vitest";
import { userIdOf } from "./payers.ts";

const key = Buffer.alloc(32, 7);
const merchant = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";

test("a payer is always the same user of a merchant, written as a UUID", () => {
  const userId = userIdOf(key, merchant, "payer-4711");
  expect(userId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(userIdOf(key, merchant, "payer-4711")).toBe(userId);
});

test("another payer, another merchant and another key are another user", () => {
  const ids = [
    userIdOf(key, merchant, "payer-4711"),
    userIdOf(key, merchant, "payer-4712"),
    userIdOf(key, merchant, "Payer-4711"),
    userIdOf(key, "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c12", "payer-4711"),
    userIdOf(Buffer.alloc(32, 8), merchant, "payer-4711"),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});
