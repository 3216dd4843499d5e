import type { FastifyRequest } from "fastify";

// The session's cookie. Cookies ignore ports, so the two environments use two names; and pages of another port on the
// same host count as the same site, so SameSite alone does not keep their requests out: every change that a cookie
// carries must come from the console's own origin as well.

const SESSION_ID = /^[A-Za-z0-9_-]{43}$/;
const PATH = "/operator";

export function sessionCookieName(environment: string): string {
  return `matchbook-${environment}-session`;
}

/**
 * Undefined without a cookie of this name. Two of one name are somebody's attempt to put one in front of ours, and what
 * is not of our making is nobody's session: both are null.
 */
export function readSessionCookie(request: FastifyRequest, name: string): string | null | undefined {
  const values = (request.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  if (value === undefined) return undefined;
  return values.length === 1 && SESSION_ID.test(value) ? value : null;
}

export function writeSessionCookie(
  request: FastifyRequest,
  name: string,
  value: string,
  maxAgeSeconds: number,
): string {
  const secure = request.protocol === "https" ? "; Secure" : "";
  return `${name}=${value}; Path=${PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether a browser says that one of our own pages makes this request. Browsers send Origin with every change. */
export function comesFromOurPages(request: FastifyRequest): boolean {
  const { origin = "" } = request.headers;
  const own = `${request.protocol}://${request.host}`;
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
}
