import emailAddresses from "email-addresses";
import { EMAIL_LENGTH_MAX } from "../limits.ts";

// RFC 5322 is ASCII (its extension to UTF-8 is RFC 6532, which the specification does not name). Leaving out every
// control character also leaves out folding, and with it any way into a mail header.
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/**
 * Whether the text is one RFC 5322 addr-spec and nothing else: no display name, angle brackets, comment, folding, list
 * or group, nor any obsolete form. The grammar is the RFC's: a quoted local part (a space in it included), a domain
 * literal and a single-label domain are addresses. Whether mail arrives there is not checked.
 */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_LENGTH_MAX || !PRINTABLE_ASCII.test(text)) return false;
  const mailbox = emailAddresses.parseOneAddress({
    input: text,
    startAt: "mailbox",
    strict: true,
    rfc6532: false,
  });
  if (mailbox?.type !== "mailbox") return false;
  const { name, address, domain, comments } = mailbox.parts;
  // The parser lists white space around the parts with the comments, but not the white space inside a domain literal.
  return name === null && comments.length === 0 && address.tokens === text && !domain.tokens.includes(" ");
}
