// Addresses that are signed, shown and followed. Two programs may repair a sloppy address differently, and an attacker picks
// the difference, so only an address that needs no repair is taken.

/** RFC 3986: everything else must be percent-encoded. A browser reads a backslash as a slash; it is not among these. */
const URI_CHARACTERS = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/**
 * The http or https address, or null when it is none or when the URL parser would change it: other case, default port, dot
 * segments, white space. A slash after a bare origin may be missing. User names are refused: they pass for hosts.
 */
export function readWebAddress(text: string): URL | null {
  if (!URI_CHARACTERS.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return url.href === text || url.origin === text ? url : null;
}

const URI_SCHEME = /^[a-z][a-z0-9+.-]{0,63}$/;
/** Schemes that browsers and systems handle themselves: they run scripts, read files or open another program. */
const RESERVED_SCHEMES: readonly string[] = [
  ...["about", "android-app", "blob", "chrome", "chrome-extension", "content", "data", "file", "filesystem", "ftp"],
  ...[
    "http",
    "https",
    "intent",
    "jar",
    "javascript",
    "livescript",
    "mailto",
    "mhtml",
    "moz-extension",
    "mocha",
    "resource",
  ],
  ...["sms", "tel", "vbscript", "view-source", "ws", "wss"],
];

/** A scheme that an app can register for itself, in lower case. */
export function isAppScheme(text: string): boolean {
  return URI_SCHEME.test(text) && !RESERVED_SCHEMES.includes(text);
}
