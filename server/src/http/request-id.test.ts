import { expect, test } from "vitest";
import { nextRequestId } from "./request-id.ts";

test("is 32 hexadecimal digits, and another for every request", () => {
  const ids = Array.from({ length: 10_000 }, nextRequestId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(ids.length);
});
