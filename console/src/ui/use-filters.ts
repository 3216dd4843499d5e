import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";

/** The filters of a list, kept in the address. An empty value is no filter. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams();
  // The address changes a moment after it is told to. A second filter that is set in that moment must not undo the first.
  const latest = useRef(parameters);
  useEffect(() => {
    latest.current = parameters;
  }, [parameters]);

  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  ) as Partial<Record<Name, string>>;

  function setFilter(name: Name, value: string | null): void {
    const next = new URLSearchParams(latest.current);
    if (value) next.set(name, value);
    else next.delete(name);
    latest.current = next;
    setParameters(next, { replace: true });
  }

  return { filters, setFilter };
}
