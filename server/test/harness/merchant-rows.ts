import { randomBytes, randomUUID } from "node:crypto";
import type { Queryable } from "../../src/db/pool.ts";

/** An active merchant written straight into the database, for tests that need neither its key nor its application. */
export async function insertMerchant(db: Queryable): Promise<string> {
  const id = randomUUID();
  const point = Buffer.concat([Buffer.from([2]), randomBytes(32)]);
  await db.query(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'shop.example', 'ACTIVE', 'ECDSA_P256_SHA256', 'none', $2, 'payments@shop.example', 'shop.example', $3, $3)`,
    [id, point, new Date("2026-01-01T00:00:00Z")],
  );
  return id;
}

/** A campaign that is only there to be qualified for. */
export async function insertCampaign(db: Queryable, merchantId: string, start: Date, end: Date): Promise<string> {
  const id = randomUUID();
  await db.query(
    `insert into campaigns
       (merchant_id, id, type, status, display_name, start_date, end_date, match_multiplier, currency, decimal_places,
        max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address, journal_length,
        create_date, update_date)
     values ($1, $2, 'PER_TRADE_PROFIT_MATCH', 'ACTIVE', 'A campaign', $3, $4, 2, 'USDC', 6, 1000, 1000, 0, 8453, '0x0', 0,
             $3, $3)`,
    [merchantId, id, start, end],
  );
  return id;
}
