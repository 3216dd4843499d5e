// Base64 without Buffer, for runtimes that have only the web's interfaces. `atob` skips white space and takes stray bits,
// so decoding is done here, strictly: only what an encoder writes, with whole padding or none.

const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE = `${STANDARD.slice(0, 62)}-_`;

export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes the standard or the url-safe alphabet, but no mixture; null for anything else. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return decode(text, STANDARD) ?? decode(text, URL_SAFE);
}

export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  return decode(text, URL_SAFE);
}

function decode(text: string, alphabet: string): Uint8Array<ArrayBuffer> | null {
  const digits = text.length % 4 === 0 ? text.replace(/={1,2}$/, "") : text;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let pending = 0;
  let pendingBits = 0;
  let length = 0;
  for (const digit of digits) {
    const value = alphabet.indexOf(digit);
    if (value === -1) return null;
    pending = (pending << 6) | value;
    pendingBits += 6;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      bytes[length++] = pending >> pendingBits;
      pending &= (1 << pendingBits) - 1;
    }
  }
  // Six bits left are a digit of which no byte came; any other bits left must be zero.
  return pendingBits === 6 || pending !== 0 ? null : bytes;
}
