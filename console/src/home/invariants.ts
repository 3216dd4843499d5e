import { api } from "../api/client.ts";
import { codeOf } from "../api/errors.ts";

const FRESH_MS = 600_000;
const RETRIES_MAX = 5;
const RETRY_DELAY_MS = 2_000;

/** Whether the books add up. The check reads every row, so its verdict is kept for ten minutes. */
export function useInvariants() {
  return api.useQuery(
    "get",
    "/operator/v1/invariants",
    {},
    {
      // Static, so that the general refetch after every change skips this one.
      staleTime: ({ state }) => (Date.now() - state.dataUpdatedAt < FRESH_MS ? "static" : 0),
      gcTime: FRESH_MS,
      // Only one check runs at a time, perhaps one that a reload left behind. Wait until it has ended.
      retry: (count, error) => count < RETRIES_MAX && codeOf(error) === "OVERLOADED",
      retryDelay: RETRY_DELAY_MS,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  );
}
