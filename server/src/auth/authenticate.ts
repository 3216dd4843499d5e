import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Clock } from "../clock.ts";
import { type ErrorCode, fail } from "../http/errors.ts";
import type { RateLimit } from "../merchants/record.ts";
import { describeInvalidSignature, verifySignature } from "../signing/signature.ts";
import { checkBody, checkHeading, refuseUnreadBody } from "./bind.ts";
import { refusalOf, type Signer } from "./credential.ts";
import { checkTime, type Envelope, parseEnvelope } from "./envelope.ts";
import type { Credential, MerchantCache } from "./merchant-cache.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the hook below, before any merchant route looks at its path, query or body. */
    signer: Signer | null;
    /** The merchant's own limits; null: those of all merchants. */
    rateLimit: RateLimit | null;
  }
}

/** What the hook may answer, in the order of its checks. */
export const AUTHENTICATION_ERRORS: readonly ErrorCode[] = [
  "MERCHANT_AUTHORIZATION_MISSING",
  "VALIDATION_ERROR",
  "MERCHANT_NOT_REGISTERED",
  "MERCHANT_NOT_ACTIVE",
  "MERCHANT_AUTHORIZATION_EXPIRED",
  "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
  "MERCHANT_SIGNATURE_INVALID",
];

// In lower case, as we write them. An id in upper case is not the merchant's id.
const MERCHANT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface AuthenticationOptions {
  readonly merchants: MerchantCache;
  readonly clock: Clock;
  /** The name of this environment, which a bound envelope must name. */
  readonly environment: string;
}

/** Accepts requests that are signed with the key of an active merchant. Does not wait while the key is in the cache. */
export function authenticateMerchant({ merchants, clock, environment }: AuthenticationOptions) {
  // Anyone can name a merchant that does not exist, so that look-up takes an unauthenticated place. The look-up of a known
  // merchant is shared by all requests that need it, and must not wait behind unauthenticated callers.
  const find = (reply: FastifyReply, id: string): Promise<Credential> =>
    merchants.remembers(id) ? merchants.find(id) : reply.server.places.whileUnknown(reply, () => merchants.find(id));

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const envelope = parseEnvelope(request.headers["x-merchant-authorization"]);
    const remembered = merchants.fresh(envelope.merchantId);
    if (remembered !== null) {
      admit(request, envelope, remembered, clock().getTime(), environment);
      done();
      return;
    }
    if (!MERCHANT_ID.test(envelope.merchantId)) fail("MERCHANT_NOT_REGISTERED");
    find(reply, envelope.merchantId)
      .then((credential) => admit(request, envelope, credential, clock().getTime(), environment))
      // Any failure rejects the request.
      .then(
        () => done(),
        (error) => done(error ?? new Error("The merchant could not be read.")),
      );
  };
}

function admit(
  request: FastifyRequest,
  envelope: Envelope,
  { stored, key }: Credential,
  nowMs: number,
  environment: string,
): void {
  const { merchantId, bind } = envelope;
  if (stored === null) fail("MERCHANT_NOT_REGISTERED");
  if (key === null) fail("MERCHANT_NOT_ACTIVE");
  checkTime(envelope, nowMs);
  if (!verifySignature(key, envelope.payload, envelope.signature)) {
    fail("MERCHANT_SIGNATURE_INVALID", describeInvalidSignature(envelope.signature));
  }
  const signer = { merchantId, publicKey: stored.publicKey, isBound: bind !== undefined };
  const refusal = refusalOf(stored, signer);
  if (refusal !== null) throw refusal;
  if (bind !== undefined) {
    checkHeading(bind, { environment, merchantId, method: request.method, path: request.raw.url ?? "" });
    if (READING_METHODS.includes(request.method)) refuseUnreadBody(request.raw);
    request.checkBody = (body) => checkBody(bind, body);
  }
  request.signer = signer;
  request.rateLimit = stored.rateLimit;
  request.isAuthenticated = true;
}

const READING_METHODS = ["GET", "HEAD"];

/**
 * Checks once more when the body has been read: a suspension, a swapped key or a new rule applies to every change once the
 * operator was answered, even when the body arrives slowly. A request without a body gets its body check here.
 */
export function recheckMerchant({ merchants }: Pick<AuthenticationOptions, "merchants">) {
  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (request.rawBody === null) request.checkBody?.(null);
    if (READING_METHODS.includes(request.method)) {
      done();
      return;
    }
    const signer = signerOf(request);
    const judge = ({ stored }: Credential) => done(refusalOf(stored, signer) ?? undefined);
    const remembered = merchants.fresh(signer.merchantId);
    if (remembered !== null) {
      judge(remembered);
      return;
    }
    merchants
      .find(signer.merchantId)
      .then(judge, (error) => done(error ?? new Error("The merchant could not be read.")));
  };
}

/** Who signed this request. */
export function signerOf(request: FastifyRequest): Signer {
  if (request.signer === null) throw new Error("The route was reached without a merchant.");
  return request.signer;
}

/** The merchant whose request this is. */
export function merchantOf(request: FastifyRequest): string {
  return signerOf(request).merchantId;
}
