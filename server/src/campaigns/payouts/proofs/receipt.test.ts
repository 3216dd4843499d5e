import { describe, expect, test } from "vitest";
import { NodeError, readBlockHash, readQuantity, readReceipt } from "./receipt.ts";

const HASH = `0x${"ab".repeat(32)}`;
const BLOCK = `0x${"cd".repeat(32)}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (digits: string) => `0x${digits.padStart(64, "0")}`;

const log = (change: object = {}) => ({
  address: `0x${"AB".repeat(20)}`,
  topics: [TRANSFER, word("11".repeat(20)), word("22".repeat(20))],
  data: word("3e8"),
  logIndex: "0x7",
  transactionHash: HASH,
  blockHash: BLOCK,
  removed: false,
  ...change,
});
const receipt = (change: object = {}) => ({
  transactionHash: HASH,
  status: "0x1",
  blockNumber: "0x10",
  blockHash: BLOCK,
  logs: [log()],
  ...change,
});

describe("a receipt", () => {
  test("is read with its transfers, in lower case", () => {
    expect(readReceipt(receipt(), HASH)).toEqual({
      blockNumber: 16,
      blockHash: BLOCK,
      isReverted: false,
      transfers: [
        { logIndex: 7, tokenAddress: `0x${"ab".repeat(20)}`, recipientAddress: `0x${"22".repeat(20)}`, amount: 1_000n },
      ],
    });
  });

  test("of a reverted transaction says so", () => {
    expect(readReceipt(receipt({ status: "0x0", logs: [] }), HASH)).toMatchObject({ isReverted: true, transfers: [] });
  });

  test("that the node does not have is null", () => {
    expect(readReceipt(null, HASH)).toBeNull();
  });

  test.each([
    ["another event", { topics: [word("1"), word("2"), word("3")] }],
    ["an event without topics", { topics: [] }],
    ["a transfer of a collectible, which has four topics", { topics: [TRANSFER, word("1"), word("2"), word("3")] }],
    ["an event that a reorganisation removed", { removed: true }],
    ["a transfer without an amount", { data: "0x" }],
    ["a receiver that is no address", { topics: [TRANSFER, word("1"), `0x${"ff".repeat(32)}`] }],
  ])("leaves out %s", (_name, change) => {
    expect(readReceipt(receipt({ logs: [log(change)] }), HASH)?.transfers).toEqual([]);
  });

  test.each([
    ["another transaction's", { transactionHash: BLOCK }],
    ["without a status", { status: undefined }],
    ["with a root in place of a status, as before 2017", { status: undefined, root: BLOCK }],
    ["with a status of its own", { status: "0x2" }],
    ["with a number as text", { blockNumber: "16" }],
    ["with a number beyond 2^53", { blockNumber: "0xfffffffffffffff" }],
    ["with a short block hash", { blockHash: "0xcd" }],
    ["without logs", { logs: undefined }],
    ["with logs that are no list", { logs: { length: 1 } }],
    ["with a log that is no object", { logs: [null] }],
    ["with a log of another transaction", { logs: [log({ transactionHash: BLOCK })] }],
    ["with a log of another block", { logs: [log({ blockHash: HASH })] }],
    ["with a topic that is no word", { logs: [log({ topics: [TRANSFER, 5, null] })] }],
    ["of a reverted transaction that moved something", { status: "0x0" }],
    ["with an event twice", { logs: [log(), log()] }],
  ])("%s is refused", (_name, change) => {
    expect(() => readReceipt(receipt(change), HASH)).toThrow(NodeError);
  });

  test.each([undefined, "0x1", 5, [], true])("that is %j is refused", (answer) => {
    expect(() => readReceipt(answer, HASH)).toThrow(NodeError);
  });
});

test("block numbers and hashes are read strictly, too", () => {
  expect(readQuantity("0x0")).toBe(0);
  expect(() => readQuantity("0x00")).toThrow(NodeError);
  expect(() => readQuantity(5)).toThrow(NodeError);
  expect(readBlockHash(null)).toBeNull();
  expect(readBlockHash({ hash: BLOCK })).toBe(BLOCK);
  expect(() => readBlockHash({})).toThrow(NodeError);
});
