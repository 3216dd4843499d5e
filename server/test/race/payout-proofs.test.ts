import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAudit } from "../../src/audit/audit.ts";
import { type FinalTransaction, settle } from "../../src/campaigns/payouts/proofs/settle.ts";
import { type Database, openDatabase } from "../../src/db/pool.ts";
import { createKeyring } from "../../src/keyring.ts";
import { BASE, createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { SECRET, type Service, startService } from "../harness/service.ts";

const TOKEN = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const PROCESSES = 4;

let service: Service;
let merchant: Merchant;
let pools: Database[];
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  pools = Array.from({ length: PROCESSES }, () => openDatabase(service.database.runtimeConnection, 2));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await service.close();
});

/** Two payouts of 1,000 units to the same wallet, in two campaigns. */
async function twoPayouts(hash: string) {
  const wallet = newAddress();
  await qualify(service, merchant.id, [wallet]);
  const ids: string[] = [];
  for (const _ of [1, 2]) {
    const { id } = await createActive(service, merchant.id);
    const { body } = await submit(merchant, id, submission("user", [wallet], 500));
    const options = { body: { amount: usdc(1_000) }, headers: { "idempotency-key": randomUUID() } };
    const payout = await service.operator(`/participants/${body.id}/payouts`, options);
    const status = { status: "SUBMITTED", transactionHash: hash };
    expect((await service.operator(`/payouts/${payout.body.id}/status`, { body: status })).status).toBe(200);
    ids.push(payout.body.id);
  }
  return { wallet, ids };
}

/** The transaction as every process read it: so many transfers to the wallet. */
async function transactionWith(hash: string, wallet: string, transfers: number): Promise<FinalTransaction> {
  const now = new Date();
  await service.db.query(
    `insert into chain_transactions (chain_id, hash, next_look_date, confirmations, create_date)
     values ($1, $2, $3, 0, $3)`,
    [BASE, hash, now],
  );
  return {
    chainId: BASE,
    transaction: { hash, blockHash: null, lookDate: now, createDate: now },
    receipt: {
      blockNumber: 16,
      blockHash: `0x${"b1".repeat(32)}`,
      isReverted: false,
      transfers: Array.from({ length: transfers }, (_, logIndex) => ({
        logIndex,
        tokenAddress: TOKEN,
        recipientAddress: wallet.toLowerCase(),
        amount: 1_000n,
      })),
    },
    confirmations: 64,
    reason: null,
  };
}

describe("several processes that settle one transaction at the same moment", () => {
  test.each([1, 2])("confirm %i of two payouts, as many as it has transfers, each once", async (transfers) => {
    const hash = `0x${(randomUUID() + randomUUID()).replaceAll("-", "")}`;
    const { wallet, ids } = await twoPayouts(hash);
    const final = await transactionWith(hash, wallet, transfers);
    const audit = createAudit(createKeyring(SECRET, "production"));
    await Promise.all(pools.map((db) => settle({ db, clock: () => new Date(), audit }, final)));

    const rows = await service.db.query<{ status: string; proof: string; steps: number; audited: number }>(
      `select o.status, o.proof_status as proof,
              (select count(*) from payout_events e where e.payout_id = o.id) as steps,
              (select count(*) from audit_log a
               where a.subject = o.id::text and a.actor like '%proof on chain%') as audited
       from payouts o where o.id = any($1::uuid[]) order by o.create_date`,
      [ids],
    );
    const confirmed = { status: "CONFIRMED", proof: "PROVEN", steps: 3, audited: 1 };
    const waiting = { status: "SUBMITTED", proof: "MISMATCH", steps: 2, audited: 0 };
    expect(rows).toEqual(transfers === 2 ? [confirmed, confirmed] : [confirmed, waiting]);
    const { ok, checks } = (await service.operator("/invariants")).body;
    expect(ok, JSON.stringify(checks)).toBe(true);
  });
});

test("the database refuses an event that proves a second payout, and a second event for a payout", async () => {
  const hash = `0x${(randomUUID() + randomUUID()).replaceAll("-", "")}`;
  const { ids } = await twoPayouts(hash);
  const insert = (payoutId: string | undefined, logIndex: number) =>
    service.db.query(
      `insert into payout_proofs
         (chain_id, transaction_hash, log_index, merchant_id, payout_id, block_number, block_hash, date)
       values ($1, $2, $3, $4, $5, 1, 'block', now())`,
      [BASE, hash, logIndex, merchant.id, payoutId ?? ""],
    );
  await insert(ids[0], 0);
  await expect(insert(ids[1], 0)).rejects.toMatchObject({ constraint: "payout_proofs_pkey" });
  await expect(insert(ids[0], 1)).rejects.toMatchObject({ constraint: "payout_proofs_payout_key" });
});
