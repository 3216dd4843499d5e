import { ChainInput } from "./chain-input.tsx";
import { useTypedFilter } from "./filter-input.tsx";

/** Limits a list to one chain. */
export function ChainFilter({ value, onFilter }: { value: string; onFilter: (text: string) => void }) {
  const { text, type } = useTypedFilter(value, onFilter);
  return <ChainInput label="Chain id" description="E.g. 8453 for Base" value={text} onChange={type} />;
}
