// What a signed read costs the processor of the server's process. Rounds of a fixed number of requests take turns between
// both servers, so that noise affects both alike.

import { fork } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { findCampaign } from "../../server/dist/campaigns/queries.js";
import { openDatabase } from "../../server/dist/db/pool.js";
import { insertDemoDeposits } from "../../server/dist/deposits/demo-queries.js";
import { listDeposits } from "../../server/dist/deposits/deposit-queries.js";

// Many short rounds and several pairs of processes, as in P4.
const PAIRS = 3;
const ROUNDS = 40;
const REQUESTS = 250;
const WARM_UP_REQUESTS = 5_000;
const CLIENTS = 16;
const CONNECTIONS = 2;
const DEPOSITS = 10_000;
const PAGE = 25;
const GOAL = 1.3;

export default {
  id: "P9",
  title: "CPU of Node for a signed read ÷ that of a bare Fastify route with the same statement and bytes",
  goal: `≤ ${GOAL}`,
  async run({ database, note }) {
    const connection = await database();
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const publicKeyPem = publicKey.export({ type: "spki", format: "pem" });
    const merchantId = randomUUID();
    const campaignId = await prepare(connection, merchantId, publicKey);
    const reads = await Promise.all(readsOf(merchantId, campaignId));
    const client = fork(new URL("../load.mjs", import.meta.url));
    const headers = { "x-merchant-authorization": header(merchantId, privateKey) };
    const rounds = reads.map(() => []);
    try {
      for (let pair = 1; pair <= PAIRS; pair++) {
        const matchbook = await start({ kind: "matchbook", connection, connections: CONNECTIONS });
        for (const read of reads) read.body = await bodyOf(matchbook, read.path, headers);
        const bare = await start({ kind: "bare", connection, connections: CONNECTIONS, publicKeyPem, reads });
        try {
          for (const [index, { path, body }] of reads.entries()) {
            if ((await bodyOf(bare, path, headers)) !== body) throw new Error("The servers answer different bytes.");
            const cost = (server, requests = REQUESTS) => cpuMsPerRead(client, server, { path, headers, requests });
            const measured = await measure(bare, matchbook, cost);
            note(`pair ${pair} of ${PAIRS}, ${reads[index].what}: ${median(measured.map(ratioOf)).toFixed(2)}`);
            rounds[index].push(...measured);
          }
        } finally {
          for (const { process } of [bare, matchbook]) process.kill();
        }
      }
    } finally {
      client.kill();
    }
    return reads.map(({ what }, index) => {
      const measured = rounds[index];
      const ratio = median(measured.map(ratioOf));
      const [ours, bare] = ["matchbook", "bare"].map((side) =>
        (median(measured.map((r) => r[side])) * 1_000).toFixed(0),
      );
      return {
        what,
        ratio,
        pass: ratio <= GOAL,
        detail: `median of ${measured.length} rounds; ${ours} µs ÷ ${bare} µs`,
      };
    });
  },
};

/** The addresses, each with the statement that the service runs for it. */
function readsOf(merchantId, campaignId) {
  const none = { userId: null, status: null, chainId: null, createdAfter: null, createdBefore: null };
  return [
    {
      what: "one campaign",
      answer: "campaign",
      path: `/v1/marketings/campaigns/${campaignId}`,
      run: (db) => findCampaign(db, merchantId, campaignId),
    },
    {
      what: `${PAGE} deposits`,
      answer: "deposits",
      path: "/v1/merchant-deposits",
      run: (db) => listDeposits(db, merchantId, none, null, PAGE + 1),
    },
  ].map(async ({ what, answer, path, run }) => {
    const recorded = {};
    await run({
      async query(text, values) {
        Object.assign(recorded, { text, values });
        return [];
      },
    });
    return { what, answer, path, ...recorded };
  });
}

async function measure(bareServer, matchbookServer, cost) {
  for (const server of [bareServer, matchbookServer]) await cost(server, WARM_UP_REQUESTS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 2) {
    const before = await cost(bareServer);
    rounds.push({ bare: before, matchbook: await cost(matchbookServer) });
    const matchbook = await cost(matchbookServer);
    rounds.push({ bare: await cost(bareServer), matchbook });
  }
  return rounds;
}

const ratioOf = ({ bare, matchbook }) => matchbook / bare;

async function cpuMsPerRead(client, server, { path, headers, requests }) {
  const before = await ask(server.process, { kind: "cpu" });
  await ask(client, { url: `http://127.0.0.1:${server.port}${path}`, headers, clients: CLIENTS, requests });
  const after = await ask(server.process, { kind: "cpu" });
  return (after.user + after.system - before.user - before.system) / requests / 1_000;
}

async function bodyOf({ port }, path, headers) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

async function start(options) {
  const process = fork(new URL("../servers/p9.mjs", import.meta.url), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return { process, port: await ask(process, options) };
}

function ask(child, message) {
  return new Promise((resolve, reject) => {
    const died = (code) => reject(new Error(`The process exited with ${code}.`));
    child.once("exit", died);
    child.once("message", (answer) => {
      child.off("exit", died);
      resolve(answer);
    });
    child.send(message);
  });
}

async function prepare(connection, merchantId, publicKey) {
  const db = openDatabase(connection, 1);
  const der = publicKey.export({ type: "spki", format: "der" });
  const point = Buffer.concat([Buffer.from([2 + (der[90] & 1)]), der.subarray(27, 59)]);
  await db.query(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'shop.example', 'ACTIVE', 'ECDSA_P256_SHA256', $2, $3, 'payments@shop.example', 'shop.example', now(), now())`,
    [merchantId, publicKey.export({ type: "spki", format: "pem" }), point],
  );
  const [campaign] = await db.query(
    `insert into campaigns
       (merchant_id, id, type, status, display_name, start_date, end_date, match_multiplier, currency, decimal_places,
        max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address, journal_length, create_date,
        update_date)
     values ($1, gen_random_uuid(), 'PER_TRADE_PROFIT_MATCH', 'ACTIVE', 'Winter cup', '2026-01-01Z', '2026-02-01Z', 2.5,
             'USDC', 6, 1000000000, 250000000000, 12345678, 8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 0, now(), now())
     returning id`,
    [merchantId],
  );
  await insertDemoDeposits(db, {
    merchantId,
    firstDeposit: 1,
    deposits: DEPOSITS,
    firstUser: 1,
    users: DEPOSITS / 4,
    until: new Date("2026-07-01T00:00:00Z"),
    days: 365,
    seed: 9,
  });
  await db.query("analyze");
  await db.end();
  return campaign.id;
}

function header(merchantId, privateKey) {
  const identity = { version: "v1", signatureTimestamp: new Date().toISOString() };
  const payload = Buffer.from(JSON.stringify(identity)).toString("base64url");
  const signature = sign("sha256", Buffer.from(payload), privateKey).toString("base64url");
  return Buffer.from(JSON.stringify({ merchantId, payload, signature })).toString("base64");
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
