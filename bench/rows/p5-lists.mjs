// Every list endpoint of deposits and users over HTTP, on a small and on a large database side by side, and a page deep in
// the large one against its first. Requests to both take turns, so that a busy moment of the machine meets both.

import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import pg from "pg";
import { openEnvironment } from "../../server/dist/app.js";
import { readConfig } from "../../server/dist/config.js";
import { openDatabase } from "../../server/dist/db/pool.js";
import { insertDemoDeposits } from "../../server/dist/deposits/demo-queries.js";
import { listDeposits, listDepositsOfAllMerchants } from "../../server/dist/deposits/deposit-queries.js";
import { listUsers } from "../../server/dist/deposits/user-queries.js";
import { createCursors } from "../../server/dist/http/pagination.js";
import { createKeyring } from "../../server/dist/keyring.js";
import { createLog } from "../../server/dist/log.js";

const SMALL = 10_000;
const LARGE = 1_000_000;
const LARGE_FULL = 10_000_000;
const GOAL_SIZE = 1.5;
const GOAL_DEPTH = 1.2;
const SAMPLES = 300;
const PAGE = 25;
const DEEP_PAGE = 10_000;
const SECRET = "bench-secret-0123456789abcdef0123456789";
const OPERATOR_TOKEN = "bench-operator-token-0123456789abcdef";

