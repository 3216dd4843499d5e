import { useSearchParams } from "react-router";

/** The filters of a list, kept in the address. An empty value means no filter. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams();
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  ) as Partial<Record<Name, string>>;

  function setFilter(name: Name, value: string | null, { replace = true } = {}): void {
    // Read the address, not the last render: a second filter set right after it must not undo the first.
    const next = new URLSearchParams(window.location.search);
    if (value) next.set(name, value);
    else next.delete(name);
    setParameters(next, { replace });
  }

  return { filters, setFilter };
}
