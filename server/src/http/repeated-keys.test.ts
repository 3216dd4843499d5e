import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findRepeatedKey } from "./repeated-keys.ts";

describe("findRepeatedKey", () => {
  test.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":1,"b":2,"a":null}', "a"],
    ['{"a":{"b":1,"b":2}}', "b"],
    ['[{"a":1},{"b":[{"c":1 , "c":2}]}]', "c"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"\\"":1,"\\u0022":2}', '"'],
    ['{"":1,"":2}', ""],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"a":{},"a":[]}', "a"],
    ['{"a":{"x":1},"b":[1,"a"],"a":0}', "a"],
    ['{ "a" : "}" , "a" : "{" }', "a"],
    ['{"a\\\\":1,"a\\\\":2}', "a\\"],
  ])("finds in %s the key %j", (text, key) => {
    JSON.parse(text);
    expect(findRepeatedKey(text)).toBe(key);
  });

  test.each([
    "{}",
    "[]",
    "null",
    '"a"',
    '{"a":"a"}',
    '{"a":1,"b":{"a":1,"b":{"a":1}},"c":[{"a":1},{"a":1}]}',
    '["a","a",{"a":"a"},"a"]',
    '{"a":"b","b":"a"}',
    '{"a":"\\",\\"a\\":","b":1}',
    '{"a\\\\":1,"a":2}',
    '{"a":1,"A":2}',
    '{"é":1,"e\\u0301":2}',
  ])("finds none in %s", (text) => {
    JSON.parse(text);
    expect(findRepeatedKey(text)).toBeNull();
  });

  test("finds nothing in what JSON.stringify writes, and any member that is written twice", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"), (value, space) => {
        expect(findRepeatedKey(JSON.stringify(value, null, space))).toBeNull();
      }),
    );
    const member = fc.tuple(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.uniqueArray(member, { minLength: 1, selector: ([key]) => key }), fc.nat(), (members, seed) => {
        const written = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        const [again] = members[seed % members.length] ?? [""];
        const text = `[{"outer":{${[...written, `${JSON.stringify(again)}:0`].join(",")}}}]`;
        expect(findRepeatedKey(text)).toBe(JSON.parse(JSON.stringify(again)));
      }),
    );
  });

  test("takes any depth and any length in one pass", () => {
    const depth = 100_000;
    expect(findRepeatedKey(`${"[".repeat(depth)}${"]".repeat(depth)}`)).toBeNull();
    expect(findRepeatedKey(`{"a":"${"\\\\".repeat(500_000)}","b":1}`)).toBeNull();
  });
});

describe("findRepeatedKey, on more texts", () => {
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
    expect(findRepeatedKey(text)).toBe(name);
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
    expect(findRepeatedKey(text)).toBeNull();
  });

  test("finds nothing in what was written from an object, and one added member at any depth", () => {
    const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), fc.nat({ max: 3 }), (value, which, depth) => {
        const text = JSON.stringify(value);
        expect(findRepeatedKey(text)).toBeNull();
        const names = Object.keys(value);
        const name = names[which % names.length] as string;
        const repeated = `${text.slice(0, -1)},${JSON.stringify(name)}:null}`;
        expect(findRepeatedKey(`${'{"w":['.repeat(depth)}${repeated}${"]}".repeat(depth)}`)).toBe(name);
      }),
    );
  });
});
