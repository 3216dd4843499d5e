// Ingest with all derived rows, against a plain insert of the same deposits: the same arrays, one transaction for each
// thousand, into a table with the same indexes, which reads need. A table with only its primary key is measured too. Batches
// of all three take turns.

import { randomBytes, randomUUID } from "node:crypto";
import { openDatabase } from "../../server/dist/db/pool.js";
import { ingest } from "../../server/dist/deposits/ingest.js";

const BATCH = 1_000;
const WARM_UP_BATCHES = 5;
const GOAL = 0.5;
// As long as the name of a token that the hosted flow uses.
const DELIVERY = { actor: { name: `hosted flow (${randomUUID()})`, requestId: randomUUID() }, date: new Date() };

export default {
  id: "P6",
  title: "ingest with rollups ÷ bare batched insert of the same rows",
  goal: `≥ ${GOAL}`,
  async run(context) {
    const db = openDatabase(await context.database(), 4);
    try {
      const batches = context.full ? 400 : 100;
      const merchantId = await insertMerchant(db);
      await db.query("create table bare_indexed (like deposits including indexes)");
      await db.query("create table bare_unread (like deposits)");
      await db.query("alter table bare_unread add primary key (merchant_id, id)");
      const ways = {
        ingest: (batch) => ingest(db, batch, DELIVERY),
        indexed: (batch) => insertBare(db, INSERT_INDEXED, batch),
        unread: (batch) => insertBare(db, INSERT_UNREAD, batch),
      };
      const spentMs = { ingest: 0, indexed: 0, unread: 0 };
      for (let number = 0; number < batches + WARM_UP_BATCHES; number++) {
        const batch = newDeposits(merchantId, number);
        for (const [name, way] of Object.entries(ways)) {
          const ms = await timed(() => way(batch));
          if (number >= WARM_UP_BATCHES) spentMs[name] += ms;
        }
      }
      const perSecond = (ms) => Math.round((batches * BATCH * 1_000) / ms);
      const ratio = spentMs.indexed / spentMs.ingest;
      const detail = [
        `${perSecond(spentMs.ingest)} against ${perSecond(spentMs.indexed)} rows/s`,
        `into a table with only its primary key ${perSecond(spentMs.unread)} rows/s`,
      ].join("; ");
      return [{ what: "new deposits, five a user, same indexes", ratio, pass: ratio >= GOAL, detail }];
    } finally {
      await db.end();
    }
  },
};

function newDeposits(merchantId, number) {
  const users = Array.from({ length: BATCH / 5 }, () => randomUUID());
  return Array.from({ length: BATCH }, (_, index) => {
    const userId = users[index % users.length];
    const createDate = new Date(Date.UTC(2026, 0, 1) + number * 60_000 + index * 50);
    return {
      merchantId,
      id: `dep_${randomBytes(10).toString("hex")}`,
      userId,
      status: index % 20 === 0 ? "pending" : index % 17 === 0 ? "failed" : "completed",
      amountMicros: BigInt(1_000_000 + index * 12_345),
      chainId: index % 3 === 0 ? 1 : 8453,
      tokenSymbol: "USDC",
      tokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      walletAddress: `0x${userId.replaceAll("-", "")}00000000`,
      createDate,
      updateDate: createDate,
    };
  });
}

const INSERT_INDEXED = `insert into bare_indexed
  (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address, wallet_address, wallet_key,
   create_date, update_date)
  select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::numeric[], $6::bigint[], $7::text[],
                       $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[])`;
const INSERT_UNREAD = INSERT_INDEXED.replace("bare_indexed", "bare_unread");

async function insertBare(db, statement, deposits) {
  await db.transaction((transaction) =>
    transaction.query(statement, [
      deposits.map((deposit) => deposit.merchantId),
      deposits.map((deposit) => deposit.id),
      deposits.map((deposit) => deposit.userId),
      deposits.map((deposit) => deposit.status),
      deposits.map((deposit) => deposit.amountMicros.toString()),
      deposits.map((deposit) => deposit.chainId),
      deposits.map((deposit) => deposit.tokenSymbol),
      deposits.map((deposit) => deposit.tokenAddress),
      deposits.map((deposit) => deposit.walletAddress),
      deposits.map((deposit) => deposit.walletAddress.toLowerCase()),
      deposits.map((deposit) => deposit.createDate.toISOString()),
      deposits.map((deposit) => deposit.updateDate.toISOString()),
    ]),
  );
}

async function insertMerchant(db) {
  const id = randomUUID();
  await db.query(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'shop.example', 'ACTIVE', 'ECDSA_P256_SHA256', 'none', $2, 'payments@shop.example', 'shop.example', $3, $3)`,
    [id, Buffer.concat([Buffer.from([2]), randomBytes(32)]), new Date()],
  );
  return id;
}

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
