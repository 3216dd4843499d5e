import { BlockList, isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type ApprovalsConfig, type ChainConfig, readApprovals, readChains } from "./config-payouts.ts";
import { type Reader, reader, refuse, type Variables } from "./config-reader.ts";
import { findSecretProblem } from "./keyring.ts";
import {
  CONNECTIONS_MAX_DEFAULT,
  CONNECTIONS_PER_ADDRESS_DEFAULT,
  DEPOSIT_BATCHES_PER_MERCHANT_DEFAULT,
  DRAIN_SECONDS_DEFAULT,
  PER_MERCHANT_MAX,
  REQUESTS_PER_MERCHANT_DEFAULT,
  SUBMISSIONS_PER_MERCHANT_DEFAULT,
} from "./limits.ts";
import type { LogFormat } from "./log.ts";
import {
  findChainProblem,
  findDatabaseProblem,
  findRegistryProblem,
  findSmtpProblem,
  isLocalSmtp,
  type PlaintextUse,
} from "./transport.ts";

export type { ApprovalsConfig, ChainConfig } from "./config-payouts.ts";
export { ConfigError } from "./config-reader.ts";

export type EnvironmentName = "production" | "sandbox";

/** Whether one transaction may settle submissions of several merchants. */
export type BatchScope = "all" | "merchant";

/** How the environments differ. Nothing else in the code asks for the sandbox. */
export interface EnvironmentConfig {
  readonly name: EnvironmentName;
  readonly port: number;
  readonly operatorPort: number;
  /** null: the embedded server. */
  readonly databaseUrl: string | null;
  readonly applicationsPerHour: number;
  readonly autoApprove: boolean;
  /**
   * Whether a merchant's contact gets mail about changes of its account. Not where applications are approved
   * without review: the address may be a stranger's.
   */
  readonly mailsMerchants: boolean;
  /** Whether merchants may make deposits and campaigns themselves. */
  readonly testHelpers: boolean;
  readonly domainRegistry: { readonly url: string; readonly token: string | null } | null;
  /** The chains on which payouts are proven. On all others people confirm them. */
  readonly chains: readonly ChainConfig[];
  /** How many processes serve it. */
  readonly workers: number;
}

/** How many requests of one merchant may be in progress in a process, those that wait for their turn included. */
export interface MerchantLimits {
  readonly requests: number;
  readonly submissions: number;
  readonly depositBatches: number;
}

export interface Config {
  readonly host: string;
  readonly operatorHost: string;
  readonly environments: readonly EnvironmentConfig[];
  readonly dataDir: string;
  /** null: generated into the data folder. */
  readonly operatorToken: string | null;
  /** null: generated into the data folder. */
  readonly secret: string | null;
  /** Who everything but the supervisor runs as when it is started by root; null: chosen by chooseAccount. */
  readonly user: string | null;
  /** Open connections of one client address to one listener. Behind a trusted proxy: requests in progress of one client. */
  readonly connectionsPerAddress: number;
  /** Open connections to one public listener. */
  readonly connectionsMax: number;
  /** Requests of one merchant in progress in one process. */
  readonly merchantLimits: MerchantLimits;
  readonly trustedProxies: readonly string[];
  readonly migrate: boolean;
  /** Connections of each process to its database. null: computed from what the server allows. */
  readonly databasePoolSize: number | null;
  /** How long a stopping program says that it is not ready, and still serves. */
  readonly drainSeconds: number;
  readonly submissionBatchScope: BatchScope;
  /** Whether some changes wait for a second operator. */
  readonly approvals: ApprovalsConfig;
  readonly mail: MailConfig;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
}

export interface MailConfig {
  /** null: mail is logged. */
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly operatorEmail: string;
  /** Refuses to send where the server does not offer STARTTLS. */
  readonly requireTls: boolean;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];
const LOG_FORMATS: readonly LogFormat[] = ["auto", "json", "pretty"];

