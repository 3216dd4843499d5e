import { createHash } from "node:crypto";
import { Type } from "typebox";
import { answerError, toAppError } from "../http/answer-error.ts";
import { clientAddress } from "../http/client-address.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { type ApplyDependencies, apply, readApplication } from "./apply.ts";
import { findMerchant } from "./queries.ts";
import { ApplicationReceipt, ApplicationRequest, PublicKeyAnswer } from "./schemas.ts";
import type { Throttle } from "./throttle.ts";

export interface MerchantRouteOptions extends ApplyDependencies {
  readonly throttle: Throttle;
}

/** What a stranger may call: apply for an account, and read an active merchant's public key. */
export async function merchantRoutes(app: Listener, options: MerchantRouteOptions): Promise<void> {
  const { db, throttle } = options;

  app.post(
    "/v1/merchants/applications",
    {
      schema: {
        tags: ["Registration"],
        operationId: "createMerchantApplication",
        summary: "Apply for a merchant account",
        description:
          "Reserves a merchant id for an ECDSA P-256 public key. The id is inert until an operator approves the " +
          "application; the sandbox approves at once. Needs no authentication. Applications are limited per client address.",
        body: ApplicationRequest,
        response: { 202: ApplicationReceipt },
      },
      config: { errors: ["MERCHANT_APPLICATION_DUPLICATE", "PUBLIC_KEY_RETIRED", "RATE_LIMITED"] },
      // Refusals are counted too, or guessing would be free.
      errorHandler: async (error, request, reply) => {
        try {
          if (toAppError(error).status === 400) await throttle.count("refused", clientAddress(request));
          answerError(error, request, reply);
        } catch (refusal) {
          answerError(refusal, request, reply);
        }
        return reply;
      },
    },
    async (request, reply) => {
      const application = readApplication(request.body, options.clock());
      await throttle.count("accepted", clientAddress(request));
      return reply.code(202).send(await apply(options, application, request.id));
    },
  );

  app.get(
    "/v1/merchants/:id/public-key",
    {
      schema: {
        tags: ["Registration"],
        operationId: "getMerchantPublicKey",
        summary: "Read a merchant's public key",
        description:
          "For verifying payment links, also from a browser. Ask again before each use, with If-None-Match: a swapped " +
          "key is answered at once.",
        params: pathIds("id"),
        response: {
          200: PublicKeyAnswer,
          304: Type.Null({ description: "The key you have is the one in force." }),
        },
      },
      config: { errors: ["PUBLIC_KEY_NOT_FOUND"] },
    },
    async (request, reply) => {
      reply.header("access-control-allow-origin", "*").header("cache-control", "no-cache");
      const merchant = await findMerchant(db, uuidOr("PUBLIC_KEY_NOT_FOUND", request.params.id));
      if (merchant === null || merchant.status !== "ACTIVE") fail("PUBLIC_KEY_NOT_FOUND");
      const { merchantId, algorithm, publicKey } = merchant;
      const etag = `"${createHash("sha256").update(publicKey).digest("base64url")}"`;
      reply.header("etag", etag);
      const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      if (known?.some((tag) => tag === etag || tag === "*")) return reply.code(304).send(null);
      return { merchantId, algorithm, publicKey };
    },
  );
}
