import { describe, expect, test } from "vitest";
import { formatAmount, parseUsdc, usdc } from "../../cli/amounts.ts";
import { formatCsv, parseCsv } from "../../cli/csv.ts";
import { parseWallet } from "../../cli/wallets.ts";

describe("CSV", () => {
  test("quotes, either line end, a byte order mark, empty lines and an empty last field", () => {
    const text = '\ufeffa,b\r\n"x ""y"", z",1\n\n"two\nlines",2\nlast,';
    expect(parseCsv(text)).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, fields: ['x "y", z', "1"] },
      { line: 4, fields: ["two\nlines", "2"] },
      { line: 6, fields: ["last", ""] },
    ]);
  });

  test("names the line on which quotes go wrong", () => {
    expect(parseCsv('a,b\nc,"d\n')).toEqual({ brokenLine: 2 });
    expect(parseCsv('a,b\nc,d"e\n')).toEqual({ brokenLine: 2 });
  });

  test("what is written is read again", () => {
    const fields = ["plain", 'a "quoted", one', "two\nlines", ""];
    expect(parseCsv(formatCsv(fields))).toEqual([{ line: 1, fields }]);
  });
});

describe("amounts", () => {
  test.each([
    ["12.34", "12340000"],
    ["500", "500000000"],
    ["0.000001", "1"],
    ["0", "0"],
    ["90071992547409930.123457", "90071992547409930123457"],
  ])("%s USDC is exactly %s base units", (decimal, base) => {
    expect(parseUsdc(decimal)).toEqual({ amount: base, currency: "USDC", decimalPlaces: 6 });
  });

  test.each(["", "-1", "1.", ".5", "1.0000001", "1e3", "1,5", "0x10", "NaN"])("%j is no amount", (text) => {
    expect(parseUsdc(text)).toBeNull();
  });

  test("are shown with at least two decimals and lose no unit", () => {
    expect(formatAmount(usdc(1_000_000_000n))).toBe("1000.00 USDC");
    expect(formatAmount(usdc(1n))).toBe("0.000001 USDC");
    expect(formatAmount({ amount: "7", currency: "JPY", decimalPlaces: 0 })).toBe("7.00 JPY");
  });
});

test("a wallet is a chain id and an address", () => {
  expect(parseWallet(" 8453:0xAb ")).toEqual({ address: "0xAb", chain: { id: 8453 } });
  for (const text of ["", "0xAb", "0:0xAb", "8453:", "base:0xAb", "8453:0x Ab"]) expect(parseWallet(text)).toBeNull();
});
