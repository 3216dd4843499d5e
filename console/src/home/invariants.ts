import { api } from "../api/client.ts";
import { codeOf } from "../api/errors.ts";

const REFRESH_MS = 60_000;
const FIRST_ROUND_REFRESH_MS = 5_000;
const RETRIES_MAX = 5;
const RETRY_DELAY_MS = 2_000;

/** Whether the books add up: the stored verdict of the background audit, and a full check when somebody asks for it. */
export function useInvariants() {
  const stored = api.useQuery(
    "get",
    "/operator/v1/invariants/latest",
    {},
    { refetchInterval: ({ state }) => (state.data?.coveredUntil === null ? FIRST_ROUND_REFRESH_MS : REFRESH_MS) },
  );
  const full = api.useQuery(
    "get",
    "/operator/v1/invariants",
    {},
    {
      // It reads every row, so it runs only on request.
      enabled: false,
      // Only one check runs at a time, perhaps one that a reload left behind. Wait until it has ended.
      retry: (count, error) => count < RETRIES_MAX && codeOf(error) === "OVERLOADED",
      retryDelay: RETRY_DELAY_MS,
    },
  );
  const isFullNewer = full.data !== undefined && full.data.date > (stored.data?.date ?? "");
  const { checks } = (isFullNewer ? full.data : stored.data) ?? { checks: [] };
  // What was not checked yet is not broken.
  return { stored, full, isFullNewer, hasViolations: checks.some(({ ok }) => !ok) };
}
