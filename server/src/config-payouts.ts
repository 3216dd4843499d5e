// The variables about paying out: who must agree, and on which chains payouts are proven.
import { problemWithAddress } from "@matchbook/addresses";
import { addressKey, chainOf } from "@matchbook/addresses/chains";
import { type Reader, refuse } from "./config-reader.ts";
import {
  ADDRESS_LENGTH_MAX,
  AMOUNT_DIGITS_MAX,
  APPROVAL_THRESHOLDS_MAX,
  CHAIN_CONFIRMATIONS_DEFAULT,
  CHAIN_CONFIRMATIONS_MAX,
  CHAIN_ID_MAX,
  CHAIN_URL_LENGTH_MAX,
  CHAINS_MAX,
} from "./limits.ts";

export interface ChainConfig {
  readonly chainId: number;
  /** The address of a JSON-RPC node. It often holds a key, so it is never logged or shown. */
  readonly url: string;
  /** How many blocks a transaction must have, its own included, to count as final. */
  readonly confirmations: number;
}

/** Below this amount of a token, in its base units, a change needs no second person. */
export interface ApprovalThreshold {
  readonly chainId: number;
  readonly tokenAddress: string;
  readonly amount: bigint;
}

export interface ApprovalsConfig {
  readonly isOn: boolean;
  readonly thresholds: readonly ApprovalThreshold[];
}

export function readApprovals(read: Reader): ApprovalsConfig {
  const isOn = read.choice("APPROVALS", ["off", "on"], "off") === "on";
  const thresholds = read.list("APPROVAL_THRESHOLDS", "", (text) => readThreshold(text) ?? badThreshold());
  if (thresholds.length > 0 && !isOn) refuse("APPROVAL_THRESHOLDS", "is set without APPROVALS=on");
  if (thresholds.length > APPROVAL_THRESHOLDS_MAX) {
    refuse("APPROVAL_THRESHOLDS", `has more than ${APPROVAL_THRESHOLDS_MAX} items`);
  }
  const tokens = thresholds.map(({ chainId, tokenAddress }) => `${chainId}:${addressKey(tokenAddress)}`);
  if (new Set(tokens).size !== tokens.length) refuse("APPROVAL_THRESHOLDS", "names a token twice");
  return { isOn, thresholds };
}

const THRESHOLD = new RegExp(
  `^([1-9][0-9]{0,15}):([!-<>-~]{1,${ADDRESS_LENGTH_MAX}})=(0|[1-9][0-9]{0,${AMOUNT_DIGITS_MAX - 1}})$`,
);

function readThreshold(text: string): ApprovalThreshold | null {
  const [, chain, tokenAddress = "", amount = ""] = THRESHOLD.exec(text) ?? [];
  const chainId = Number(chain);
  if (!(chainId <= CHAIN_ID_MAX) || problemWithAddress(tokenAddress, chainId) !== null) return null;
  return { chainId, tokenAddress, amount: BigInt(amount) };
}

function badThreshold(): never {
  return refuse(
    "APPROVAL_THRESHOLDS",
    "must be a list such as 8453:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913=1000000000: chain id, token address and " +
      "amount in the token's smallest unit, with a valid address on that chain",
  );
}

// `8453=https://…,1=https://…`, and `CHAIN_CONFIRMATIONS` as `64`, or as `64,1=32` with numbers for some chains.
export function readChains(read: Reader, prefix: string): ChainConfig[] {
  const variable = `${prefix}CHAIN_RPC_URLS`;
  const chains = read.list(`${prefix}CHAIN_RPC_URLS`, "", (item) => {
    const [, id = "", url = ""] = /^([1-9][0-9]{0,15})=(.*)$/.exec(item) ?? [];
    const isUrl = url.length <= CHAIN_URL_LENGTH_MAX && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    const isChain = Number(id) > 0 && Number(id) <= CHAIN_ID_MAX;
    return isChain && isUrl
      ? { chainId: Number(id), url }
      : refuse(
          variable,
          "must have the form 8453=https://node.example,1=https://other.example: a chain id and an address each",
        );
  });
  if (chains.length > CHAINS_MAX) refuse(variable, `names more than ${CHAINS_MAX} chains`);
  const ids = chains.map(({ chainId }) => chainId);
  if (new Set(ids).size !== ids.length) refuse(variable, "names a chain twice");
  const other = ids.find((id) => !chainOf(id).isEvm);
  if (other !== undefined) refuse(variable, `names ${chainOf(other).name}; only payouts on EVM chains can be proven`);
  const confirmations = read.list("CHAIN_CONFIRMATIONS", "", (item) => {
    const [, id = null, count = ""] = /^(?:([1-9][0-9]{0,15})=)?([1-9][0-9]{0,5})$/.exec(item) ?? [];
    const isCount = count !== "" && Number(count) <= CHAIN_CONFIRMATIONS_MAX;
    return isCount
      ? { chainId: id === null ? null : Number(id), count: Number(count) }
      : refuse(
          "CHAIN_CONFIRMATIONS",
          `must have the form 64, or 64,8453=30, with numbers from 1 to ${CHAIN_CONFIRMATIONS_MAX}`,
        );
  });
  const named = confirmations.map(({ chainId }) => chainId);
  if (new Set(named).size !== named.length) refuse("CHAIN_CONFIRMATIONS", "has two numbers for the same chain");
  const countFor = (chainId: number | null) => confirmations.find((one) => one.chainId === chainId)?.count;
  return chains.map((chain) => ({
    ...chain,
    confirmations: countFor(chain.chainId) ?? countFor(null) ?? CHAIN_CONFIRMATIONS_DEFAULT,
  }));
}
