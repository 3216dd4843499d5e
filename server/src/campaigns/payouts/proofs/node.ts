// Asks the node of a chain, by JSON-RPC. viem does the calls; what it answers is read by receipt.ts.
import type { ChainConfig } from "../../../config.ts";
import {
  CHAIN_ANSWER_SIZE_MAX_BYTES,
  CHAIN_CALL_ATTEMPTS_MAX,
  CHAIN_CALL_TIMEOUT_MS,
  REVERT_REASON_LENGTH_MAX,
} from "../../../limits.ts";
import { NodeError, readBlockHash, readQuantity, readReceipt } from "./receipt.ts";
import type { Receipt } from "./record.ts";

export interface ChainNode {
  readonly chainId: number;
  readonly confirmations: number;
  /** The number of the newest block. Fails when the node is of another chain. */
  readHead(): Promise<number>;
  /** Null: the transaction is in no block. */
  readReceipt(hash: string): Promise<Receipt | null>;
  /** The hash of the block that has this number now. */
  readBlockHash(blockNumber: number): Promise<string | null>;
  /** Why a transaction was reverted, if the node still knows. */
  readRevertReason(hash: string, blockNumber: number): Promise<string | null>;
}

export interface ChainNodes {
  readonly chains: ReadonlyMap<number, ChainNode>;
  /** Ends the calls in progress, so that stopping does not wait for a node. */
  close(): void;
}

type Viem = typeof import("viem");
type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** viem takes a third of a second to load, so that only those who set the variable wait for it. */
export async function openNodes(configs: readonly ChainConfig[]): Promise<ChainNodes> {
  const closing = new AbortController();
  const viem = configs.length === 0 ? null : await import("viem");
  const nodes = viem === null ? [] : configs.map((config) => openNode(viem, config, closing.signal));
  return { chains: new Map(nodes.map((node) => [node.chainId, node])), close: () => closing.abort() };
}

function openNode(viem: Viem, { chainId, url, confirmations }: ChainConfig, closing: AbortSignal): ChainNode {
  const call = createCall(viem, chainId, url, closing);
  return {
    chainId,
    confirmations,
    async readHead() {
      const [actual, head] = await Promise.all([call("eth_chainId", []), call("eth_blockNumber", [])]);
      if (readQuantity(actual) !== chainId) {
        throw new NodeError(`The node that CHAIN_RPC_URLS names for chain ${chainId} is of another chain.`);
      }
      return readQuantity(head);
    },
    readReceipt: async (hash) => readReceipt(await call("eth_getTransactionReceipt", [hash]), hash),
    readBlockHash: async (blockNumber) =>
      readBlockHash(await call("eth_getBlockByNumber", [viem.numberToHex(blockNumber), false])),
    async readRevertReason(hash, blockNumber) {
      try {
        const sent = (await call("eth_getTransactionByHash", [hash])) as Record<string, unknown>;
        const { from, to, input, value } = sent;
        await call("eth_call", [{ from, to, data: input, value }, viem.numberToHex(blockNumber)]);
        return null;
      } catch (error) {
        return error instanceof RefusedCall ? reasonOf(viem, error) : null;
      }
    },
  };
}

/** The node answered with an error of its own. */
class RefusedCall extends NodeError {
  readonly answer: { readonly message?: unknown; readonly data?: unknown };

  constructor(message: string, answer: object) {
    super(message);
    this.answer = answer;
  }
}

function createCall(viem: Viem, chainId: number, url: string, closing: AbortSignal): Call {
  const transport = viem.http(url, {
    // Errors come back as they are, and calls are repeated here: viem waits for as long as a node's Retry-After says.
    raw: true,
    retryCount: 0,
    timeout: CHAIN_CALL_TIMEOUT_MS,
    maxResponseBodySize: CHAIN_ANSWER_SIZE_MAX_BYTES,
    // viem's timeout ends with the headers; this one includes the body. A redirect could send the key to another host.
    fetchFn: (input, init) =>
      fetch(input, {
        ...init,
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(CHAIN_CALL_TIMEOUT_MS), closing]),
      }),
  })({});
  return async (method, params) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer: unknown = await transport.request({ method, params });
        const { error, result } = (answer ?? {}) as { error?: unknown; result?: unknown };
        if (typeof error === "object" && error !== null) {
          throw new RefusedCall(`The node of chain ${chainId} refused ${method}.`, error);
        }
        if (result === undefined) throw new NodeError(`The node of chain ${chainId} gave no answer to ${method}.`);
        return result;
      } catch (error) {
        if (error instanceof NodeError) throw error;
        if (attempt === CHAIN_CALL_ATTEMPTS_MAX || closing.aborted) {
          throw new NodeError(`The node of chain ${chainId} ${describeFailure(error)}.`);
        }
      }
    }
  };
}

// viem's messages contain the address of the node, which holds its key. None of them is used.
function describeFailure(error: unknown): string {
  const { name, status, cause } = error as { name?: unknown; status?: unknown; cause?: unknown };
  if (name === "TimeoutError" || name === "AbortError") {
    return `did not answer within ${CHAIN_CALL_TIMEOUT_MS / 1_000} s`;
  }
  if (name === "ResponseBodyTooLargeError") return "gave an answer that is too large";
  if (typeof status === "number") return `answered ${status}`;
  const code = codeOf(cause);
  return code === null ? "gave no answer that can be read" : `could not be reached (${code})`;
}

function codeOf(cause: unknown): string | null {
  if (typeof cause !== "object" || cause === null) return null;
  const { code, cause: inner } = cause as { code?: unknown; cause?: unknown };
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : codeOf(inner);
}

/** What the contract said, or else what the node says. */
function reasonOf(viem: Viem, { answer: { message, data } }: RefusedCall): string | null {
  const said = decodeReason(viem, data) ?? (typeof message === "string" ? message : "");
  const reason = said
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/^.*?execution reverted:?/i, "")
    .trim();
  return reason === "" ? null : reason.slice(0, REVERT_REASON_LENGTH_MAX);
}

function decodeReason(viem: Viem, data: unknown): string | null {
  try {
    const { errorName, args } = viem.decodeErrorResult({ abi: viem.erc20Abi, data: data as `0x${string}` });
    return errorName === "Error" ? String(args?.[0]) : null;
  } catch {
    return null;
  }
}
