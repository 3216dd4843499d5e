import { Loader, Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { messageOf } from "../api/errors.ts";
import { TYPING_PAUSE_MS } from "../ui/filter-input.tsx";
import { useMerchantName } from "./merchant-name.tsx";
import { visibleText } from "./visible-text.ts";

const CHOICES_MAX = 20;

interface MerchantSelectProps extends Omit<SelectProps, "value" | "onChange"> {
  readonly value: string;
  readonly onChange: (merchantId: string) => void;
  /** Lists the merchants of one status only. */
  readonly status?: Schemas["Merchant"]["status"];
}

/** A merchant, found by name, domain, email or id. */
export function MerchantSelect({ value, onChange, status, error, ...select }: MerchantSelectProps) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const chosenName = useMerchantName(value === "" ? undefined : value);
  // The box shows the chosen name, which is not a search.
  const isSearch = search !== "" && search !== chosenName;
  const found = api.useQuery(
    "get",
    "/operator/v1/merchants",
    { params: { query: { status, limit: CHOICES_MAX, ...(isSearch && { search }) } } },
    { placeholderData: (previous) => previous },
  );
  const merchants = found.data?.items ?? [];
  const isListed = merchants.some(({ merchantId }) => merchantId === value);
  const choices = merchants.map(({ merchantId, displayName }) => ({
    value: merchantId,
    label: visibleText(displayName),
  }));
  if (value !== "" && !isListed) choices.unshift({ value, label: chosenName ?? value });
  const domains = new Map(merchants.map(({ merchantId, domain }) => [merchantId, domain]));

  return (
    <Select
      label="Merchant"
      placeholder="Find a merchant"
      searchable
      data={choices}
      // The server has already searched.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const domain = domains.get(option.value);
        return domain === undefined || domain === option.label ? option.label : `${option.label} (${domain})`;
      }}
      value={value === "" ? null : value}
      onChange={(merchantId) => onChange(merchantId ?? "")}
      onSearchChange={setTyped}
      nothingFoundMessage={found.isFetching ? "Searching …" : "No merchant matches."}
      rightSection={found.isFetching ? <Loader size="xs" /> : undefined}
      {...select}
      error={error ?? (found.error === null ? undefined : messageOf(found.error))}
    />
  );
}
