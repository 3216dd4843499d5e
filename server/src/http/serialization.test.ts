import { Type } from "typebox";
import { expect, test } from "vitest";
import { compileSerializer } from "./serialization.ts";

const One = Type.Object({ id: Type.String({ format: "uuid" }) });
const Page = Type.Object({ items: Type.Array(One), nextCursor: Type.Union([Type.String(), Type.Null()]) });

test("an answer shows what its schema names, and nothing else", () => {
  expect(compileSerializer({ schema: One })({ id: "a", secret: "s" })).toBe('{"id":"a"}');
});

test("an answer of several forms is written as the one whose required keys it has", () => {
  const write = compileSerializer({ schema: Type.Union([One, Page]) });
  expect(write({ id: "a", secret: "s" })).toBe('{"id":"a"}');
  // "a" is no UUID: the values are not validated to choose the form.
  expect(write({ items: [{ id: "a", secret: "s" }], nextCursor: null })).toBe(
    '{"items":[{"id":"a"}],"nextCursor":null}',
  );
});

test("an answer of no known form is an error", () => {
  const write = compileSerializer({ schema: Type.Union([One, Page]) });
  expect(() => write({ secret: "s" })).toThrow("none of what its schema allows");
});
