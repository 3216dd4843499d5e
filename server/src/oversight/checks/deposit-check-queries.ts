import { sql } from "../../db/compose.ts";
import { group, inRange } from "./check-queries.ts";

export const users = group(
  ["I5: the figures of every reported user are those of its deposits"],
  sql`select coalesce(u.user_id, d.user_id)::text as example,
      (u.pending_count, u.pending_micros, u.completed_count, u.completed_micros, u.failed_count, u.failed_micros,
       u.first_deposit_date, u.last_deposit_date, u.wallet_count)
      is distinct from
      (d.pending_count, d.pending_micros, d.completed_count, d.completed_micros, d.failed_count, d.failed_micros,
       d.first_deposit_date, d.last_deposit_date, d.wallet_count) as w1
    from (select * from deposit_users u where ${inRange(sql`u.merchant_id`, sql`u.user_id`)}) u
    full join (
      select d.merchant_id, d.user_id,
             count(*) filter (where d.status = 'pending') as pending_count,
             coalesce(sum(d.amount_micros) filter (where d.status = 'pending'), 0) as pending_micros,
             count(*) filter (where d.status = 'completed') as completed_count,
             coalesce(sum(d.amount_micros) filter (where d.status = 'completed'), 0) as completed_micros,
             count(*) filter (where d.status = 'failed') as failed_count,
             coalesce(sum(d.amount_micros) filter (where d.status = 'failed'), 0) as failed_micros,
             min(d.create_date) as first_deposit_date, max(d.create_date) as last_deposit_date,
             count(distinct (d.wallet_key, d.chain_id)) as wallet_count
      from deposits d
      where ${inRange(sql`d.merchant_id`, sql`d.user_id`)}
      group by d.merchant_id, d.user_id
    ) d on d.merchant_id = u.merchant_id and d.user_id = u.user_id`,
);

export const wallets = group(
  ["I5: the wallets of every reported user are those of its deposits"],
  sql`select coalesce(w.wallet_key, d.wallet_key) as example, w.first_deposit_date is distinct from d.first_deposit_date as w1
    from (select * from deposit_wallets w where ${inRange(sql`w.merchant_id`, sql`w.user_id`)}) w
    full join (
      select d.merchant_id, d.user_id, d.wallet_key, d.chain_id, min(d.create_date) as first_deposit_date
      from deposits d
      where ${inRange(sql`d.merchant_id`, sql`d.user_id`)}
      group by d.merchant_id, d.user_id, d.wallet_key, d.chain_id
    ) d on d.merchant_id = w.merchant_id and d.user_id = w.user_id and d.wallet_key = w.wallet_key and d.chain_id = w.chain_id`,
);

/** The days are of all merchants, so a check of one merchant leaves them out. Reads all deposits. */
export const days = group(
  ["I5: the figures of every day are those of its deposits"],
  sql`select coalesce(k.day, d.day)::text as example,
      (k.pending, k.completed, k.failed, k.micros) is distinct from (d.pending, d.completed, d.failed, d.micros) as w1
    from (
      select k.day, sum(k.pending_count) as pending, sum(k.completed_count) as completed, sum(k.failed_count) as failed,
             sum(k.completed_micros) as micros
      from deposit_days k
      where $afterMerchant::uuid < $lastMerchant::uuid
      group by k.day
    ) k
    full join (
      select (d.create_date at time zone 'UTC')::date as day,
             count(*) filter (where d.status = 'pending') as pending,
             count(*) filter (where d.status = 'completed') as completed,
             count(*) filter (where d.status = 'failed') as failed,
             coalesce(sum(d.amount_micros) filter (where d.status = 'completed'), 0) as micros
      from deposits d
      where d.merchant_id between $afterMerchant and $lastMerchant and $afterMerchant::uuid < $lastMerchant::uuid
      group by 1
    ) d on d.day = k.day`,
);
