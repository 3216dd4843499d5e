import { describe, expect, test } from "vitest";
import { findServerProblem, listServerWarnings, type ServerFacts } from "./server-check.ts";

const GOOD: ServerFacts = {
  version: 150_004,
  encoding: "UTF8",
  isStandby: false,
  mayCreate: true,
  fsync: true,
  clockDifferenceMs: -20,
  connections: 97,
};

describe("a database server", () => {
  test("that fits has neither a problem nor a warning", () => {
    expect(findServerProblem(GOOD, true)).toBeNull();
    expect(listServerWarnings(GOOD)).toEqual([]);
  });

  test.each<[string, Partial<ServerFacts>, string]>([
    ["too old", { version: 140_011 }, "is PostgreSQL 14.11; use version 15 or newer"],
    ["in another encoding", { encoding: "LATIN1" }, "has the encoding LATIN1"],
    ["without encoding", { encoding: "SQL_ASCII" }, "has the encoding SQL_ASCII"],
    ["that is a standby", { isStandby: true }, "is a standby"],
    ["where the role may not create tables", { mayCreate: false }, "MATCHBOOK_MIGRATE=off"],
  ])("%s is refused with what to do", (_what, facts, problem) => {
    expect(findServerProblem({ ...GOOD, ...facts }, true)).toContain(problem);
  });

  test("needs no right to create tables when the schema is not ours to change", () => {
    expect(findServerProblem({ ...GOOD, mayCreate: false }, false)).toBeNull();
  });

  test.each<[string, Partial<ServerFacts>, string]>([
    ["without fsync", { fsync: false }, "has fsync off"],
    ["whose clock is ahead", { clockDifferenceMs: 90_400 }, "is 90 s ahead of"],
    ["whose clock is behind", { clockDifferenceMs: -61_000 }, "is 61 s behind"],
  ])("%s is used with a warning", (_what, facts, warning) => {
    expect(findServerProblem({ ...GOOD, ...facts }, true)).toBeNull();
    expect(listServerWarnings({ ...GOOD, ...facts }).join()).toContain(warning);
  });
});