export default {
  id: "P5",
  title: "list endpoints, large ÷ small database and page 10,000 ÷ page 1, p50",
  goal: `≤ ${GOAL_SIZE}, deep page ≤ ${GOAL_DEPTH}`,
  async run(context) {
    const large = context.full ? LARGE_FULL : LARGE;
    const services = [await startService(context, SMALL), await startService(context, large)];
    const [small, big] = services;
    try {
      const results = [];
      for (const { what, path, query } of lists()) {
        const [smallMs, bigMs, smallQueryMs, bigQueryMs] = await p50s([
          () => small.get(path(small)),
          () => big.get(path(big)),
          () => query(small),
          () => query(big),
        ]);
        const ratio = bigMs / smallMs;
        const detail = [
          `${bigMs.toFixed(2)} ms at ${large} against ${smallMs.toFixed(2)} ms at ${SMALL}`,
          `the query alone ${bigQueryMs.toFixed(2)} against ${smallQueryMs.toFixed(2)} ms`,
        ].join("; ");
        results.push({ what, ratio, pass: ratio <= GOAL_SIZE, detail });
      }
      for (const { what, path, cursor } of await deepPages(big)) {
        const deep = `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
        const [firstMs, deepMs] = await p50s([() => big.get(path), () => big.get(deep)]);
        const ratio = deepMs / firstMs;
        const detail = `${deepMs.toFixed(2)} ms against ${firstMs.toFixed(2)} ms at ${large}`;
        results.push({ what: `page ${DEEP_PAGE} ÷ page 1 of ${what}`, ratio, pass: ratio <= GOAL_DEPTH, detail });
      }
      return results;
    } finally {
      for (const service of services) await service.close();
    }
  },
};

// Each with its address and with the query behind it, which is timed alone as well: beside it, HTTP and the signature would
// hide a query that grows.
function lists() {
  const none = { userId: null, status: null, chainId: null, createdAfter: null, createdBefore: null };
  const count = PAGE + 1;
  const deposits = (what, query, filters, items = count) => ({
    what,
    path: () => `/v1/merchant-deposits${query}`,
    query: ({ db, merchantId }) => listDeposits(db, merchantId, { ...none, ...filters }, null, items),
  });
  const everyone = (what, query, filters) => ({
    what: `operator: ${what}`,
    path: () => `/operator/v1/deposits${query}`,
    query: ({ db }) => listDepositsOfAllMerchants(db, { ...none, ...filters }, null, count),
  });
  const dates = { createdAfter: new Date("2026-02-01"), createdBefore: new Date("2026-05-01") };
  return [
    deposits("deposits", "", {}),
    deposits("deposits, 100 a page", "?limit=100", {}, 101),
    deposits("deposits, completed", "?status=completed", { status: "completed" }),
    deposits("deposits, failed", "?status=failed", { status: "failed" }),
    deposits("deposits, one chain", "?chainId=8453", { chainId: 8453 }),
    deposits("deposits, unused chain", "?chainId=56", { chainId: 56 }),
    deposits("deposits, chain and status", "?chainId=137&status=failed", { chainId: 137, status: "failed" }),
    deposits("deposits, between dates", "?createdAfter=2026-02-01&createdBefore=2026-05-01", dates),
    {
      what: "deposits of a user",
      path: ({ userId }) => `/v1/merchant-deposits?userId=${userId}`,
      query: ({ db, merchantId, userId }) => listDeposits(db, merchantId, { ...none, userId }, null, count),
    },
    {
      what: "users",
      path: () => "/v1/merchant-users",
      query: ({ db, merchantId }) => listUsers(db, merchantId, { walletAddress: null, chainId: null }, null, count),
    },
    {
      what: "user of a wallet",
      path: ({ wallet }) => `/v1/merchant-users?embeddedWalletAddress=${wallet}`,
      query: ({ db, merchantId, wallet: walletAddress }) =>
        listUsers(db, merchantId, { walletAddress, chainId: null }, null, count),
    },
    everyone("deposits of everyone", "", {}),
    everyone("failed of everyone", "?status=failed", { status: "failed" }),
    everyone("one chain of everyone", "?chainId=8453", { chainId: 8453 }),
  ];
}

async function deepPages({ db, merchantId }) {
  const cursors = createCursors(createKeyring(SECRET, "production").active("cursors"));
  const cursorOf = async (scope, position) => {
    const list = { scope, list: async () => [0, 1], positionOf: () => position, present: (row) => row };
    return encodeURIComponent((await cursors.readPage({ limit: 1 }, list)).nextCursor);
  };
  const skipped = DEEP_PAGE * PAGE - 1;
  const depositAt = async (status) => {
    const [row] = await db.query(
      `select create_date, id from deposits where merchant_id = $1 and ($3::text is null or status = $3)
       order by create_date desc, id desc offset $2 limit 1`,
      [merchantId, skipped, status],
    );
    return [row.create_date.toISOString(), row.id];
  };
  const depositScope = (status) => ["merchant-deposits", merchantId, null, status, null, null, null];
  const pages = [
    {
      what: "deposits",
      path: "/v1/merchant-deposits",
      cursor: await cursorOf(depositScope(null), await depositAt(null)),
    },
    {
      what: "completed deposits",
      path: "/v1/merchant-deposits?status=completed",
      cursor: await cursorOf(depositScope("completed"), await depositAt("completed")),
    },
  ];
  const [user] = await db.query(
    "select user_id from deposit_users where merchant_id = $1 order by user_id offset $2 limit 1",
    [merchantId, skipped],
  );
  // There are fewer users than deposits: in the smaller run the list has no page that deep.
  if (user !== undefined) {
    const cursor = await cursorOf(["merchant-users", merchantId, null, null], [user.user_id]);
    pages.push({ what: "users", path: "/v1/merchant-users", cursor });
  }
  return pages;
}

/** The median of each, asked in turns, there and back: what comes right after another has it easier or harder. */
async function p50s(requests) {
  const times = requests.map(() => []);
  for (let round = 0; round < SAMPLES + 20; round++) {
    const order = [...requests.entries()];
    for (const [index, request] of round % 2 === 0 ? order : order.reverse()) {
      const startedAt = performance.now();
      await request();
      // The first rounds prepare statements and warm caches.
      if (round >= 20) times[index].push(performance.now() - startedAt);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
}

async function startService(context, deposits) {
  const connection = await context.database();
  const loader = openDatabase(connection, 1);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const merchantId = randomUUID();
  const startedAt = performance.now();
  await withoutIndexes(connection, async () => {
    // Four fifths belong to the merchant that is measured, the rest to four others.
    await load(loader, merchantId, publicKey, deposits * 0.8);
    for (let other = 0; other < 4; other++) {
      const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
      await load(loader, randomUUID(), keys.publicKey, deposits * 0.05);
    }
  });
  context.note(`${deposits} deposits made in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  await loader.end();

  const config = readConfig({ ENVIRONMENTS: "production" }, false);
  const environment = await openEnvironment(
    {
      config,
      environment: config.environments[0],
      secrets: { secret: SECRET, operatorToken: OPERATOR_TOKEN },
      connection,
      poolSize: 2,
    },
    { log: createLog("silent") },
  );
  const addresses = [];
  for (const listener of [environment.publicListener, environment.operatorListener]) {
    addresses.push(await listener.listen({ host: "127.0.0.1", port: 0 }));
  }
  const db = openDatabase(connection, 1);
  const [user] = await db.query(
    `select w.user_id, w.wallet_address from deposit_wallets w
     join deposit_users u on u.merchant_id = w.merchant_id and u.user_id = w.user_id
     where w.merchant_id = $1 and u.completed_count + u.failed_count + u.pending_count between 4 and 6 limit 1`,
    [merchantId],
  );
  return {
    db,
    merchantId,
    userId: user.user_id,
    wallet: user.wallet_address,
    async get(path) {
      const isOperator = path.startsWith("/operator/");
      const headers = isOperator
        ? { authorization: `Bearer ${OPERATOR_TOKEN}` }
        : { "x-merchant-authorization": signHeader(merchantId, privateKey) };
      const response = await fetch(addresses[isOperator ? 1 : 0] + path, { headers });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    },
    async close() {
      await environment.close();
      await db.end();
    },
  };
}

async function load(db, merchantId, publicKey, deposits) {
  const der = publicKey.export({ type: "spki", format: "der" });
  const point = Buffer.concat([Buffer.from([2 + (der[90] & 1)]), der.subarray(27, 59)]);
  await db.query(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'shop.example', 'ACTIVE', 'ECDSA_P256_SHA256', $2, $3, 'payments@shop.example', 'shop.example', $4, $4)`,
    [merchantId, publicKey.export({ type: "spki", format: "pem" }), point, new Date()],
  );
  const chunk = 50_000;
  for (let done = 0; done < deposits; done += chunk) {
    const count = Math.min(chunk, deposits - done);
    await insertDemoDeposits(db, {
      merchantId,
      firstDeposit: done + 1,
      deposits: count,
      firstUser: done + 1,
      users: Math.ceil(count / 4),
      until: new Date("2026-07-01T00:00:00Z"),
      days: 365,
      seed: 5,
    });
  }
}

// Ten million rows are loaded faster into tables whose indexes are made afterwards.
async function withoutIndexes(connection, work) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows: indexes } = await client.query(
      `select indexname, indexdef from pg_indexes
       where tablename in ('deposits', 'deposit_users', 'deposit_wallets') and indexname not like '%pkey'`,
    );
    for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
    await work();
    await client.query("set maintenance_work_mem = '512MB'");
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

function signHeader(merchantId, privateKey) {
  const identity = { version: "v1", signatureTimestamp: new Date().toISOString() };
  const payload = Buffer.from(JSON.stringify(identity)).toString("base64url");
  const signature = sign("sha256", Buffer.from(payload), privateKey).toString("base64url");
  return Buffer.from(JSON.stringify({ merchantId, payload, signature })).toString("base64");
}
