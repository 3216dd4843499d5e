import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifySchemaCompiler } from "fastify";
import { type TSchema, Type } from "typebox";
import { AppError } from "./errors.ts";
import { printable } from "./json-body.ts";
import { NO_QUERY, queryProblem, type RawQuery } from "./query-string.ts";

// Nothing is coerced, stripped or filled in: what a caller sent is right or refused.
const ajv = new Ajv({
  allErrors: false,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  verbose: true,
});
// `x-rule` on a schema is the sentence a person reads when its pattern does not match. Every pattern has one.
ajv.addKeyword("x-rule");
for (const annotation of ["example", "x-order"]) ajv.addKeyword(annotation);
ajv.addFormat("uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
// These name a meaning in the contract; the rule that reads the value checks it.
for (const format of ["date-time", "email", "hostname", "uri"]) ajv.addFormat(format, true);

/** What an action accepts: nothing, or an empty object. */
export const EmptyBody = Type.Optional(
  Type.Object({}, { title: "EmptyRequest", additionalProperties: false, description: "No body, or an empty object." }),
);

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validate = ajv.compile(schema);
  if (httpPart === "querystring") {
    const withoutQuery = validate({}) ? { value: Object.freeze({}) } : refuse(describe(validate, "querystring"));
    return (data) => (data === NO_QUERY ? withoutQuery : validateQuery(validate, schema, data as RawQuery));
  }
  // Fastify shows a missing body as null; an action may come without one.
  if (httpPart === "body" && Type.IsOptional(schema)) {
    return (data) => (validate(data ?? {}) ? { value: data ?? {} } : refuse(describe(validate, "body")));
  }
  return (data) => (validate(data) ? { value: data } : refuse(describe(validate, httpPart ?? "body")));
};

// A query has only text. Where the schema wants a number or a list the text is read as one, strictly:
// "1e1", " 5" and "0x10" are not integers.
function validateQuery(validate: ValidateFunction, schema: TSchema, raw: RawQuery) {
  const problem = queryProblem(raw);
  if (problem !== null) return refuse(problem);
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  // Without a prototype, so that a parameter called __proto__ is one like any other.
  const query: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(raw)) {
    if ([value].flat().includes("")) return refuse(`${printable(name)} must not be empty.`);
    query[name] = read(properties[name]?.type, value);
  }
  return validate(query) ? { value: query } : refuse(describe(validate, "querystring"));
}

function read(type: string | undefined, value: string | string[]): unknown {
  if (type === "array") return [value].flat();
  if (type === "integer" && typeof value === "string" && /^(0|-?[1-9][0-9]{0,15})$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

function refuse(message: string): { error: Error } {
  return { error: new AppError("VALIDATION_ERROR", message) };
}

function describe(validate: ValidateFunction, httpPart: string): string {
  const error = validate.errors?.[0];
  if (error === undefined) return "The request is not valid.";
  const field = fieldName(error.instancePath);
  const subject = field === "" ? `The ${httpPart === "querystring" ? "query" : httpPart}` : field;
  const inside = (name: string) => (field === "" ? name : `${field}.${name}`);
  switch (error.keyword) {
    case "required":
      return `${inside(error.params.missingProperty)} is required.`;
    case "additionalProperties":
      return `${inside(printable(error.params.additionalProperty))} is not a known ${httpPart === "querystring" ? "parameter" : "field"}.`;
    default:
      return `${subject} ${rule(error, httpPart)}.`;
  }
}

function rule(error: ErrorObject, httpPart: string): string {
  const schema = (error.parentSchema ?? {}) as Record<string, unknown>;
  if (httpPart === "querystring" && Array.isArray(error.data) && error.keyword === "type") return "must be given once";
  if (typeof schema["x-rule"] === "string") return schema["x-rule"];
  switch (error.keyword) {
    case "type":
      return `must be ${[error.params.type as string | string[]].flat().map(article).join(" or ")}`;
    case "enum":
      return `must be one of ${(error.params.allowedValues as unknown[]).join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case "minLength":
    case "maxLength":
      return `must be ${range(schema.minLength, schema.maxLength)} characters long`;
    case "minimum":
    case "maximum":
      return `must be ${range(schema.minimum, schema.maximum)}`;
    case "minItems":
    case "maxItems":
      return `must have ${range(schema.minItems, schema.maxItems)} items`;
    case "format":
      return `must be ${article(String(error.params.format))}`;
    default:
      // Ajv's own messages show patterns and keywords. A schema that gets here needs an x-rule.
      return "is not valid";
  }
}

function range(min: unknown, max: unknown): string {
  if (min === undefined) return `at most ${max}`;
  if (max === undefined) return `at least ${min}`;
  return `${min} to ${max}`;
}

function article(noun: string): string {
  return noun === "null" ? noun : `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun === "uuid" ? "UUID" : noun}`;
}

function fieldName(instancePath: string): string {
  return instancePath
    .split("/")
    .slice(1)
    .map((part) => printable(part.replaceAll("~1", "/").replaceAll("~0", "~")))
    .reduce((path, part) => (/^[0-9]+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`), "");
}
