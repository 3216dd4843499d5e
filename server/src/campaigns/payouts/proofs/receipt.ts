// Reads what a node answers. A node is not trusted: an answer of another form is refused, never guessed at.
import type { Receipt, Transfer } from "./record.ts";

/** A node that cannot be reached, or whose answer cannot be used. The message is for operators and contains no address of a node. */
export class NodeError extends Error {}

/** The first topic of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const WORD = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
// Addresses in topics are filled up with zeros to 32 bytes.
const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/;
const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,13})$/;

/** Null: the node knows no block with this transaction. */
export function readReceipt(answer: unknown, hash: string): Receipt | null {
  if (answer === null) return null;
  const receipt = objectOf(answer);
  if (hexOf(receipt.transactionHash, WORD) !== hash) refuse("is about another transaction");
  const status = hexOf(receipt.status, QUANTITY);
  if (status !== "0x0" && status !== "0x1") refuse("has no status");
  const blockHash = hexOf(receipt.blockHash, WORD);
  const transfers = arrayOf(receipt.logs).flatMap((log) => readTransfer(objectOf(log), hash, blockHash));
  if (new Set(transfers.map(({ logIndex }) => logIndex)).size !== transfers.length) refuse("names an event twice");
  const isReverted = status === "0x0";
  // A reverted transaction moved nothing.
  if (isReverted && transfers.length > 0) refuse("says that a reverted transaction moved tokens");
  return { blockNumber: readQuantity(receipt.blockNumber), blockHash, isReverted, transfers };
}

/** Other events, and transfers of tokens that are not counted by amount, are left out. */
function readTransfer(log: Record<string, unknown>, hash: string, blockHash: string): Transfer[] {
  const topics = arrayOf(log.topics).map((topic) => hexOf(topic, WORD));
  const [event, , recipient = ""] = topics;
  if (log.removed === true || event !== TRANSFER || topics.length !== 3) return [];
  const data = hexOf(log.data, /^0x([0-9a-f]{2})*$/);
  if (!WORD.test(data) || !ADDRESS_WORD.test(recipient)) return [];
  if (hexOf(log.transactionHash, WORD) !== hash || hexOf(log.blockHash, WORD) !== blockHash) {
    refuse("has an event of another transaction");
  }
  return [
    {
      logIndex: readQuantity(log.logIndex),
      tokenAddress: hexOf(log.address, ADDRESS),
      recipientAddress: `0x${recipient.slice(26)}`,
      amount: BigInt(data),
    },
  ];
}

/** A number below 2^53. */
export function readQuantity(value: unknown): number {
  const number = Number(hexOf(value, QUANTITY));
  return Number.isSafeInteger(number) ? number : refuse("has a number that is too large");
}

export function readBlockHash(answer: unknown): string | null {
  return answer === null ? null : hexOf(objectOf(answer).hash, WORD);
}

function hexOf(value: unknown, form: RegExp): string {
  const text = typeof value === "string" ? value.toLowerCase() : "";
  return form.test(text) ? text : refuse("has a field that cannot be read");
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse("is no object");
  return value as Record<string, unknown>;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse("has no list");
}

function refuse(problem: string): never {
  throw new NodeError(`The node's answer ${problem}.`);
}
