import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "./harness/service.ts";

const contract = new URL("../../contract/", import.meta.url);

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe("GET /openapi.json", () => {
  test("contract/openapi.json is what the public listener serves (npm run contract writes it)", async () => {
    const text = await (await fetch(`${service.publicUrl}/openapi.json`)).text();
    await expect(text).toMatchFileSnapshot(new URL("openapi.json", contract).pathname);
  });

  test("contract/sandbox-openapi.json is what the sandbox serves: the same, and the test helpers", async () => {
    const sandbox = await startService({ environment: "sandbox" });
    try {
      const text = await (await fetch(`${sandbox.publicUrl}/openapi.json`)).text();
      await expect(text).toMatchFileSnapshot(new URL("sandbox-openapi.json", contract).pathname);
      const [all, shared] = [JSON.parse(text), await (await fetch(`${service.publicUrl}/openapi.json`)).json()];
      expect(all.paths).toMatchObject(shared.paths);
      expect(Object.keys(all.paths).filter((path) => !(path in shared.paths))).toEqual([
        "/v1/test-helpers/deposits",
        "/v1/test-helpers/campaigns",
      ]);
    } finally {
      await sandbox.close();
    }
  });

  test("contract/operator-openapi.json is what the operator listener serves", async () => {
    const text = await (await fetch(`${service.operatorUrl}/openapi.json`)).text();
    await expect(text).toMatchFileSnapshot(new URL("operator-openapi.json", contract).pathname);
  });

  test("the reference page and its script come from this listener, and the page may load nothing else", async () => {
    const page = await service.call("/docs");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.body).not.toMatch(/https?:\/\//);
    const script = await fetch(`${service.publicUrl}/docs/reference.js`);
    expect(script.headers.get("content-type")).toContain("javascript");
    expect((await script.text()).length).toBeGreaterThan(1_000_000);
  });
});
