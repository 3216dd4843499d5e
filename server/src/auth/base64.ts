// Node's decoder skips characters it does not know, takes lengths no encoder writes and ignores stray bits at the end, so
// that countless texts decode to the same bytes. Here a text is checked first and decoded only when it is the one an
// encoder would have written, with or without padding.

const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/;

// The characters that may end a text whose last group carries one byte (four stray bits) or two bytes (two stray bits).
const LAST_OF_TWO = "AQgw";
const LAST_OF_THREE = "AEIMQUYcgkosw048";

/** Decodes standard or url-safe base64, but not a mixture of both alphabets, which no encoder writes. */
export function decodeBase64(text: string): Buffer | null {
  return (STANDARD.test(text) || URL_SAFE.test(text)) && isCanonical(text) ? Buffer.from(text, "base64") : null;
}

/** Decodes base64url only. */
export function decodeBase64Url(text: string): Buffer | null {
  return URL_SAFE.test(text) && isCanonical(text) ? Buffer.from(text, "base64url") : null;
}

/** Assumes a known alphabet: padding is absent or completes the last group, and no bit is left over. */
function isCanonical(text: string): boolean {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (padding > 0 && text.length % 4 !== 0) return false;

  const length = text.length - padding;
  switch (length % 4) {
    case 0:
      return true;
    case 2:
      return LAST_OF_TWO.includes(text.charAt(length - 1));
    case 3:
      return LAST_OF_THREE.includes(text.charAt(length - 1));
    default:
      return false;
  }
}
