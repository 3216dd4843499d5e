import type { RouteOptions } from "fastify";
import { Type } from "typebox";
import { type ErrorCode, errors, shownCode } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The codes this route may answer, beyond those of every route. */
    errors?: readonly ErrorCode[];
  }
}

const EVERY_ROUTE: readonly ErrorCode[] = ["VALIDATION_ERROR", "OVERLOADED", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];
const EVERY_BODY: readonly ErrorCode[] = ["BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

/** Declares the route's error answers, so that the contract shows each with its codes and an example. */
export function declareErrors(route: RouteOptions, codes: readonly ErrorCode[] = []): void {
  if (route.schema === undefined || route.schema.hide === true) return;
  const declared = [
    ...codes,
    ...(route.config?.errors ?? []),
    ...EVERY_ROUTE,
    ...(route.schema.body === undefined ? [] : EVERY_BODY),
  ];
  route.config = { ...route.config, errors: declared };
  const statuses = new Set(declared.map((code) => errors[code][0]));
  const answers = [...statuses].map((status) => {
    const codesOfStatus = declared.filter(
      (code, index) => errors[code][0] === status && declared.indexOf(code) === index,
    );
    return [status, errorSchema(codesOfStatus)] as const;
  });
  route.schema.response = { ...(route.schema.response as object), ...Object.fromEntries(answers) };
}

/** Declares who must call: the contract's security schemes, of which one is enough, and the refusals of the check. */
export function requireCaller(route: RouteOptions, schemes: readonly string[], codes: readonly ErrorCode[]): void {
  if (route.schema === undefined || route.schema.hide === true) return;
  route.schema.security = schemes.map((scheme) => ({ [scheme]: [] }));
  declareErrors(route, codes);
}

function errorSchema(codes: readonly ErrorCode[]) {
  return Type.Object(
    {
      error: Type.Object({
        code: Type.Unsafe<string>({ type: "string", enum: codes.map(shownCode) }),
        message: Type.String({ description: "What is wrong and what to do next, for people." }),
      }),
    },
    {
      description: codes.map((code) => `\`${shownCode(code)}\`: ${errors[code][1]}`).join("\n\n"),
      examples: codes.map((code) => ({ error: { code: shownCode(code), message: errors[code][1] } })),
    },
  );
}
