import { decodeBase64, decodeBase64Url } from "./base64.ts";

// Why a header cannot be read, judged by what it looks like. Each layer is undone as far as it goes, and the first that
// does not open is named together with what usually makes it so.

export interface Fault {
  problem: string;
  fix: string;
}

const PAYMENT_KEYS = ["amount", "chainId", "address", "token", "idempotencyKey"];
const BUILD_ENVELOPE = "Send base64 of the JSON { merchantId, payload, signature }, as signHeader makes it.";

export function explainForm(header: string | readonly string[] | null | undefined): Fault | null {
  const values = typeof header === "string" ? [header] : (header ?? []);
  const [value = ""] = values;
  if (values.length > 1)
    return fault("The header was sent more than once.", "Send it once; look for a proxy that adds it.");
  if (value.trim() === "") {
    return fault("The header is missing or empty.", "Send X-Merchant-Authorization, and let every proxy pass it on.");
  }
  return explainText(value) ?? explainEnvelope(value);
}

/** What can be seen before anything is decoded. */
function explainText(value: string): Fault | null {
  const text = value.trim();
  if (/^x-merchant-authorization\s*:/i.test(text)) {
    return fault("The header's name is part of its value.", "Give only what stands behind the colon.");
  }
  if (/^(bearer|basic)\s/i.test(text))
    return fault("The value begins with a scheme.", "Leave out the word before the value.");
  if (text.includes("-----BEGIN"))
    return fault("This is a key, not a header.", "Sign a header with the key: signHeader.");
  if (text.startsWith("{")) return fault("The envelope's JSON was not encoded.", BUILD_ENVELOPE);
  if (/^["'].*["']$/s.test(text)) return fault("The value stands in quotes.", "Send it without the quotes.");
  if (/\s/.test(value)) {
    return fault(
      "There are spaces or line breaks in the base64.",
      "Encode without line breaks: openssl base64 -A, base64 -w0, or an encoder that is not the MIME one.",
    );
  }
  if (text.includes("%"))
    return fault("The value is percent-encoded.", "Send the base64 as it is; a header needs no escapes.");
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) {
    return fault("This looks like a JSON Web Token.", `This API does not use them. ${BUILD_ENVELOPE}`);
  }
  if (decodeBase64(text) === null) {
    return fault(
      "The value is not base64: a foreign character, a mixture of both alphabets, or a part of it is missing.",
      "Use standard base64 for the envelope, and copy it whole.",
    );
  }
  return null;
}

function explainEnvelope(value: string): Fault | null {
  const envelope = parseObject(decodeBase64(value));
  if (envelope === null) {
    if (parseObject(decodeAgain(decodeBase64(value))) !== null) {
      return fault("The envelope was base64-encoded twice.", "Encode it once.");
    }
    if (/^\s*\{\s*"/.test(new TextDecoder().decode(decodeBase64(value) ?? new Uint8Array()))) {
      return fault(`The header ends after ${value.length} characters, in the middle of its JSON.`, "Copy it whole.");
    }
    return fault("What the base64 holds is not a JSON object.", BUILD_ENVELOPE);
  }
  if ("preview" in envelope) return paymentLink();
  if ("signatureTimestamp" in envelope) {
    return fault("This is the payload without its envelope.", BUILD_ENVELOPE);
  }
  const { payload, signature } = envelope;
  return explainPayload(payload) ?? explainSignatureText(signature);
}

function explainPayload(payload: unknown): Fault | null {
  const encode = "Encode the payload's JSON as base64url, sign that text, and put that very text into the envelope.";
  if (typeof payload === "object" && payload !== null) return fault("The payload is JSON inside JSON.", encode);
  if (typeof payload !== "string") return fault("The envelope has no payload.", encode);
  if (payload.trimStart().startsWith("{")) return fault("The payload's JSON was not encoded.", encode);
  if (/[+/]/.test(payload))
    return fault("The payload is standard base64.", "Use base64url: - and _ in place of + and /.");
  const identity = parseObject(decodeBase64Url(payload));
  if (identity === null) {
    if (parseObject(decodeAgain(decodeBase64Url(payload))) !== null) {
      return fault("The payload was base64-encoded twice.", "Encode it once.");
    }
    return fault("The payload is not base64url of a JSON object.", encode);
  }
  if (PAYMENT_KEYS.some((key) => key in identity)) return paymentLink();
  if (typeof identity.signatureTimestamp === "number") {
    return fault("signatureTimestamp is a number.", "Write it as ISO-8601 text: new Date().toISOString().");
  }
  return null;
}

function explainSignatureText(signature: unknown): Fault | null {
  if (typeof signature !== "string") return null;
  if (/[+/]/.test(signature)) {
    return fault("The signature is standard base64.", "Use base64url: - and _ in place of + and /.");
  }
  // No signature is that long in base64url.
  if (/^[0-9a-f]{128,}$/i.test(signature)) {
    return fault("The signature is written in hexadecimal.", "Write its bytes as base64url instead.");
  }
  return null;
}

function paymentLink(): Fault {
  return fault(
    "This is a payment link. It passes through browsers, so it never counts as the merchant's own credential.",
    "Sign a header of its own with signHeader: its payload holds version, signatureTimestamp, expiresAt and bind only.",
  );
}

function fault(problem: string, fix: string): Fault {
  return { problem, fix };
}

function decodeAgain(bytes: Uint8Array | null): Uint8Array | null {
  return bytes === null ? null : decodeBase64(new TextDecoder().decode(bytes).trim());
}

function parseObject(bytes: Uint8Array | null): Record<string, unknown> | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
