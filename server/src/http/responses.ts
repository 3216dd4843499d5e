import type { RouteOptions } from "fastify";
import { Type } from "typebox";
import { type ErrorCode, errors, shownCode } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The codes this route may answer, beyond those of every route. */
    errors?: readonly ErrorCode[];
  }
}

// Those of connections.ts included: they are answered before it is known which route is meant.
const EVERY_ROUTE: readonly ErrorCode[] = [
  "OVERLOADED",
  "HEADERS_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "EXPECTATION_FAILED",
  "VALIDATION_ERROR",
  "SERVICE_UNAVAILABLE",
  "INTERNAL_ERROR",
];
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

const ErrorAnswer = Type.Object(
  {
    error: Type.Object(
      {
        // Not an enum: a client that was generated before a code was added must still read it.
        code: Type.String({ description: "What went wrong, for programs.", examples: ["VALIDATION_ERROR"] }),
        message: Type.String({
          description: "What is wrong and what to do next, for people.",
          examples: ["limit must be 1 to 100."],
        }),
        details: Type.Optional(
          Type.Array(
            Type.Object(
              {
                index: Type.Integer({ description: "The place in the list that was sent, from 0." }),
                code: Type.String(),
                message: Type.String(),
              },
              { additionalProperties: true },
            ),
            { description: "Where a list was sent: what is wrong with each item." },
          ),
        ),
      },
      { title: "ErrorDetail" },
    ),
  },
  { title: "Error", description: "Every error has this shape." },
);

const RETRY_AFTER = {
  "Retry-After": { type: "integer", minimum: 1, description: "Seconds to wait before the request is repeated." },
};

const RATE_LIMIT = {
  RateLimit: {
    type: "string",
    description: "The limit that was reached, what is left of it and in how many seconds to try again (IETF draft).",
    examples: ['"requests";r=0;t=1'],
  },
  "RateLimit-Policy": {
    type: "string",
    description: "The limit that was reached: requests in progress, or requests in a window of seconds (IETF draft).",
    examples: ['"requests";q=100;qu="concurrent-requests"'],
  },
};

function errorSchema(codes: readonly ErrorCode[]) {
  const limited = codes.some((code) => errors[code][0] === 429);
  const waits = limited || codes.some((code) => errors[code][0] === 503);
  return {
    ...ErrorAnswer,
    // A name of more than two codes would be too long to read.
    ...(codes.length <= 2 ? { "x-response-name": codes.map(toPascalCase).join("Or") } : {}),
    "x-response-description": codes.map((code) => `\`${shownCode(code)}\`: ${errors[code][1]}`).join("\n\n"),
    ...(waits ? { headers: { ...RETRY_AFTER, ...(limited ? RATE_LIMIT : {}) } } : {}),
    examples: codes.map((code) => ({ error: { code: shownCode(code), message: errors[code][1] } })),
  };
}

function toPascalCase(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
