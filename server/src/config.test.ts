import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

describe("without any variable", () => {
  const config = readConfig({}, false);

  test("both environments are served on loopback, from an embedded database", () => {
    expect(config).toMatchObject({ host: "127.0.0.1", operatorHost: "127.0.0.1", migrate: true, trustedProxies: [] });
    expect(config.environments).toMatchObject([
      {
        name: "production",
        port: 8080,
        operatorPort: 8090,
        databaseUrl: null,
        applicationsPerHour: 5,
        autoApprove: false,
        testHelpers: false,
      },
      {
        name: "sandbox",
        port: 8081,
        operatorPort: 8091,
        databaseUrl: null,
        applicationsPerHour: 60,
        autoApprove: true,
        testHelpers: true,
      },
    ]);
  });

  test("the data folder is below the current one, and for root in /var/lib", () => {
    expect(config.dataDir).toBe(`${process.cwd()}/.matchbook`);
    expect(readConfig({}, true).dataDir).toBe("/var/lib/matchbook");
  });
});

test("batches hold submissions of all merchants, unless SUBMISSION_BATCH_SCOPE says otherwise", () => {
  expect(readConfig({}, false).submissionBatchScope).toBe("all");
  expect(readConfig({ SUBMISSION_BATCH_SCOPE: "merchant" }, false).submissionBatchScope).toBe("merchant");
});

describe("four eyes", () => {
  const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

  test("APPROVALS is off, and without thresholds, unless they are set", () => {
    expect(readConfig({}, false).approvals).toEqual({ isOn: false, thresholds: [] });
    const variables = { APPROVALS: "on", APPROVAL_THRESHOLDS: `8453:${TOKEN}=1000000, 1:${TOKEN}=0` };
    expect(readConfig(variables, false).approvals).toEqual({
      isOn: true,
      thresholds: [
        { chainId: 8453, tokenAddress: TOKEN, amount: 1_000_000n },
        { chainId: 1, tokenAddress: TOKEN, amount: 0n },
      ],
    });
  });

  test.each([
    ["no amount", `8453:${TOKEN}`],
    ["no chain", `${TOKEN}=5`],
    ["an amount with a point", `8453:${TOKEN}=1.5`],
    ["a negative amount", `8453:${TOKEN}=-1`],
    ["an amount of 79 digits", `8453:${TOKEN}=${"9".repeat(79)}`],
    ["chain 0", `0:${TOKEN}=5`],
    ["a chain beyond every chain", `9999999999999999:${TOKEN}=5`],
    ["an address that is none", "8453:0x123=5"],
    ["an address with a wrong checksum", `8453:${TOKEN.replace("fCD", "FCD")}=5`],
    ["a token twice", `8453:${TOKEN}=5,8453:${TOKEN.toLowerCase()}=6`],
    [
      "more than 100 tokens",
      Array.from({ length: 101 }, (_, index) => `${index + 1}:${TOKEN.toLowerCase()}=5`).join(","),
    ],
  ])("%s stops the start with one line that names the variable", (_name, APPROVAL_THRESHOLDS) => {
    const start = () => readConfig({ APPROVALS: "on", APPROVAL_THRESHOLDS }, false);
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(/^APPROVAL_THRESHOLDS .*[^\n]$/);
  });

  test("thresholds without APPROVALS=on, and another value of it, stop the start", () => {
    expect(() => readConfig({ APPROVAL_THRESHOLDS: `1:${TOKEN}=5` }, false)).toThrow(/without APPROVALS=on/);
    expect(() => readConfig({ APPROVALS: "true" }, false)).toThrow(/^APPROVALS must be one of off, on/);
  });
});

test("APPLICATIONS_PER_HOUR counts for both environments when it is set", () => {
  const { environments } = readConfig({ APPLICATIONS_PER_HOUR: "7" }, false);
  expect(environments.map(({ applicationsPerHour }) => applicationsPerHour)).toEqual([7, 7]);
});

test("an empty value counts as unset", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " " }, false).environments[0]).toMatchObject({
    port: 8080,
    databaseUrl: null,
  });
});

