import { type Domain, PRIMARY_SLOT } from "./record.ts";

export function presentDomain(merchantId: string, domain: Domain) {
  return {
    merchantId,
    domain: domain.domain,
    isPrimary: domain.slot === PRIMARY_SLOT,
    origins: [...domain.origins],
    registryStatus: domain.isUnsettled ? ("PENDING" as const) : ("REGISTERED" as const),
    registryError: domain.registryError,
    createDate: domain.createDate.toISOString(),
  };
}
