import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Clock } from "../clock.ts";
import { type ErrorCode, fail } from "../http/errors.ts";
import { checkTime, type Envelope, parseEnvelope } from "./envelope.ts";
import type { Credential, MerchantCache } from "./merchant-cache.ts";
import { describeInvalidSignature, verifySignature } from "./signature.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the hook below, before any merchant route looks at its path, query or body. */
    merchantId: string | null;
  }
}

/** What the hook may answer, in the order in which it looks. */
export const AUTHENTICATION_ERRORS: readonly ErrorCode[] = [
  "MERCHANT_AUTHORIZATION_MISSING",
  "VALIDATION_ERROR",
  "MERCHANT_NOT_REGISTERED",
  "MERCHANT_NOT_ACTIVE",
  "MERCHANT_AUTHORIZATION_EXPIRED",
  "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
  "MERCHANT_SIGNATURE_INVALID",
];

// As we write them: the same id in capitals is not the one that was given out.
const MERCHANT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lets in whoever signed the header with the key of an active merchant. Without a wait while the key is remembered. */
export function authenticateMerchant({ merchants, clock }: { merchants: MerchantCache; clock: Clock }) {
  // Anybody can ask for a merchant that does not exist, so that look-up takes a stranger's place. One of a merchant we know is
  // shared by all who ask at the same time, and must not wait behind strangers.
  const find = (reply: FastifyReply, id: string): Promise<Credential> =>
    merchants.remembers(id) ? merchants.find(id) : reply.server.places.whileUnknown(reply, () => merchants.find(id));

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const envelope = parseEnvelope(request.headers["x-merchant-authorization"]);
    const remembered = merchants.fresh(envelope.merchantId);
    if (remembered !== null) {
      admit(request, envelope, remembered, clock().getTime());
      done();
      return;
    }
    if (!MERCHANT_ID.test(envelope.merchantId)) fail("MERCHANT_NOT_REGISTERED");
    find(reply, envelope.merchantId)
      .then((credential) => admit(request, envelope, credential, clock().getTime()))
      // Whatever went wrong, and be it nothing at all, nobody is let in by it.
      .then(
        () => done(),
        (error) => done(error ?? new Error("The merchant could not be read.")),
      );
  };
}

function admit(request: FastifyRequest, envelope: Envelope, credential: Credential, nowMs: number): void {
  if (credential.standing !== "active") {
    fail(credential.standing === "unknown" ? "MERCHANT_NOT_REGISTERED" : "MERCHANT_NOT_ACTIVE");
  }
  checkTime(envelope, nowMs);
  if (!verifySignature(credential.publicKey, envelope.payload, envelope.signature)) {
    fail("MERCHANT_SIGNATURE_INVALID", describeInvalidSignature(envelope.signature));
  }
  request.merchantId = envelope.merchantId;
  request.isAuthenticated = true;
}

/** The merchant whose request this is. */
export function merchantOf(request: FastifyRequest): string {
  if (request.merchantId === null) throw new Error("The route was reached without a merchant.");
  return request.merchantId;
}
