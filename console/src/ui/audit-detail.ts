import { formatTokens } from "./amounts.ts";

interface DetailLine {
  readonly label: string;
  readonly text: string;
}

/** What an entry noted, as lines of label and text, in whatever depth it was noted. */
export function detailLines(detail: Record<string, unknown>, above = ""): DetailLine[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    const label = above === "" ? inWords(name) : `${above}, ${inWords(name).toLowerCase()}`;
    return linesOf(label, value);
  });
}

function linesOf(label: string, value: unknown): DetailLine[] {
  if (value === null || value === undefined) return [{ label, text: "none" }];
  if (Array.isArray(value)) return [{ label, text: value.map(textOf).join(", ") || "none" }];
  if (!isRecord(value)) return [{ label, text: textOf(value) }];
  const { amount, currency, decimalPlaces, from, to } = value;
  if (typeof amount === "string" && typeof currency === "string" && typeof decimalPlaces === "number") {
    return [{ label, text: formatTokens({ amount, currency, decimalPlaces }) }];
  }
  if ("from" in value && "to" in value) return [{ label, text: `${textOf(from)} → ${textOf(to)}` }];
  return detailLines(value, label);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** "maxAmountTotal" reads "Max amount total". */
function inWords(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
