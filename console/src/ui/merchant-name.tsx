import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";

const STALE_MS = 300_000;

/**
 * A merchant by its display name; by its id until that is known. Each merchant is asked for on its own, once in five minutes for
 * all places that show it.
 */
export function useMerchantName(merchantId: string | undefined): string | undefined {
  const { data } = api.useQuery(
    "get",
    "/operator/v1/merchants/{merchantId}",
    { params: { path: { merchantId: merchantId ?? "" } } },
    { enabled: merchantId !== undefined, staleTime: STALE_MS },
  );
  return data?.displayName ?? merchantId?.slice(0, 8);
}

export function MerchantName({ merchantId }: { merchantId: string }) {
  const name = useMerchantName(merchantId);
  return (
    <Anchor component={Link} to={`/merchants/${merchantId}`} inherit>
      {name}
    </Anchor>
  );
}