export function readConfig(variables: Variables, isRoot: boolean): Config {
  const read = reader(variables);
  const names = read.list("ENVIRONMENTS", "production,sandbox", (name) =>
    name === "production" || name === "sandbox" ? name : null,
  );
  if (new Set(names).size !== names.length) refuse("ENVIRONMENTS", "names an environment twice");
  const environments = names.map((name) => readEnvironment(read, name));
  checkSharing(environments);
  const secret = read.text("MATCHBOOK_SECRET", findSecretProblem);
  const external = environments.find((environment) => environment.databaseUrl !== null);
  if (external !== undefined && secret === null) {
    refuse(
      "MATCHBOOK_SECRET",
      `is required when ${prefixOf(external.name)}DATABASE_URL is set, the same for every host`,
    );
  }
  const plaintext = read.list<PlaintextUse>("ALLOW_PLAINTEXT", "", (use) =>
    use === "database" || use === "registry" || use === "smtp" || use === "chain" ? use : null,
  );
  const mail = readMail(read, plaintext.includes("smtp"));
  checkTransport(environments, mail, plaintext);
  return {
    host: read.text("HOST", checkHost) ?? "127.0.0.1",
    operatorHost: read.text("OPERATOR_HOST", checkHost) ?? "127.0.0.1",
    environments,
    dataDir: resolve(read.text("MATCHBOOK_DATA_DIR") ?? (isRoot ? "/var/lib/matchbook" : ".matchbook")),
    operatorToken: read.text("MATCHBOOK_OPERATOR_TOKEN", checkToken),
    secret,
    user: read.text("MATCHBOOK_USER", checkUser),
    connectionsPerAddress: read.integer("CONNECTIONS_PER_ADDRESS", 1, 1_000_000) ?? CONNECTIONS_PER_ADDRESS_DEFAULT,
    connectionsMax: read.integer("CONNECTIONS_MAX", 1, 1_000_000) ?? CONNECTIONS_MAX_DEFAULT,
    merchantLimits: {
      requests: read.integer("REQUESTS_PER_MERCHANT", 1, PER_MERCHANT_MAX) ?? REQUESTS_PER_MERCHANT_DEFAULT,
      submissions: read.integer("SUBMISSIONS_PER_MERCHANT", 1, PER_MERCHANT_MAX) ?? SUBMISSIONS_PER_MERCHANT_DEFAULT,
      depositBatches:
        read.integer("DEPOSIT_BATCHES_PER_MERCHANT", 1, PER_MERCHANT_MAX) ?? DEPOSIT_BATCHES_PER_MERCHANT_DEFAULT,
    },
    trustedProxies: read.list("TRUSTED_PROXIES", "", (value) => (isCidr(value) ? value : null)),
    migrate: read.choice("MATCHBOOK_MIGRATE", ["on", "off"], "on") === "on",
    databasePoolSize: read.integer("DATABASE_POOL_SIZE", 1, 1_000),
    drainSeconds: read.integer("DRAIN_SECONDS", 0, 3_600) ?? DRAIN_SECONDS_DEFAULT,
    submissionBatchScope: read.choice("SUBMISSION_BATCH_SCOPE", ["all", "merchant"], "all"),
    approvals: readApprovals(read),
    mail,
    logLevel: read.choice("LOG_LEVEL", LOG_LEVELS, "info"),
    logFormat: read.choice("LOG_FORMAT", LOG_FORMATS, "auto"),
  };
}

function readEnvironment(read: Reader, name: EnvironmentName): EnvironmentConfig {
  const sandbox = name === "sandbox";
  const prefix = prefixOf(name);
  const registryUrl = read.url(`${prefix}DOMAIN_REGISTRY_URL`, ["http:", "https:"]);
  if (registryUrl !== null && new URL(registryUrl).username + new URL(registryUrl).password !== "") {
    refuse(`${prefix}DOMAIN_REGISTRY_URL`, `must not hold a user name or password; use ${prefix}DOMAIN_REGISTRY_TOKEN`);
  }
  const registryToken = read.text(`${prefix}DOMAIN_REGISTRY_TOKEN`, checkHeaderText);
  if (registryToken !== null && registryUrl === null) {
    refuse(`${prefix}DOMAIN_REGISTRY_TOKEN`, `is set without ${prefix}DOMAIN_REGISTRY_URL`);
  }
  return {
    name,
    port: read.integer(`${prefix}PORT`, 0, 65_535) ?? (sandbox ? 8081 : 8080),
    operatorPort: read.integer(`${prefix}OPERATOR_PORT`, 0, 65_535) ?? (sandbox ? 8091 : 8090),
    databaseUrl: read.url(`${prefix}DATABASE_URL`, ["postgres:", "postgresql:"]),
    applicationsPerHour: read.integer("APPLICATIONS_PER_HOUR", 1, 1_000_000) ?? (sandbox ? 60 : 5),
    autoApprove: sandbox,
    mailsMerchants: !sandbox,
    testHelpers: sandbox,
    domainRegistry: registryUrl === null ? null : { url: registryUrl, token: registryToken },
    chains: readChains(read, prefix),
    workers: sandbox
      ? (read.integer("SANDBOX_WORKERS", 1, 256) ?? 1)
      : (read.integer("WORKERS", 1, 256) ?? availableParallelism()),
  };
}

