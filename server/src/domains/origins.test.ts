import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../http/errors.ts";
import { isFreeLocalhost, originsOf, parseDomain, parseHostname } from "./origins.ts";

function refusal(parse: (text: string) => unknown, text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof AppError && error.code === "VALIDATION_ERROR") return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(text)} was taken.`);
}

const label63 = "a".repeat(63);
const host253 = `${label63}.${label63}.${label63}.${"a".repeat(57)}.com`;
const longApex = `${label63}.example`;

describe("a domain and its origins", () => {
  test.each<[text: string, domain: string, origins: string[]]>([
    // An apex and its www variant go together, whichever is sent.
    ["example.com", "example.com", ["https://example.com", "https://www.example.com"]],
    ["www.example.com", "www.example.com", ["https://www.example.com", "https://example.com"]],
    ["shop.co.uk", "shop.co.uk", ["https://shop.co.uk", "https://www.shop.co.uk"]],
    ["www.shop.co.uk", "www.shop.co.uk", ["https://www.shop.co.uk", "https://shop.co.uk"]],
    ["example.io", "example.io", ["https://example.io", "https://www.example.io"]],
    ["1.com", "1.com", ["https://1.com", "https://www.1.com"]],
    ["4chan.org", "4chan.org", ["https://4chan.org", "https://www.4chan.org"]],
    ["a-b.com", "a-b.com", ["https://a-b.com", "https://www.a-b.com"]],
    ["a--b.com", "a--b.com", ["https://a--b.com", "https://www.a--b.com"]],

    // Deeper subdomains are exactly what was sent.
    ["pay.example.com", "pay.example.com", ["https://pay.example.com"]],
    ["www.pay.example.com", "www.pay.example.com", ["https://www.pay.example.com"]],
    ["a.b.c.example.com", "a.b.c.example.com", ["https://a.b.c.example.com"]],
    ["www2.example.com", "www2.example.com", ["https://www2.example.com"]],
    ["wwwexample.com", "wwwexample.com", ["https://wwwexample.com", "https://www.wwwexample.com"]],
    ["r3---sn-abc.example.com", "r3---sn-abc.example.com", ["https://r3---sn-abc.example.com"]],

    // Private suffixes are ordinary subdomains of the company that runs them.
    ["a.vercel.app", "a.vercel.app", ["https://a.vercel.app"]],
    ["vercel.app", "vercel.app", ["https://vercel.app", "https://www.vercel.app"]],
    ["www.github.io", "www.github.io", ["https://www.github.io", "https://github.io"]],
    ["www.me.github.io", "www.me.github.io", ["https://www.me.github.io"]],
    ["uk.com", "uk.com", ["https://uk.com", "https://www.uk.com"]],

    // A www that is itself registrable is an apex.
    ["www.com", "www.com", ["https://www.com", "https://www.www.com"]],
    ["www.www.com", "www.www.com", ["https://www.www.com", "https://www.com"]],
    ["www.www.www.com", "www.www.www.com", ["https://www.www.www.com"]],
    ["www.co.uk", "www.co.uk", ["https://www.co.uk", "https://www.www.co.uk"]],
    ["www.ck", "www.ck", ["https://www.ck", "https://www.www.ck"]],

    // A top-level domain that the list does not know.
    ["shop.unknown-tld", "shop.unknown-tld", ["https://shop.unknown-tld", "https://www.shop.unknown-tld"]],
    ["a.shop.unknown-tld", "a.shop.unknown-tld", ["https://a.shop.unknown-tld"]],
    ["example.test", "example.test", ["https://example.test", "https://www.example.test"]],
    ["app.localhost", "app.localhost", ["https://app.localhost", "https://www.app.localhost"]],

    // Case and scheme say nothing.
    ["EXAMPLE.Com", "example.com", ["https://example.com", "https://www.example.com"]],
    ["https://example.com", "example.com", ["https://example.com", "https://www.example.com"]],
    ["http://example.com", "example.com", ["https://example.com", "https://www.example.com"]],
    ["HTTPS://WWW.Example.COM", "www.example.com", ["https://www.example.com", "https://example.com"]],
    ["hTTp://pay.example.com", "pay.example.com", ["https://pay.example.com"]],

    // Ports belong to both origins; the default one is left out.
    ["example.com:8443", "example.com:8443", ["https://example.com:8443", "https://www.example.com:8443"]],
    ["www.example.com:8443", "www.example.com:8443", ["https://www.example.com:8443", "https://example.com:8443"]],
    ["pay.example.com:1", "pay.example.com:1", ["https://pay.example.com:1"]],
    ["pay.example.com:65535", "pay.example.com:65535", ["https://pay.example.com:65535"]],
    ["pay.example.com:443", "pay.example.com", ["https://pay.example.com"]],
    ["https://pay.example.com:443", "pay.example.com", ["https://pay.example.com"]],
    ["http://pay.example.com:443", "pay.example.com", ["https://pay.example.com"]],
    ["pay.example.com:80", "pay.example.com:80", ["https://pay.example.com:80"]],
    ["http://pay.example.com:80", "pay.example.com:80", ["https://pay.example.com:80"]],

    // Localhost is on http and has no www.
    ["localhost", "localhost", ["http://localhost"]],
    ["LocalHost:8080", "localhost:8080", ["http://localhost:8080"]],
    ["http://localhost:3000", "localhost:3000", ["http://localhost:3000"]],
    ["https://localhost:3000", "localhost:3000", ["http://localhost:3000"]],
    ["localhost:80", "localhost", ["http://localhost"]],
    ["localhost:443", "localhost:443", ["http://localhost:443"]],

    // Internationalized names become the punycode that a browser would show in an origin.
    ["münchen.de", "xn--mnchen-3ya.de", ["https://xn--mnchen-3ya.de", "https://www.xn--mnchen-3ya.de"]],
    ["WWW.MÜNCHEN.DE", "www.xn--mnchen-3ya.de", ["https://www.xn--mnchen-3ya.de", "https://xn--mnchen-3ya.de"]],
    ["XN--MNCHEN-3YA.de", "xn--mnchen-3ya.de", ["https://xn--mnchen-3ya.de", "https://www.xn--mnchen-3ya.de"]],
    ["mu\u0308nchen.de", "xn--mnchen-3ya.de", ["https://xn--mnchen-3ya.de", "https://www.xn--mnchen-3ya.de"]],
    ["straße.de", "xn--strae-oqa.de", ["https://xn--strae-oqa.de", "https://www.xn--strae-oqa.de"]],
    ["例え。jp", "xn--r8jz45g.jp", ["https://xn--r8jz45g.jp", "https://www.xn--r8jz45g.jp"]],
    [
      "пример.рф:8443",
      "xn--e1afmkfd.xn--p1ai:8443",
      ["https://xn--e1afmkfd.xn--p1ai:8443", "https://www.xn--e1afmkfd.xn--p1ai:8443"],
    ],
    ["☃.net", "xn--n3h.net", ["https://xn--n3h.net", "https://www.xn--n3h.net"]],
    ["क्\u200dष.com", "xn--11b2ezcw70k.com", ["https://xn--11b2ezcw70k.com", "https://www.xn--11b2ezcw70k.com"]],
    ["ｅｘａｍｐｌｅ.com", "example.com", ["https://example.com", "https://www.example.com"]],
    ["ⓛocalhost:8080", "localhost:8080", ["http://localhost:8080"]],

    // The longest names.
    [longApex, longApex, [`https://${longApex}`, `https://www.${longApex}`]],
    [host253, host253, [`https://${host253}`]],
  ])("%s", (text, domain, origins) => {
    expect(parseDomain(text)).toEqual({ domain, origins });
  });

  test.each<[text: string, rule: RegExp]>([
    ["", /must not be empty/],
    [`${"a.".repeat(126)}com:8443`, /at most 255 characters/],
    ["https://", /must have a hostname/],
    [":3000", /must have a hostname/],

    ["ftp://example.com", /scheme http:\/\/ or https:\/\//],
    ["https://https://example.com", /scheme http:\/\/ or https:\/\//],
    ["wss://example.com", /scheme http:\/\/ or https:\/\//],
    ["//example.com", /path/],
    ["https:/example.com", /path/],
    ["https:example.com", /port from 1 to 65535/],
    ["javascript:alert(1)", /port from 1 to 65535/],

    ["example.com/", /path/],
    ["https://example.com/", /path/],
    ["https://example.com/checkout", /path/],
    ["example.com\\checkout", /path/],
    ["example.com?a=b", /query/],
    ["example.com#top", /fragment/],
    ["user@example.com", /user info/],
    ["https://user:secret@example.com", /user info/],
    ["ex%61mple.com", /percent-encoding/],
    ["*.example.com", /wildcards/],
    [" example.com", /white space/],
    ["example.com ", /white space/],
    ["exa mple.com", /white space/],
    ["exam\tple.com", /white space/],
    ["example.com\n", /white space/],
    ["example.com\u00a0", /white space/],
    ["example.com\u3000", /white space/],
    ["exa\0mple.com", /control or invisible/],
    ["exa\u00admple.com", /control or invisible/],
    ["exa\u200bmple.com", /control or invisible/],
    ["exa\u2060mple.com", /control or invisible/],
    ["example\u202e.com", /control or invisible/],
    ["i❤\ufe0f.ws", /control or invisible/],
    ["exa\ud800mple.com", /control or invisible/],
    ["exa\ue000mple.com", /control or invisible/],

    ["example.com:", /port from 1 to 65535/],
    ["example.com:0", /port from 1 to 65535/],
    ["example.com:080", /port from 1 to 65535/],
    ["example.com:65536", /port from 1 to 65535/],
    ["example.com:100000", /port from 1 to 65535/],
    ["example.com:-1", /port from 1 to 65535/],
    ["example.com:+1", /port from 1 to 65535/],
    ["example.com:1e3", /port from 1 to 65535/],
    ["example.com:https", /port from 1 to 65535/],
    ["example.com:８０", /port from 1 to 65535/],
    ["example.com:80:80", /one colon/],

    ["127.0.0.1", /not an IP address/],
    ["127.0.0.1:3000", /not an IP address/],
    ["http://192.168.0.1", /not an IP address/],
    ["127.1", /not an IP address/],
    ["2130706433", /not an IP address/],
    ["0x7f.1", /not an IP address/],
    ["0x7f000001", /not an IP address/],
    ["0177.0.0.1", /not an IP address/],
    ["0x", /not an IP address/],
    ["1.2.3.4.5", /not an IP address/],
    ["１２７.0.0.1", /not an IP address/],
    ["①②⑦.1", /not an IP address/],
    ["[::1]", /not an IP address/],
    ["[::1]:3000", /not an IP address/],
    ["::1", /one colon/],
    ["example.1", /must not end in a number/],
    ["example.0x1f", /must not end in a number/],
    ["é.127", /not a valid internationalized/],

    ["example.com.", /end with a dot/],
    ["localhost.", /end with a dot/],
    [".", /end with a dot/],
    ["example。com。", /end with a dot/],
    [".example.com", /empty labels/],
    ["example..com", /empty labels/],
    ["example_shop.com", /letters, digits, hyphens and dots/],
    ["_dmarc.example.com", /letters, digits, hyphens and dots/],
    ["exam!ple.com", /letters, digits, hyphens and dots/],
    ["exam,ple.com", /letters, digits, hyphens and dots/],
    ["example.com;", /letters, digits, hyphens and dots/],
    ["<example.com>", /letters, digits, hyphens and dots/],
    ["'example.com'", /letters, digits, hyphens and dots/],
    ["é_x.com", /letters, digits, hyphens and dots/],
    ["xn--_x-9ia.com", /letters, digits, hyphens and dots/],
    ["-example.com", /hyphen/],
    ["example-.com", /hyphen/],
    ["example.-com", /hyphen/],
    ["-é.com", /hyphen/],
    ["é-.com", /hyphen/],
    ["xn----bga.com", /hyphen/],
    ["xn--a-.com", /hyphen/],
    [`${label63}a.com`, /at most 63 characters/],
    [`${"é".repeat(60)}.com`, /at most 63 characters/],
    [host253.replace(".com", "a.com"), /at most 253 characters/],

    ["xn--a.com", /not a valid internationalized/],
    ["xn--.com", /not a valid internationalized/],
    ["a\u200db.com", /not a valid internationalized/],
    ["\u0301a.com", /not a valid internationalized/],
    ["a％b.com", /not a valid internationalized/],
    ["℀.com", /not a valid internationalized/],
    ["user＠example.com", /not a valid internationalized/],
    ["example.com／path", /not a valid internationalized/],
    ["example.com：80", /not a valid internationalized/],

    ["example", /at least two labels/],
    ["com", /at least two labels/],
    ["localhost1", /at least two labels/],
    ["рф", /at least two labels/],
    ["co.uk", /bare public suffix/],
    ["CO.UK:8443", /bare public suffix/],
    ["test.ck", /bare public suffix/],
    ["公司.cn", /bare public suffix/],
    ["k12.ak.us", /bare public suffix/],
  ])("%j is refused", (text, rule) => {
    const answer = refusal(parseDomain, text);
    expect(answer).toMatch(rule);
    expect(answer).toMatch(/^domain /);
  });

  test("any text is refused in the usual way or stands for origins that a browser would write alike", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.domain(),
      fc.tuple(fc.domain(), fc.string({ unit: "binary", maxLength: 2 })).map(([domain, noise]) => domain + noise),
      fc
        .tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), fc.domain())
        .map((parts) => parts.join(".")),
      fc.webAuthority({ withPort: true, withUserInfo: true, withIPv4: true, withIPv6: true }),
      fc
        .array(fc.constantFrom("www", "com", "co", "uk", "ck", "xn--", "-", ".", "..", ":", "80", "0x7f", "é"), {
          maxLength: 6,
        })
        .map((parts) => parts.join(".")),
    );
    fc.assert(
      fc.property(text, (sent) => {
        let origins: string[];
        try {
          ({ origins } = parseDomain(sent));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return;
        }
        for (const origin of origins) expect(new URL(origin).origin).toBe(origin);
      }),
      { numRuns: 5_000 },
    );
  });

  test("what is stored reads back as itself, and either origin of a pair stands for both", () => {
    const host = fc
      .array(fc.constantFrom("www", "shop", "a", "é", "xn--mnchen-3ya"), { minLength: 1, maxLength: 4 })
      .chain((labels) =>
        fc.constantFrom("com", "co.uk", "ck.example", "рф").map((suffix) => [...labels, suffix].join(".")),
      );
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
    fc.assert(
      fc.property(fc.oneof(host, fc.constant("localhost")), port, (name, number) => {
        const submitted = parseDomain(number === undefined ? name : `${name}:${number}`);
        expect(parseDomain(submitted.domain)).toEqual(submitted);
        for (const origin of submitted.origins) {
          expect(new Set(parseDomain(origin).origins)).toEqual(new Set(submitted.origins));
        }
      }),
    );
  });
});

