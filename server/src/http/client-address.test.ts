import type { FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { clientAddress, clientOf, createProxyCheck } from "./client-address.ts";

describe("the client an address stands for", () => {
  test.each([
    ["an IPv4 address, as it is", "203.0.113.7", "203.0.113.7"],
    ["an IPv4-mapped address, unmapped", "::ffff:203.0.113.7", "203.0.113.7"],
    ["a mapped address in capitals", "::FFFF:203.0.113.7", "203.0.113.7"],
    ["a mapped address in hexadecimal groups", "::ffff:cb00:7107", "203.0.113.7"],
    ["a mapped address without any abbreviation", "0:0:0:0:0:ffff:cb00:7107", "203.0.113.7"],
    ["an address with a zone", "fe80::1%eth0", clientOf("fe80::1")],
    ["the loopback address of IPv6", "::1", clientOf("0:0:0:0:0:0:0:1")],
  ])("%s", (_name, address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  test.each([
    ["the last 64 bits", "2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
    ["the spelling", "2001:DB8:0001:2::1", "2001:db8:1:2:0:0:0:1"],
    ["where the zeros are left out", "2001:db8::1:0:0:1", "2001:db8:0:0:1::1"],
    ["an embedded IPv4 address at the end", "2001:db8:1:2::203.0.113.7", "2001:db8:1:2::1"],
  ])("two IPv6 addresses are one client whatever %s", (_name, one, other) => {
    expect(clientOf(one)).toBe(clientOf(other));
  });

  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:3::1"],
    ["2001:db8::1", "2001:db9::1"],
    ["1::", "::1"],
    ["::ffff:203.0.113.7", "::ffff:203.0.113.8"],
    ["::ffff:203.0.113.7", "::fffe:203.0.113.7"],
    ["203.0.113.7", "::203.0.113.7"],
  ])("%s and %s are two clients", (one, other) => {
    expect(clientOf(one)).not.toBe(clientOf(other));
  });
});

describe("the address a request came from", () => {
  const requestFrom = (ip: string) => ({ ip, socket: { remoteAddress: "10.0.0.1" } }) as unknown as FastifyRequest;

  test.each([
    ["198.51.100.1", "198.51.100.1"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:198.51.100.1", "::ffff:198.51.100.1"],
  ])("%s is %s", (forwarded, address) => {
    expect(clientAddress(requestFrom(forwarded))).toBe(address);
  });

  test.each([
    "unknown",
    "",
    "198.51.100.1:",
    "198.51.100.1:x",
    "198.51.100.1:123456",
    "[198.51.100.1",
    "[::1]x",
    "a:80",
  ])("%j is no address, so the proxy's own counts", (forwarded) => {
    expect(clientAddress(requestFrom(forwarded))).toBe("10.0.0.1");
  });
});

describe("a trusted proxy", () => {
  const isProxy = createProxyCheck(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32", "::1"]);

  test.each(["10.1.2.3", "10.1.2.3:80", "::ffff:10.1.2.3", "192.0.2.1", "2001:db8:1::2", "[2001:db8:1::2]:443", "::1"])(
    "%s is one",
    (address) => {
      expect(isProxy(address)).toBe(true);
    },
  );

  test.each(["11.0.0.1", "192.0.2.2", "2001:db9::1", "", "unknown", "10.0.0.1,10.0.0.2"])("%j is none", (address) => {
    expect(isProxy(address)).toBe(false);
  });
});
