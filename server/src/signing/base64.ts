import { Buffer } from "node:buffer";

// Node's decoder skips characters it does not know, sees only the lower half of wide ones, takes lengths no encoder writes
// and ignores stray bits at the end, so that countless texts decode to the same bytes. Here a text counts only when an
// encoder would have written it for its bytes, with or without padding.

/** Decodes standard or url-safe base64, but not a mixture of both alphabets, which no encoder writes. */
export function decodeBase64(text: string): Buffer | null {
  return hasPlusOrSlash(text) && hasDashOrUnderscore(text) ? null : decode(text);
}

/** Decodes base64url only. */
export function decodeBase64Url(text: string): Buffer | null {
  return hasPlusOrSlash(text) ? null : decode(text);
}

function hasPlusOrSlash(text: string): boolean {
  return text.includes("+") || text.includes("/");
}

function hasDashOrUnderscore(text: string): boolean {
  return text.includes("-") || text.includes("_");
}

/** The last characters that carry no stray bits, by how many bytes there are beyond groups of three. */
const LAST_CHARACTERS = ["", "AQgw", "AEIMQUYcgkosw048"] as const;

function decode(text: string): Buffer | null {
  if (!isAscii(text)) return null;
  const bytes = Buffer.from(text, "base64");
  // Three bytes come of four characters. One that was skipped makes the text too long for the bytes.
  const length = text.length - paddingOf(text);
  if (length !== Math.ceil((bytes.length * 4) / 3)) return null;
  const beyond = bytes.length % 3;
  return beyond === 0 || LAST_CHARACTERS[beyond]?.includes(text.charAt(length - 1)) ? bytes : null;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** How many characters only fill the last group of four up. */
function paddingOf(text: string): number {
  if (text.length % 4 !== 0 || text.at(-1) !== "=") return 0;
  return text.at(-2) === "=" ? 2 : 1;
}
