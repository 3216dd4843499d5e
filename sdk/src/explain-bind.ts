import { type Bind, digestBody, findUntruePart, type SignedRequest } from "./bind.ts";
import type { Fault } from "./explain-form.ts";

// Why a header that is bound to a request does not fit the request at hand.

/** As much of the request as is known. A body of null is none; one that is left out is not compared. */
export type KnownRequest = Partial<SignedRequest>;

/** The first part that is untrue, in words, or null. What is not known of the request is not compared. */
export async function explainBind(bind: Bind, merchantId: string, request: KnownRequest): Promise<Fault | null> {
  const { environment, method, path } = request;
  const bodySha256 = "body" in request ? await digestBody(request.body) : undefined;
  const known = { environment, merchantId, method, path, bodySha256 };
  switch (findUntruePart(bind, known)) {
    case null:
      return null;
    case "environment":
      return {
        problem: `${describe("environment", bind.environment)}, and the request goes to "${environment}".`,
        fix: `Sign for the environment that is called: "${environment}".`,
      };
    case "merchantId":
      return {
        problem: `${describe("merchantId", bind.merchantId)}, and the envelope says ${quote(merchantId)}.`,
        fix: "Write the same merchantId into bind and into the envelope.",
      };
    case "method":
      return {
        problem: `${describe("method", bind.method)}, and the request is a ${quote(method ?? "")}.`,
        fix:
          bind.method.toUpperCase() === method
            ? "Write the method in capitals."
            : "Sign a header for this request; one that was signed for another does not fit.",
      };
    case "path":
      return {
        problem: `${describe("path", bind.path)}, and the request's path is ${quote(path ?? "")}.`,
        fix: explainPath(bind.path, path ?? ""),
      };
    case "bodySha256":
      return explainDigest(bind.bodySha256, bodySha256 ?? "", request.body);
  }
}

function explainPath(signed: string, sent: string): string {
  const [signedPath = "", signedQuery] = split(signed);
  const [sentPath = "", sentQuery] = split(sent);
  if (/^[a-z]+:\/\//i.test(signed)) return "Sign path and query without scheme and host.";
  if (signedPath === sentPath && (signedQuery === undefined) !== (sentQuery === undefined)) {
    return "The query is part of the path: sign it just as it is sent.";
  }
  if (decode(signed) === decode(sent)) return "Sign the path percent-encoded, exactly as it is sent.";
  const sorted = (query = "") => query.split("&").sort().join("&");
  if (signedPath === sentPath && sorted(signedQuery) === sorted(sentQuery)) {
    return "Sign the parameters in the order in which they are sent.";
  }
  return "Sign the request target exactly as it is sent. A proxy that rewrites the path breaks the signature.";
}

async function explainDigest(signed: string, sent: string, body: SignedRequest["body"]): Promise<Fault> {
  const name = "bind.bodySha256";
  const fix = "Sign the digest of the very bytes that are sent: serialize the body once, and send that.";
  if (signed === (await digestBody(null)))
    return { problem: `${name} is the digest of no body, and a body was sent.`, fix };
  if (signed.replace(/=+$/, "") === sent)
    return { problem: `${name} is padded.`, fix: "Write base64url without padding." };
  if (signed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === sent) {
    return { problem: `${name} is standard base64.`, fix: "Write base64url: - and _ in place of + and /." };
  }
  if (/^[0-9a-f]{64}$/i.test(signed)) {
    return { problem: `${name} is not base64url.`, fix: "Write the digest's bytes as base64url, not in hexadecimal." };
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined);
  if (text !== "") {
    if (signed === text)
      return { problem: `${name} is the body itself.`, fix: "Write base64url of its SHA-256 digest." };
    if (signed === (await digestBody(`${text}\n`))) {
      return { problem: `${name} was taken of the body with a line end.`, fix: "Use printf '%s' instead of echo." };
    }
  }
  if (sent === (await digestBody(null))) return { problem: `${name} is the digest of a body, and none was sent.`, fix };
  return { problem: `${name} is not the digest of the request's body.`, fix };
}

function describe(part: keyof Bind, value: string): string {
  return `bind.${part} is ${quote(value)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function split(path: string): string[] {
  const at = path.indexOf("?");
  return at === -1 ? [path] : [path.slice(0, at), path.slice(at + 1)];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
