import type { FastifyRouteSchemaDef } from "fastify/types/schema.js";
import type { TSchema } from "typebox";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { compileValidator } from "../../src/http/validation.ts";
import { BASE, createActive, newAddress, qualify, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import type { Service } from "../harness/service.ts";

type Definition = FastifyRouteSchemaDef<TSchema>;

// Every schema that a route validates, gathered as the listeners compile them. The modules are loaded again for this, because
// test files share them.
const compiled: Definition[] = [];

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("../../src/http/validation.ts", async (importOriginal) => {
    const original = await importOriginal<typeof import("../../src/http/validation.ts")>();
    const compileValidator: typeof original.compileValidator = (definition) => {
      compiled.push(definition as Definition);
      return original.compileValidator(definition);
    };
    return { ...original, compileValidator };
  });
  const { startService } = await import("../harness/service.ts");
  service = await startService({ environment: "sandbox" });
  merchant = await registerMerchant(service);
});
afterAll(async () => {
  await service.close();
  vi.doUnmock("../../src/http/validation.ts");
  vi.resetModules();
});

describe("validation messages", () => {
  const VALUES = [
    ..."|x| |1.5|-1|+1|1e3|007|0x12|é|a b|a\nb|2026-02-30|@|ACTIVE".split("|"),
    "x".repeat(100_000),
    "9".repeat(100),
    ...[1.5, -1, 0, 1e300, null, true, [], [[]], {}, { unknown: 1 }, Array(5_000).fill("x"), Array(5_000).fill({})],
  ];
  // What a pattern, or a keyword of JSON Schema, looks like in a message.
  const NOT_WORDS = /pattern|schema|\bNOT\b|[\\^$]|\[[^\]]*\D[^\]]*\]|\{\d|undefined|\[object|is not valid|string,null/;

  test("no message of any field of any route has a pattern in it; each says the rule in words", () => {
    const fields = compiled.flatMap(({ schema, httpPart }) => fieldsOf(schema).map((field) => ({ field, httpPart })));
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(({ field }) => "pattern" in field).length).toBeGreaterThan(20);
    let refusals = 0;
    for (const { field, httpPart = "body" } of fields) {
      const schema = { type: "object", properties: { field }, additionalProperties: false } as unknown as TSchema;
      const validate = compileValidator({ schema, httpPart, method: "POST", url: "/" } as Definition);
      for (const value of VALUES) {
        if (httpPart === "querystring" && typeof value !== "string") continue;
        const outcome = validate({ field: value }) as { error?: Error };
        if (outcome.error === undefined) continue;
        refusals++;
        expect(outcome.error.message).toMatch(/^field\b.+\.$/);
        expect(outcome.error.message).not.toMatch(NOT_WORDS);
        expect(outcome.error.message.length).toBeLessThan(400);
      }
    }
    expect(refusals).toBeGreaterThan(1_000);
  });

  test.each(["1.5", "12.50", "-1", "1e6", "0x10", "01", ""])(
    "an amount of base units %j is explained",
    async (amount) => {
      const campaign = await createActive(service, merchant.id);
      const wallets = [{ address: newAddress(), chain: { id: BASE } }];
      const answer = await merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants`, {
        body: { merchantUserId: "user-1", wallets, amount: usdc(amount) },
      });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        "amount.amount must be a whole number of base units as text, with at most 78 digits and no sign, point or leading " +
          "zeros: 12.50 USDC is 12500000.",
      ]);
    },
  );

  test("a dollar amount is explained with an example", async () => {
    const answer = await merchant.call("/v1/test-helpers/deposits", {
      body: { embeddedWalletAddress: newAddress(), amount: { value: "1,50", currency: "USD" } },
    });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      "amount.value must be a decimal string with at most 15 integer and 6 fraction digits, without sign, exponent or " +
        "leading zeros, such as 12.50.",
    ]);
  });
});

describe("an address with a wrong length in a submission", () => {
  const submit = async (address: string, chainId = BASE, query = "") => {
    const campaign = await createActive(service, merchant.id);
    return merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants${query}`, {
      body: { merchantUserId: "user-1", wallets: [{ address, chain: { id: chainId } }], amount: usdc(1) },
    });
  };
  const NOT_QUALIFIED = "No submitted wallet has a qualifying deposit in the campaign window.";

  test.each([
    ["cut", "0x52908400098527886E0F7030069857D2E4169EE", "is 41 characters long; an EVM address is 42"],
    ["too long", `0x${"5".repeat(41)}`, "is 43 characters long; an EVM address is 42"],
    ["without 0x", "52908400098527886E0F7030069857D2E4169EE7", "does not start with 0x; an EVM address is 42"],
    ["with another letter", `0x${"g".repeat(40)}`, "has a character that is not a hexadecimal digit"],
    ["with a mistyped letter", "0x52908400098527886E0F7030069857D2E4169eE7", "does not match its checksum"],
  ])("422 NO_QUALIFYING_WALLET says that it is %s", async (_name, address, problem) => {
    for (const query of ["", "?dryRun=true"]) {
      const { status, body } = await submit(address, BASE, query);
      expect([status, body.error.code]).toEqual([422, "NO_QUALIFYING_WALLET"]);
      expect(body.error.message).toContain(`${NOT_QUALIFIED} The address ${address} ${problem}`);
    }
  });

  test("a whole address gets no such hint, and a hostile one is cut and printable", async () => {
    expect((await submit(newAddress())).body.error.message).toBe(NOT_QUALIFIED);
    const hostile = (await submit(`0x\u202e${"é".repeat(120)}`)).body.error;
    expect(hostile.code).toBe("NO_QUALIFYING_WALLET");
    expect(hostile.message).toMatch(/^[\x20-\x7e…]{1,300}$/);
  });

  test("it does not matter beside a wallet that qualifies", async () => {
    const campaign = await createActive(service, merchant.id);
    const address = await qualify(service, merchant.id);
    const wallets = [address.slice(0, -1), address].map((one) => ({ address: one, chain: { id: BASE } }));
    const answer = await merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants`, {
      body: { merchantUserId: "user-1", wallets, amount: usdc(1) },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });
});

/** Every schema of a value below this one, itself excluded. */
function fieldsOf(schema: unknown): TSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, items, anyOf = [] } = schema as { properties?: object; items?: object; anyOf?: object[] };
  const below = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])];
  return below.flatMap((one) => [one as TSchema, ...fieldsOf(one)]);
}
