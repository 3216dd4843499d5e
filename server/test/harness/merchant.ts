import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect } from "vitest";
import { type Answer, type CallOptions, call, type Service } from "./service.ts";

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKeyPem: string;
}

export function generateKeys(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, publicKeyPem: publicKey.export({ type: "spki", format: "pem" }) as string };
}

/** A complete application; `change` replaces fields, and undefined removes one. */
export function applicationBody(change: Record<string, unknown> = {}) {
  return {
    email: "payments@shop.example",
    domain: "shop.example",
    publicKey: generateKeys().publicKeyPem,
    description: "A shop that takes stablecoin deposits.",
    ...change,
  };
}

/** The X-Merchant-Authorization header, built from the specification with node:crypto alone. */
export function signHeader(merchantId: string, privateKey: KeyObject, at: Date = new Date()): string {
  const payload = Buffer.from(JSON.stringify({ version: "v1", signatureTimestamp: at.toISOString() })).toString(
    "base64url",
  );
  const signature = sign("sha256", Buffer.from(payload), privateKey).toString("base64url");
  return Buffer.from(JSON.stringify({ merchantId, payload, signature })).toString("base64");
}

export interface BoundRequest {
  readonly environment?: string;
  readonly merchantId?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
}

/** What a bound envelope says about one request. */
export function bindTo(merchantId: string, request: BoundRequest) {
  const { environment = "production", method = request.body === undefined ? "GET" : "POST", path, body = "" } = request;
  const bodySha256 = createHash("sha256").update(body).digest("base64url");
  return { environment, merchantId: request.merchantId ?? merchantId, method, path, bodySha256 };
}

/** The header around any payload, signed with the key. */
export function signPayload(merchantId: string, privateKey: KeyObject, content: unknown): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const payload = Buffer.from(text).toString("base64url");
  const signature = sign("sha256", Buffer.from(payload), privateKey).toString("base64url");
  return Buffer.from(JSON.stringify({ merchantId, payload, signature })).toString("base64");
}

/** The header for one request and no other. */
export function signBound(merchantId: string, privateKey: KeyObject, request: BoundRequest): string {
  const signatureTimestamp = new Date().toISOString();
  return signPayload(merchantId, privateKey, { version: "v1", signatureTimestamp, bind: bindTo(merchantId, request) });
}

export interface Merchant {
  readonly id: string;
  readonly keys: KeyPair;
  /** Calls the public listener with a fresh signature. */
  call(path: string, options?: CallOptions): Promise<Answer>;
}

/** Goes the whole way of a real merchant: apply, and be approved. */
export async function registerMerchant(
  service: Pick<Service, "publicUrl" | "call" | "operator">,
  change: Record<string, unknown> = {},
): Promise<Merchant> {
  const keys = generateKeys();
  const applied = await service.call("/v1/merchants/applications", {
    body: applicationBody({ publicKey: keys.publicKeyPem, ...change }),
  });
  expect(applied.status, JSON.stringify(applied.body)).toBe(202);
  if (applied.body.status === "PENDING") {
    const approved = await service.operator(`/applications/${applied.body.applicationId}/approve`, {
      body: {},
    });
    expect(approved.status).toBe(200);
  }
  return asMerchant(service, applied.body.merchantId, keys);
}

export function asMerchant(service: Pick<Service, "publicUrl">, id: string, keys: KeyPair): Merchant {
  return {
    id,
    keys,
    call: (path, options = {}) =>
      call(service.publicUrl + path, {
        ...options,
        headers: { "x-merchant-authorization": signHeader(id, keys.privateKey), ...options.headers },
      }),
  };
}

/** The proof that the applicant holds the key; `change` replaces what is signed, and undefined removes a key. */
export function proofOf(
  { email, domain }: { email: string; domain: string },
  privateKey: KeyObject,
  change: Record<string, unknown> = {},
  dsaEncoding: "der" | "ieee-p1363" = "der",
) {
  const signatureTimestamp = new Date().toISOString();
  const content = { version: "v1", purpose: "merchant-application", domain, email, signatureTimestamp, ...change };
  const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
  return {
    payload,
    signature: sign("sha256", Buffer.from(payload), { key: privateKey, dsaEncoding }).toString("base64url"),
  };
}
