import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isEmail } from "./email.ts";

describe("isEmail", () => {
  test.each([
    "a@b",
    "dev@example.com",
    "Dev.Team+matchbook@sub.example.co.uk",
    "o'brien!#$%&*-/=?^_`{|}~@example.com",
    "1@2.3",
    "dev@xn--mnchen-3ya.de",
    '"dev team"@example.com',
    '"dev@team"@example.com',
    '"(not a comment)"@example.com',
    '"a,b;c:d<e>"@example.com',
    '"quote \\" and \\\\ backslash"@example.com',
    '""@example.com',
    "dev@[192.0.2.1]",
    "dev@[IPv6:2001:db8::1]",
    `${"a".repeat(243)}@example.com`,
  ])("%s is an addr-spec", (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["a space", " "],
    ["no at sign", "example.com"],
    ["no local part", "@example.com"],
    ["no domain", "dev@"],
    ["two at signs", "dev@team@example.com"],
    ["a leading dot", ".dev@example.com"],
    ["a trailing dot", "dev.@example.com"],
    ["two dots in the local part", "d..v@example.com"],
    ["two dots in the domain", "dev@example..com"],
    ["a domain that ends with a dot", "dev@example.com."],
    ["a display name", "Dev <dev@example.com>"],
    ["a quoted display name", '"Dev" <dev@example.com>'],
    ["angle brackets", "<dev@example.com>"],
    ["a route", "<@relay.example:dev@example.com>"],
    ["a comment in the local part", "dev(team)@example.com"],
    ["a comment in the domain", "dev@(the)example.com"],
    ["a comment at the end", "dev@example.com (team)"],
    ["a nested comment", "dev(a(b(c)))@example.com"],
    ["a list", "dev@example.com,ops@example.com"],
    ["a list with a space", "dev@example.com, ops@example.com"],
    ["a trailing comma", "dev@example.com,"],
    ["a semicolon list", "dev@example.com;ops@example.com"],
    ["a group", "team:dev@example.com;"],
    ["an empty group", "team:;"],
    ["a leading space", " dev@example.com"],
    ["a trailing space", "dev@example.com "],
    ["a space in the local part", "dev team@example.com"],
    ["a space before the at sign", "dev @example.com"],
    ["a space after the at sign", "dev@ example.com"],
    ["a space in the domain", "dev@example .com"],
    ["a space in a domain literal", "dev@[ 192.0.2.1]"],
    ["an open domain literal", "dev@[192.0.2.1"],
    ["text after a domain literal", "dev@[192.0.2.1]x"],
    ["a tab", "dev\t@example.com"],
    ["a tab in quotes", '"dev\tteam"@example.com'],
    ["folding", '"dev\r\n team"@example.com'],
    ["a header after a line break", "dev@example.com\r\nBcc: all@example.com"],
    ["a trailing line feed", "dev@example.com\n"],
    ["NUL", "dev\0@example.com"],
    ["an escaped NUL", '"\\\0"@example.com'],
    ["an escaped line feed", '"\\\n"@example.com'],
    ["DEL", "dev\x7f@example.com"],
    ["an open quote", '"dev@example.com'],
    ["a quote in an atom", 'de"v@example.com'],
    ["text after a quote", '"dev"team@example.com'],
    ["an obsolete mix of words", '"dev".team@example.com'],
    ["an unescaped quote in quotes", '"d"v"@example.com'],
    ["a backslash in an atom", "de\\v@example.com"],
    ["letters beyond ASCII in the local part", "dév@example.com"],
    ["letters beyond ASCII in the domain", "dev@münchen.de"],
    ["a full-width at sign", "dev＠example.com"],
    ["a no-break space", "dev@example.com\u00a0"],
    ["256 characters", `${"a".repeat(244)}@example.com`],
    ["a URI", "mailto:dev@example.com"],
  ])("%s is not", (_, text) => {
    expect(isEmail(text)).toBe(false);
  });

  test("255 hostile characters are answered in no time", () => {
    const pieces = [
      "(",
      "()",
      "(a)",
      "( ",
      '"',
      '""',
      '" ',
      '"\\',
      " ",
      "a ",
      "a.",
      "a@",
      "<",
      "a<",
      "@a,",
      "[",
      "a@[",
      "\\(",
    ];
    const starts = ["", "a", '"', '""', "a@", "a@[", "<", "a <@"];
    const hostile = starts.flatMap((start) => pieces.map((piece) => (start + piece.repeat(255)).slice(0, 255)));
    hostile.push(`${"(".repeat(127)}${")".repeat(127)}`, `a@b${"(".repeat(126)}${")".repeat(126)}`);
    const begin = performance.now();
    for (const text of hostile) isEmail(text);
    // Exponential time would take hours for the first of them; the allowance is for slow and busy machines.
    expect((performance.now() - begin) / hostile.length).toBeLessThan(100);
  });

  test("any text gets an answer, and only printable ASCII gets a yes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.string({ maxLength: 40 }), (one, other) => {
        for (const text of [one, other, `${one}@${other}`, `"${other}"@example.com`]) {
          if (isEmail(text)) expect(text).toMatch(/^[\x20-\x7e]{3,255}$/);
        }
      }),
    );
  });
});
