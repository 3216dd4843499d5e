import { expect } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import type { Answer, Service } from "./service.ts";

export const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
export const TOKEN = { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };

let made = 0;

/** A complete event; `change` replaces fields, and undefined removes one. */
export function depositEvent(merchantId: string, change: Record<string, unknown> = {}) {
  return {
    id: `dep_${++made}`,
    merchantId,
    payerId: "payer-1",
    state: "COMPLETED",
    amount: { value: "250.00", currency: "USD" },
    chainId: 8453,
    token: TOKEN,
    embeddedWalletAddress: WALLET,
    createDate: "2026-01-15T12:00:00.000Z",
    updateDate: "2026-01-15T12:05:00.000Z",
    ...change,
  };
}

/** Who sends a batch that does not come through the API, and when. */
export const DELIVERY = { actor: { name: "test", requestId: null }, date: new Date("2026-11-01T00:00:00Z") };

export type Event = ReturnType<typeof depositEvent>;

export function report(service: Service, deposits: readonly unknown[]): Promise<Answer> {
  return service.operator("/deposits", { body: { deposits } });
}

/** Reports events that must be accepted, and returns their results. */
export async function reported(service: Service, deposits: readonly unknown[]) {
  const answer = await report(service, deposits);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.results as { id: string; userId: string; status: string; outcome: string }[];
}

/** The derived rows that differ from a recomputation from the deposits, are missing or should not exist. */
export async function findDrift(db: Queryable): Promise<object[]> {
  const users = await db.query<object>(
    `with kept as (
       select merchant_id, user_id, pending_count, pending_micros, completed_count, completed_micros, failed_count,
              failed_micros, first_deposit_date, last_deposit_date, wallet_count
       from deposit_users
     ), computed as (
       select merchant_id, user_id,
              count(*) filter (where status = 'pending') as pending_count,
              coalesce(sum(amount_micros) filter (where status = 'pending'), 0) as pending_micros,
              count(*) filter (where status = 'completed') as completed_count,
              coalesce(sum(amount_micros) filter (where status = 'completed'), 0) as completed_micros,
              count(*) filter (where status = 'failed') as failed_count,
              coalesce(sum(amount_micros) filter (where status = 'failed'), 0) as failed_micros,
              min(create_date) as first_deposit_date, max(create_date) as last_deposit_date,
              count(distinct (wallet_key, chain_id)) as wallet_count
       from deposits group by merchant_id, user_id
     )
     (select 'kept' as side, k.* from (select * from kept except select * from computed) k)
     union all
     (select 'computed' as side, c.* from (select * from computed except select * from kept) c)`,
  );
  const wallets = await db.query<object>(
    `with kept as (
       select merchant_id, user_id, wallet_key, chain_id, first_deposit_date from deposit_wallets
     ), computed as (
       select merchant_id, user_id, wallet_key, chain_id, min(create_date) as first_deposit_date
       from deposits group by merchant_id, user_id, wallet_key, chain_id
     )
     (select 'kept' as side, k.* from (select * from kept except select * from computed) k)
     union all
     (select 'computed' as side, c.* from (select * from computed except select * from kept) c)`,
  );
  const days = await db.query<object>(
    `with kept as (
       select day, sum(pending_count) as pending, sum(completed_count) as completed, sum(failed_count) as failed,
              sum(completed_micros) as micros
       from deposit_days group by day
     ), computed as (
       select (create_date at time zone 'UTC')::date as day,
              count(*) filter (where status = 'pending') as pending,
              count(*) filter (where status = 'completed') as completed,
              count(*) filter (where status = 'failed') as failed,
              coalesce(sum(amount_micros) filter (where status = 'completed'), 0) as micros
       from deposits group by 1
     )
     (select 'kept' as side, k.* from (select * from kept except select * from computed) k)
     union all
     (select 'computed' as side, c.* from (select * from computed except select * from kept) c)`,
  );
  return [...users, ...wallets, ...days];
}
