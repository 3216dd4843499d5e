import type { Schemas } from "../api/client.ts";

// Amounts are decimal integers in base units and stay text. No float ever holds money here.

/** "1,234.50 USDC"; fraction digits beyond the second only where they are not zero. */
export function formatTokens({ amount, currency, decimalPlaces }: Schemas["TokenAmount"]): string {
  return `${group(fromBaseUnits(amount, decimalPlaces))} ${currency}`;
}

export function formatUsd({ value }: Schemas["UsdAmount"]): string {
  return `$${group(trimmed(value))}`;
}

/** "1234500000" with six decimals is "1234.50". */
export function fromBaseUnits(amount: string, decimalPlaces: number): string {
  const digits = amount.padStart(decimalPlaces + 1, "0");
  const at = digits.length - decimalPlaces;
  return trimmed(`${digits.slice(0, at)}.${digits.slice(at)}`);
}

/** For drawing only: a float cannot hold money. */
export function toCoordinate({ amount, decimalPlaces }: Schemas["TokenAmount"]): number {
  return Number(fromBaseUnits(amount, decimalPlaces));
}

export function remainingOf(total: Schemas["TokenAmount"], committed: Schemas["TokenAmount"]): Schemas["TokenAmount"] {
  return { ...total, amount: String(BigInt(total.amount) - BigInt(committed.amount)) };
}

/** How much of the whole the part is, rounded down to a tenth, so that 100 means that nothing is left. A budget of zero counts as fully used. */
export function percentOf(part: Schemas["TokenAmount"], whole: Schemas["TokenAmount"]): number {
  return whole.amount === "0" ? 100 : Number((BigInt(part.amount) * 1_000n) / BigInt(whole.amount)) / 10;
}

// Commas are allowed between thousands only. Where commas are decimal points, "1,5" must not become 15.
const TYPED = /^(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d*))?$/;

/** The base units of what a person typed, or null when it is not an amount with at most that many decimals. */
export function toBaseUnits(text: string, decimalPlaces: number): string | null {
  const [, whole, fraction = ""] = TYPED.exec(text.trim()) ?? [];
  const digits = fraction.replace(/0+$/, "");
  if (whole === undefined || digits.length > decimalPlaces) return null;
  return BigInt(`${whole.replaceAll(",", "")}${digits.padEnd(decimalPlaces, "0")}`).toString();
}

/** What is wrong with a text that is not an amount, or null. */
export function problemWithAmount(text: string, decimalPlaces: number): string | null {
  if (toBaseUnits(text, decimalPlaces) !== null) return null;
  if (text.includes(",")) return "Write a decimal point: 1.5";
  return `An amount such as 100.50, with at most ${decimalPlaces} decimals`;
}

function trimmed(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return `${whole}.${fraction.replace(/0+$/, "").padEnd(2, "0")}`;
}

function group(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
}
