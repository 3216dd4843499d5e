import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findRepeatedName } from "./json-body.ts";

describe("findRepeatedName", () => {
  test.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"a\\"b":1,"a\\u0022b":2}', 'a"b'],
    ['{"\\\\":1,"\\\\":2}', "\\"],
    ['{ "a" : {} , "a" : [] }', "a"],
    ['[[{"b":{"c":1},"b":2}]]', "b"],
    ['{"":1,"":2}', ""],
    ['{"a":"\\\\","b":1,"b":2}', "b"],
  ])("%s repeats %j", (text, name) => {
    expect(findRepeatedName(text)).toBe(name);
  });

  test.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":["a","a"]}',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":"{\\"b\\":1","b":"}"}',
    '"a"',
    "[]",
    "1",
  ])("%s repeats nothing", (text) => {
    expect(findRepeatedName(text)).toBeNull();
  });

  test("finds nothing in what was written from an object, and one added member at any depth", () => {
    const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), fc.nat({ max: 3 }), (value, which, depth) => {
        const text = JSON.stringify(value);
        expect(findRepeatedName(text)).toBeNull();
        const names = Object.keys(value);
        const name = names[which % names.length] as string;
        const repeated = `${text.slice(0, -1)},${JSON.stringify(name)}:null}`;
        expect(findRepeatedName(`${'{"w":['.repeat(depth)}${repeated}${"]}".repeat(depth)}`)).toBe(name);
      }),
    );
  });
});
