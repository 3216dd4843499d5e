import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Audit, createAudit } from "../audit/audit.ts";
import { createJournalChain } from "../campaigns/journal/chain.ts";
import { systemClock } from "../clock.ts";
import type { Config, EnvironmentConfig } from "../config.ts";
import type { Database } from "../db/pool.ts";
import { analyzeDeposits, insertDemoDeposits } from "../deposits/demo-queries.ts";
import { createKeyring } from "../keyring.ts";
import { DAY_MS } from "../limits.ts";
import { edit } from "../merchants/suspension.ts";
import { program } from "../program.ts";
import { apply, readApplication } from "../registration/apply.ts";
import { readMasterSecret } from "../secrets.ts";
import { commandActor } from "./actor.ts";
import { type DemoDependencies, fillCampaign } from "./demo-campaigns.ts";
import { startProgress } from "./progress.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const DEPOSITS_PER_STATEMENT = 20_000;
const DEPOSITS_PER_USER = 4;
const HISTORY_DAYS = 270;
const ACTOR = commandActor("demo");

const NAMES = [
  "Northwind Arcade",
  "Lumen Exchange",
  "Harbor Games",
  "Quartz Markets",
  "Blue Lantern",
  "Tidewater Trading",
  "Cobalt Racing",
  "Juniper Pay",
  "Mosaic Poker",
  "Vesper Perps",
  "Redwood Collectibles",
  "Saffron Bazaar",
];

// The first one applies with a domain that already belongs to a merchant.
const APPLICANTS = ["Northwind Arcade", "Meadow Casino", "Granite Futures"];

interface DemoMerchant {
  readonly id: string;
  readonly name: string;
}

/** Fills an environment with made-up merchants, deposits, campaigns and applications, to try and measure the service with. */
export async function demo(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, ["merchants", "deposits", "campaigns", "applications"]);
  if (positionals.length > 0)
    throw new UsageError(`Write: ${program} demo --merchants N --deposits N --campaigns N --applications N.`);
  const counts = {
    merchants: readCount(values.merchants, "--merchants", 5, 1, 1_000),
    deposits: readCount(values.deposits, "--deposits", 10_000, 0, 100_000_000),
    campaigns: readCount(values.campaigns, "--campaigns", 6, 0, 1_000),
    applications: readCount(values.applications, "--applications", 3, 0, 1_000),
  };
  // Production must be named: demo data does not get there by default.
  const environment = chooseEnvironment(config, values.environment ?? "sandbox");
  const keyring = createKeyring(readMasterSecret(config), environment.name);
  const audit = createAudit(keyring);
  await withDatabase(config, environment, async (db) => {
    const merchants = await makeMerchants(db, audit, config, environment, counts.merchants);
    await makeDeposits(db, merchants, counts.deposits);
    await makeCampaigns(
      { db, clock: systemClock, audit, chain: createJournalChain(keyring) },
      merchants,
      counts.campaigns,
    );
    await makeApplications(db, audit, config, counts.applications);
  });
}

async function makeMerchants(
  db: Database,
  audit: Audit,
  config: Config,
  environment: EnvironmentConfig,
  count: number,
): Promise<DemoMerchant[]> {
  const progress = startProgress("Merchants", count);
  const merchants: (DemoMerchant & { privateKey: string })[] = [];
  const clock = () => new Date(systemClock().getTime() - HISTORY_DAYS * DAY_MS);
  for (let number = 0; number < count; number++) {
    const name = [NAMES[number % NAMES.length], number < NAMES.length ? "" : 1 + Math.floor(number / NAMES.length)]
      .join(" ")
      .trim();
    const { application, privateKey } = makeApplication(name);
    const { operatorEmail } = config.mail;
    await apply({ db, clock, audit, autoApprove: true, mailsMerchants: false, operatorEmail }, application, null);
    await edit({ db, clock: systemClock, audit }, application.merchantId, { displayName: name }, ACTOR);
    merchants.push({ id: application.merchantId, name, privateKey });
    progress.show(number + 1, name);
  }
  const path = saveKeys(config, environment, merchants);
  progress.finish(`${count} merchants; their private keys are in ${path}`);
  return merchants;
}

