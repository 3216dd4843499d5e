import { describe, expect, test } from "vitest";
import { readDepositIdStart, readIdStart } from "./id-start.ts";

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

  test("a whole id without dashes is the id", () => {
    expect(readIdStart(ID.replaceAll("-", ""))).toEqual({ first: ID, last: ID, end: "" });
    expect(readIdStart(ID.replaceAll("-", "").toUpperCase())).toEqual({ first: ID, last: ID, end: "" });
    expect(readIdStart(ID.replaceAll("-", "").slice(1))).toBeNull();
  });

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

describe("readDepositIdStart", () => {
  test.each([
    ["dep_7e22", { first: "dep_7e22", last: "dep_7e22\x7f", end: "" }],
    ["dep_7e22…", { first: "dep_7e22", last: "dep_7e22\x7f", end: "" }],
    ["dep_7e22…bab8", { first: "dep_7e22", last: "dep_7e22\x7f", end: "bab8" }],
    ["dep_7e22...bab8", { first: "dep_7e22", last: "dep_7e22\x7f", end: "bab8" }],
    ["n-1", { first: "n-1", last: "n-1", end: "" }],
  ])("%j", (text, range) => expect(readDepositIdStart(text)).toEqual(range));

  test.each(["", "dep_7e2…", "dep 7e22", "dep_7e22…ba", "dep_7e2é", "x".repeat(129), "dep_7e22\n"])(
    "%j is no start of an id",
    (text) => expect(readDepositIdStart(text)).toBeNull(),
  );
});
