import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, type Service, startService } from "../harness/service.ts";

let service: Service;
let sandbox: Service;
beforeAll(async () => {
  service = await startService();
  sandbox = await startService({ environment: "sandbox" });
});
afterAll(() => Promise.all([service.close(), sandbox.close()]));

const read = (path: string, at = service) => call(at.operatorUrl + path);

describe("GET /console", () => {
  test("is found from the listener's root", async () => {
    const answer = await fetch(service.operatorUrl, { redirect: "manual" });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/console");
  });

  test.each(["/console", "/console/", "/console/merchants/some-id?tab=key"])(
    "200 with the page at %s",
    async (path) => {
      const { status, headers, body } = await read(path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(body).toContain('<div id="root"></div>');
    },
  );

  test("tells which environment it is", async () => {
    expect((await read("/console")).body).toContain('name="matchbook-environment" content="production"');
    expect((await read("/console", sandbox)).body).toContain('name="matchbook-environment" content="sandbox"');
  });

  test("allows nothing but files of our own, and each answer's own style nonce", async () => {
    const nonces = new Set<string>();
    for (let time = 0; time < 3; time++) {
      const { headers, body } = await read("/console");
      const policy = headers.get("content-security-policy") ?? "";
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
      expect(body).toContain(`name="matchbook-nonce" content="${nonce}"`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("cache-control")).toBe("no-store");
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  test("names only files that are there, on this host", async () => {
    const { body } = await read("/console");
    const names = [...String(body).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      expect(name).toMatch(/^\/console\//);
      const { status, headers } = await read(name);
      expect(status, name).toBe(200);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      if (name.includes("/assets/")) expect(headers.get("cache-control")).toContain("immutable");
    }
  });

  test("is compressed for who can read it, with the same content", async () => {
    const url = `${service.operatorUrl}/console/favicon.svg`;
    const [plain, small] = await Promise.all(
      ["identity", "gzip"].map((encoding) => fetch(url, { headers: { "accept-encoding": encoding } })),
    );
    expect(plain?.headers.get("content-encoding")).toBeNull();
    expect(small?.headers.get("content-encoding")).toBe("gzip");
    expect(await small?.text()).toBe(await plain?.text());
  });

  test.each([
    ["gzip;q=0", null],
    ["br, gzip;q=0.0, *", null],
    ["x-gzip-like", null],
    ["deflate, GZIP;q=0.5, br", "gzip"],
    ["gzip, deflate, br, zstd", "gzip"],
  ])("to %s it is compressed with: %s", async (accepted, encoding) => {
    const answer = await fetch(`${service.operatorUrl}/console/favicon.svg`, {
      headers: { "accept-encoding": accepted },
    });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    expect(await answer.text()).toContain("<svg");
  });

  test("404 in the error shape for a file that is not there", async () => {
    for (const path of ["/console/assets/missing.js", "/console/../package.json", "/console/%2e%2e/package.json"]) {
      const { status, body } = await read(path);
      expect(status, path).toBe(404);
      expect(body).toEqual({ error: { code: "ROUTE_NOT_FOUND", message: expect.any(String) } });
    }
  });

  test("is not on the public listener", async () => {
    expect((await service.call("/console")).status).toBe(404);
  });
});
