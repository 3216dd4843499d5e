import { expect, test } from "vitest";
import { reasonOf } from "./reason-field.tsx";

test("a reason is sent as one line without control characters, and a blank one not at all", () => {
  expect(reasonOf(" Two\r\nlines\tand\u0007 a bell ")).toBe("Two lines and a bell");
  expect(reasonOf(" \n ")).toBeUndefined();
});
