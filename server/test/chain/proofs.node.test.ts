// A chain that is reorganised, and a node that is down for a while.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_TOKEN, type Service, startService } from "../harness/service.ts";
import { type Evm, startEvm } from "./evm.ts";
import { type Relay, startRelay } from "./relay.ts";
import { CONFIRMATIONS, chainVariables, createScene, OWED, type Person, type Scene } from "./scene.ts";

let evm: Evm;
let relay: Relay;
let service: Service;
let scene: Scene;
beforeAll(async () => {
  evm = await startEvm();
  relay = await startRelay(evm.url);
  service = await startService({ variables: chainVariables(`${relay.url}/?key=very-secret`) });
  scene = createScene(service, evm);
});
afterAll(async () => {
  await service.close();
  await relay.cut();
  await evm.stop();
});

const blockOf = async (hash: string) =>
  ((await evm.rpc("eth_getTransactionReceipt", hash)) as { blockHash: string } | null)?.blockHash;

describe("a chain that is reorganised before the transaction is final", () => {
  test("with the transaction in another block: it is proven there, and nowhere else", async () => {
    const one = (await scene.owed(1)).people[0] as Person;
    const transfers = [{ to: one.wallet, amount: OWED }];
    const nonce = await evm.nonce();
    const before = await evm.rpc("evm_snapshot");
    const hash = await evm.pay(transfers, { nonce });
    await scene.submitted(one, hash);
    await evm.mine(CONFIRMATIONS - 1);
    await scene.proofBecomes(one, { status: "PENDING", confirmations: CONFIRMATIONS - 1 });
    const abandoned = await blockOf(hash);

    // The other chain is longer and does not have it: had the first look decided, it would be confirmed now.
    await evm.rpc("evm_revert", before);
    await evm.rpc("anvil_dropAllTransactions");
    await evm.mine(CONFIRMATIONS + 2);
    const waiting = await scene.proofBecomes(one, { status: "PENDING", confirmations: 0, found: null });
    expect(waiting.status).toBe("SUBMITTED");

    expect(await evm.pay(transfers, { nonce })).toBe(hash);
    await evm.mine(CONFIRMATIONS);
    const payout = await scene.proofBecomes(one, { status: "PROVEN" });
    expect(payout.status).toBe("CONFIRMED");
    const block = await blockOf(hash);
    expect(block).not.toBe(abandoned);
    const proofs = await service.db.query(
      "select block_hash as block, payout_id as payout from payout_proofs where transaction_hash = $1",
      [hash],
    );
    expect(proofs).toEqual([{ block, payout: payout.id }]);
    await scene.checkBooks();
  });

  test("with another transaction of the same sender in its place: it is not confirmed", async () => {
    const one = (await scene.owed(1)).people[0] as Person;
    const nonce = await evm.nonce();
    const before = await evm.rpc("evm_snapshot");
    const hash = await evm.pay([{ to: one.wallet, amount: OWED }], { nonce });
    await scene.submitted(one, hash);
    await evm.mine();
    await scene.proofBecomes(one, { status: "PENDING", confirmations: 1 });
    await evm.rpc("evm_revert", before);
    await evm.rpc("anvil_dropAllTransactions");
    await evm.pay([], { nonce });
    await evm.mine(CONFIRMATIONS + 1);
    const waiting = await scene.proofBecomes(one, { status: "PENDING", confirmations: 0 });
    expect(waiting.status).toBe("SUBMITTED");
    await scene.checkBooks();
  });
});

describe("a node that is down for a while", () => {
  test("leaves payouts as they are and is shown; when it is back, they are proven", async () => {
    const one = (await scene.owed(1)).people[0] as Person;
    const hash = await evm.pay([{ to: one.wallet, amount: OWED }]);
    await evm.mine(CONFIRMATIONS);
    await relay.cut();
    await scene.submitted(one, hash);
    const stuckJob = async () => (await scene.read("/overview")).stuckJobs[0];
    // It is stuck after three attempts. Each is asked for here, so that no test waits for the pause between them.
    await expect
      .poll(
        async () => {
          await service.db.query("update outbox set next_attempt_date = now() where kind = 'chain' and not under_way");
          return stuckJob();
        },
        { interval: 200, timeout: 20_000 },
      )
      .toMatchObject({ kind: "chain", lastError: "The node of chain 8453 could not be reached (ECONNREFUSED)." });
    expect(await scene.payoutOf(one)).toMatchObject({ status: "SUBMITTED", proof: { status: "PENDING" } });
    const response = await fetch(`${service.operatorUrl}/metrics`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    const metrics = await response.text();
    expect(metrics).toMatch(/^matchbook_chain_node_failures\{chain="8453"\} [1-9][0-9]*$/m);
    expect(metrics).toMatch(/^matchbook_chain_transactions_waiting\{chain="8453"\} [1-9][0-9]*$/m);

    await relay.mend();
    const { id } = await stuckJob();
    // A retry leaves a job alone that is being tried at that moment, so it is asked for again.
    await expect
      .poll(
        async () => {
          await scene.act(`/jobs/${id}/retry`, {});
          return scene.payoutOf(one);
        },
        { interval: 100, timeout: 20_000 },
      )
      .toMatchObject({ status: "CONFIRMED", proof: { status: "PROVEN" } });
    await expect.poll(() => stuckJob(), { interval: 50 }).toBeUndefined();
    expect(service.logged()).not.toContain("very-secret");
    await scene.checkBooks();
  });
});
