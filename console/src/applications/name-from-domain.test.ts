import { describe, expect, test } from "vitest";
import { nameFromDomain } from "./name-from-domain.ts";

describe("nameFromDomain", () => {
  test.each([
    ["shop.example", "Shop"],
    ["blue-lantern.example", "Blue Lantern"],
    ["www.blue-lantern.example", "Blue Lantern"],
    ["pay.blue-lantern.co.uk", "Blue Lantern"],
    ["co.example", "Co"],
    ["com.com", "Com"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ])("%s is %s", (domain, name) => {
    expect(nameFromDomain(domain)).toBe(name);
  });
});