describe("CHAIN_RPC_URLS", () => {
  const NODES = { CHAIN_RPC_URLS: "8453=https://base.example/v2/key, 1=http://127.0.0.1:8545" };
  const chainsOf = (variables: Record<string, string>) =>
    readConfig(variables, false).environments.map(({ chains }) => chains);

  test("names the node of each chain, for each environment its own", () => {
    expect(chainsOf({})).toEqual([[], []]);
    expect(chainsOf({ ...NODES, SANDBOX_CHAIN_RPC_URLS: "84532=https://user:pass@sepolia.example" })).toEqual([
      [
        { chainId: 8453, url: "https://base.example/v2/key", confirmations: 64 },
        { chainId: 1, url: "http://127.0.0.1:8545", confirmations: 64 },
      ],
      [{ chainId: 84532, url: "https://user:pass@sepolia.example", confirmations: 64 }],
    ]);
  });

  test.each([
    ["12", [12, 12]],
    ["1=32", [64, 32]],
    ["20,1=32", [20, 32]],
  ])("CHAIN_CONFIRMATIONS=%s counts for the chains it names, and for the others", (CHAIN_CONFIRMATIONS, expected) => {
    const [production] = chainsOf({ ...NODES, CHAIN_CONFIRMATIONS });
    expect(production?.map(({ confirmations }) => confirmations)).toEqual(expected);
  });

  test("a node of another host is reached without encryption only where that is allowed", () => {
    const url = "http://node.example";
    expect(() => chainsOf({ CHAIN_RPC_URLS: `8453=${url}` })).toThrow(/^CHAIN_RPC_URLS .* ALLOW_PLAINTEXT=chain\.$/);
    const [production] = chainsOf({ CHAIN_RPC_URLS: `8453=${url}`, ALLOW_PLAINTEXT: "chain" });
    expect(production).toMatchObject([{ url }]);
  });

  test("a chain that is not EVM is refused by name", () => {
    expect(() => chainsOf({ CHAIN_RPC_URLS: "792703809=https://solana.example" })).toThrow(/names Solana/);
  });
});

