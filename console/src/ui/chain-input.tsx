import { Autocomplete, type AutocompleteProps } from "@mantine/core";
import { chainIds, chainName } from "./chains.ts";

/** A numeric chain id. Any can be typed; common ones are offered by name. */
export function ChainInput(props: AutocompleteProps) {
  return (
    <Autocomplete
      inputMode="numeric"
      data={[...chainIds]}
      renderOption={({ option }) => `${chainName(Number(option.value))} (${option.value})`}
      filter={({ options, search }) => {
        const wanted = search.trim().toLowerCase();
        return options.filter(
          (option) =>
            "value" in option && `${chainName(Number(option.value))} ${option.value}`.toLowerCase().includes(wanted),
        );
      }}
      {...props}
    />
  );
}
