import { describe, expect, test } from "vitest";
import { readResults } from "./results-csv.ts";

const [A, B] = ["b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33", "c2f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c34"];
const HASH = `0x${"ab".repeat(32)}`;

describe("results of a run", () => {
  test.each([
    ["a CSV without names", `${A},CONFIRMED,${HASH}\r\n${B},failed,,"Reverted, ""out of gas"""\r\n`],
    [
      "a CSV with names",
      `payout_id,status,transaction_hash,reason\n${A},CONFIRMED,${HASH},\n${B},FAILED,,"Reverted, ""out of gas"""`,
    ],
    [
      "other columns between them",
      `Reason;amount;Payout id;Status;Hash\n;1;${A};CONFIRMED;${HASH}\n"Reverted, ""out of gas""";2;${B};FAILED;`,
    ],
    ["copied cells", `${A}\tCONFIRMED\t${HASH}\n\n ${B} \tFAILED\t\tReverted, "out of gas"\n`],
    [
      "a file with a byte order mark",
      `\uFEFF${A.toUpperCase()},CONFIRMED,${HASH}\n${B},FAILED,,"Reverted, ""out of gas"""`,
    ],
  ])("%s", (_name, text) => {
    expect(readResults(text)).toMatchObject({
      results: [
        { payoutId: A, status: "CONFIRMED", transactionHash: HASH },
        { payoutId: B, status: "FAILED", reason: 'Reverted, "out of gas"' },
      ],
      problems: [],
    });
  });

  test("wrong lines are named by their number in the text, also after a reason of several lines", () => {
    expect(readResults(`\n${A},FAILED,,"one\ntwo"\nuser-1,CONFIRMED\n${B},PAID\n${B},CONFIRMED`)).toEqual({
      results: [
        { payoutId: A, status: "FAILED", reason: "one\ntwo" },
        { payoutId: B, status: "CONFIRMED" },
      ],
      lines: [2, 6],
      problems: [
        { line: 4, message: "The first value is not a payout id." },
        { line: 5, message: "The status must be CONFIRMED or FAILED." },
      ],
    });
  });

  test("an exported CSV needs a status", () => {
    expect(readResults(`payout_id,receiver\n${A},0x1`).problems).toEqual([
      { line: 1, message: "There is no column named status." },
    ]);
    expect(readResults(" \n")).toEqual({ results: [], lines: [], problems: [] });
  });
});
