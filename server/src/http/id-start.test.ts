import { describe, expect, test } from "vitest";
import { readIdStart } from "./id-start.ts";

const ID = "2d8b9104-5f0c-4a1e-8f2d-4f0f9d0ac3f1";

describe("readIdStart", () => {
  test("a whole id is itself, in upper or lower case", () => {
    expect(readIdStart(ID)).toEqual({ first: ID, last: ID, end: "" });
    expect(readIdStart(ID.toUpperCase())).toEqual({ first: ID, last: ID, end: "" });
  });

  test.each(["2d8b9104", "2d8b9104…", "2d8b9104...", "2D8B9104", "2d8b9104-"])(
    "%s is all ids that begin so",
    (text) => {
      expect(readIdStart(text)).toEqual({
        first: "2d8b9104-0000-0000-0000-000000000000",
        last: "2d8b9104-ffff-ffff-ffff-ffffffffffff",
        end: "",
      });
    },
  );

  test("start and end as the console shows them", () => {
    expect(readIdStart("2d8b9104…c3f1")).toMatchObject({ end: "c3f1" });
  });

  test.each([
    "",
    "2d8b910",
    "2d8b91041",
    "2d8b9104…c3f",
    "2d8b9104…c3f10",
    "2d8b-104",
    "x".repeat(36),
    `${ID}0`,
    "--------",
    " 2d8b9104",
  ])("%j is no start of an id", (text) => {
    expect(readIdStart(text)).toBeNull();
  });
});
