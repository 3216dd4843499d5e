// What P7 and P8 share: merchants with campaigns and deposits, a server process, and callers that sign.

import { fork } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import http from "node:http";
import { openDatabase } from "../server/dist/db/pool.js";
import { insertDemoDeposits } from "../server/dist/deposits/demo-queries.js";

export const OPERATOR_TOKEN = "bench-operator-token-0123456789abcdef";
export const WALLET = `0x${"a".repeat(40)}`;
export const CHAIN = 8453;
const HUGE = "9".repeat(60);

/** A server process on a new database, with these merchants: each has one campaign and one qualified wallet. */
export async function startTenants(context, { merchants, deposits = 0 }) {
  const connection = await context.database();
  const db = openDatabase(connection, 2);
  const tenants = [];
  for (let index = 0; index < merchants; index++) {
    tenants.push(await insertTenant(db, index === 0 ? deposits : 0));
  }
  await db.query("vacuum analyze");
  await db.end();
  const child = fork(new URL("./servers/service.mjs", import.meta.url), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const urls = await ask(child, { connection, poolSize: 10, operatorToken: OPERATOR_TOKEN });
  return {
    ...urls,
    tenants,
    memoryBytes: async () => (await ask(child, {})).memoryBytes,
    stop: () => child.kill(),
  };
}

async function insertTenant(db, deposits) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const der = publicKey.export({ type: "spki", format: "der" });
  const point = Buffer.concat([Buffer.from([2 + (der[90] & 1)]), der.subarray(27, 59)]);
  const merchantId = randomUUID();
  await db.query(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'shop.example', 'ACTIVE', 'ECDSA_P256_SHA256', $2, $3, 'bench@shop.example', 'shop.example', now(), now())`,
    [merchantId, publicKey.export({ type: "spki", format: "pem" }), point],
  );
  const [{ id: campaignId }] = await db.query(
    `insert into campaigns
       select $1, gen_random_uuid(), 'PER_TRADE_PROFIT_MATCH', 'ACTIVE', 'bench', '2025-01-01Z', '2027-01-01Z', 2, 'USDC', 6,
              ${HUGE}, ${HUGE}, 0, $2::bigint, $3, 0, now(), now()
     returning id`,
    [merchantId, CHAIN, WALLET],
  );
  await db.query(
    `insert into deposits
     values ($1, 'bench', gen_random_uuid(), 'completed', 1, $3::bigint, 'USDC', $2, $2, $2, '2026-01-10Z', '2026-01-10Z')`,
    [merchantId, WALLET, CHAIN],
  );
  for (let done = 0; done < deposits; done += 50_000) {
    const count = Math.min(50_000, deposits - done);
    const range = { firstDeposit: done + 1, deposits: count, firstUser: done + 1, users: count };
    await insertDemoDeposits(db, { merchantId, ...range, until: new Date("2026-07-01Z"), days: 365, seed: 5 });
  }
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" });
  return { merchantId, campaignId, privateKeyPem };
}

/** The header of a merchant, valid for 15 minutes. */
export function signHeader({ merchantId, privateKeyPem }) {
  const identity = { version: "v1", signatureTimestamp: new Date().toISOString() };
  const payload = Buffer.from(JSON.stringify(identity)).toString("base64url");
  const signature = sign("sha256", Buffer.from(payload), privateKeyPem).toString("base64url");
  return Buffer.from(JSON.stringify({ merchantId, payload, signature })).toString("base64");
}

/** The requests that merchants and the hosted flow send. `sequence` makes each one new. */
export function requestsOf({ publicUrl, operatorUrl }, tenant) {
  const headers = { "x-merchant-authorization": signHeader(tenant) };
  const participants = `${publicUrl}/v1/marketings/campaigns/${tenant.campaignId}/participants`;
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const submission = (merchantUserId, wallets, amount) => ({
    merchantUserId,
    wallets: wallets.map((address) => ({ address, chain: { id: CHAIN } })),
    amount: { amount: String(amount), currency: "USDC", decimalPlaces: 6 },
  });
  return {
    read: () => ({ url: `${publicUrl}/v1/merchant-deposits?limit=25`, headers }),
    largestPage: () => ({ url: `${participants}?limit=100`, headers }),
    submission: (sequence) => ({
      url: participants,
      headers,
      body: submission(`user-${sequence % 20_000}`, [WALLET], 1_000_000 + sequence),
    }),
    wideSubmission: (sequence) => ({
      url: participants,
      headers,
      body: submission(`wide-${sequence}`, [WALLET, ...Array.from({ length: 99 }, newAddress)], 1_000_000),
    }),
    deposits: (count) => ({
      url: `${operatorUrl}/operator/v1/deposits`,
      headers: operator,
      body: { deposits: Array.from({ length: count }, () => newDeposit(tenant.merchantId)) },
    }),
    windowEdit: (sequence) => ({
      url: `${operatorUrl}/operator/v1/campaigns/${tenant.campaignId}`,
      method: "PATCH",
      headers: operator,
      body: { endDate: new Date(Date.UTC(2027, 0, 2) + sequence * 1_000).toISOString() },
    }),
  };
}

const newAddress = () => `0x${(randomUUID() + randomUUID()).replaceAll("-", "").slice(0, 40)}`;

function newDeposit(merchantId) {
  const createDate = "2026-02-01T00:00:00.000Z";
  return {
    id: randomUUID(),
    merchantId,
    payerId: `payer-${Math.floor(Math.random() * 10_000)}`,
    state: "COMPLETED",
    amount: { value: "100.00", currency: "USD" },
    chainId: CHAIN,
    token: { symbol: "USDC", address: WALLET },
    embeddedWalletAddress: newAddress(),
    createDate,
    updateDate: createDate,
  };
}

/** A client with one connection: sends a request and tells the status and how long the whole answer took. */
export function createCaller() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return ({ url, method, headers, body }) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const began = performance.now();
      const request = http.request(
        url,
        {
          agent,
          method: method ?? (text === undefined ? "GET" : "POST"),
          headers: {
            ...headers,
            ...(text === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
          },
        },
        (response) => {
          response.resume();
          response.once("end", () => resolve({ status: response.statusCode, ms: performance.now() - began }));
        },
      );
      request.once("error", reject);
      request.end(text);
    });
}

export function ask(child, message) {
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

export const quantile = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(share * numbers.length)];
