import { expect, test } from "vitest";
import { searchPattern } from "./search.ts";

test("a letter stands in both cases, in any alphabet", () => {
  expect(searchPattern("Shop")).toBe("[sS][hH][oO][pP]");
  expect(searchPattern("Ä я")).toBe("[äÄ] [яЯ]");
  expect(searchPattern("ß7東")).toBe("ß7東");
});

test("nothing that was typed means more than itself", () => {
  for (const character of "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") {
    expect(searchPattern(character)).toBe(`\\${character}`);
  }
  expect(searchPattern("***=a.*")).toBe("\\*\\*\\*\\=[aA]\\.\\*");
});
