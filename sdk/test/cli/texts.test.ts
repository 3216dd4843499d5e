import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { formatAmount, parseUsdc, usdc } from "../../cli/amounts.ts";
import { UsageError } from "../../cli/command.ts";
import { formatCsv, parseCsv } from "../../cli/csv.ts";
import { programName } from "../../cli/program.ts";
import { readTime } from "../../cli/times.ts";
import { NON_EVM_CHAIN_IDS, parseWallet, parseWalletOnChain, resolveChain } from "../../cli/wallets.ts";

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

  const UNKNOWN_CHAIN = 999_999_999_999;
  const OTHERS: [address: string, chainId: number][] = [
    ["7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs", 792703809],
    ["TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", 728126428],
    ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", 8253038],
  ];

  test.each([[EVM, 8453], [EVM, UNKNOWN_CHAIN], ...OTHERS])(
    "%s is an address, with and without the chain %i",
    (address, id) => {
      expect(parseWallet(` ${address} `)).toEqual({ address, chainId: null });
      expect(parseWalletOnChain(`${id}:${address}`)).toEqual({ address, chain: { id } });
      expect(parseWalletOnChain(address)).toContain("has no chain");
      expect(resolveChain({ address, chainId: null }, id)).toBe(id);
    },
  );

  test.each(OTHERS)("%s is not an address on an EVM chain, nor on one that is not known", (address) => {
    for (const id of [1, 8453, UNKNOWN_CHAIN]) {
      expect(parseWallet(`${id}:${address}`)).toBe(
        `is not a wallet address on chain ${id}: an EVM address is 42: 0x and 40 hexadecimal digits`,
      );
      expect(() => resolveChain({ address, chainId: null }, id)).toThrow(UsageError);
    }
  });

  test.each(NON_EVM_CHAIN_IDS)("an EVM address is not one on chain %i", (id) => {
    expect(parseWallet(`${id}:${EVM}`)).toBe(`is an EVM address, and chain ${id} is not an EVM chain`);
    expect(() => resolveChain({ address: EVM, chainId: null }, id)).toThrow(UsageError);
  });

  test("the chains that are not EVM chains are those of the address rules", () => {
    for (const [file, table] of [
      ["chains.ts", /nonEvmChainNames[^=]*= \[\n(.*?)^\];/ms],
      ["addresses.ts", /nonEvmFormats = new Map[^[]*\[\n(.*?)^\]\);/ms],
    ] as const) {
      const source = readFileSync(new URL(`../../../packages/addresses/src/${file}`, import.meta.url), "utf8");
      const ids = [...(table.exec(source)?.[1] ?? "").matchAll(/^ *\[(\d+),/gm)].map(([, id]) => Number(id));
      expect(ids.toSorted(), file).toEqual(NON_EVM_CHAIN_IDS.toSorted());
    }
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
  const folder = mkdtempSync(join(tmpdir(), "matchbook-name-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (...parts: string[]) => {
    const path = join(folder, ...parts);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
    chmodSync(path, 0o755);
    return path;
  };
  const link = (target: string, ...parts: string[]) => {
    const path = join(folder, ...parts);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
    return path;
  };
  const installed = file("shop/node_modules/@matchbook/sdk/bin/matchbook.js");
  const bin = link(installed, "shop/node_modules/.bin/matchbook");
  const global = link(installed, "usr/bin/matchbook");
  const stranger = file("other/bin/matchbook");
  const checkout = file("checkout/sdk/bin/matchbook.js");
  const linked = link(checkout, "home/bin/matchbook");
  const spaced = file("a b/matchbook.js");
  const plain = join(folder, "usr/sbin");
  const npx = "npx @matchbook/sdk";

  test.each([
    ["npx, which puts its folder on the PATH", bin, "npx", [dirname(bin)], npx],
    ["its link, which is not on the PATH", bin, undefined, [plain], npx],
    ["a script of npm, which puts its folder on the PATH", bin, "nightly", [dirname(bin), plain], npx],
    ["its link, which the person put on the PATH", bin, undefined, [plain, dirname(bin)], "matchbook"],
    ["a global link", global, undefined, [plain, dirname(global)], "matchbook"],
    ["its file, with a global link", installed, undefined, [dirname(global)], "matchbook"],
    ["a script of npm, with a global link", global, "nightly", [dirname(bin), dirname(global)], "matchbook"],
    ["a link behind another program of that name", global, undefined, [dirname(stranger), dirname(global)], "LINK"],
    ["its file, behind another program", installed, undefined, [dirname(stranger), dirname(global)], npx],
    ["a checkout, with another copy on the PATH", checkout, undefined, [dirname(global)], "node sdk/bin/matchbook.js"],
    ["a checkout, with its own link on the PATH", checkout, undefined, [dirname(linked)], "node sdk/bin/matchbook.js"],
    ["the link of a checkout", linked, undefined, [dirname(linked)], "matchbook"],
    ["a folder with a space", spaced, undefined, [], "node '../a b/matchbook.js'"],
    ["a PATH with an empty and a relative part", checkout, undefined, ["", "sdk/bin"], "node sdk/bin/matchbook.js"],
    ["Windows", "C:\\shop\\node_modules\\@matchbook\\sdk\\bin\\matchbook.js", undefined, [], npx],
  ])("started by %s", (_name, script, event, path, name) => {
    const env = { npm_lifecycle_event: event, PATH: path.join(delimiter) };
    const expected = name === "LINK" ? "node ../usr/bin/matchbook" : name;
    expect(programName(script, join(folder, "checkout"), env)).toBe(expected);
  });
});
