import { expect, test } from "vitest";
import { problemWithParticipants, readParticipants } from "./chosen-participants.ts";

const ONE = "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10";
const TWO = "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33";

test("ids are read from lines, commas and cells, each once", () => {
  expect(readParticipants(` ${ONE.toUpperCase()}\r\n${TWO},\t${ONE}\n\n`)).toEqual([ONE, TWO]);
  expect(readParticipants("")).toEqual([]);
  expect(problemWithParticipants(`${ONE}\n${TWO}`)).toBeNull();
});

test("what is not an id is named", () => {
  expect(problemWithParticipants(`${ONE}\nuser-1042`)).toBe("user-1042 is not the id of a participant");
});