describe("the hostname of an application", () => {
  test.each([
    ["example.com", "example.com"],
    ["WWW.Example.com", "www.example.com"],
    ["pay.shop.co.uk", "pay.shop.co.uk"],
    ["shop.unknown-tld", "shop.unknown-tld"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    [host253, host253],
  ])("%s", (text, host) => {
    expect(parseHostname(text)).toBe(host);
  });

  test.each([
    ["", /must not be empty/],
    ["a".repeat(256), /at most 255 characters/],
    ["https://example.com", /without a scheme/],
    ["HTTP://example.com", /without a scheme/],
    ["example.com:443", /without a port/],
    ["example.com:", /without a port/],
    ["::1", /without a port/],
    ["localhost", /not localhost/],
    ["LOCALHOST", /not localhost/],
    ["localhost:3000", /without a port/],
    ["127.0.0.1", /not an IP address/],
    ["[::1]", /not an IP address/],
    ["0x7f.1", /not an IP address/],
    ["example", /at least two labels/],
    ["co.uk", /bare public suffix/],
    ["example.com.", /end with a dot/],
    ["example.com/", /path/],
    ["user@example.com", /user info/],
    [" example.com", /white space/],
    ["exa_mple.com", /letters, digits, hyphens and dots/],
  ])("%j is refused", (text, rule) => {
    const answer = refusal(parseHostname, text);
    expect(answer).toMatch(rule);
    expect(answer).toMatch(/^domain /);
  });
});

test("the origins of a stored host", () => {
  expect(originsOf("example.com")).toEqual(["https://example.com", "https://www.example.com"]);
  expect(originsOf("example.com", 443)).toEqual(["https://example.com", "https://www.example.com"]);
  expect(originsOf("www.example.com", 8443)).toEqual(["https://www.example.com:8443", "https://example.com:8443"]);
  expect(originsOf("localhost", 3000)).toEqual(["http://localhost:3000"]);
});

describe("localhost without registration", () => {
  test.each(["http://localhost:3000", "http://localhost:5173", "http://localhost:5175"])("%s", (origin) => {
    expect(isFreeLocalhost(origin)).toBe(true);
  });

  test.each([
    "http://localhost",
    "http://localhost:80",
    "http://localhost:5174",
    "http://localhost:30000",
    "https://localhost:3000",
    "http://example.com:3000",
    "http://127.0.0.1:3000",
    "localhost:3000",
    "",
  ])("not %s", (origin) => {
    expect(isFreeLocalhost(origin)).toBe(false);
  });
});

// The test data that the Public Suffix List publishes (public domain), as far as it is about the ICANN part: each host with
// its registrable domain, or null where there is none.
describe("the published test cases of the Public Suffix List", () => {
  test.each<[host: string, registrable: string | null]>([
    ["COM", null],
    ["example.COM", "example.com"],
    ["WwW.example.COM", "example.com"],
    [".com", null],
    [".example", null],
    [".example.com", null],
    [".example.example", null],
    ["example", null],
    ["example.example", "example.example"],
    ["b.example.example", "example.example"],
    ["a.b.example.example", "example.example"],
    ["biz", null],
    ["domain.biz", "domain.biz"],
    ["b.domain.biz", "domain.biz"],
    ["a.b.domain.biz", "domain.biz"],
    ["com", null],
    ["example.com", "example.com"],
    ["b.example.com", "example.com"],
    ["a.b.example.com", "example.com"],
    ["test.ac", "test.ac"],
    ["mm", null],
    ["c.mm", null],
    ["b.c.mm", "b.c.mm"],
    ["a.b.c.mm", "b.c.mm"],
    ["jp", null],
    ["test.jp", "test.jp"],
    ["www.test.jp", "test.jp"],
    ["ac.jp", null],
    ["test.ac.jp", "test.ac.jp"],
    ["www.test.ac.jp", "test.ac.jp"],
    ["kyoto.jp", null],
    ["test.kyoto.jp", "test.kyoto.jp"],
    ["ide.kyoto.jp", null],
    ["b.ide.kyoto.jp", "b.ide.kyoto.jp"],
    ["a.b.ide.kyoto.jp", "b.ide.kyoto.jp"],
    ["c.kobe.jp", null],
    ["b.c.kobe.jp", "b.c.kobe.jp"],
    ["a.b.c.kobe.jp", "b.c.kobe.jp"],
    ["city.kobe.jp", "city.kobe.jp"],
    ["www.city.kobe.jp", "city.kobe.jp"],
    ["ck", null],
    ["test.ck", null],
    ["b.test.ck", "b.test.ck"],
    ["a.b.test.ck", "b.test.ck"],
    ["www.ck", "www.ck"],
    ["www.www.ck", "www.ck"],
    ["us", null],
    ["test.us", "test.us"],
    ["www.test.us", "test.us"],
    ["ak.us", null],
    ["test.ak.us", "test.ak.us"],
    ["www.test.ak.us", "test.ak.us"],
    ["k12.ak.us", null],
    ["test.k12.ak.us", "test.k12.ak.us"],
    ["www.test.k12.ak.us", "test.k12.ak.us"],
    ["食狮.com.cn", "xn--85x722f.com.cn"],
    ["食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"],
    ["www.食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"],
    ["shishi.公司.cn", "shishi.xn--55qx5d.cn"],
    ["公司.cn", null],
    ["食狮.中国", "xn--85x722f.xn--fiqs8s"],
    ["www.食狮.中国", "xn--85x722f.xn--fiqs8s"],
    ["shishi.中国", "shishi.xn--fiqs8s"],
    ["中国", null],
    ["xn--85x722f.com.cn", "xn--85x722f.com.cn"],
    ["xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"],
    ["www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"],
    ["shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"],
    ["xn--55qx5d.cn", null],
    ["xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"],
    ["www.xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"],
    ["shishi.xn--fiqs8s", "shishi.xn--fiqs8s"],
    ["xn--fiqs8s", null],
  ])("%s", (sent, registrable) => {
    if (registrable === null) {
      expect(() => parseHostname(sent)).toThrow(AppError);
      return;
    }
    const host = parseHostname(sent);
    const pair = [registrable, `www.${registrable}`];
    const expected = pair.includes(host) ? [host, ...pair.filter((name) => name !== host)] : [host];
    expect(parseDomain(sent).origins).toEqual(expected.map((name) => `https://${name}`));
  });
});
