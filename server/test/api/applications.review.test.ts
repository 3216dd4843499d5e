import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationBody } from "../harness/merchant.ts";
import { readPages, spoiltCursors } from "../harness/pages.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let second: Service;
beforeAll(async () => {
  service = await startService();
  second = await startService({ database: service.database });
});
afterAll(async () => {
  await second.close();
  await service.close();
});

interface Receipt {
  readonly applicationId: string;
  readonly merchantId: string;
}

async function apply(change: Record<string, unknown> = {}): Promise<Receipt> {
  const answer = await service.call("/v1/merchants/applications", { body: applicationBody(change) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const { applicationId, merchantId } = answer.body;
  return { applicationId, merchantId };
}

const approve = ({ applicationId }: Receipt, body?: unknown, at: Service = service) =>
  at.operator(`/applications/${applicationId}/approve`, { method: "POST", body });
const reject = ({ applicationId }: Receipt, body: unknown = { reason: "The domain does not resolve." }, at = service) =>
  at.operator(`/applications/${applicationId}/reject`, { method: "POST", body });
const merchantOf = async ({ merchantId }: Receipt) => (await service.operator(`/merchants/${merchantId}`)).body;
const originsOf = async ({ merchantId }: Receipt) =>
  (
    await service.db.query<{ origin: string }>(
      "select origin from merchant_origins where merchant_id = $1 order by origin",
      [merchantId],
    )
  ).map(({ origin }) => origin);

const UNKNOWN = "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01";
const MALFORMED = ["not-a-uuid", "%00", "1", `${UNKNOWN}0`, "0d5a7f6c52a44a1c8d2e8f5b3a9e4c01", "a".repeat(300)];

describe("GET /operator/v1/applications", () => {
  let listed: Service;
  const byStatus: Record<string, string[]> = { PENDING: [], APPROVED: [], REJECTED: [] };
  const newestFirst: string[] = [];
  beforeAll(async () => {
    listed = await startService();
    for (const status of ["PENDING", "APPROVED", "REJECTED", "PENDING", "PENDING", "REJECTED"]) {
      const { body } = await listed.call("/v1/merchants/applications", { body: applicationBody() });
      if (status === "APPROVED") await listed.operator(`/applications/${body.applicationId}/approve`, { body: {} });
      if (status === "REJECTED") {
        await listed.operator(`/applications/${body.applicationId}/reject`, { body: { reason: "No." } });
      }
      byStatus[status]?.unshift(body.applicationId);
      newestFirst.unshift(body.applicationId);
    }
  });
  afterAll(() => listed.close());

  const idsOf = (pages: { applicationId: string }[][]) => pages.flat().map(({ applicationId }) => applicationId);

  test("every application once, newest first, with any page size", async () => {
    for (const limit of [1, 2, 3, 5, 6, 7, 100]) {
      const pages = await readPages(listed, "/applications", limit);
      expect(idsOf(pages), `limit ${limit}`).toEqual(newestFirst);
      expect(pages).toHaveLength(Math.ceil(newestFirst.length / limit));
    }
  });

  test.each(["PENDING", "APPROVED", "REJECTED"])("status=%s lists only those", async (status) => {
    for (const limit of [1, 2, 3, 4]) {
      expect(idsOf(await readPages(listed, `/applications?status=${status}`, limit))).toEqual(byStatus[status]);
    }
  });

  test("an application shows what an operator needs", async () => {
    const [[application]] = (await readPages(listed, "/applications?status=REJECTED", 1)) as [
      [Record<string, unknown>],
    ];
    expect(application).toEqual({
      applicationId: byStatus.REJECTED?.[0],
      merchantId: expect.any(String),
      status: "REJECTED",
      email: "payments@shop.example",
      domain: "shop.example",
      telegram: null,
      description: "A shop that takes stablecoin deposits.",
      publicKey: expect.stringContaining("BEGIN PUBLIC KEY"),
      keyFingerprint: expect.any(String),
      reason: "No.",
      proven: false,
      createDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      decideDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sameKey: [],
      sameDomain: expect.any(Array),
    });
  });

  test("rows that arrive while paging neither repeat nor hide one that was there", async () => {
    for (let turn = 0; turn < 3; turn++) await apply();
    const there = idsOf(await readPages(service, "/applications", 100));
    const start = await service.operator("/applications?limit=1");
    await apply();
    const rest = [];
    let cursor = start.body.nextCursor;
    while (cursor !== null) {
      const page = await service.operator(`/applications?limit=1&cursor=${cursor}`);
      rest.push(page.body.items[0].applicationId);
      cursor = page.body.nextCursor;
    }
    expect([start.body.items[0].applicationId, ...rest]).toEqual(there);
  });

  test("a cursor serves with another limit, and at every service that shares the secret", async () => {
    const { nextCursor } = (await listed.operator("/applications?limit=2")).body;
    const other = await startService({ database: listed.database });
    try {
      const answer = await other.operator(`/applications?limit=100&cursor=${nextCursor}`);
      expect(idsOf([answer.body.items])).toEqual(newestFirst.slice(2));
      expect(answer.body.nextCursor).toBeNull();
    } finally {
      await other.close();
    }
  });

  test("400 for a cursor with another filter or on another route", async () => {
    const { nextCursor } = (await listed.operator("/applications?status=PENDING&limit=1")).body;
    for (const path of ["/applications?", "/applications?status=APPROVED&", "/merchants?", "/tokens?", "/audit-log?"]) {
      const answer = await listed.operator(`${path}cursor=${nextCursor}`);
      expect(answer.status, path).toBe(400);
      expect(answer.body.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("cursor") });
    }
    expect((await listed.operator(`/applications?status=PENDING&cursor=${nextCursor}`)).status).toBe(200);
  });

  test("400 for a cursor changed in any character, cut, padded or made up", async () => {
    const { nextCursor } = (await listed.operator("/applications?limit=1")).body;
    expect(nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    for (const cursor of spoiltCursors(nextCursor)) {
      const answer = await listed.operator(`/applications?limit=1&cursor=${encodeURIComponent(cursor)}`);
      expect(answer.status, cursor).toBe(400);
      expect(answer.body.error.message, cursor).toContain("cursor");
    }
  });

  test.each([
    "status=pending",
    "status=ACTIVE",
    "status=",
    "status=PENDING&status=APPROVED",
    "status[]=PENDING",
    "state=PENDING",
    "limit=0",
    "cursor=",
  ])("400 for ?%s, naming the parameter", async (query) => {
    const answer = await listed.operator(`/applications?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(query.split(/[[=]/)[0]);
  });
});

describe("POST /operator/v1/applications/{applicationId}/approve", () => {
  test("200 with the application; the merchant is ACTIVE under its domain's name", async () => {
    const receipt = await apply({ domain: "plain.example" });
    const answer = await approve(receipt, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ...receipt, status: "APPROVED", decideDate: expect.any(String), reason: null });
    expect(await merchantOf(receipt)).toMatchObject({ status: "ACTIVE", displayName: "plain.example" });
    expect((await service.call(`/v1/merchants/${receipt.merchantId}/public-key`)).status).toBe(200);
  });

  test("a display name may be given", async () => {
    const receipt = await apply();
    expect((await approve(receipt, { displayName: "Käse & Söhne 🧀" })).status).toBe(200);
    expect((await merchantOf(receipt)).displayName).toBe("Käse & Söhne 🧀");
  });

  test("no body at all will do, also with a content type", async () => {
    const [one, other] = [await apply(), await apply()];
    expect((await approve(one)).status).toBe(200);
    const answer = await service.operator(`/applications/${other.applicationId}/approve`, {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });

  test.each([
    ["an unknown field", { name: "Shop" }, "name"],
    ["an empty name", { displayName: "" }, "displayName"],
    ["a blank name", { displayName: " \t " }, "displayName"],
    ["a name of 256 characters", { displayName: "n".repeat(256) }, "displayName"],
    ["a number", { displayName: 7 }, "displayName"],
    ["null", { displayName: null }, "displayName"],
    ["an array", [], ""],
    ["a string", '"text"', ""],
  ])("400 for %s, and the application stays PENDING", async (_name, body, mention) => {
    const receipt = await apply();
    const answer = await approve(receipt, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(mention) });
    expect((await merchantOf(receipt)).status).toBe("PENDING");
  });

  test.each([
    ["an apex", "origins.example", ["https://origins.example", "https://www.origins.example"]],
    ["a www host", "www.wide.example", ["https://wide.example", "https://www.wide.example"]],
    ["an apex below a two-part suffix", "origins.co.uk", ["https://origins.co.uk", "https://www.origins.co.uk"]],
    ["a deeper subdomain", "pay.origins.example", ["https://pay.origins.example"]],
  ])("whitelists the primary domain: %s", async (_name, domain, origins) => {
    const receipt = await apply({ domain });
    expect(await originsOf(receipt)).toEqual([]);
    await approve(receipt);
    expect(await originsOf(receipt)).toEqual(origins);
  });

  test("409 PUBLIC_KEY_IN_USE leaves no origin behind", async () => {
    const { publicKey } = applicationBody();
    await approve(await apply({ publicKey }));
    const receipt = await apply({ publicKey, domain: "late.example" });
    const answer = await approve(receipt);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe("PUBLIC_KEY_IN_USE");
    expect(await originsOf(receipt)).toEqual([]);
    expect((await merchantOf(receipt)).status).toBe("PENDING");
  });
});

describe("POST /operator/v1/applications/{applicationId}/reject", () => {
  test("200 with the reason; the merchant is REJECTED and has no origins", async () => {
    const receipt = await apply();
    const answer = await reject(receipt, { reason: "The domain does not resolve." });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ...receipt, status: "REJECTED", reason: "The domain does not resolve." });
    expect((await merchantOf(receipt)).status).toBe("REJECTED");
    expect(await originsOf(receipt)).toEqual([]);
  });

  test.each([
    ["no body", undefined],
    ["no reason", {}],
    ["an empty reason", { reason: "" }],
    ["a blank reason", { reason: "   " }],
    ["a null reason", { reason: null }],
    ["a reason of 1001 characters", { reason: "r".repeat(1001) }],
    ["an unknown field", { reason: "No.", comment: "x" }],
  ])("400 for %s", async (_name, body) => {
    const receipt = await apply();
    const answer = await reject(receipt, body === undefined ? "" : body);
    expect(answer.status).toBe(400);
    expect((await merchantOf(receipt)).status).toBe("PENDING");
  });
});

describe("deciding", () => {
  test("409 APPLICATION_ALREADY_DECIDED the second time, for any two decisions", async () => {
    for (const first of [approve, reject]) {
      const receipt = await apply();
      expect((await first(receipt)).status).toBe(200);
      const decided = await merchantOf(receipt);
      for (const again of [approve, reject]) {
        const answer = await again(receipt);
        expect(answer.status).toBe(409);
        expect(answer.body.error.code).toBe("APPLICATION_ALREADY_DECIDED");
      }
      expect(await merchantOf(receipt)).toEqual(decided);
    }
  });

  test("of racing approvals and rejections at two services exactly one wins", async () => {
    const receipts = await Promise.all(Array.from({ length: 5 }, () => apply()));
    await Promise.all(
      receipts.map(async (receipt) => {
        const answers = await Promise.all([
          approve(receipt, undefined, service),
          reject(receipt, undefined, second),
          approve(receipt, undefined, second),
          reject(receipt, undefined, service),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
        const winner = answers.find(({ status }) => status === 200)?.body;
        const merchant = await merchantOf(receipt);
        expect(merchant.status).toBe(winner.status === "APPROVED" ? "ACTIVE" : "REJECTED");
        expect((await originsOf(receipt)).length).toBe(winner.status === "APPROVED" ? 2 : 0);
      }),
    );
  });

  test.each(["approve", "reject"])("404 APPLICATION_NOT_FOUND for unknown and malformed ids: %s", async (action) => {
    for (const id of [UNKNOWN, ...MALFORMED]) {
      const body = action === "reject" ? { reason: "No." } : {};
      const answer = await service.operator(`/applications/${id}/${action}`, { body });
      expect(answer.status, id).toBe(404);
      expect(answer.body.error.code, id).toBe("APPLICATION_NOT_FOUND");
    }
  });
});
