import { decodeBase64, encodeBase64 } from "./base64.ts";
import { brand } from "./brand.ts";
import type { Bytes } from "./platform.ts";

// Keys travel through environment variables, secret stores and chat windows, which fold their line ends, quote them and
// trim them. A text that clearly holds one key is accepted; everything else is refused with what it is and what is
// wanted, and never with a piece of it.

/** A key that cannot be used; the message says what was given and what is wanted. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}
brand(KeyError, "KeyError");

export interface PemBlock {
  label: string;
  bytes: Bytes;
}

/** The one block of the wanted kind: `PRIVATE KEY` or `EC PRIVATE KEY`, or `PUBLIC KEY`. */
export function readPem(text: string, wanted: "private" | "public"): PemBlock {
  const blocks = [...unfold(text).matchAll(/-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----/gs)]
    .map(([, label = "", body = ""]) => ({ label, body }))
    // `openssl ecparam -genkey` writes the curve before the key.
    .filter(({ label }) => label !== "EC PARAMETERS");
  const [block] = blocks;
  if (block === undefined) throw new KeyError(`${describeNoPem(text)} Give a P-256 ${wanted} key in PEM.`);
  if (blocks.length > 1)
    throw new KeyError(`There are ${blocks.length} PEM blocks here. Give the ${wanted} key alone.`);

  const problem = describeOtherBlock(block.label, block.body, wanted);
  if (problem !== null) throw new KeyError(problem);
  return { label: block.label, bytes: decodeBase64(block.body.replace(/\s/g, "")) ?? damagedPem() };
}

/** Line ends written as a backslash and a letter, once or several times escaped, become line ends again. */
function unfold(text: string): string {
  return text.replace(/\\+r/g, "").replace(/\\+n/g, "\n");
}

function describeNoPem(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "The key is empty.";
  if (trimmed.includes("LS0tLS1CRUdJTi")) return "This is the base64 of a PEM file: decode it first.";
  if (trimmed.includes("-----BEGIN")) return "The PEM block is cut off: its END line is missing or differs.";
  if (trimmed.startsWith("{")) return "This looks like a JSON key.";
  if (/^[\w./~\\-]+\.(pem|key|pub)$/.test(trimmed)) return "This is a file name: read the file and pass its content.";
  return "No PEM block was found.";
}

function describeOtherBlock(label: string, body: string, wanted: "private" | "public"): string | null {
  if (label === "CERTIFICATE" || label === "CERTIFICATE REQUEST") {
    return `This is a ${label.toLowerCase()}. Give the P-256 ${wanted} key itself.`;
  }
  if (wanted === "public") {
    if (label === "PUBLIC KEY") return null;
    if (label.endsWith("PRIVATE KEY")) {
      return "This is a private key, which never leaves your server. Give the public key: openssl pkey -in key.pem -pubout";
    }
    return `This is a PEM block of the kind ${label}. Give a P-256 key as PUBLIC KEY.`;
  }
  if (label === "PUBLIC KEY") return "This is the public key. Give the private key, which you made together with it.";
  if (label === "ENCRYPTED PRIVATE KEY" || body.includes("Proc-Type:")) {
    return "This private key is encrypted. Decrypt it first: openssl pkey -in key.pem -out plain.pem";
  }
  if (label === "PRIVATE KEY" || label === "EC PRIVATE KEY") return null;
  if (label === "OPENSSH PRIVATE KEY") {
    return "This is an OpenSSH key. Make a P-256 key: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256";
  }
  return `This is a PEM block of the kind ${label}. Give a P-256 key as PRIVATE KEY or EC PRIVATE KEY.`;
}

export function writePem(label: string, data: ArrayBuffer): string {
  const lines = encodeBase64(new Uint8Array(data)).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

function damagedPem(): never {
  throw new KeyError("The PEM block is damaged: its content is not base64.");
}
