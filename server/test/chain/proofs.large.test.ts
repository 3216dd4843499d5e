// Ten thousand participants are paid on a real chain, and every step crashes twice: once before its COMMIT took effect, and once
// after it did but before anyone heard of it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import { createActive, IN_WINDOW, usdc } from "../harness/campaigns.ts";
import { type CuttableDatabase, createCuttableDatabase } from "../harness/cuttable-database.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { until } from "../harness/program.ts";
import { type Service, startService } from "../harness/service.ts";
import { type Evm, startEvm } from "./evm.ts";
import { CONFIRMATIONS, chainVariables, createScene } from "./scene.ts";

const COUNT = 10_000;
const GATE = 4711;

let evm: Evm;
let database: CuttableDatabase;
let service: Service;
let merchant: Merchant;
let campaignId: string;
beforeAll(async () => {
  evm = await startEvm();
  database = await createCuttableDatabase();
  service = await startService({ database, variables: chainVariables(evm.url) });
  merchant = await registerMerchant(service);
  const terms = { payoutTokenAddress: evm.token };
  campaignId = (await createActive(service, merchant.id, {}, terms)).id;
  // Each is owed a different amount, to a wallet that it submitted.
  await database.db.query(
    `with added as (
       insert into participants
         (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
          payouts_open, payouts_confirmed, payouts_count, last_payout_failed, create_date, update_date,
          receiver_address, receiver_set_by)
       select $1, gen_random_uuid(), $2, 'user-' || n, 'MATCHED', $3, n, n, n, 0, 0, 0, false,
              $3::timestamptz + n * interval '1 ms', $3, '0x' || lpad(to_hex(100000 + n), 40, '0'), 'SUBMISSION'
       from generate_series(1, $4::integer) n
       returning merchant_id, id, campaign_id, receiver_address, amount_matched
     )
     insert into participant_wallets
       (merchant_id, participant_id, address_key, chain_id, campaign_id, address, ordinal, claim_position)
     select merchant_id, id, receiver_address, 8453, campaign_id, receiver_address, 0, amount_matched
     from added`,
    [merchant.id, campaignId, IN_WINDOW, COUNT],
  );
  // Every step writes to the audit log. The last thing its COMMIT does here is to wait at a gate.
  await database.db.query(
    `create function wait_at_gate() returns trigger language plpgsql
     as 'begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end'`,
  );
  await database.db.query(
    `create constraint trigger gate after insert on audit_log deferrable initially deferred
     for each row execute function wait_at_gate()`,
  );
});
afterAll(async () => {
  await service.close();
  await database.drop();
  await evm.stop();
});

const closeGate = (work: (transaction: Queryable) => Promise<void>) =>
  database.db.transaction(async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock($1)", [GATE]);
    await work(transaction);
  });

/** Waits until a COMMIT is at the gate, and returns its connection. */
async function arrived(transaction: Queryable): Promise<number> {
  let pid = 0;
  await until(async () => {
    const [waiting] = await transaction.query<{ pid: number }>(
      "select pid from pg_locks where locktype = 'advisory' and not granted",
    );
    pid = waiting?.pid ?? 0;
    return pid !== 0;
  }, 60_000);
  return pid;
}

/** The connection is gone before the COMMIT takes effect. */
async function rollBack(transaction: Queryable): Promise<void> {
  const pid = await arrived(transaction);
  await transaction.query("select pg_terminate_backend($1)", [pid]);
  await until(async () => (await transaction.query("select from pg_locks where pid = $1", [pid])).length === 0);
}

/** Does the step three times: it is lost before its COMMIT, it is lost after it, and it is answered. */
async function crashTwice(step: () => Promise<unknown>, read: () => Promise<string>, before: string, after: string) {
  let lost: Promise<unknown> = Promise.resolve();
  await closeGate(async (transaction) => {
    lost = step().catch(() => {});
    await rollBack(transaction);
  });
  await lost;
  expect(await read()).toBe(before);
  await closeGate(async (transaction) => {
    lost = step().catch(() => {});
    await arrived(transaction);
    await database.cut();
  });
  await lost;
  await database.mend();
  await until(async () => (await read()) === after);
}

