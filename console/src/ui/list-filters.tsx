import { Select, type SelectProps } from "@mantine/core";
import { CampaignSelect } from "./campaign-select.tsx";
import { MerchantSelect } from "./merchant-select.tsx";

// The filters that several lists have. Each is kept in the address; null removes it.

interface FilterProps {
  readonly value: string | undefined;
  readonly onFilter: (value: string | null) => void;
}

interface ChoiceFilterProps extends FilterProps, Omit<SelectProps, "value" | "onChange" | "placeholder"> {
  /** What the list shows without this filter, as in "every status". */
  readonly everything: string;
}

export function ChoiceFilter({ value, onFilter, everything, ...select }: ChoiceFilterProps) {
  return (
    <Select
      placeholder={everything.replace(/^./, (first) => first.toUpperCase())}
      value={value ?? null}
      onChange={onFilter}
      clearable
      clearButtonProps={{ "aria-label": `Show ${everything}` }}
      {...select}
    />
  );
}

export function MerchantChoice({ value, onFilter }: FilterProps) {
  return (
    <MerchantSelect
      description="Type a name, domain, email or id"
      placeholder="Every merchant"
      value={value ?? ""}
      onChange={(merchantId) => onFilter(merchantId)}
      clearable
      clearButtonProps={{ "aria-label": "Show every merchant" }}
    />
  );
}

/** With a merchant, only the campaigns of that one are offered. */
export function CampaignChoice({ value, onFilter, merchantId }: FilterProps & { merchantId: string | undefined }) {
  return (
    <CampaignSelect
      merchantId={merchantId}
      placeholder="Every campaign"
      value={value ?? ""}
      onChange={onFilter}
      clearable
      clearButtonProps={{ "aria-label": "Show every campaign" }}
    />
  );
}
