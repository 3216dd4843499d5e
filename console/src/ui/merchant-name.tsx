import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Bounded } from "./bounded.tsx";
import { loadMerchantName } from "./merchant-names.ts";
import { UUID } from "./uuid.ts";
import { visibleText } from "./visible-text.ts";

const STALE_MS = 300_000;

/** A merchant's display name with hidden characters written out, or the start of its id until the name is known. */
export function useMerchantName(merchantId: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ["merchant-name", merchantId],
    queryFn: () => loadMerchantName(merchantId ?? ""),
    // An id in the address may be any text. The API would refuse it together with those of others.
    enabled: merchantId !== undefined && UUID.test(merchantId),
    staleTime: STALE_MS,
  });
  const name = data ?? merchantId?.slice(0, 8);
  return name === undefined ? undefined : visibleText(name);
}

export function MerchantName({ merchantId }: { merchantId: string }) {
  const name = useMerchantName(merchantId);
  return (
    <Anchor component={Link} to={`/merchants/${merchantId}`} inherit>
      <Bounded text={name ?? ""} />
    </Anchor>
  );
}
