import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { Bounded } from "./bounded.tsx";

const STALE_MS = 300_000;

/** The campaign that a run was made for, by its name. Until that is known, by the start of its id. */
export function CampaignName({ campaignId }: { campaignId: string | null }) {
  const name = useCampaignName(campaignId ?? "");
  if (campaignId === null) return "All campaigns of the merchant";
  return (
    <Anchor component={Link} to={`/campaigns/${campaignId}`} inherit>
      <Bounded text={name} />
    </Anchor>
  );
}

export function useCampaignName(campaignId: string): string {
  const { data } = api.useQuery(
    "get",
    "/operator/v1/campaigns/{campaignId}",
    { params: { path: { campaignId } } },
    { enabled: campaignId !== "", staleTime: STALE_MS },
  );
  return data?.displayName ?? campaignId.slice(0, 8);
}
