// Payouts against a real node with a real token: what the chain says decides, and nothing else.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "../harness/campaigns.ts";
import { type Service, startService } from "../harness/service.ts";
import { type Evm, startEvm } from "./evm.ts";
import { CONFIRMATIONS, chainVariables, createScene, OWED, type Person, type Scene } from "./scene.ts";

let evm: Evm;
let service: Service;
let scene: Scene;
beforeAll(async () => {
  evm = await startEvm();
  service = await startService({ variables: chainVariables(evm.url) });
  scene = createScene(service, evm);
});
afterEach(() => scene.checkBooks());
afterAll(async () => {
  await service.close();
  await evm.stop();
});

async function person(): Promise<Person> {
  const { people } = await scene.owed(1);
  return people[0] as Person;
}
const transferTo = (one: Person, amount = OWED) => ({ to: one.wallet, amount });
const expectedOf = (one: Person, amount = OWED) => ({
  tokenAddress: expect.stringMatching(new RegExp(evm.token, "i")),
  recipientAddress: one.wallet,
  amount: String(amount),
});

describe("a payout that was submitted", () => {
  test("waits for its block and for its confirmations, and is then confirmed by the job", async () => {
    const one = await person();
    const hash = await evm.pay([transferTo(one)]);
    const id = await scene.submitted(one, hash);
    await scene.proofBecomes(one, { status: "PENDING", confirmations: 0, found: null });
    await evm.mine();
    await scene.proofBecomes(one, { status: "PENDING", confirmations: 1 });
    await evm.mine(CONFIRMATIONS - 2);
    const waiting = await scene.proofBecomes(one, { status: "PENDING", confirmations: CONFIRMATIONS - 1 });
    expect(waiting.status).toBe("SUBMITTED");
    await evm.mine();
    const payout = await scene.proofBecomes(one, { status: "PROVEN", confirmations: CONFIRMATIONS });
    expect(payout).toMatchObject({
      status: "CONFIRMED",
      transactionHash: hash,
      proof: {
        expected: expectedOf(one),
        found: { ...expectedOf(one), logIndex: expect.any(Number), isUsed: false },
      },
    });
    expect(payout.statusHistory.map(({ status }) => status)).toEqual(["PENDING", "SUBMITTED", "CONFIRMED"]);
    expect((await scene.read("/audit-log?limit=1")).items[0]).toMatchObject({
      actor: "matchbook-server (proof on chain)",
      action: "payout.status",
      subject: id,
      detail: { from: "SUBMITTED", to: "CONFIRMED", transactionHash: hash },
    });
  });

  test("with the hash in upper case is found", async () => {
    const one = await person();
    const hash = await evm.pay([transferTo(one)]);
    await evm.mine(CONFIRMATIONS);
    await scene.submitted(one, `0x${hash.slice(2).toUpperCase()}`);
    expect(await scene.proofBecomes(one, { status: "PROVEN" })).toMatchObject({ status: "CONFIRMED" });
  });

  test("whose transaction was reverted fails with the reason of the contract, and is owed again", async () => {
    const one = await person();
    const hash = await evm.pay([transferTo(one, 10n ** 40n)]);
    await scene.submitted(one, hash);
    await evm.mine();
    const early = await scene.proofBecomes(one, { status: "PENDING", confirmations: 1 });
    expect(early.status).toBe("SUBMITTED");
    await evm.mine(CONFIRMATIONS);
    const payout = await scene.proofBecomes(one, { status: "REVERTED", found: null });
    expect(payout).toMatchObject({
      status: "FAILED",
      failureReason: "The transaction was reverted: transfer amount exceeds balance",
    });
    const { status } = await scene.read(`/campaigns/${one.campaignId}/participants?id=${one.id}`);
    expect(status).toBe("FAILED");
    // It is owed again, so it can be paid again.
    const again = await evm.pay([transferTo(one)]);
    await evm.mine(CONFIRMATIONS);
    await scene.submitted(one, again);
    expect((await scene.proofBecomes(one, { status: "PROVEN" })).status).toBe("CONFIRMED");
  });

  test.each<[string, (one: Person) => Promise<string>, (one: Person) => object | null]>([
    ["another amount", (one) => evm.pay([transferTo(one, OWED - 1n)]), () => ({ amount: String(OWED - 1n) })],
    [
      "another receiver",
      () => evm.pay([{ to: `0x${"5e".repeat(20)}`, amount: OWED }]),
      () => ({ recipientAddress: expect.stringMatching(/^0x5e5e/i) }),
    ],
    [
      "another token",
      (one) => evm.pay([transferTo(one)], { token: evm.otherToken }),
      () => ({ tokenAddress: expect.stringMatching(new RegExp(evm.otherToken, "i")) }),
    ],
    ["nothing at all", () => evm.pay([]), () => null],
  ])(
    "whose transaction moved %s is never confirmed, and shows what was expected and found",
    async (_name, pay, found) => {
      const one = await person();
      const hash = await pay(one);
      await evm.mine(CONFIRMATIONS);
      await scene.submitted(one, hash);
      const payout = await scene.proofBecomes(one, { status: "MISMATCH" });
      const difference = found(one);
      expect(payout).toMatchObject({
        status: "SUBMITTED",
        proof: { expected: expectedOf(one), found: difference === null ? null : { ...expectedOf(one), ...difference } },
      });
      // A person decides, and the log says who.
      await scene.act(`/payouts/${payout.id}/status`, { status: "FAILED", reason: "Paid wrongly." });
      expect(await scene.payoutOf(one)).toMatchObject({ status: "FAILED", proof: { status: "MISMATCH" } });
      expect((await scene.read("/audit-log?limit=1")).items[0].actor).not.toContain("proof on chain");
    },
  );

  test("that a person failed although the chain paid it is shown, and a new payout can have the event", async () => {
    const one = await person();
    const hash = await evm.pay([transferTo(one)]);
    const id = await scene.submitted(one, hash);
    await scene.proofBecomes(one, { status: "PENDING" });
    await scene.act(`/payouts/${id}/status`, { status: "FAILED", reason: "It seemed lost." });
    await evm.mine(CONFIRMATIONS);
    const failed = await scene.proofBecomes(one, {
      status: "MISMATCH",
      found: expect.objectContaining(expectedOf(one)),
    });
    expect(failed.status).toBe("FAILED");
    await scene.submitted(one, hash);
    expect((await scene.proofBecomes(one, { status: "PROVEN" })).status).toBe("CONFIRMED");
  });

  test("whose transaction was replaced by another waits, visibly, and a person confirms it with the other hash", async () => {
    const one = await person();
    const nonce = await evm.nonce();
    const replaced = await evm.pay([transferTo(one)], { nonce });
    await scene.submitted(one, replaced);
    const hash = await evm.pay([transferTo(one)], { nonce, gasPrice: 10n ** 10n });
    await evm.mine(CONFIRMATIONS + 1);
    // Another payout is proven meanwhile, so the node was asked since.
    const other = await person();
    const another = await evm.pay([transferTo(other)]);
    await evm.mine(CONFIRMATIONS);
    await scene.submitted(other, another);
    await scene.proofBecomes(other, { status: "PROVEN" });
    const payout = await scene.proofBecomes(one, { status: "PENDING", confirmations: 0, found: null });
    expect(payout.status).toBe("SUBMITTED");
    await scene.act(`/payouts/${payout.id}/status`, { status: "CONFIRMED", transactionHash: hash });
    expect(await scene.payoutOf(one)).toMatchObject({ status: "CONFIRMED", transactionHash: hash });
  });
});

