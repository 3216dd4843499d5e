// Whether a page may embed the deposit flow, with a reason for people.
import { AppError } from "../http/errors.ts";
import { FREE_LOCALHOST_PORTS } from "../limits.ts";
import { isFreeLocalhost, parseDomain } from "./origins.ts";

export interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface Whitelist {
  /** The merchant's status. */
  readonly status: string;
  /** The merchant's origins, each with the domain it belongs to. */
  readonly domainOf: ReadonlyMap<string, string>;
}

interface Origin {
  readonly scheme: string;
  readonly host: string;
  /** Empty for the scheme's default port. */
  readonly port: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };
const PORT_MAX = 65_535;

export function checkOrigin(text: string, { status, domainOf }: Whitelist): Verdict {
  if (status !== "ACTIVE") return refused(`Merchant not active: its status is ${status}.`);
  const known = domainOf.get(text);
  if (known !== undefined) return allowed(`Whitelisted by ${known}.`);
  const origin = readOrigin(text);
  if (typeof origin === "string") return refused(origin);

  const canonical = write(origin);
  if (isFreeLocalhost(canonical)) return allowed("Localhost on this port is allowed without registration.");
  const domain = domainOf.get(canonical);
  if (domain !== undefined) return allowed(`Whitelisted by ${domain}.`);
  return refused(explain(origin, [...domainOf.keys()]));
}

function explain(origin: Origin, whitelisted: readonly string[]): string {
  const { scheme, host, port } = origin;
  const ports = whitelisted
    .map(split)
    .filter((other) => other.host === host)
    .map((other) => other.port);
  if (host === "localhost" && scheme === "https") return "Http required: localhost is whitelisted on http:// only.";
  if (host === "localhost") {
    const free = FREE_LOCALHOST_PORTS.join(", ");
    return `Port not registered: the merchant has not registered ${hostAndPort(origin)}. Without registration only ports ${free} of localhost are allowed.`;
  }
  if (ports.length === 0) {
    return `Not this merchant's: it has not registered ${host}. Subdomains are registered one by one.`;
  }
  if (scheme === "http") return `Https required: ${host} is whitelisted on https:// only.`;
  return port === ""
    ? `Port not registered: ${host} is whitelisted with a port (${ports.join(", ")}), not without.`
    : `Port not registered: ${host} is whitelisted, but the merchant has not registered ${hostAndPort(origin)}.`;
}

const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/\\?#@:[\]]+)(?::([1-9][0-9]{0,4}))?$/i;

/** The origin in the form a browser writes, or what is wrong with it. */
function readOrigin(text: string): Origin | string {
  if (text === "null")
    return "Malformed origin: null stands for sandboxed frames and local files. Serve the page over https.";
  const [, rawScheme = "", rawHost = "", rawPort = ""] = SHAPE.exec(text) ?? [];
  if (rawHost === "" || Number(rawPort) > PORT_MAX) {
    return "Malformed origin: it must be https://host or https://host:port, with nothing after it.";
  }
  const scheme = rawScheme.toLowerCase();
  const defaultPort = DEFAULT_PORTS[scheme];
  if (defaultPort === undefined) return `Https required: pages on ${scheme.slice(0, 32)}:// cannot be whitelisted.`;
  try {
    return { scheme, host: parseDomain(rawHost).domain, port: rawPort === defaultPort ? "" : rawPort };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `Malformed origin: its host ${error.message.replace(/^domain /, "")}`;
  }
}

function write(origin: Origin): string {
  return `${origin.scheme}://${hostAndPort(origin)}`;
}

function hostAndPort({ host, port }: Origin): string {
  return port === "" ? host : `${host}:${port}`;
}

// We wrote the whitelisted origins ourselves, so they have no user info and no brackets.
function split(origin: string): Origin {
  const [, scheme = "", host = "", port = ""] = SHAPE.exec(origin) ?? [];
  return { scheme, host, port };
}

function allowed(reason: string): Verdict {
  return { allowed: true, reason };
}

function refused(reason: string): Verdict {
  return { allowed: false, reason };
}
