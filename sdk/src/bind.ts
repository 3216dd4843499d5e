import { encodeBase64Url } from "./base64.ts";

// A header may say which request it is for. It is then good for that request alone.

export type Environment = "production" | "sandbox";
export const ENVIRONMENTS: readonly string[] = ["production", "sandbox"] satisfies Environment[];

/** The one request that a header is signed for. */
export interface SignedRequest {
  /** Which environment the request goes to. */
  environment: Environment;
  /** In capitals, as it is sent. */
  method: string;
  /** The request target exactly as it is sent: the path and the query, without scheme and host. */
  path: string;
  /** What is sent as the body; a text is sent as UTF-8. */
  body?: string | Uint8Array | null | undefined;
}

export const REQUEST_OPTIONS = ["environment", "method", "path", "body"] as const satisfies (keyof SignedRequest)[];

/** What the payload says about its request. */
export interface Bind {
  environment: string;
  merchantId: string;
  method: string;
  path: string;
  /** base64url, without padding, of the SHA-256 of the body's bytes. */
  bodySha256: string;
}

/** In the order in which they are compared. */
export const BIND_PARTS = [
  "environment",
  "merchantId",
  "method",
  "path",
  "bodySha256",
] as const satisfies (keyof Bind)[];

export async function bindTo(merchantId: string, { environment, method, path, body }: SignedRequest): Promise<Bind> {
  return { environment, merchantId, method, path, bodySha256: await digestBody(body) };
}

export async function digestBody(body: SignedRequest["body"]): Promise<string> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  return encodeBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)));
}

/** The first part that differs from what is known of the request, or null. */
export function findUntruePart(bind: Bind, known: { [Part in keyof Bind]?: string | undefined }): keyof Bind | null {
  return BIND_PARTS.find((part) => known[part] !== undefined && bind[part] !== known[part]) ?? null;
}

/** Refuses immediately what the service would refuse later. */
export function checkRequest({ environment, method, path, body }: SignedRequest): void {
  if (!ENVIRONMENTS.includes(environment)) throw new TypeError('environment must be "production" or "sandbox".');
  if (typeof method !== "string" || !/^[A-Z]+$/.test(method)) {
    throw new TypeError("method must be written in capitals, as it is sent.");
  }
  if (typeof path !== "string" || !/^\/[!-"$-~]*$/.test(path)) {
    throw new TypeError(
      "path must be the path and query exactly as they are sent: it begins with /, is percent-encoded and has no fragment.",
    );
  }
  if (body !== undefined && body !== null && typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new TypeError("body must be the text or the bytes that are sent.");
  }
}
