import * as registry from "viem/chains";
import { describe, expect, test } from "vitest";
import { evmChainNames } from "./chains.generated.ts";
import { addressKey, chainOf } from "./chains.ts";

const CHAIN_ID_MAX = Number.MAX_SAFE_INTEGER;

describe("chainOf", () => {
  test.each([
    [1, "Ethereum"],
    [10, "OP Mainnet"],
    [137, "Polygon"],
    [8453, "Base"],
    [42161, "Arbitrum One"],
    [11155111, "Sepolia"],
    [84532, "Base Sepolia"],
  ])("%i is the EVM chain %s", (id, name) => {
    expect(chainOf(id)).toEqual({ name, isEvm: true });
  });

  test.each([
    [792703809, "Solana"],
    [8253038, "Bitcoin"],
    [9286185, "Eclipse"],
    [9286186, "Soon"],
    [728126428, "Tron"],
  ])("%i is %s, which is not an EVM chain", (id, name) => {
    expect(chainOf(id)).toEqual({ name, isEvm: false });
  });

  test.each([
    [9, "Quai Network Mainnet"],
    [260, "Guru Network Mainnet"],
    [999, "HyperEVM"],
  ])("%i, which test networks use too, is the public chain %s", (id, name) => {
    expect(chainOf(id).name).toBe(name);
  });

  test.each([
    [166, "Nomina"],
    [8217, "Kaia"],
    [31337, "Anvil"],
  ])("%i, which several entries claim, is always %s", (id, name) => {
    expect(chainOf(id).name).toBe(name);
  });

  test.each([4_294_967_297, 999_999_999_999, CHAIN_ID_MAX])("the unknown id %i is named by its number", (id) => {
    expect(chainOf(id)).toEqual({ name: `Chain ${id}`, isEvm: true });
  });
});

describe("the generated table", () => {
  test("has every id of viem's registry, under a name that the registry has for it", () => {
    const table = new Map(evmChainNames);
    const entries = Object.values(registry);
    expect([...table.keys()].sort()).toEqual([...new Set(entries.map(({ id }) => id))].sort());
    for (const [id, name] of evmChainNames) {
      const namesakes = entries.filter((chain) => chain.id === id && chain.name === name);
      expect(namesakes, `${id} ${name}`).not.toHaveLength(0);
    }
  });

  test("has each id once, in order, and within the ids we take", () => {
    const ids = evmChainNames.map(([id]) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    expect(ids.every((id) => Number.isSafeInteger(id) && id >= 1 && id <= CHAIN_ID_MAX)).toBe(true);
    expect(evmChainNames.every(([, name]) => name.trim() === name && name !== "")).toBe(true);
  });
});

describe("addressKey", () => {
  const evm = "0xAbCdEf0123456789aBcDeF0123456789ABCDEF01";

  test("EVM addresses compare without case", () => {
    expect(addressKey(evm)).toBe(evm.toLowerCase());
    expect(addressKey(evm.toLowerCase())).toBe(addressKey(evm));
  });

  test.each([
    ["base58", "DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy"],
    ["bech32", "bc1qAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ"],
    ["one digit short", evm.slice(0, -1)],
    ["one digit long", `${evm}A`],
    ["an upper-case prefix", evm.replace("0x", "0X")],
    ["a digit that is not hexadecimal", evm.replace("A", "G")],
    ["a trailing line feed", `${evm}\n`],
    ["nothing", ""],
  ])("%s stays exactly as it is", (_, address) => {
    expect(addressKey(address)).toBe(address);
  });
});
