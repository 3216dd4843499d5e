import { describe, expect, onTestFinished, test } from "vitest";
import { startService } from "../harness/service.ts";

describe.each(["production", "sandbox"] as const)("X-Matchbook-Environment of %s", (environment) => {
  test("is in the public listener's answers, refusals too", async () => {
    const service = await startService({ environment });
    onTestFinished(() => service.close());
    const answers = [
      await service.call("/openapi.json"),
      await service.call("/v1/marketings/campaigns"),
      await service.call("/v1/merchants/applications", { body: {} }),
      await service.call("/v1/merchants/applications", { body: "{" }),
      await service.call("/v1/merchants/applications", { method: "DELETE" }),
      await service.call("/v1/merchants/00000000-0000-4000-8000-000000000000/public-key"),
      await service.call("/v1/nowhere"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 400, 400, 405, 404, 404]);
    expect(answers.map(({ headers }) => headers.get("x-matchbook-environment"))).toEqual(
      answers.map(() => environment),
    );
  });
});
