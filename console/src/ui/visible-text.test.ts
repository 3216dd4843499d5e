import { describe, expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("visibleText", () => {
  test.each(["Acme", "Zoë & Söhne", "אקמה", "أكمي", "株式会社", "I ❤\uFE0F it", "two\nlines\tand a tab", ""])(
    "%j is shown as it is",
    (text) => expect(visibleText(text)).toBe(text),
  );

  test.each([
    ["Acme \u202e(dednepsus)", "Acme ⟨U+202E⟩(dednepsus)"],
    ["a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"],
    ["a\u200bb\u200dc\ufeff", "a⟨U+200B⟩b⟨U+200D⟩c⟨U+FEFF⟩"],
    ["a\u00adb\u0000c\u0085d", "a⟨U+00AD⟩b⟨U+0000⟩c⟨U+0085⟩d"],
    ["a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"],
    ["a\u3164b\u115fc\u2800", "a⟨U+3164⟩b⟨U+115F⟩c⟨U+2800⟩"],
    ["a\u{e0041}", "a⟨U+E0041⟩"],
  ])("%j has hidden characters, which are written out", (text, shown) => expect(visibleText(text)).toBe(shown));

  test.each([
    ["\u200b", "⟨U+200B⟩"],
    [" ", "⟨U+0020⟩"],
    ["\u00a0\n\ufe0f", "⟨U+00A0⟩⟨U+000A⟩⟨U+FE0F⟩"],
  ])("%j shows nothing, so all of it is written out", (text, shown) => expect(visibleText(text)).toBe(shown));

  test("what is written out stays as it is", () => {
    const once = visibleText("a\u202eb");
    expect(visibleText(once)).toBe(once);
  });
});
