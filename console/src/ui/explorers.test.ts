import { expect, test } from "vitest";
import { explorerLink } from "./explorers.ts";

const HASH = `0x${"ab".repeat(32)}`;

test("a known chain has a link to its explorer, an unknown one has none", () => {
  expect(explorerLink(8453, HASH)).toBe(`https://basescan.org/tx/${HASH}`);
  expect(explorerLink(31337, HASH)).toBeNull();
});

test.each(["", "0x123", "javascript:alert(1)//aaaaaaaaaaaaaaaaaaaaaaaaaaaa", `${HASH}/../../evil`, "a".repeat(129)])(
  "%j is no hash and gets no link",
  (text) => {
    expect(explorerLink(8453, text)).toBeNull();
  },
);
