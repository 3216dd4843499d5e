import { UsageError } from "./command.ts";

export interface Wallet {
  readonly address: string;
  readonly chain: { readonly id: number };
}

export interface WalletReading {
  readonly address: string;
  /** Null when the text has no chain. */
  readonly chainId: number | null;
}

const EVM_ADDRESS = "an EVM address is 42: 0x and 40 hexadecimal digits";
/** Solana, Eclipse, Soon, Tron and Bitcoin, as in packages/addresses. On every other chain, an address is an EVM address. */
export const NON_EVM_CHAIN_IDS: readonly number[] = [792703809, 9286185, 9286186, 728126428, 8253038];
/** Base58, bech32 and base64url: what the addresses of other chains are written in. An id of ours is none of them. */
const OTHER_ADDRESS = /^(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)[A-Za-z0-9_-]{25,128}$/i;

/** Reads CHAIN:ADDRESS or ADDRESS. A text is what is wrong with it, as the end of a sentence. */
export function parseWallet(text: string): WalletReading | string {
  const [, chain, address = ""] = /^(?:([^:]*):)?(.*)$/s.exec(text.trim()) ?? [];
  const chainId = chain === undefined ? null : Number(chain);
  if (chain !== undefined && !(/^[1-9][0-9]{0,15}$/.test(chain) && Number.isSafeInteger(chainId))) {
    return "does not begin with the number of a chain, such as 8453:";
  }
  if (address === "") return "is empty";
  if (/^[0-9a-f]{40}$/i.test(address)) return `is not a wallet address without 0x: ${EVM_ADDRESS}`;
  if (!/^0x/i.test(address)) {
    if (!OTHER_ADDRESS.test(address)) return "is not a wallet address";
    return problemWithChain(address, chainId) ?? { address, chainId };
  }
  if (address.length !== 42)
    return `is not a wallet address: it is ${address.length} characters long, and ${EVM_ADDRESS}`;
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return `is not a wallet address: ${EVM_ADDRESS}`;
  return problemWithChain(address, chainId) ?? { address, chainId };
}

/** An address of one kind of chain on another is a mix-up. Without a chain, it may be either kind. */
function problemWithChain(address: string, chainId: number | null): string | null {
  if (chainId === null) return null;
  const isEvmChain = !NON_EVM_CHAIN_IDS.includes(chainId);
  if (isEvmChain === address.startsWith("0x")) return null;
  return isEvmChain
    ? `is not a wallet address on chain ${chainId}: ${EVM_ADDRESS}`
    : `is an EVM address, and chain ${chainId} is not an EVM chain`;
}

/** A wallet of which the chain must be known. */
export function parseWalletOnChain(text: string): Wallet | string {
  const wallet = parseWallet(text);
  if (typeof wallet === "string") return wallet;
  if (wallet.chainId === null) return "has no chain: write CHAIN:ADDRESS, such as 8453:0x5290…";
  return { address: wallet.address, chain: { id: wallet.chainId } };
}

/** The wallet, or a usage error that says what is wrong with it. `name` is the option, when there is one. */
export function requireWallet<Reading>(
  text: string,
  parse: (text: string) => Reading | string,
  name?: string,
): Reading {
  const wallet = parse(text);
  if (typeof wallet !== "string") return wallet;
  throw new UsageError(`${name === undefined ? "" : `${name}: `}${text} ${wallet}.`);
}

/** The chain that the wallet or --chain names. */
export function resolveChain({ address, chainId }: WalletReading, option: number | undefined): number | undefined {
  if (chainId !== null && option !== undefined && chainId !== option) {
    throw new UsageError(`${chainId}:${address} is on another chain than --chain ${option}.`);
  }
  const chosen = chainId ?? option;
  const problem = problemWithChain(address, chosen ?? null);
  if (problem !== null) throw new UsageError(`${address} ${problem}.`);
  return chosen;
}

/** EVM addresses are compared without regard to case, as the service does; all others exactly. */
export function isSameAddress(one: string, other: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(one) ? one.toLowerCase() === other.toLowerCase() : one === other;
}