describe("one transaction", () => {
  test("that pays several payouts, of several merchants, proves each by an event of its own", async () => {
    const first = await scene.owed(2);
    const second = await scene.owed(1);
    const people = [...first.people, ...second.people];
    const hash = await evm.pay(people.map((one) => transferTo(one)));
    await evm.mine(CONFIRMATIONS);
    for (const one of people) await scene.submitted(one, hash);
    const proven = await Promise.all(people.map((one) => scene.proofBecomes(one, { status: "PROVEN" })));
    expect(proven.map(({ status }) => status)).toEqual(["CONFIRMED", "CONFIRMED", "CONFIRMED"]);
    expect(new Set(proven.map(({ proof }) => JSON.stringify(proof?.found))).size).toBe(3);
  });

  test("that pays a participant twice proves both of its payouts, each once", async () => {
    const one = await person();
    const half = OWED / 2n;
    const hash = await evm.pay([transferTo(one, half), transferTo(one, half)]);
    await evm.mine(CONFIRMATIONS);
    const first = await scene.submitted(one, hash, half);
    const second = await scene.submitted(one, hash, half);
    await scene.proofBecomes(one, { status: "PROVEN" }, first);
    await scene.proofBecomes(one, { status: "PROVEN" }, second);
    const { status } = await scene.read(`/campaigns/${one.campaignId}/participants?id=${one.id}`);
    expect(status).toBe("PAID");
  });

  test("that moved one amount never confirms two payouts, whichever campaign and merchant they are of", async () => {
    const one = await person();
    const other = await person();
    const wallet = newAddress();
    const hash = await evm.pay([{ to: wallet, amount: OWED }]);
    await evm.mine(CONFIRMATIONS);
    await scene.submitted(one, hash, OWED, wallet);
    await scene.proofBecomes(one, { status: "PROVEN" });
    await scene.submitted(other, hash, OWED, wallet);
    const second = await scene.proofBecomes(other, {
      status: "MISMATCH",
      found: expect.objectContaining({ isUsed: true }),
    });
    expect(second.status).toBe("SUBMITTED");
  });

  test("that a person confirmed a payout with proves no other payout by the same event", async () => {
    const byHand = await person();
    const other = await person();
    const wallet = newAddress();
    const hash = await evm.pay([{ to: wallet, amount: OWED }]);
    const id = await scene.submitted(byHand, hash, OWED, wallet);
    await scene.act(`/payouts/${id}/status`, { status: "CONFIRMED" });
    await scene.submitted(other, hash, OWED, wallet);
    await evm.mine(CONFIRMATIONS);
    const second = await scene.proofBecomes(other, { status: "MISMATCH" });
    expect(second.status).toBe("SUBMITTED");
    expect(await scene.payoutOf(byHand)).toMatchObject({ status: "CONFIRMED", proof: { status: "PROVEN" } });
  });
});

