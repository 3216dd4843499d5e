import { METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, type RawAnswer, requestText } from "../harness/raw.ts";
import { type Service, startService } from "../harness/service.ts";

const UUID = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";

let production: Service;
let sandbox: Service;
beforeAll(async () => {
  [production, sandbox] = await Promise.all([startService(), startService({ environment: "sandbox" })]);
});
afterAll(() => Promise.all([production.close(), sandbox.close()]));

const listeners: [name: string, url: () => string, hidden: string[]][] = [
  ["public", () => production.publicUrl, ["/docs", "/docs/authentication", "/docs/reference.js", "/openapi.json"]],
  [
    "sandbox's public",
    () => sandbox.publicUrl,
    ["/docs", "/docs/authentication", "/docs/reference.js", "/openapi.json"],
  ],
  ["operator", () => production.operatorUrl, ["/", "/docs", "/openapi.json", "/console", "/console/merchants"]],
];

// CONNECT asks for a tunnel and names a host instead of a path. http.errors.test.ts has it.
const methods = METHODS.filter((method) => method !== "CONNECT");

function expectRefusal(answer: RawAnswer | null, method: string, status: number, code: string, where: string): void {
  expect(answer?.status, where).toBe(status);
  expect(answer?.headers["x-request-id"], where).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer?.headers["content-type"], where).toMatch(/^application\/json/);
  if (method === "HEAD") expect(answer?.body, where).toBe("");
  else expect(JSON.parse(answer?.body ?? ""), where).toEqual({ error: { code, message: expect.stringMatching(/\S/) } });
}

describe.each(listeners)("the %s listener", (_name, url, hidden) => {
  test("every method that an address does not have: 405 with Allow, at every address", async () => {
    const { paths } = (await (await fetch(`${url()}/openapi.json`)).json()) as { paths: Record<string, object> };
    const known = Object.entries(paths).map(([path, operations]) => ({
      path: path.replace(/\{[^}]+\}/g, UUID),
      allowed: Object.keys(operations).map((method) => method.toUpperCase()),
    }));
    expect(known.length).toBeGreaterThan(5);
    const addresses = [...hidden.map((path) => ({ path, allowed: ["GET"] })), ...known];
    for (const [index, { path, allowed }] of addresses.entries()) {
      const withHead = allowed.includes("GET") ? [...allowed, "HEAD"] : allowed;
      // Every method at ten addresses, and some at all: methods and addresses do not depend on each other.
      const tried = index < 10 ? methods : ["DELETE", "PATCH", "PROPFIND", "QUERY"];
      await Promise.all(
        tried
          .filter((method) => !withHead.includes(method))
          .map(async (method) => {
            const where = `${method} ${path}`;
            const answer = await exchange(url(), requestText(method, path));
            expectRefusal(answer, method, 405, "METHOD_NOT_ALLOWED", where);
            expect(answer?.headers.allow?.split(", "), where).toEqual([...withHead].sort());
          }),
      );
    }
  });

  test("every method at an address that is not there: 404", async () => {
    for (const path of ["/nowhere", "/v1", "/v1/merchants", "/operator"]) {
      for (const method of methods) {
        const answer = await exchange(url(), requestText(method, path));
        expectRefusal(answer, method, 404, "ROUTE_NOT_FOUND", `${method} ${path}`);
      }
    }
  });

  test.each([
    ["text/plain", "<query/>"],
    ["application/json", "{"],
    ["application/json", "x".repeat(70_000)],
    ["json", "{}"],
  ])("405 and 404 come before a body of the type %s is looked at", async (type, body) => {
    const headers = { "content-type": type };
    for (const method of ["PUT", "PATCH", "PROPFIND", "QUERY", "REPORT", "SEARCH"]) {
      const refused = await exchange(url(), requestText(method, "/openapi.json", headers, body));
      expectRefusal(refused, method, 405, "METHOD_NOT_ALLOWED", method);
      const lost = await exchange(url(), requestText(method, "/nowhere", headers, body));
      expectRefusal(lost, method, 404, "ROUTE_NOT_FOUND", method);
    }
  });
});

describe("/ on the public listeners", () => {
  const PUBLIC = [() => production.publicUrl, () => sandbox.publicUrl];
  const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

  test("leads a browser to the reference", async () => {
    for (const url of PUBLIC) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await fetch(`${url()}/`, { method, headers: { accept: BROWSER }, redirect: "manual" });
        expect([answer.status, answer.headers.get("location"), answer.headers.get("vary")]).toEqual([
          303,
          "/docs",
          "accept",
        ]);
      }
      const page = await fetch(`${url()}/`, { headers: { accept: BROWSER } });
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    }
  });

  test("stays a 404 for programs, for other methods and at other addresses", async () => {
    for (const url of PUBLIC) {
      for (const accept of ["*/*", "application/json", undefined]) {
        const answer = await exchange(url(), requestText("GET", "/", { accept }));
        expectRefusal(answer, "GET", 404, "ROUTE_NOT_FOUND", String(accept));
        expect(answer?.headers.vary).toBe("accept");
      }
      for (const [method, path] of [
        ["POST", "/"],
        ["GET", "/nowhere"],
        ["GET", "//"],
      ] as const) {
        const answer = await exchange(url(), requestText(method, path, { accept: BROWSER }));
        expectRefusal(answer, method, 404, "ROUTE_NOT_FOUND", `${method} ${path}`);
      }
    }
  });

  test("the contract says how requests are signed, and its link is served", async () => {
    for (const url of PUBLIC) {
      const document = await (await fetch(`${url()}/openapi.json`)).json();
      const links = [...document.info.description.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
      expect(links).toEqual(["/docs/authentication"]);
      expect(document.components.securitySchemes.merchantAuthorization.description).toContain(`(${links[0]})`);
      expect((await fetch(url() + links[0])).headers.get("content-type")).toBe("text/html; charset=utf-8");
      const chapter = await (await fetch(`${url()}${links[0]}.json`)).json();
      expect(chapter.info.title).toBe("Signing requests: X-Merchant-Authorization");
      const inside = [...chapter.info.description.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
      expect(inside.length).toBeGreaterThan(1);
      for (const link of inside) expect(link).toMatch(/^(\/docs$|#description\/|https:\/\/)/);
    }
  });
});
