import type { Schemas } from "../api/client.ts";
import { fromBaseUnits } from "../ui/amounts.ts";

/** An amount as one would type it: no thousands separators and no idle zeros, which a token without decimals refuses. */
export function typedAmount({ amount, decimalPlaces }: Schemas["TokenAmount"]): string {
  return fromBaseUnits(amount, decimalPlaces).replace(/\.?0+$/, "");
}