describe("a run that was submitted with several transactions", () => {
  test("has each row assigned to the one that paid it, and is settled", async () => {
    const { people } = await scene.owed(4);
    const id = await scene.exportedRun(people[0]?.campaignId ?? "");
    const hashes = [
      await evm.pay(people.slice(0, 2).map((one) => transferTo(one))),
      await evm.pay(people.slice(2).map((one) => transferTo(one))),
    ];
    const body = { transactionHashes: hashes };
    const first = await scene.act(`/payout-runs/${id}/submit`, body);
    expect(first).toMatchObject({ status: "SUBMITTED", counts: { submitted: 4 } });
    // A repeat changes nothing.
    expect(await scene.act(`/payout-runs/${id}/submit`, body)).toEqual(first);
    expect((await scene.rowsOf(id)).map(({ transactionHash, proof }) => [transactionHash, proof?.status])).toEqual(
      Array(4).fill([null, "PENDING"]),
    );
    await evm.mine(CONFIRMATIONS);
    await scene.runBecomes(id, { status: "SETTLED", counts: { confirmed: 4, failed: 0 } });
    const hashOf = new Map(people.map(({ wallet }, index) => [wallet, hashes[index < 2 ? 0 : 1]]));
    for (const row of await scene.rowsOf(id)) {
      const wallet = row.proof?.expected.recipientAddress ?? "";
      expect(row).toMatchObject({ transactionHash: hashOf.get(wallet), proof: { status: "PROVEN" } });
    }
    const { items } = await scene.read("/audit-log?limit=2&action=payout-run.prove");
    expect(items.map(({ detail }: { detail: { proven: number } }) => detail.proven)).toEqual([2, 2]);
  });

  test("shows the row that none of them paid, and settles when the missing one is added", async () => {
    const { people } = await scene.owed(3);
    const id = await scene.exportedRun(people[0]?.campaignId ?? "");
    const hashes = await Promise.all([
      evm.pay([transferTo(people[0] as Person)]),
      evm.pay([transferTo(people[1] as Person)]),
    ]);
    await scene.act(`/payout-runs/${id}/submit`, { transactionHashes: hashes });
    await evm.mine(CONFIRMATIONS);
    await scene.runBecomes(id, { status: "SUBMITTED", counts: { confirmed: 2, submitted: 1 } });
    const missed = people[2] as Person;
    await scene.proofBecomes(missed, { status: "MISMATCH", found: null });
    const late = await evm.pay([transferTo(missed)]);
    await evm.mine(CONFIRMATIONS);
    await scene.act(`/payout-runs/${id}/submit`, { transactionHashes: [late] });
    await scene.runBecomes(id, { status: "SETTLED", counts: { confirmed: 3 } });
  });
});
