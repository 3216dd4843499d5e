import { describe, expect, test } from "vitest";
import { formatAmount, parseUsdc, usdc } from "../../cli/amounts.ts";
import { formatCsv, parseCsv } from "../../cli/csv.ts";
import { programName } from "../../cli/program.ts";
import { readTime } from "../../cli/times.ts";
import { parseWallet, parseWalletOnChain } from "../../cli/wallets.ts";

describe("CSV", () => {
  test("reads quotes, both line ends, a byte order mark, empty lines and an empty last field", () => {
    const text = '\ufeffa,b\r\n"x ""y"", z",1\n\n"two\nlines",2\nlast,';
    expect(parseCsv(text)).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, fields: ['x "y", z', "1"] },
      { line: 4, fields: ["two\nlines", "2"] },
      { line: 6, fields: ["last", ""] },
    ]);
  });

  test("names the line where quotes do not match", () => {
    expect(parseCsv('a,b\nc,"d\n')).toEqual({ brokenLine: 2 });
    expect(parseCsv('a,b\nc,d"e\n')).toEqual({ brokenLine: 2 });
  });

  test("reads what it writes", () => {
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

  test.each(["", "-1", "1.", ".5", "1.0000001", "1e3", "1,5", "0x10", "NaN"])("%j is not an amount", (text) => {
    expect(parseUsdc(text)).toBeNull();
  });

  test("are printed with at least two decimals and every unit", () => {
    expect(formatAmount(usdc(1_000_000_000n))).toBe("1000.00 USDC");
    expect(formatAmount(usdc(1n))).toBe("0.000001 USDC");
    expect(formatAmount({ amount: "7", currency: "JPY", decimalPlaces: 0 })).toBe("7.00 JPY");
  });
});

describe("wallets", () => {
  const EVM = "0x52908400098527886E0F7030069857D2E4169EE7";

  test.each([
    EVM,
    "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
    "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
    "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  ])("%s is an address, with and without a chain", (address) => {
    expect(parseWallet(` ${address} `)).toEqual({ address, chainId: null });
    expect(parseWalletOnChain(`8453:${address}`)).toEqual({ address, chain: { id: 8453 } });
    expect(parseWalletOnChain(address)).toContain("has no chain");
  });

  test.each([
    "",
    "garbage",
    "0xAb",
    EVM.slice(2),
    EVM.replace("x", "X"),
    `0:${EVM}`,
    "8453:",
    `base:${EVM}`,
    `8453: ${EVM}`,
    `${EVM}:8453`,
    `1:2:${EVM}`,
  ])("%j is not a wallet", (text) => {
    expect(parseWallet(text)).toBeTypeOf("string");
  });
});

describe("times", () => {
  const now = Date.parse("2026-03-01T15:30:00.000Z");

  test.each([
    ["2026-01-15", "2026-01-15T00:00:00.000Z"],
    ["2026-01-15T12:00Z", "2026-01-15T12:00:00.000Z"],
    ["2026-01-15t12:00:00.123456+01:00", "2026-01-15T11:00:00.123Z"],
    ["now", "2026-03-01T15:30:00.000Z"],
    ["today", "2026-03-01T00:00:00.000Z"],
    ["Yesterday", "2026-02-28T00:00:00.000Z"],
    ["tomorrow", "2026-03-02T00:00:00.000Z"],
    ["-30m", "2026-03-01T15:00:00.000Z"],
    ["-7d", "2026-02-22T15:30:00.000Z"],
    ["+2w", "2026-03-15T15:30:00.000Z"],
  ])("%s is %s", (text, time) => {
    expect(readTime(text, "--after", now)).toBe(time);
  });

  test.each(["2026-02-29", "2026-01-15T25:00Z", "2026-01-15T12:00", "2026-1-5", "1", "7d", "-7", "", "constructor"])(
    "%j is refused by the name of its option",
    (text) => {
      expect(() => readTime(text, "--after", now)).toThrow(/^--after must be /);
    },
  );
});

describe("the program's own name in hints", () => {
  const bin = "/shop/node_modules/.bin/matchbook";

  test.each([
    [bin, "npx", "npx @matchbook/sdk"],
    [bin, undefined, "matchbook"],
    [bin, "nightly", "matchbook"],
    ["/usr/local/bin/matchbook", undefined, "matchbook"],
    ["C:\\shop\\node_modules\\@matchbook\\sdk\\bin\\matchbook.js", undefined, "matchbook"],
    ["/shop/sdk/bin/matchbook.js", undefined, "node sdk/bin/matchbook.js"],
    ["/shop/a b/matchbook.js", undefined, "node 'a b/matchbook.js'"],
  ])("started as %s by %s it is %s", (script, event, name) => {
    expect(programName(script, event, "/shop")).toBe(name);
  });
});
