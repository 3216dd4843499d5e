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
  ["public", () => production.publicUrl, ["/docs", "/docs/reference.js", "/openapi.json"]],
  ["sandbox's public", () => sandbox.publicUrl, ["/docs", "/docs/reference.js", "/openapi.json"]],
  ["operator", () => production.operatorUrl, ["/", "/docs", "/openapi.json", "/console", "/console/merchants"]],
];

// CONNECT asks for a tunnel and names a host instead of a path. http.errors.test.ts has it.
const methods = METHODS.filter((method) => method !== "CONNECT");

function expectRefusal(answer: RawAnswer | null, method: string, status: number, code: string, where: string): void {
  expect(answer?.status, where).toBe(status);
  expect(answer?.headers["x-request-id"], where).toMatch(/^[0-9a-f]{32}$/);
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
    for (const { path, allowed } of [...known, ...hidden.map((path) => ({ path, allowed: ["GET"] }))]) {
      const withHead = allowed.includes("GET") ? [...allowed, "HEAD"] : allowed;
      await Promise.all(
        methods
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
