import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase64, decodeBase64Url } from "./base64.ts";

describe("decodeBase64", () => {
  test("takes either alphabet, padded or not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        const standard = buffer.toString("base64");
        const padding = standard.slice(standard.replace(/=+$/, "").length);
        const spellings = [
          standard,
          standard.replace(/=+$/, ""),
          buffer.toString("base64url"),
          buffer.toString("base64url") + padding,
        ];
        for (const text of spellings) expect(decodeBase64(text)?.equals(buffer), text).toBe(true);
      }),
    );
  });

  test("refuses a mixture of the two alphabets", () => {
    expect(decodeBase64("ab+_")).toBeNull();
    expect(decodeBase64("a-/b")).toBeNull();
  });

  test.each([
    ["A", "a length no encoder writes"],
    ["QUJDR", "a length no encoder writes"],
    ["QQ=", "half of the padding"],
    ["QUI==", "too much padding"],
    ["QUJD=", "padding of a whole group"],
    ["QUJD==", "padding of a whole group"],
    ["QUJD====", "a group of padding"],
    ["====", "padding alone"],
    ["Q===", "three characters of padding"],
    ["QQ==QQ==", "padding in the middle"],
    ["QR==", "stray bits before two characters of padding"],
    ["QR", "stray bits"],
    ["QUJ=", "stray bits before one character of padding"],
    ["QUJ", "stray bits"],
    [" QUJD", "white space before"],
    ["QUJD ", "white space after"],
    ["QU JD", "white space inside"],
    ["QUJD\n", "a line end"],
    ["QUJD\r\nQUJD", "a line break, as MIME writes it"],
    ["QUJD.", "an unknown character"],
    ["QUJDé123", "a character beyond ASCII"],
    ["QUJD\0\0\0\0", "NUL"],
    ["＋＋＋＋", "full-width look-alikes"],
  ])("refuses %j: %s", (text) => {
    expect(decodeBase64(text)).toBeNull();
    expect(decodeBase64Url(text)).toBeNull();
  });

  test("knows 64 characters and no other, alone and among many", () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    for (const around of ["A", "A".repeat(79)]) {
      const known = (decode: typeof decodeBase64) =>
        characters.filter((character) => decode(`${around}${character}${around}${around}`) !== null).join("");
      expect(known(decodeBase64)).toBe(characters.filter((character) => /[A-Za-z0-9+/_-]/.test(character)).join(""));
      expect(known(decodeBase64Url)).toBe(characters.filter((character) => /[A-Za-z0-9_-]/.test(character)).join(""));
    }
  });

  test("accepts only what an encoder writes, whatever the text", () => {
    const text = fc.string({ unit: fc.constantFrom(..."AQgwEIMUYcBZ09+/-_= \n") });
    fc.assert(
      fc.property(text, (candidate) => {
        const bytes = decodeBase64(candidate);
        if (bytes === null) return;
        const spellings = [bytes.toString("base64"), bytes.toString("base64url")];
        expect(spellings.map((spelling) => spelling.replace(/=+$/, ""))).toContain(candidate.replace(/=+$/, ""));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("decodeBase64Url", () => {
  test("takes base64url, padded or not", () => {
    expect(decodeBase64Url("-_-_")?.toString("hex")).toBe("fbffbf");
    expect(decodeBase64Url("QQ")?.toString()).toBe("A");
    expect(decodeBase64Url("QQ==")?.toString()).toBe("A");
    expect(decodeBase64Url("")?.length).toBe(0);
  });

  test("refuses the standard alphabet's own characters", () => {
    expect(decodeBase64Url("+/+/")).toBeNull();
  });
});
