import { encodeBase64Url } from "./base64.ts";
import { refuseUnknownOptions, refuseWrongTypes } from "./options.ts";
import { isVisibleText, type PaymentLinkPayload, readPaymentLink } from "./payment-link.ts";
import type { WebRequest, WebResponse } from "./platform.ts";
import { signPayload } from "./sign-header.ts";
import { prepareSign, SIGNING_KEY_OPTIONS, type SigningKey } from "./signing-key.ts";
import { isAppScheme, readWebAddress } from "./web-address.ts";

// The signer a merchant hosts: it signs payment links for its own pages. Anyone who can make it sign an address of their
// choice can send a user's deposit there in the merchant's name, so it signs only what the merchant's own code confirmed.

/** Room for 20 pairs of 500 characters each, even when a client writes every character as two escapes of six. */
const BODY_LENGTH_MAX = 262_144;
const OPTIONAL_INPUT_KEYS = ["url", "reference", "metadata"] as const;
const INPUT_KEYS: readonly string[] = [
  ...["amount", "chainId", "address", "token", "callbackScheme", "version"],
  ...OPTIONAL_INPUT_KEYS,
];

/** Where a deposit would go, how much it would be, and what else the link would say. */
export interface Destination {
  address: string;
  chainId: number;
  token: string;
  amount: number;
  url?: string;
  reference?: string;
  metadata?: Record<string, string>;
}

export type SignerOptions<Caller> = SigningKey & {
  merchantId: string;
  /** The only chains that are signed for. */
  chains: readonly number[];
  /** The only tokens that are signed for, as your pages name them: symbols or contract addresses. */
  tokens: readonly string[];
  /**
   * Whether the caller owns the destination. Look up the caller's session and the wallet that belongs to it; answer true
   * only for that wallet, and for an amount, a url, a reference and metadata that you would ask this caller for. Anything
   * but true is refused with 403.
   */
  confirmDestination: (caller: Caller, destination: Destination) => boolean | Promise<boolean>;
  /** The app URL schemes that may be called back. None unless given: web pages need none. */
  callbackSchemes?: readonly string[] | undefined;
  /** The origins that a link's `url` may be on, such as `https://shop.example`. None unless given. */
  urlOrigins?: readonly string[] | undefined;
  /** The time of signing; the machine's unless given. */
  clock?: (() => Date | number) | undefined;
};

const OPTIONS = [
  ...["merchantId", ...SIGNING_KEY_OPTIONS, "chains", "tokens", "confirmDestination"],
  ...["callbackSchemes", "urlOrigins", "clock"],
];

export interface SignedPaymentLink {
  merchantId: string;
  /** base64url of the payload's JSON; this very text is signed. */
  payload: string;
  signature: string;
  /** For showing; only the payload counts. */
  preview: Pick<PaymentLinkPayload, "amount" | "chainId" | "address" | "token" | "idempotencyKey">;
}

/** What came in, however the web framework at hand presents it. */
export interface SignerRequest {
  method: string;
  contentType: string | null;
  /** The body's text, or what a parser has made of it; null when it is too long. */
  body: unknown;
}

