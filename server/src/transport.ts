import { BlockList, isIP } from "node:net";
import pg from "pg";

/** Connections that leave the host must be encrypted, with the other side's certificate checked. */
export type PlaintextUse = "database" | "registry" | "smtp" | "chain";

/** Null, or what is wrong with a DATABASE_URL. */
export function findDatabaseProblem(url: string): string | null {
  const modes = new URL(url).searchParams.getAll("sslmode");
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch (error) {
    // The driver reads certificate files here. Its message names the file and never the address.
    return `cannot be used: ${(error as Error).message.replace(/\s*\n\s*/g, " ").replace(/\.$/, "")}`;
  }
  if (isLocalHost(client.host)) return null;
  // What the driver will do, from the address and from PGSSLMODE. Its own types know only true and false here.
  const ssl = client.ssl as boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown };
  // A check of its own is how the driver turns off the one of the host's name (verify-ca with uselibpqcompat).
  const isVerified =
    ssl === true ||
    (typeof ssl === "object" && ssl.rejectUnauthorized !== false && ssl.checkServerIdentity === undefined);
  // The next major version of the driver will not encrypt with these where the server does not offer it.
  const mayFallBack = modes.some((mode) => mode === "prefer" || mode === "allow");
  return isVerified && !mayFallBack
    ? null
    : "is another host's and not encrypted with a checked certificate; add sslmode=verify-full (and sslrootcert for a " +
        "certificate authority of your own), or set ALLOW_PLAINTEXT=database";
}

/** Null, or what is wrong with a DOMAIN_REGISTRY_URL. */
export function findRegistryProblem(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLocalHost(hostname)
    ? null
    : "is another host's and not https; use https, or set ALLOW_PLAINTEXT=registry";
}

/** Null, or what is wrong with an address in CHAIN_RPC_URLS. Who can change a node's answers can make payouts look paid. */
export function findChainProblem(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLocalHost(hostname)
    ? null
    : "has an address of another host that is not https; use https, or set ALLOW_PLAINTEXT=chain";
}

// Options in the address override ours. These can turn off encryption or its check, or name another host.
const SMTP_OPTIONS: readonly (readonly [name: string, isSafe: (value: string) => boolean])[] = [
  ["requireTLS", (value) => value === "true"],
  ["tls.rejectUnauthorized", (value) => value === "true"],
  ["tls.checkServerIdentity", () => false],
  ["secured", () => false],
  ["service", () => false],
  ["host", () => false],
];

/** Null, or what is wrong with an SMTP_URL. Without TLS from the start (smtps), STARTTLS is required: see mail.ts. */
export function findSmtpProblem(url: string): string | null {
  if (isLocalSmtp(url)) return null;
  const { searchParams } = new URL(url);
  const unsafe = SMTP_OPTIONS.find(([name, isSafe]) => !searchParams.getAll(name).every(isSafe));
  return unsafe === undefined
    ? null
    : `has the option ${unsafe[0]}, which can turn encryption off; leave it out, or set ALLOW_PLAINTEXT=smtp`;
}

export function isLocalSmtp(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  return isLocalHost(hostname) && !searchParams.has("host") && !searchParams.has("service");
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Loopback, or the path of a socket on this host. */
export function isLocalHost(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (plain === "" || plain.startsWith("/") || plain === "localhost") return true;
  const family = isIP(plain);
  return family !== 0 && LOOPBACK.check(plain, family === 4 ? "ipv4" : "ipv6");
}
