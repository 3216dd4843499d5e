// A bound envelope is good for one request: it names the environment, the merchant, the method, the target and the body.
// Whoever steals it can only repeat that request.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { fail } from "../http/errors.ts";
import { isObject, quote, type Refuse, refuseOtherKeys, requireString } from "../signing/strict-json.ts";

export interface Bind {
  readonly environment: string;
  readonly merchantId: string;
  readonly method: string;
  readonly path: string;
  readonly bodySha256: string;
}

const PARTS: readonly (keyof Bind)[] = ["environment", "merchantId", "method", "path", "bodySha256"];
const LAYER = "payload.bind";

/** All five parts, each a string, and nothing else. */
export function readBind(value: unknown, refuse: Refuse): Bind {
  if (!isObject(value)) refuse(LAYER, "it must be an object.");
  refuseOtherKeys(value, PARTS, LAYER, refuse);
  const [environment, merchantId, method, path, bodySha256] = PARTS.map((part) =>
    requireString(value, part, LAYER, refuse),
  ) as [string, string, string, string, string];
  return { environment, merchantId, method, path, bodySha256 };
}

/** What is true of a request before its body is read. */
export interface Heading {
  readonly environment: string;
  readonly merchantId: string;
  readonly method: string;
  /** The request target as it was sent, with its query. */
  readonly path: string;
}

const TARGET_QUOTED_MAX = 120;

/** Answers 422 that names the first part which is not true of the request. */
export function checkHeading(bind: Bind, heading: Heading): void {
  if (bind.environment !== heading.environment) {
    untrue(`bind.environment is ${quote(bind.environment)} but this environment is "${heading.environment}".`);
  }
  if (bind.merchantId !== heading.merchantId) {
    untrue(
      `bind.merchantId is ${quote(bind.merchantId)} but the envelope's merchantId is ${quote(heading.merchantId)}.`,
    );
  }
  if (bind.method !== heading.method) {
    untrue(`bind.method is ${quote(bind.method)} but the request is ${heading.method}.`);
  }
  if (bind.path !== heading.path) {
    untrue(
      `bind.path is ${quote(bind.path, TARGET_QUOTED_MAX)} but the request target is ` +
        `${quote(heading.path, TARGET_QUOTED_MAX)}; they differ from character ${firstDifference(bind.path, heading.path)} ` +
        "on. Sign the path with its query exactly as it is sent.",
    );
  }
}

const NO_BODY = Buffer.alloc(0);

/** Answers 422 unless these are the bytes that were signed. Null: no body was read. */
export function checkBody(bind: Bind, body: Buffer | null): void {
  const digest = createHash("sha256")
    .update(body ?? NO_BODY)
    .digest("base64url");
  if (bind.bodySha256 === digest) return;
  const found =
    body === null
      ? "no body was read (the body of a GET or HEAD is not read)"
      : `the body's ${body.length} bytes have another digest`;
  untrue(
    `bind.bodySha256 is ${quote(bind.bodySha256, digest.length)} but ${found}: ${digest} is expected. Sign the base64url ` +
      "SHA-256, without padding, of the body's bytes exactly as they are sent.",
  );
}

function untrue(message: string): never {
  fail("MERCHANT_SIGNATURE_INVALID", message);
}

/** Counted from 1. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at + 1;
}