interface SafeFile {
  readonly transactions: readonly { readonly contractInputsValues: { readonly to: string; readonly value: string } }[];
}

test("10,000 owed participants are reserved, exported, submitted, proven and settled, and a crash at every step loses and doubles nothing", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const create = () => service.operator("/payout-runs", { body: { campaignId }, headers });
  const runs = async () => (await service.operator(`/payout-runs?campaignId=${campaignId}`)).body.items ?? [];
  const status = async () => (await runs())[0]?.status ?? "none";

  await crashTwice(create, status, "none", "DRAFT");
  const created = await create();
  expect([created.status, created.body.counts.payouts]).toEqual([200, COUNT]);
  expect(await runs()).toHaveLength(1);
  const { id } = created.body;
  const act = (verb: string, body: object) => service.operator(`/payout-runs/${id}/${verb}`, { body });

  await crashTwice(() => act("approve", {}), status, "DRAFT", "APPROVED");

  const exportFiles = () => act("export", { format: "safe-builder" });
  await crashTwice(exportFiles, status, "APPROVED", "EXPORTED");
  const files: SafeFile[] = (await exportFiles()).body.files;
  expect((await exportFiles()).body.files).toEqual(files);
  expect(files).toHaveLength(50);

  // The exported files are what is sent: 50 transactions with 200 transfers each.
  const hashes: string[] = [];
  for (const { transactions } of files) {
    const transfers = transactions.map(({ contractInputsValues: { to, value } }) => ({ to, amount: BigInt(value) }));
    hashes.push(await evm.pay(transfers));
  }
  const submitRun = () => act("submit", { transactionHashes: hashes });
  await crashTwice(submitRun, status, "EXPORTED", "SUBMITTED");
  expect(await submitRun()).toMatchObject({ status: 200, body: { counts: { submitted: COUNT } } });

  // Two of the 50 steps of the proof are lost, one on either side of its COMMIT. With the second the whole process is gone.
  await closeGate(async (transaction) => {
    await evm.mine(CONFIRMATIONS);
    await rollBack(transaction);
    await arrived(transaction);
    await database.cut();
    await service.close();
  });
  await database.mend();
  service = await startService({ database, variables: chainVariables(evm.url) });
  // The job of a process that died is free when its lease ends.
  await database.db.query("update outbox set next_attempt_date = now() where kind = 'chain'");
  const scene = createScene(service, evm);
  const total = usdc((COUNT * (COUNT + 1)) / 2);
  const settled = {
    status: "SETTLED",
    counts: { payouts: COUNT, pending: 0, submitted: 0, confirmed: COUNT, failed: 0 },
    totals: { reserved: total, confirmed: total },
  };
  await scene.runBecomes(id, settled, 120_000);

  const [paid] = await database.db.query(
    `select count(*)::integer as participants, bool_and(status = 'PAID') as paid, sum(payouts_open) as open,
            sum(amount_matched - payouts_confirmed) as owed, max(payouts_count) as most
     from participants`,
  );
  expect(paid).toEqual({ participants: COUNT, paid: true, open: "0", owed: "0", most: 1 });
  const [trail] = await database.db.query(
    `select (select count(*) from payout_proofs) as proofs,
            (select count(distinct (transaction_hash, log_index)) from payout_proofs) as events,
            (select count(distinct transaction_hash) from payout_proofs) as transactions,
            (select count(*) from payout_events where status = 'CONFIRMED') as confirmed,
            (select count(*) from payout_events) as steps,
            (select sum((detail::jsonb->>'proven')::integer) from audit_log where action = 'payout-run.prove') as audited,
            (select count(*) from audit_log where action = 'payout-run.prove') as rows`,
  );
  expect(trail).toEqual({
    proofs: COUNT,
    events: COUNT,
    transactions: 50,
    confirmed: COUNT,
    steps: 3 * COUNT,
    audited: COUNT,
    rows: 50,
  });
  expect((await service.operator("/audit-log/verification")).body).toMatchObject({ ok: true });
  const { checks } = (await service.operator(`/invariants?merchantId=${merchant.id}`)).body;
  const ofPayouts = checks.filter(({ name }: { name: string }) => /^payout/.test(name));
  expect(ofPayouts).toHaveLength(6);
  expect(ofPayouts.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
}, 240_000);
