import { chainOf } from "@matchbook/addresses/chains";
import type { QualifiedWallet } from "./record.ts";

export function presentQualifiedWallet({ address, chainId, qualifiedDate, participantId }: QualifiedWallet) {
  const chain = chainOf(chainId);
  return {
    address,
    chainId: chain.isEvm ? chainId : null,
    chainName: chain.name,
    qualified: true,
    qualifiedDate: qualifiedDate.toISOString(),
    participant: participantId === null ? null : { id: participantId },
  };
}
