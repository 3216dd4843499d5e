import { answerError, toAppError } from "../http/answer-error.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Listener } from "../http/listener.ts";
import { type ApplyDependencies, apply, readApplication } from "./apply.ts";
import { ApplicationReceipt, ApplicationRequest } from "./schemas.ts";
import type { Throttle } from "./throttle.ts";

export interface RegistrationRouteOptions extends ApplyDependencies {
  readonly throttle: Throttle;
}

/** Anyone may apply for an account. */
export async function registrationRoutes(app: Listener, options: RegistrationRouteOptions): Promise<void> {
  const { throttle } = options;

  app.post(
    "/v1/merchants/applications",
    {
      schema: {
        tags: ["Registration"],
        operationId: "createMerchantApplication",
        summary: "Apply for a merchant account",
        description:
          "Reserves a merchant id for an ECDSA P-256 public key. The id is inert until an operator approves the " +
          "application; the sandbox approves immediately. Needs no authentication. Applications are limited per client address.",
        body: ApplicationRequest,
        response: { 202: ApplicationReceipt },
      },
      config: { errors: ["MERCHANT_APPLICATION_DUPLICATE", "PUBLIC_KEY_RETIRED", "RATE_LIMITED"] },
      // Refusals are counted too, to limit guessing.
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
}
