import { sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";

// The row as it is in the table, so that a new term needs a column here and in the table, and cannot be forgotten in a rule.
const RECORD = sql`insert into campaign_terms
    (merchant_id, campaign_id, ordinal, after_position, status, start_date, end_date, match_multiplier, currency, decimal_places,
     max_amount_per_user, max_amount_total, payout_chain_id, payout_token_address, participants_per_wallet_max,
     minimum_deposit_micros, date)
  select c.merchant_id, c.id, 1 + (
      select count(*) from campaign_terms t where t.merchant_id = $merchantId and t.campaign_id = $id
    ), c.journal_length, c.status, c.start_date, c.end_date, c.match_multiplier, c.currency, c.decimal_places,
    c.max_amount_per_user, c.max_amount_total, c.payout_chain_id, c.payout_token_address,
    c.participants_per_wallet_max, c.minimum_deposit_micros, $now
  from campaigns c
  where c.merchant_id = $merchantId and c.id = $id`;

/** Keeps the campaign's terms and status as they are now. The caller has just written them, and holds the campaign's row. */
export async function recordTerms(transaction: Queryable, merchantId: string, id: string, now: Date): Promise<void> {
  await transaction.query(...statement(RECORD, { merchantId, id, now }));
}
