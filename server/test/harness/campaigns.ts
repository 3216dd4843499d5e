import { randomUUID } from "node:crypto";
import { getAddress } from "viem/utils";
import { expect } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import type { Merchant } from "./merchant.ts";
import type { Answer, Service } from "./service.ts";

export const BASE = 8453;
export const WINDOW = { startDate: "2026-01-01T00:00:00.000Z", endDate: "2026-01-31T23:59:59.999Z" };
export const IN_WINDOW = "2026-01-10T12:00:00.000Z";

export const usdc = (amount: bigint | number | string) => ({
  amount: String(amount),
  currency: "USDC",
  decimalPlaces: 6,
});

/** A complete request to create a campaign; `change` and `terms` replace fields, and undefined removes one. */
export function campaignBody(merchantId: string, change: object = {}, terms: object = {}) {
  return {
    merchantId,
    type: "PER_TRADE_PROFIT_MATCH",
    displayName: "Double January",
    ...WINDOW,
    perTradeProfitMatch: {
      matchMultiplier: 2,
      maxAmountPerUser: usdc(5_000_000_000),
      maxAmountTotal: usdc(100_000_000_000),
      payoutChainId: BASE,
      payoutTokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      ...terms,
    },
    ...change,
  };
}

export async function createDraft(service: Service, merchantId: string, change: object = {}, terms: object = {}) {
  const created = await service.operator("/campaigns", { body: campaignBody(merchantId, change, terms) });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
}

export async function createActive(service: Service, merchantId: string, change: object = {}, terms: object = {}) {
  const { id } = await createDraft(service, merchantId, change, terms);
  const activated = await service.operator(`/campaigns/${id}/activate`, { body: {} });
  expect(activated.status, JSON.stringify(activated.body)).toBe(200);
  return activated.body;
}

/** A new EVM address, in the mixed case of its checksum. */
export function newAddress(): string {
  const digits = (randomUUID() + randomUUID()).replaceAll("-", "").slice(0, 40);
  return getAddress(`0x${digits}`);
}

export interface DepositChange {
  readonly id?: string;
  readonly state?: string;
  readonly chainId?: number;
  readonly createDate?: string;
  readonly updateDate?: string;
}

export function depositBody(merchantId: string, address: string, change: DepositChange = {}) {
  const createDate = change.createDate ?? IN_WINDOW;
  return {
    id: randomUUID(),
    merchantId,
    payerId: `payer-of-${address}`,
    state: "COMPLETED",
    amount: { value: "100.00", currency: "USD" },
    chainId: BASE,
    token: { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" },
    embeddedWalletAddress: address,
    createDate,
    updateDate: createDate,
    ...change,
  };
}

export async function ingest(service: Service, ...deposits: ReturnType<typeof depositBody>[]): Promise<void> {
  const answer = await service.operator("/deposits", { body: { deposits } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** Qualifies these wallets, or a new one, by a completed deposit. */
export async function qualify(service: Service, merchantId: string, addresses = [newAddress()]): Promise<string> {
  await ingest(service, ...addresses.map((address) => depositBody(merchantId, address)));
  return addresses[0] ?? "";
}

export function submission(
  merchantUserId: string,
  addresses: readonly string[],
  amount: bigint | number | string = 500_000_000,
) {
  return {
    merchantUserId,
    wallets: addresses.map((address) => ({ address, chain: { id: BASE } })),
    amount: usdc(amount),
  };
}

export function submit(merchant: Merchant, campaignId: string, body: unknown, query = ""): Promise<Answer> {
  return merchant.call(`/v1/marketings/campaigns/${campaignId}/participants${query}`, { body });
}

export async function committedOf(service: Service, campaignId: string): Promise<bigint> {
  const { body } = await service.operator(`/campaigns/${campaignId}`);
  return BigInt(body.perTradeProfitMatch.currentAmountTotal.amount);
}

/** The days and campaigns whose rewards differ from a recomputation from the journal. */
export async function findRewardDrift(db: Queryable): Promise<object[]> {
  return db.query<object>(
    `select coalesce(r.campaign_id, j.campaign_id) as campaign_id, coalesce(r.day, j.day)::text as day, r.amount, j.delta
     from reward_days r
     full join (
       select merchant_id, campaign_id, (date at time zone 'UTC')::date as day, sum(delta) as delta
       from submission_journal where delta > 0 group by 1, 2, 3
     ) j on j.merchant_id = r.merchant_id and j.campaign_id = r.campaign_id and j.day = r.day
     where r.amount is distinct from j.delta`,
  );
}
