import type { Schemas } from "../api/client.ts";
import { formatTokens } from "./amounts.ts";

interface DetailLine {
  readonly label: string;
  readonly text: string;
  readonly isChange?: true;
}

/** What changed, each change in one line, as in "Display name: Old → New". The subject's own status needs no label. */
export function changeLines(detail: Record<string, unknown>): string[] {
  return detailLines(detail).flatMap(({ label, text, isChange }) =>
    isChange ? [label === CHANGE ? text : `${label}: ${text}`] : [],
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
    return [{ label, text: `${textOf(value.from)} → ${textOf(value.to)}`, isChange: true }];
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
