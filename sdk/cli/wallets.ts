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