describe("a bad value stops the start with one line that names the variable and never shows it", () => {
  const secret = "hunter2-hunter2-hunter2";
  test.each([
    [{ HOST: "not a host" }, "HOST"],
    [{ OPERATOR_HOST: "-" }, "OPERATOR_HOST"],
    [{ PORT: "80a" }, "PORT"],
    [{ CHAIN_RPC_URLS: `https://${secret}.example` }, "CHAIN_RPC_URLS"],
    [{ CHAIN_RPC_URLS: `8453=${secret}` }, "CHAIN_RPC_URLS"],
    [{ CHAIN_RPC_URLS: `8453=ws://${secret}.example` }, "CHAIN_RPC_URLS"],
    [{ CHAIN_RPC_URLS: `0=https://${secret}.example` }, "CHAIN_RPC_URLS"],
    [{ CHAIN_RPC_URLS: `8453=https://${secret}.example,8453=https://b.example` }, "CHAIN_RPC_URLS"],
    [{ CHAIN_RPC_URLS: `8453=https://${secret}.example/${"x".repeat(2_048)}` }, "CHAIN_RPC_URLS"],
    [{ CHAIN_RPC_URLS: "8453=https://a.example", CHAIN_CONFIRMATIONS: "0" }, "CHAIN_CONFIRMATIONS"],
    [{ CHAIN_CONFIRMATIONS: "1=200000" }, "CHAIN_CONFIRMATIONS"],
    [{ CHAIN_CONFIRMATIONS: "1=20,1=30" }, "CHAIN_CONFIRMATIONS"],
    [{ PORT: "65536" }, "PORT"],
    [{ PORT: "0x50" }, "PORT"],
    [{ SANDBOX_PORT: "8080" }, "SANDBOX_PORT"],
    [{ SANDBOX_OPERATOR_PORT: "8090" }, "SANDBOX_OPERATOR_PORT"],
    [{ ENVIRONMENTS: "staging" }, "ENVIRONMENTS"],
    [{ ENVIRONMENTS: "sandbox,sandbox" }, "ENVIRONMENTS"],
    [{ ENVIRONMENTS: "production,,sandbox" }, "ENVIRONMENTS"],
    [{ DATABASE_URL: `mysql://root:${secret}@localhost/x` }, "DATABASE_URL"],
    [{ DATABASE_URL: secret }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres://h/x" }, "MATCHBOOK_SECRET"],
    [{ SANDBOX_DATABASE_URL: "postgres://h/x" }, "MATCHBOOK_SECRET"],
    [
      { DATABASE_URL: "postgres://h/x", SANDBOX_DATABASE_URL: "postgres://h/x", MATCHBOOK_SECRET: "s".repeat(32) },
      "SANDBOX_DATABASE_URL",
    ],
    [{ MATCHBOOK_SECRET: secret }, "MATCHBOOK_SECRET"],
    [{ MATCHBOOK_OPERATOR_TOKEN: "short" }, "MATCHBOOK_OPERATOR_TOKEN"],
    [{ MATCHBOOK_OPERATOR_TOKEN: "with space in the middle of the token" }, "MATCHBOOK_OPERATOR_TOKEN"],
    [{ WORKERS: "0" }, "WORKERS"],
    [{ WORKERS: "-1" }, "WORKERS"],
    [{ WORKERS: "1.5" }, "WORKERS"],
    [{ APPLICATIONS_PER_HOUR: "0" }, "APPLICATIONS_PER_HOUR"],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, "TRUSTED_PROXIES"],
    [{ TRUSTED_PROXIES: "10.0.0.0/8, proxy" }, "TRUSTED_PROXIES"],
    [{ TRUSTED_PROXIES: "::1/129" }, "TRUSTED_PROXIES"],
    [{ DOMAIN_REGISTRY_URL: "ftp://registry" }, "DOMAIN_REGISTRY_URL"],
    [{ SANDBOX_DOMAIN_REGISTRY_URL: "registry" }, "SANDBOX_DOMAIN_REGISTRY_URL"],
    [{ DOMAIN_REGISTRY_URL: `https://user:${secret}@registry` }, "DOMAIN_REGISTRY_URL"],
    [{ DOMAIN_REGISTRY_TOKEN: secret }, "DOMAIN_REGISTRY_TOKEN"],
    [{ DOMAIN_REGISTRY_URL: "https://registry", DOMAIN_REGISTRY_TOKEN: "a\nb" }, "DOMAIN_REGISTRY_TOKEN"],
    [{ MATCHBOOK_SECRET: `v1:${"x".repeat(40)},v2:${"y".repeat(40)}` }, "MATCHBOOK_SECRET"],
    [{ MATCHBOOK_MIGRATE: "maybe" }, "MATCHBOOK_MIGRATE"],
    [{ SUBMISSION_BATCH_SCOPE: "campaign" }, "SUBMISSION_BATCH_SCOPE"],
    [{ SMTP_URL: "http://mail" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://mail" }, "MAIL_FROM"],
    [{ SMTP_URL: "smtp://mail", MAIL_FROM: "a@b.example" }, "OPERATOR_EMAIL"],
    [{ MAIL_FROM: "nobody" }, "MAIL_FROM"],
    [{ OPERATOR_EMAIL: "a@b@c" }, "OPERATOR_EMAIL"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL"],
  ])("%j", (variables, name) => {
    const read = () => readConfig(variables, false);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} [^\\n]+\\.$`));
    expect(read).not.toThrow(secret);
  });
});

describe("what leaves the host is encrypted", () => {
  const SECRET = { MATCHBOOK_SECRET: "s".repeat(32) };
  const MAIL = { MAIL_FROM: "a@b.example", OPERATOR_EMAIL: "c@d.example" };
  // The driver reads the file and does not look into it.
  const CA = `sslrootcert=${import.meta.filename}`;
  const database = (url: string) => ({ DATABASE_URL: url, ENVIRONMENTS: "production", ...SECRET });

  test.each([
    ["DATABASE_URL", database("postgres://u:p@db.example/x"), "database"],
    ["DATABASE_URL", database("postgres://u:p@db.example/x?sslmode=disable"), "database"],
    ["DATABASE_URL", database("postgres://u:p@db.example/x?sslmode=prefer"), "database"],
    ["DATABASE_URL", database("postgres://u:p@db.example/x?sslmode=allow"), "database"],
    ["DATABASE_URL", database("postgres://u:p@db.example/x?sslmode=no-verify"), "database"],
    ["DATABASE_URL", database("postgres://u:p@db.example/x?ssl=0"), "database"],
    ["DATABASE_URL", database("postgres://u:p@db.example/x?ssl=no-verify"), "database"],
    ["DATABASE_URL", database("postgres://u:p@db.example/x?uselibpqcompat=true&sslmode=require"), "database"],
    ["DATABASE_URL", database(`postgres://u:p@db.example/x?uselibpqcompat=true&sslmode=verify-ca&${CA}`), "database"],
    ["DATABASE_URL", database("postgres://u:p@localhost/x?host=db.example"), "database"],
    ["DATABASE_URL", database("postgres://u:p@10.0.0.5/x"), "database"],
    ["DATABASE_URL", database("postgres://u:p@[2001:db8::1]/x"), "database"],
    ["SANDBOX_DATABASE_URL", { SANDBOX_DATABASE_URL: "postgres://db.example/x", ...SECRET }, "database"],
    ["DOMAIN_REGISTRY_URL", { DOMAIN_REGISTRY_URL: "http://registry.example/origins" }, "registry"],
    ["DOMAIN_REGISTRY_URL", { DOMAIN_REGISTRY_URL: "http://127.0.0.1.registry.example/" }, "registry"],
    ["SANDBOX_DOMAIN_REGISTRY_URL", { SANDBOX_DOMAIN_REGISTRY_URL: "http://10.1.2.3/" }, "registry"],
    ["SMTP_URL", { SMTP_URL: "smtp://mail.example?requireTLS=false", ...MAIL }, "smtp"],
    ["SMTP_URL", { SMTP_URL: "smtps://mail.example?tls.rejectUnauthorized=false", ...MAIL }, "smtp"],
    ["SMTP_URL", { SMTP_URL: "smtp://localhost?host=mail.example", ...MAIL }, "smtp"],
    ["SMTP_URL", { SMTP_URL: "smtp://mail.example?service=other", ...MAIL }, "smtp"],
  ])("%s %j is refused in one line, unless ALLOW_PLAINTEXT says so", (name, variables, use) => {
    const read = () => readConfig(variables, false);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} [^\\n]+ALLOW_PLAINTEXT=${use}\\.$`));
    const others = ["database", "registry", "smtp"].filter((one) => one !== use).join(",");
    expect(() => readConfig({ ...variables, ALLOW_PLAINTEXT: others }, false)).toThrow(ConfigError);
    expect(readConfig({ ...variables, ALLOW_PLAINTEXT: use }, false).mail.requireTls).toBe(false);
  });

  test.each([
    database("postgres://u:p@db.example/x?sslmode=verify-full"),
    database("postgres://u:p@db.example/x?ssl=true"),
    database("postgres://u:p@127.0.0.1:5433/x"),
    database("postgres://u:p@[::1]/x"),
    database("postgres://u:p@localhost/x?sslmode=disable"),
    database("postgres://u:p@db.example/x?host=/var/run/postgresql"),
    database("postgres:///x"),
    { DOMAIN_REGISTRY_URL: "https://registry.example/" },
    { DOMAIN_REGISTRY_URL: "http://127.0.0.1:9000/" },
    { DOMAIN_REGISTRY_URL: "http://[::1]:9000/" },
    { SMTP_URL: "smtps://mail.example", ...MAIL },
  ])("%j is fine", (variables) => {
    expect(() => readConfig(variables, false)).not.toThrow();
  });

  test("smtp:// to another host must upgrade to TLS; to this one it need not", () => {
    expect(readConfig({ SMTP_URL: "smtp://mail.example", ...MAIL }, false).mail.requireTls).toBe(true);
    expect(readConfig({ SMTP_URL: "smtp://127.0.0.1:2525", ...MAIL }, false).mail.requireTls).toBe(false);
  });

  test("a certificate file that cannot be read is named", () => {
    const read = () => readConfig(database("postgres://u:p@db.example/x?sslrootcert=/no/such/file"), false);
    expect(read).toThrow(/^DATABASE_URL cannot be used: ENOENT.*\/no\/such\/file'\.$/);
  });

  test("ALLOW_PLAINTEXT takes only what it knows", () => {
    expect(() => readConfig({ ALLOW_PLAINTEXT: "everything" }, false)).toThrow(/^ALLOW_PLAINTEXT has an invalid item/);
  });
});

test("each environment has its number of processes", () => {
  const workers = (variables: Record<string, string>) =>
    readConfig({ WORKERS: "4", ...variables }, false).environments.map((environment) => environment.workers);
  expect(workers({})).toEqual([4, 1]);
  expect(workers({ SANDBOX_WORKERS: "2" })).toEqual([4, 2]);
  expect(workers({ ENVIRONMENTS: "sandbox" })).toEqual([1]);
});

test("connections are bounded by address and in total", () => {
  expect(readConfig({}, false)).toMatchObject({ connectionsPerAddress: 256, connectionsMax: 10_000 });
  expect(readConfig({ CONNECTIONS_PER_ADDRESS: "7", CONNECTIONS_MAX: "9" }, false)).toMatchObject({
    connectionsPerAddress: 7,
    connectionsMax: 9,
  });
});
