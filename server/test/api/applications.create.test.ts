import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationBody, generateKeys } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const apply = (body: unknown) => service.call("/v1/merchants/applications", { body });

describe("POST /v1/merchants/applications", () => {
  test("202 with a reserved merchant id that is PENDING", async () => {
    const answer = await apply(applicationBody());
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      applicationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "PENDING",
      message: expect.stringContaining("review"),
    });
  });
});