function makeApplication(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const domain = `${name.toLowerCase().replaceAll(" ", "-")}.example`;
  const request = {
    email: `payments@${domain}`,
    domain,
    publicKey: publicKey.export({ type: "spki", format: "pem" }) as string,
    telegram: null,
    description: `${name} is made up by matchbook-server demo.`,
  };
  const application = readApplication(request, systemClock());
  return { application, privateKey: privateKey.export({ type: "pkcs8", format: "pem" }) as string };
}

async function makeApplications(db: Database, audit: Audit, config: Config, count: number): Promise<void> {
  const progress = startProgress("Applications", count);
  const { operatorEmail } = config.mail;
  for (let number = 0; number < count; number++) {
    const name = APPLICANTS[number % APPLICANTS.length] ?? "";
    const { application } = makeApplication(name);
    await apply(
      { db, clock: systemClock, audit, autoApprove: false, mailsMerchants: false, operatorEmail },
      application,
      null,
    );
    progress.show(number + 1, name);
  }
  progress.finish(`${count} applications waiting for review`);
}

// With a demo merchant's private key you can call the API.
function saveKeys(config: Config, environment: EnvironmentConfig, merchants: readonly object[]): string {
  const path = join(config.dataDir, `demo-merchants-${environment.name}.json`);
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as object[]) : [];
  writeFileSync(path, `${JSON.stringify([...before, ...merchants], null, 2)}\n`, { mode: 0o600 });
  return path;
}

async function makeDeposits(db: Database, merchants: readonly DemoMerchant[], count: number): Promise<void> {
  const progress = startProgress("Deposits", count);
  const ids = merchants.map(({ id }) => id);
  const until = systemClock();
  let made = 0;
  for (const [index, merchantId] of ids.entries()) {
    const share = shareOf(index, ids.length, count);
    for (let done = 0; done < share; done += DEPOSITS_PER_STATEMENT) {
      const deposits = Math.min(DEPOSITS_PER_STATEMENT, share - done);
      const users = Math.ceil(deposits / DEPOSITS_PER_USER);
      const batch = { merchantId, firstDeposit: done + 1, deposits, firstUser: done + 1, users };
      await insertDemoDeposits(db, { ...batch, until, days: HISTORY_DAYS, seed: index });
      made += deposits;
      progress.show(made, `${made} deposits`);
    }
  }
  await analyzeDeposits(db);
  progress.finish(`${made} deposits with their users and wallets`);
}

/** The shares fall as 1, 1/2, 1/3, … and add up to the total exactly. */
export function shareOf(index: number, merchants: number, total: number): number {
  const weight = (upTo: number) =>
    Array.from({ length: upTo }, (_, place) => 1 / (place + 1)).reduce((sum, next) => sum + next, 0);
  const end = (upTo: number) => (upTo === merchants ? total : Math.floor((total * weight(upTo)) / weight(merchants)));
  return end(index + 1) - end(index);
}

async function makeCampaigns(
  dependencies: DemoDependencies,
  merchants: readonly DemoMerchant[],
  count: number,
): Promise<void> {
  const progress = startProgress("Campaigns", count);
  let participants = 0;
  for (let number = 0; number < count; number++) {
    const merchant = merchants[number % merchants.length];
    if (merchant === undefined) break;
    participants += await fillCampaign(dependencies, merchant.id, number, ACTOR);
    progress.show(number + 1, merchant.name);
  }
  progress.finish(`${count} campaigns with ${participants} participants`);
}

function readCount(text: string | undefined, name: string, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count >= min && count <= max)) throw new UsageError(`${name} must be a whole number from ${min} to ${max}.`);
  return count;
}
