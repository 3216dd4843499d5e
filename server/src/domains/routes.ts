import { signerOf } from "../auth/authenticate.ts";
import type { Listener } from "../http/listener.ts";
import { parseDomain } from "./origins.ts";
import { DomainReceipt, DomainRequest } from "./schemas.ts";
import { type WhitelistDependencies, whitelist } from "./whitelist.ts";

/** What a merchant may do about its domains: add one. */
export async function domainRoutes(app: Listener, dependencies: WhitelistDependencies): Promise<void> {
  app.post(
    "/v1/merchant-domains",
    {
      schema: {
        tags: ["Domains"],
        operationId: "addMerchantDomain",
        summary: "Whitelist a domain",
        description:
          "Registers the web origins of a further domain where the deposit flow is embedded. An apex and its www variant " +
          "always go together. A domain that is whitelisted already, as the primary one is, adds nothing and takes none " +
          "of the ten slots. Removal is by contacting the operator.",
        body: DomainRequest,
        response: { 201: DomainReceipt },
      },
      config: {
        errors: ["MERCHANT_DOMAIN_LIMIT_REACHED", "DOMAIN_REGISTRY_UNAVAILABLE"],
        shareOf: () => "domains",
      },
    },
    async (request, reply) => {
      const signer = signerOf(request);
      const submitted = parseDomain(request.body.domain);
      const added = await whitelist(dependencies, signer, submitted);
      return reply.code(201).send({ merchantId: signer.merchantId, domain: submitted.domain, added });
    },
  );
}
