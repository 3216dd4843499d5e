// What the three documents promise. contract.test.ts holds that they are what the listeners serve.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Merchant, registerMerchant } from "./harness/merchant.ts";
import { exchange, requestText } from "./harness/raw.ts";
import { call, OPERATOR_TOKEN, type Service, startService } from "./harness/service.ts";

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}
interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Record<string, object>;
  readonly content?: Record<string, Media>;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly security?: readonly Record<string, []>[];
  readonly requestBody?: { required: boolean; content: Record<string, Media> };
  readonly responses: Record<string, Answer>;
}
interface Document {
  readonly openapi: string;
  readonly servers: readonly { url: string; description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object>; responses: Record<string, Answer> };
}

const NAMES = ["openapi.json", "sandbox-openapi.json", "operator-openapi.json"] as const;
const read = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`../../contract/${name}`, import.meta.url), "utf8"));

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
const resolve = (document: Document, answer: Answer): Answer =>
  answer.$ref === undefined ? answer : (document.components.responses[answer.$ref.split("/").at(-1) ?? ""] as Answer);
const pointer = (...steps: (string | number)[]) =>
  steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

describe.each(NAMES)("contract/%s", (name) => {
  const document = read(name);
  const operations = operationsOf(document);

  test("every example is valid by its own schema, formats included", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(document, "contract");
    const problems: string[] = [];
    let count = 0;
    const check = (where: string, examples: unknown[]) => {
      const validate = ajv.compile({ $ref: `contract#${encodeURI(where)}` });
      for (const example of examples) {
        count++;
        if (!validate(example))
          problems.push(`${where}: ${JSON.stringify(example)} ${ajv.errorsText(validate.errors)}`);
      }
    };
    const visit = (value: unknown, steps: (string | number)[]): void => {
      if (typeof value !== "object" || value === null) return;
      const { schema, example, examples, type, default: fallback } = value as Record<string, unknown>;
      const given = [
        ...(example === undefined ? [] : [example]),
        ...(Array.isArray(examples)
          ? examples
          : Object.values(examples ?? {}).map((one) => (one as Media).example ?? (one as { value: unknown }).value)),
      ];
      // A media type and a parameter have a schema beside their examples; a schema has them inside.
      if (given.length > 0 && schema !== undefined) check(pointer(...steps, "schema"), given);
      else if (given.length > 0 && type !== undefined) check(pointer(...steps), given);
      if (fallback !== undefined && type !== undefined) check(pointer(...steps), [fallback]);
      for (const [step, inside] of Object.entries(value)) {
        if (step !== "example" && step !== "examples") visit(inside, [...steps, step]);
      }
    };
    visit(document.paths, ["paths"]);
    visit(document.components, ["components"]);
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(50);
  });

  test("every operation has a summary and an operationId of its own, in camelCase", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    for (const { path, method, operation } of operations) {
      expect(operation.summary, `${method} ${path}`).toBeTruthy();
      expect(operation.operationId, `${method} ${path}`).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.servers).toEqual([{ url: "/", description: expect.stringMatching(/\S/) }]);
  });

  test("every error is the one shared Error, with its codes explained and shown", () => {
    for (const { path, method, operation } of operations) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const where = `${method} ${path} ${status}`;
        const { description, headers, content } = resolve(document, answer);
        const [[type, { schema, example, examples }]] = Object.entries(content ?? {}) as [[string, Media]];
        expect(type, where).toBe("application/json");
        expect(schema, where).toEqual({ $ref: "#/components/schemas/Error" });
        const shown = example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example];
        expect(shown.length, where).toBeGreaterThan(0);
        for (const one of shown as { error: { code: string } }[])
          expect(description).toContain(`\`${one.error.code}\``);
        if (status === "429" || status === "503") expect(headers, where).toHaveProperty("Retry-After");
      }
    }
    expect(Object.keys(document.components.schemas).filter((schema) => /Error/.test(schema))).toEqual([
      "Error",
      "ErrorDetail",
    ]);
  });

  test("every operation states what each request can be answered: 400, 408, 417, 431, 500 and 503", () => {
    for (const { path, method, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(["400", "408", "417", "431", "500", "503"]));
      const ofBodies = ["413", "415"].filter((status) => statuses.includes(status));
      expect(ofBodies, `${method} ${path}`).toEqual(operation.requestBody === undefined ? [] : ["413", "415"]);
    }
  });

  test("every page, request body and answer has a name", () => {
    for (const { path, method, operation } of operations) {
      const bodies = operation.requestBody?.content["application/json"];
      const answers = Object.values(operation.responses).map(
        (answer) => resolve(document, answer).content?.["application/json"],
      );
      for (const media of [bodies, ...answers]) {
        if (media === undefined) continue;
        const { $ref, anyOf } = media.schema as { $ref?: string; anyOf?: { $ref?: string }[] };
        for (const one of anyOf ?? [{ $ref }]) expect(one.$ref, `${method} ${path}`).toBeTruthy();
      }
    }
  });
});

describe("what the listeners do", () => {
  const UUID = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";
  let service: Service;
  let merchant: Merchant;
  beforeAll(async () => {
    service = await startService({ environment: "sandbox" });
    merchant = await registerMerchant(service);
  });
  afterAll(() => service.close());

  const withBody = (name: string) =>
    operationsOf(read(name)).filter(({ operation }) => operation.requestBody !== undefined);
  const addressOf = (path: string) => path.replace(/\{[^}]+\}/g, UUID);

  test.each([
    ["sandbox-openapi.json", (path: string, method: string) => merchant.call(path, { method })],
    [
      "operator-openapi.json",
      (path: string, method: string) =>
        call(service.operatorUrl + path, { method, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } }),
    ],
  ])("%s: a body is required where the document says so, and only there", async (name, send) => {
    const operations = withBody(name);
    expect(operations.length).toBeGreaterThan(4);
    for (const { path, method, operation } of operations) {
      const { status, body } = await send(addressOf(path), method);
      const refused = status === 400 && /^The body must\b/.test(body.error?.message ?? "");
      expect({ operation: `${method} ${path}`, required: refused }).toEqual({
        operation: `${method} ${path}`,
        required: operation.requestBody?.required,
      });
    }
  });

  test("actions need no body", () => {
    const optional = withBody("operator-openapi.json").filter(
      ({ operation }) => operation.requestBody?.required === false,
    );
    expect(optional.map(({ operation }) => operation.operationId)).toEqual(
      expect.arrayContaining(["approveApplication", "suspendMerchant", "reinstateMerchant", "endCampaign", "retryJob"]),
    );
  });

  test.each([
    ["431", { "x-long": "a".repeat(20_000) }, "HEADERS_TOO_LARGE"],
    ["417", { expect: "a-pony" }, "EXPECTATION_FAILED"],
  ])("%s is answered as the documents say", async (status, headers, code) => {
    for (const url of [service.publicUrl, service.operatorUrl]) {
      const answer = await exchange(url, requestText("GET", "/openapi.json", headers));
      expect(String(answer?.status)).toBe(status);
      expect(JSON.parse(answer?.body ?? "")).toMatchObject({ error: { code } });
    }
  });

  test("an address that is too long is 431 too: there is no 414", async () => {
    const answer = await exchange(service.publicUrl, requestText("GET", `/v1/${"a".repeat(20_000)}`));
    expect(answer?.status).toBe(431);
  });
});
