import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { Bounded } from "./bounded.tsx";

const STALE_MS = 300_000;
const NAMES_MAX = 100;

/**
 * A merchant's display name, or the start of its id until the name is known. The names of the newest hundred merchants come in
 * one request for all places that show one. Only an older merchant needs a request of its own.
 */
export function useMerchantName(merchantId: string | undefined): string | undefined {
  const newest = api.useQuery(
    "get",
    "/operator/v1/merchants",
    { params: { query: { limit: NAMES_MAX } } },
    { enabled: merchantId !== undefined, staleTime: STALE_MS },
  );
  const listed = newest.data?.items.find((merchant) => merchant.merchantId === merchantId);
  const isOlder = newest.isFetched && listed === undefined;
  const single = api.useQuery(
    "get",
    "/operator/v1/merchants/{merchantId}",
    { params: { path: { merchantId: merchantId ?? "" } } },
    { enabled: merchantId !== undefined && isOlder, staleTime: STALE_MS },
  );
  return listed?.displayName ?? single.data?.displayName ?? merchantId?.slice(0, 8);
}

export function MerchantName({ merchantId }: { merchantId: string }) {
  const name = useMerchantName(merchantId);
  return (
    <Anchor component={Link} to={`/merchants/${merchantId}`} inherit>
      <Bounded text={name ?? ""} />
    </Anchor>
  );
}
