export interface Wallet {
  readonly address: string;
  readonly chain: { readonly id: number };
}

/** A wallet written as chain:address, such as 8453:0xAb…; null for anything else. */
export function parseWallet(text: string): Wallet | null {
  const [, chain = "", address = ""] = /^([1-9][0-9]{0,15}):(\S{1,128})$/.exec(text.trim()) ?? [];
  const id = Number(chain);
  return Number.isSafeInteger(id) && id > 0 ? { address, chain: { id } } : null;
}

/** EVM addresses are compared without regard to case, as the service does; all others exactly. */
export function isSameAddress(one: string, other: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(one) ? one.toLowerCase() === other.toLowerCase() : one === other;
}
