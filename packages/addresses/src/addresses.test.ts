import { readFileSync } from "node:fs";
import fc from "fast-check";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { problemWithAddress, problemWithRecipient, problemWithTransactionHash, withChecksum } from "./addresses.ts";

interface Case {
  readonly name: string;
  readonly chainId: number;
  readonly text: string;
  readonly problem: string | null;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const vectors: Record<"addresses" | "recipients" | "transactionHashes", Case[]> = JSON.parse(
  read("../../../contract/vectors/addresses.json"),
);

const judge = (rule: (text: string, chainId: number) => string | null) => {
  return ({ text, chainId, problem }: Case) => {
    const found = rule(text, chainId);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  };
};

describe("an address that an operator enters", () => {
  test.each(vectors.addresses)("$name", judge(problemWithAddress));
});

describe("where a payout goes", () => {
  test.each(vectors.recipients)("$name", judge(problemWithRecipient));
});

describe("a transaction hash that an operator enters", () => {
  test.each(vectors.transactionHashes)("$name", judge(problemWithTransactionHash));
});

describe("the EIP-55 spelling", () => {
  test("is viem's for every address", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF"), minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(digits, (text) => {
        expect(withChecksum(`0x${text}`)).toBe(getAddress(`0x${text.toLowerCase()}`));
      }),
    );
  });

  test("any other text stays as it is", () => {
    expect(withChecksum("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")).toBe(
      "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    );
  });
});

test("no text makes a check throw", () => {
  const chainIds = fc.constantFrom(8453, 792703809, 728126428, 8253038, 9286185, 999999999999);
  const prefixes = fc.constantFrom("", "0x", "bc1", "bc1q", "bc1p", "T", "1", "3");
  fc.assert(
    fc.property(chainIds, prefixes, fc.string({ maxLength: 140 }), (chainId, prefix, text) => {
      for (const rule of [problemWithAddress, problemWithRecipient, problemWithTransactionHash])
        rule(prefix + text, chainId);
    }),
  );
});
