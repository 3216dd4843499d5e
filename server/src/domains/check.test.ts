import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkOrigin, type Whitelist } from "./check.ts";

const whitelist: Whitelist = {
  status: "ACTIVE",
  domainOf: new Map([
    ["https://shop.com", "shop.com"],
    ["https://www.shop.com", "shop.com"],
    ["https://pay.other.com:8443", "pay.other.com:8443"],
    ["http://localhost:8080", "localhost:8080"],
    ["https://xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
  ]),
};

describe("allowed", () => {
  test.each([
    ["https://shop.com", "Whitelisted by shop.com."],
    ["https://www.shop.com", "Whitelisted by shop.com."],
    ["https://pay.other.com:8443", "Whitelisted by pay.other.com:8443."],
    ["http://localhost:8080", "Whitelisted by localhost:8080."],
    ["http://localhost:3000", "Localhost on this port is allowed without registration."],
    ["http://localhost:5173", "Localhost on this port is allowed without registration."],
    ["http://localhost:5175", "Localhost on this port is allowed without registration."],
    // The same origins in other spellings.
    ["HTTPS://Shop.COM", "Whitelisted by shop.com."],
    ["https://shop.com:443", "Whitelisted by shop.com."],
    ["https://münchen.de", "Whitelisted by xn--mnchen-3ya.de."],
  ])("%s", (origin, reason) => {
    expect(checkOrigin(origin, whitelist)).toEqual({ allowed: true, reason });
  });
});

describe("refused, with a reason a person understands", () => {
  test.each<[origin: string, reason: RegExp]>([
    ["http://shop.com", /^Https required: shop\.com is whitelisted on https:\/\/ only\.$/],
    ["http://shop.com:80", /^Https required/],
    ["http://shop.com:8080", /^Https required/],
    ["http://pay.other.com:8443", /^Https required/],
    ["https://localhost:8080", /^Http required: localhost/],
    ["https://localhost:3000", /^Http required: localhost/],
    ["https://shop.com:8443", /^Port not registered: shop\.com is whitelisted, but .* shop\.com:8443\.$/],
    ["https://shop.com:80", /^Port not registered/],
    [
      "https://pay.other.com",
      /^Port not registered: pay\.other\.com is whitelisted with a port \(8443\), not without\.$/,
    ],
    ["https://pay.other.com:8444", /^Port not registered/],
    ["http://localhost", /^Port not registered: .* localhost\. .* 3000, 5173, 5175/],
    ["http://localhost:4000", /^Port not registered: .* localhost:4000/],
    ["https://pay.shop.com", /^Not this merchant's: it has not registered pay\.shop\.com\./],
    ["https://other.com", /^Not this merchant's/],
    ["https://shop.com.evil.com", /^Not this merchant's/],
    ["https://evilshop.com", /^Not this merchant's/],
    ["http://other.com", /^Not this merchant's/],
    ["null", /^Malformed origin: null/],
    ["shop.com", /^Malformed origin/],
    ["//shop.com", /^Malformed origin/],
    ["https://", /^Malformed origin/],
    ["https://shop.com/", /^Malformed origin/],
    ["https://shop.com/checkout", /^Malformed origin/],
    ["https://shop.com?", /^Malformed origin/],
    ["https://shop.com#", /^Malformed origin/],
    ["https://user@shop.com", /^Malformed origin/],
    ["https://shop.com@evil.com", /^Malformed origin/],
    ["https://shop.com\\@evil.com", /^Malformed origin/],
    ["https://shop.com:0", /^Malformed origin/],
    ["https://shop.com:0443", /^Malformed origin/],
    ["https://shop.com:65536", /^Malformed origin/],
    ["https://shop.com:", /^Malformed origin/],
    [" https://shop.com", /^Malformed origin/],
    ["https://shop.com ", /^Malformed origin: its host must not contain white space/],
    ["https://shop.com.", /^Malformed origin: its host must not end with a dot/],
    ["https://127.0.0.1", /^Malformed origin: its host must be a hostname, not an IP address/],
    ["http://127.0.0.1:3000", /^Malformed origin: its host must be a hostname, not an IP address/],
    ["http://[::1]:3000", /^Malformed origin/],
    ["https://*.shop.com", /^Malformed origin: its host must not contain wildcards/],
    ["https://shop.com, https://evil.com", /^Malformed origin/],
    ["file://", /^Malformed origin/],
    ["chrome-extension://abcdefgh", /^Https required: pages on chrome-extension:\/\//],
    ["capacitor://localhost", /^Https required: pages on capacitor:\/\//],
    ["", /^Malformed origin/],
    ["x".repeat(10_000), /^Malformed origin/],
  ])("%j", (origin, reason) => {
    const verdict = checkOrigin(origin, whitelist);
    expect(verdict.allowed).toBe(false);
    expect(verdict.reason).toMatch(reason);
    expect(verdict.reason.length).toBeLessThan(600);
  });

  test.each(["PENDING", "SUSPENDED", "REJECTED"])("everything while the merchant is %s", (status) => {
    for (const origin of ["https://shop.com", "http://localhost:3000", "nonsense"]) {
      expect(checkOrigin(origin, { ...whitelist, status })).toEqual({
        allowed: false,
        reason: `Merchant not active: its status is ${status}.`,
      });
    }
  });
});

test("any text gets a verdict, and none but the whitelisted origins in some spelling is allowed", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.tuple(fc.constantFrom(...whitelist.domainOf.keys()), fc.string({ maxLength: 3 })).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (origin) => {
      const verdict = checkOrigin(origin, whitelist);
      if (!verdict.allowed) return;
      const written = new URL(origin).origin;
      expect(whitelist.domainOf.has(written) || /^http:\/\/localhost:(3000|5173|5175)$/.test(written)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
