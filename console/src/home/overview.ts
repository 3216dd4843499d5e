import { api } from "../api/client.ts";
import { formatCount } from "../ui/format.ts";

const REFRESH_MS = 60_000;

/** The API counts no further. */
export const COUNTED_UP_TO = 10_000;

/** What needs attention, refreshed every minute while the page is open. */
export function useOverview() {
  return api.useQuery("get", "/operator/v1/overview", {}, { refetchInterval: REFRESH_MS });
}

/** "3 payouts", "1 payout"; "1,000 or more payouts" where the API counts no further. */
export function countOf(count: number, one: string, several: string, countedUpTo = Number.POSITIVE_INFINITY): string {
  if (count === 1) return `1 ${one}`;
  return `${formatCount(count)}${count >= countedUpTo ? " or more" : ""} ${several}`;
}