export interface SignerAnswer {
  status: number;
  headers: Record<string, string>;
  body: SignedPaymentLink | { error: { code: string; message: string } };
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The signer endpoint as a fetch-style handler: for Deno, Bun, edge runtimes and frameworks that speak `Request`. */
export function createSigner(options: SignerOptions<WebRequest>): (request: WebRequest) => Promise<WebResponse> {
  const answer = prepareSigner(options);
  return async (request) => {
    const text = await readText(request.body);
    const contentType = request.headers.get("content-type");
    const { status, headers, body } = await answer(request, { method: request.method, contentType, body: text });
    return new Response(JSON.stringify(body), { status, headers });
  };
}

/** The signer itself, for adapters. Throws immediately when it would sign for anyone. */
export function prepareSigner<Caller>(
  options: SignerOptions<Caller>,
): (caller: Caller, request: SignerRequest) => Promise<SignerAnswer> {
  checkOptions(options);
  const { merchantId, confirmDestination, clock = Date.now } = options;
  const signBytes = prepareSign(options);

  const sign = async (caller: Caller, request: SignerRequest): Promise<SignedPaymentLink> => {
    const payment = readInput(request, options, new Date(clock()));
    const { amount, chainId, address, token, idempotencyKey, url, reference, metadata } = payment;
    const destination: Destination = { address, chainId, token, amount };
    if (url !== undefined) destination.url = url;
    if (reference !== undefined) destination.reference = reference;
    // A copy: what the merchant's code does with it does not change what is signed.
    if (metadata !== undefined) destination.metadata = { ...metadata };
    // Only true is a yes: a forgotten return, or an object that describes the refusal, must not sign.
    if ((await confirmDestination(caller, destination)) !== true) {
      throw new Refusal(403, "DESTINATION_NOT_CONFIRMED", "The destination was not confirmed as the caller's own.");
    }
    const { payload, signature } = await signPayload(payment, signBytes);
    return { merchantId, payload, signature, preview: { amount, chainId, address, token, idempotencyKey } };
  };

  return async (caller, request) => {
    const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
    try {
      return { status: 200, headers, body: await sign(caller, request) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code, message } = error;
      const allow: Record<string, string> = status === 405 ? { allow: "POST" } : {};
      return { status, headers: { ...headers, ...allow }, body: { error: { code, message } } };
    }
  };
}

function checkOptions(options: SignerOptions<never>): void {
  refuseUnknownOptions("The signer", options, OPTIONS);
  refuseWrongTypes(options, { clock: "function" });
  const { merchantId, chains, tokens, confirmDestination, callbackSchemes = [], urlOrigins = [] } = options;
  if (typeof merchantId !== "string" || merchantId.trim() === "") throw new TypeError("merchantId is empty.");
  if (typeof confirmDestination !== "function") {
    throw new TypeError(
      "confirmDestination is missing: without it, anybody could have a payment to any address signed in your name.",
    );
  }
  if (!Array.isArray(chains) || chains.length === 0) throw new TypeError("chains must list the chain ids to sign for.");
  if (!chains.every((chainId) => Number.isSafeInteger(chainId) && chainId > 0)) {
    throw new TypeError("chains must hold numeric chain ids.");
  }
  if (!Array.isArray(tokens) || tokens.length === 0) throw new TypeError("tokens must list the tokens to sign for.");
  if (!tokens.every(isVisibleText)) {
    throw new TypeError("tokens must hold symbols or contract addresses, in visible ASCII characters.");
  }
  if (!callbackSchemes.every(isAppScheme)) {
    throw new TypeError(
      'callbackSchemes must hold the schemes of your apps, in lower case and without a colon: "shopapp".',
    );
  }
  if (!urlOrigins.every((origin) => readWebAddress(origin)?.origin === origin)) {
    throw new TypeError(
      'urlOrigins must hold scheme and host, in lower case and without a slash: "https://shop.example".',
    );
  }
}

/** The payload to sign. Its rules are those it will be verified by. */
function readInput(request: SignerRequest, options: SignerOptions<never>, now: Date): PaymentLinkPayload {
  if (request.method !== "POST") throw new Refusal(405, "METHOD_NOT_ALLOWED", "Send a POST request.");
  // A page of another origin can send a form or plain text without asking, but not this type.
  if (!/^application\/json\s*(;|$)/i.test(request.contentType ?? "")) {
    throw invalid("The Content-Type must be application/json.");
  }
  const input = readObject(request.body);
  for (const key of Object.keys(input)) {
    if (!INPUT_KEYS.includes(key)) throw invalid(`The body may not hold the key ${JSON.stringify(key)}.`);
  }
  const payment = {
    amount: input.amount,
    chainId: input.chainId,
    address: input.address,
    token: input.token,
    idempotencyKey: crypto.randomUUID(),
    callbackScheme: input.callbackScheme ?? null,
    signatureTimestamp: now.toISOString(),
    version: input.version ?? "v1",
    // Null counts as left out.
    ...Object.fromEntries(
      OPTIONAL_INPUT_KEYS.filter((key) => (input[key] ?? null) !== null).map((key) => [key, input[key]]),
    ),
  };
  const reading = readPaymentLink(encodePayload(payment));
  if (!reading.ok) throw invalid(reading.problem);
  checkAllowed(reading.payment, options);
  return reading.payment;
}

function checkAllowed(payment: PaymentLinkPayload, options: SignerOptions<never>): void {
  const { chains, tokens, callbackSchemes = [], urlOrigins = [] } = options;
  const { chainId, token, callbackScheme, url } = payment;
  if (!chains.includes(chainId)) throw invalid(`This signer does not sign for the chain ${chainId}.`);
  if (!tokens.some((allowed) => isSameToken(allowed, token)))
    throw invalid("This signer does not sign for this token.");
  if (callbackScheme !== null && !callbackSchemes.includes(callbackScheme)) {
    throw invalid("This signer does not sign for this callbackScheme.");
  }
  if (url !== undefined && !urlOrigins.includes(readWebAddress(url)?.origin ?? "")) {
    throw invalid("This signer does not sign for the origin of this url.");
  }
}

/** EVM addresses are the same in any case; of anything else the case counts. */
function isSameToken(one: string, other: string): boolean {
  const isAddress = /^0x[0-9a-f]{40}$/i.test(one);
  return isAddress ? one.toLowerCase() === other.toLowerCase() : one === other;
}

function readObject(body: unknown): Record<string, unknown> {
  let value = body;
  if (typeof body === "string") {
    try {
      value = JSON.parse(body);
    } catch {
      throw invalid("The body is not JSON.");
    }
  }
  if (value === null || value === undefined || typeof value !== "object" || Array.isArray(value)) {
    throw invalid("The body must be a JSON object, and a short one.");
  }
  return value as Record<string, unknown>;
}

function encodePayload(payment: object): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(payment)));
}

function invalid(message: string): Refusal {
  return new Refusal(400, "VALIDATION_ERROR", message);
}

/**
 * The text of a body, or null when it is longer than any input of this endpoint. The rest of a long one is read and dropped:
 * who stopped reading would cut the connection before the refusal is sent.
 */
export async function readText(body: AsyncIterable<Uint8Array> | WebRequest["body"]): Promise<string | null> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text: string | null = "";
  for await (const chunk of chunksOf(body)) {
    if (text === null) continue;
    text += decoder.decode(chunk, { stream: true });
    if (text.length > BODY_LENGTH_MAX) text = null;
  }
  return text === null ? null : text + decoder.decode();
}

/** Not every runtime lets a web stream be walked like a list. */
async function* chunksOf(
  body: AsyncIterable<Uint8Array> | NonNullable<WebRequest["body"]>,
): AsyncGenerator<Uint8Array> {
  if (!("getReader" in body)) return yield* body;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
