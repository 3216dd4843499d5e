import type { Schemas } from "../api/client.ts";
import { fromBaseUnits } from "../ui/amounts.ts";
import { formatDay } from "../ui/format.ts";

type Day = Schemas["OverviewDay"];
type TokenAmount = Schemas["TokenAmount"];

const USD_DECIMALS = 6;

/** "12 Jul": a UTC day. */
export function nameOfDay(date: string): string {
  return formatDay(`${date}T00:00:00Z`, "UTC").replace(/ \d{4}$/, "");
}

export function sumUsd(amounts: readonly Schemas["UsdAmount"][]): Schemas["UsdAmount"] {
  const units = amounts.reduce((sum, { value }) => {
    const [whole = "0", fraction = ""] = value.split(".");
    return sum + BigInt(whole + fraction.padEnd(USD_DECIMALS, "0"));
  }, 0n);
  return { value: fromBaseUnits(units.toString(), USD_DECIMALS), currency: "USD" };
}

/** The rewards of all days, one sum for each token. */
export function sumRewards(days: readonly Day[]): TokenAmount[] {
  const sums = new Map<string, TokenAmount>();
  for (const reward of days.flatMap(({ rewards }) => rewards)) {
    const before = sums.get(tokenOf(reward))?.amount ?? "0";
    sums.set(tokenOf(reward), { ...reward, amount: (BigInt(before) + BigInt(reward.amount)).toString() });
  }
  return [...sums.values()];
}

/** Two tokens may share a symbol, but not with the same decimals. */
export function tokenOf({ currency, decimalPlaces }: TokenAmount): string {
  return `${currency} (${decimalPlaces})`;
}
