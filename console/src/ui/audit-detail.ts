import type { Schemas } from "../api/client.ts";
import { formatTokens } from "./amounts.ts";

interface DetailLine {
  readonly label: string;
  readonly text: string;
  /** Both sides of a change. */
  readonly change?: { readonly from: string; readonly to: string };
}

interface Change {
  /** What changed. Null for the subject's own status or value. */
  readonly label: string | null;
  readonly from: string;
  readonly to: string;
}

/** What changed, to be shown as "Display name: Old → New". */
export function changesOf(detail: Record<string, unknown>): Change[] {
  return detailLines(detail).flatMap(({ label, change }) =>
    change === undefined ? [] : [{ label: label === CHANGE ? null : label, ...change }],
  );
}

const CHANGE = "Change";

/** The details of an entry as lines of label and text. Nested details are flattened; a change is one line. */
export function detailLines(detail: Record<string, unknown>, above = ""): DetailLine[] {
  if (above === "" && "from" in detail && "to" in detail) {
    const { from, to, ...others } = detail;
    return [...linesOf(CHANGE, { from, to }), ...detailLines(others)];
  }
  return Object.entries(detail).flatMap(([name, value]) => {
    const label = above === "" ? inWords(name) : `${above}, ${inWords(name).toLowerCase()}`;
    return linesOf(label, value);
  });
}

function linesOf(label: string, value: unknown): DetailLine[] {
  if (!isRecord(value) || Array.isArray(value) || isTokenAmount(value)) return [{ label, text: textOf(value) }];
  if ("from" in value && "to" in value) {
    const change = { from: textOf(value.from), to: textOf(value.to) };
    return [{ label, text: `${change.from} → ${change.to}`, change }];
  }
  return detailLines(value, label);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.map(textOf).join(", ") || "none";
  if (isTokenAmount(value)) return formatTokens(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isTokenAmount(value: unknown): value is Schemas["TokenAmount"] {
  if (!isRecord(value)) return false;
  const { amount, currency, decimalPlaces } = value;
  return typeof amount === "string" && typeof currency === "string" && typeof decimalPlaces === "number";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** "maxAmountTotal" reads "Max amount total". */
function inWords(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
