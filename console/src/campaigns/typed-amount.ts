import type { Schemas } from "../api/client.ts";
import { fromBaseUnits } from "../ui/amounts.ts";

/** An amount as it is typed: without thousands separators and trailing zeros. A token without decimals allows no zeros there. */
export function typedAmount({ amount, decimalPlaces }: Schemas["TokenAmount"]): string {
  return fromBaseUnits(amount, decimalPlaces).replace(/\.?0+$/, "");
}
