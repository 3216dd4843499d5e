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

describe("a bad value stops the start with one line that names the variable and never shows it", () => {
  const secret = "hunter2-hunter2-hunter2";
  test.each([
    [{ HOST: "not a host" }, "HOST"],
    [{ OPERATOR_HOST: "-" }, "OPERATOR_HOST"],
    [{ PORT: "80a" }, "PORT"],
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
