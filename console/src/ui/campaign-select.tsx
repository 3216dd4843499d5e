import { Loader, Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { api } from "../api/client.ts";
import { messageOf } from "../api/errors.ts";
import { useCampaignName } from "./campaign-name.tsx";
import { TYPING_PAUSE_MS } from "./filter-input.tsx";
import { visibleText } from "./visible-text.ts";

const CHOICES_MAX = 20;

interface CampaignSelectProps extends Omit<SelectProps, "value" | "onChange"> {
  readonly merchantId?: string | undefined;
  readonly value: string;
  readonly onChange: (campaignId: string | null) => void;
}

/** A campaign, found by its name or id. With a merchant, only the campaigns of that one are offered. */
export function CampaignSelect({ merchantId, value, onChange, error, ...select }: CampaignSelectProps) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const chosenName = visibleText(useCampaignName(value));
  // The box shows the chosen name, which is not a search.
  const isSearch = search !== "" && search !== chosenName;
  const query = { limit: CHOICES_MAX, ...(merchantId !== undefined && { merchantId }), ...(isSearch && { search }) };
  const found = api.useQuery(
    "get",
    "/operator/v1/campaigns",
    { params: { query } },
    { placeholderData: (previous) => previous },
  );
  const choices = (found.data?.items ?? []).map(({ id, displayName }) => ({
    value: id,
    label: visibleText(displayName),
  }));
  if (value !== "" && !choices.some((choice) => choice.value === value)) {
    choices.unshift({ value, label: chosenName });
  }
  return (
    <Select
      label="Campaign"
      description="Type a name or id"
      placeholder="Find a campaign"
      searchable
      data={choices}
      // The server has already searched.
      filter={({ options }) => options}
      value={value === "" ? null : value}
      onChange={onChange}
      onSearchChange={setTyped}
      nothingFoundMessage={found.isFetching ? "Searching …" : "No campaign matches."}
      rightSection={found.isFetching ? <Loader size="xs" /> : undefined}
      {...select}
      error={error ?? (found.error === null ? undefined : messageOf(found.error))}
    />
  );
}
