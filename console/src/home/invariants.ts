import { api } from "../api/client.ts";
import { codeOf } from "../api/errors.ts";

const FRESH_MS = 600_000;
const RETRIES_MAX = 5;
const RETRY_DELAY_MS = 2_000;

/** Whether the books add up. The check reads every row, so its verdict is used for ten minutes, also when one comes back. */
export function useInvariants() {
  return api.useQuery(
    "get",
    "/operator/v1/invariants",
    {},
    {
      // Static, so that the general reading again after every change leaves this one alone.
      staleTime: ({ state }) => (Date.now() - state.dataUpdatedAt < FRESH_MS ? "static" : 0),
      gcTime: FRESH_MS,
      // Only one run goes on at a time, perhaps one that a reload left behind: its end is waited for.
      retry: (count, error) => count < RETRIES_MAX && codeOf(error) === "OVERLOADED",
      retryDelay: RETRY_DELAY_MS,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  );
}
