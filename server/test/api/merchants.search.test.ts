import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import { listMerchants } from "../../src/merchants/queries.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { scansOf } from "../harness/plans.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
const merchants: Record<string, Merchant> = {};
beforeAll(async () => {
  service = await startService();
  for (const [key, domain, email, displayName] of [
    ["apples", "apples.example", "sales@fruit.example", "Apple Garden"],
    ["pears", "pears.example", "info@pears.example", "Käse & Birnen (100%)"],
    ["plums", "plums.example", "o_o@plums.example", "PLUM.garden"],
    ["quince", "quince.example", "quince@quince.example", "Quince"],
  ] as const) {
    const merchant = await registerMerchant(service, { domain, email });
    merchants[key] = merchant;
    await service.operator(`/merchants/${merchant.id}`, { method: "PATCH", body: { displayName } });
  }
  await service.operator(`/merchants/${merchants.plums?.id}/suspend`, { method: "POST" });
});
afterAll(() => service.close());

const names = new Map<string, string>();
const found = async (query: Record<string, string>) => {
  if (names.size === 0) for (const [name, merchant] of Object.entries(merchants)) names.set(merchant.id, name);
  const answer = await service.operator(`/merchants?${new URLSearchParams(query)}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items.map((item: { merchantId: string }) => names.get(item.merchantId));
};

describe("GET /operator/v1/merchants?search=&status=", () => {
  test.each([
    ["garden", ["plums", "apples"]],
    ["GARDEN", ["plums", "apples"]],
    ["apples.example", ["apples"]],
    ["fruit.EXAMPLE", ["apples"]],
    ["@", ["quince", "plums", "pears", "apples"]],
    ["käse", ["pears"]],
    ["KÄSE", ["pears"]],
    ["100%", ["pears"]],
    ["(100", ["pears"]],
    ["& b", ["pears"]],
    ["o_o", ["plums"]],
    ["M.G", ["plums"]],
  ])("finds %s in name, domain and address, in upper and lower case", async (search, expected) => {
    expect(await found({ search })).toEqual(expected);
  });

  test.each(["nobody", "%", "_", "a.*e", "[a-z]", "x|garden", "***=garden", "\\y", "(?i)garden", "garden "])(
    "%s means nothing but itself",
    async (search) => {
      const expected = search === "%" ? ["pears"] : search === "_" ? ["plums"] : [];
      expect(await found({ search })).toEqual(expected);
    },
  );

  test("finds a merchant by its id or the start of it, and not by another part of it", async () => {
    const id = merchants.pears?.id ?? "";
    expect(await found({ search: id })).toEqual(["pears"]);
    expect(await found({ search: id.toUpperCase() })).toEqual(["pears"]);
    expect(await found({ search: id.slice(0, 35) })).toEqual(["pears"]);
    expect(await found({ search: id.slice(1) })).toEqual([]);
  });

  test("a status alone, and together with a search", async () => {
    expect(await found({ status: "SUSPENDED" })).toEqual(["plums"]);
    expect(await found({ status: "ACTIVE" })).toEqual(["quince", "pears", "apples"]);
    expect(await found({ status: "REJECTED" })).toEqual([]);
    expect(await found({ status: "ACTIVE", search: "garden" })).toEqual(["apples"]);
    expect(await found({ status: "PENDING", search: "garden" })).toEqual([]);
  });

  test("every merchant once, newest first, with any page size and filters", async () => {
    for (const [path, expected] of [
      ["/merchants?search=.example", ["quince", "plums", "pears", "apples"]],
      ["/merchants?status=ACTIVE", ["quince", "pears", "apples"]],
      ["/merchants?status=ACTIVE&search=.example", ["quince", "pears", "apples"]],
    ] as const) {
      for (const limit of [1, 2, 3, 4, 100]) {
        const pages = await readPages(service, path, limit);
        expect(
          pages.flat().map(({ merchantId }) => names.get(merchantId)),
          `${path}, limit ${limit}`,
        ).toEqual(expected);
      }
    }
  });

  test("a cursor is good for its own search and status only", async () => {
    const { nextCursor } = (await service.operator("/merchants?search=garden&status=ACTIVE&limit=1")).body;
    expect(nextCursor).toBeNull();
    const cursor = (await service.operator("/merchants?search=example&limit=1")).body.nextCursor;
    for (const query of ["", "search=garden", "search=example&status=ACTIVE", "status=ACTIVE"]) {
      expect((await service.operator(`/merchants?${query}&cursor=${cursor}`.replace("?&", "?"))).status, query).toBe(
        400,
      );
    }
    expect((await service.operator(`/merchants?search=example&cursor=${cursor}`)).body.items).toHaveLength(3);
  });

  test("400 for an empty, an endless and a repeated search, an unknown status and an unknown parameter", async () => {
    for (const query of [
      "search=",
      `search=${"a".repeat(256)}`,
      "search=a&search=b",
      "search=%00",
      "status=active",
      "status=",
      "name=shop",
    ]) {
      const answer = await service.operator(`/merchants?${query}`);
      expect([answer.status, answer.body.error?.code], query).toEqual([400, "VALIDATION_ERROR"]);
    }
    expect(await found({ search: "é".repeat(255) })).toEqual([]);
  });

  test("a search among active merchants does not look at those who only applied, however many", async () => {
    await service.db.query(
      `insert into merchants
         select gen_random_uuid(), 'flood.example', 'PENDING', 'ECDSA_P256_SHA256', 'none', decode(repeat(md5(n::text), 2) || '02', 'hex'),
                'flood@flood.example', 'flood.example', now(), now()
         from generate_series(1, 20000) n`,
    );
    await service.db.query("vacuum analyze merchants");
    const search = (status: "ACTIVE" | null) => (db: Queryable) =>
      listMerchants(db, { pattern: "garden", ids: null, oneOf: null, status }, null, 26);
    const scans = (status: "ACTIVE" | null) => scansOf(service.database, search(status), /^merchants$/);
    expect(await scans("ACTIVE")).toEqual(["Index Scan using merchants_by_status on merchants"]);
    expect(await scans(null)).toEqual(["Index Scan using merchants_by_date on merchants"]);
    expect(await found({ status: "ACTIVE", search: "garden" })).toEqual(["apples"]);
    expect(await found({ search: "garden" })).toEqual(["plums", "apples"]);
  });

  test("viewers may look", async () => {
    expect(await statusByRole(service, "/merchants?search=a&status=ACTIVE")).toEqual(READERS);
  });
});