function readMail(read: Reader, allowPlaintext: boolean): MailConfig {
  const smtpUrl = read.url("SMTP_URL", ["smtp:", "smtps:"]);
  const from = read.text("MAIL_FROM", checkMailbox);
  const operatorEmail = read.text("OPERATOR_EMAIL", checkMailbox);
  if (smtpUrl !== null && from === null) refuse("MAIL_FROM", "is required when SMTP_URL is set");
  if (smtpUrl !== null && operatorEmail === null) refuse("OPERATOR_EMAIL", "is required when SMTP_URL is set");
  return {
    smtpUrl,
    from: from ?? "matchbook@localhost",
    operatorEmail: operatorEmail ?? "operator@localhost",
    requireTls: smtpUrl !== null && !allowPlaintext && !isLocalSmtp(smtpUrl),
  };
}

// Connections that leave the host are encrypted, unless a variable allows otherwise.
function checkTransport(
  environments: readonly EnvironmentConfig[],
  { smtpUrl }: MailConfig,
  allowed: readonly PlaintextUse[],
): void {
  const check = (use: PlaintextUse, variable: string, url: string | null, find: (url: string) => string | null) => {
    const problem = url === null || allowed.includes(use) ? null : find(url);
    if (problem !== null) refuse(variable, problem);
  };
  for (const { name, databaseUrl, domainRegistry, chains } of environments) {
    check("database", `${prefixOf(name)}DATABASE_URL`, databaseUrl, findDatabaseProblem);
    check("registry", `${prefixOf(name)}DOMAIN_REGISTRY_URL`, domainRegistry?.url ?? null, findRegistryProblem);
    for (const { url } of chains) check("chain", `${prefixOf(name)}CHAIN_RPC_URLS`, url, findChainProblem);
  }
  check("smtp", "SMTP_URL", smtpUrl, findSmtpProblem);
}

// The environments share nothing: neither a port nor a database.
function checkSharing(environments: readonly EnvironmentConfig[]): void {
  const taken = new Map<number, string>();
  for (const { name, port, operatorPort } of environments) {
    for (const [variable, value] of [
      [`${prefixOf(name)}PORT`, port],
      [`${prefixOf(name)}OPERATOR_PORT`, operatorPort],
    ] as const) {
      const other = taken.get(value);
      if (other !== undefined) refuse(variable, `is ${value}, which ${other} already uses`);
      if (value !== 0) taken.set(value, variable);
    }
  }
  const [first, second] = environments.map(({ databaseUrl }) => databaseUrl && new URL(databaseUrl));
  if (first && second && first.host === second.host && first.pathname === second.pathname) {
    refuse("SANDBOX_DATABASE_URL", "names the same database as DATABASE_URL; the sandbox needs its own");
  }
}

function prefixOf(name: EnvironmentName): string {
  return name === "sandbox" ? "SANDBOX_" : "";
}

function checkHost(value: string): string | null {
  return isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value)
    ? null
    : "must be an IP address or a host name";
}

function checkUser(value: string): string | null {
  return /^[a-z_][a-z0-9_.-]{0,31}$/i.test(value) ? null : "must be the name of a user of this system";
}

function checkToken(value: string): string | null {
  return /^[\x21-\x7e]{27,512}$/.test(value)
    ? null
    : "needs 27 to 512 visible characters without spaces; `openssl rand -hex 32` makes a good one";
}

function checkHeaderText(value: string): string | null {
  return /^[\x21-\x7e]+$/.test(value) ? null : "must be visible characters without spaces";
}

function checkMailbox(value: string): string | null {
  return /^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]+<[^\s@<>]+@[^\s@<>]+>$/.test(value) ? null : "must be a mail address";
}

function isCidr(value: string): boolean {
  const [address = "", prefix, ...rest] = value.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^(0|[1-9][0-9]{0,2})$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? "ipv4" : "ipv6");
    return true;
  } catch {
    return false;
  }
}
