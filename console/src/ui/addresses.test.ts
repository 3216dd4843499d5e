import { describe, expect, test } from "vitest";
import vectors from "../../../contract/vectors/addresses.json" with { type: "json" };
import { problemWithAddress, problemWithRecipient, problemWithTransactionHash } from "./addresses.ts";

describe.each([
  ["addresses", problemWithAddress],
  ["recipients", problemWithRecipient],
  ["transactionHashes", problemWithTransactionHash],
] as const)("the form's verdict on %s is the API's", (list, rule) => {
  test.each(vectors[list])("$name", ({ text, chainId, problem }) => {
    if (problem === null) expect(rule(text, chainId)).toBeNull();
    else expect(rule(text, chainId)).toContain(problem);
  });
});
