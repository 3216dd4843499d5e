import type { SubmitRequest, TokenAmount } from "@matchbook/sdk";
import { UsageError } from "./command.ts";

// USDC has six decimals. Amounts are texts and bigints throughout: a float would lose units.

const DECIMALS = 6;

export type UsdcAmount = SubmitRequest["amount"];

/** A decimal number of USDC, such as 12.34, in base units; null for anything else. */
export function parseUsdc(text: string): UsdcAmount | null {
  const [, whole = "", fraction = ""] = /^([0-9]{1,72})(?:\.([0-9]{1,6}))?$/.exec(text.trim()) ?? [];
  return whole === "" ? null : usdc(BigInt(whole + fraction.padEnd(DECIMALS, "0")));
}

export function usdc(amountBase: bigint): UsdcAmount {
  return { amount: amountBase.toString(), currency: "USDC", decimalPlaces: DECIMALS };
}

export function requireUsdc(text: string, name: string): UsdcAmount {
  const amount = parseUsdc(text);
  if (amount === null) {
    throw new UsageError(`${name} must be USDC in decimals, such as 12.34, with at most 6 decimals; not ${text}.`);
  }
  return amount;
}

/** As a person reads it: 1234567890 with 6 decimals is 1234.56789 USDC. */
export function formatAmount({ amount, currency, decimalPlaces }: TokenAmount): string {
  const digits = amount.padStart(decimalPlaces + 1, "0");
  const whole = digits.slice(0, digits.length - decimalPlaces);
  const fraction = digits.slice(digits.length - decimalPlaces).replace(/0+$/, "");
  return `${whole}.${fraction.padEnd(2, "0")} ${currency}`;
}
