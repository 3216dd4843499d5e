// A service that looks at a real node, and a campaign that pays its token.
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import type { Service } from "../harness/service.ts";
import type { Evm } from "./evm.ts";

export const CONFIRMATIONS = 3;
/** What each participant is owed. */
export const OWED = 1_000n;

export const chainVariables = (url: string) => ({
  CHAIN_RPC_URLS: `8453=${url}`,
  CHAIN_CONFIRMATIONS: String(CONFIRMATIONS),
});

export interface Person {
  readonly id: string;
  readonly campaignId: string;
  readonly wallet: string;
}

export interface Proof {
  readonly status: string;
  readonly expected: { readonly recipientAddress: string };
  readonly found: object | null;
  readonly confirmations: number;
}

export interface PayoutAnswer {
  readonly id: string;
  readonly status: string;
  readonly transactionHash: string | null;
  readonly failureReason: string | null;
  readonly proof: Proof | null;
  readonly statusHistory: readonly { readonly status: string; readonly reason: string | null }[];
}

export type Scene = ReturnType<typeof createScene>;

export function createScene(service: Service, evm: Evm) {
  const read = async (path: string) => (await service.operator(path)).body;
  const act = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await service.operator(path, { body, headers });
    expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBeLessThan(300);
    return answer.body;
  };

  /** Participants who are owed 1,000 units each, in a campaign of their own. */
  async function owed(count: number, of?: Merchant): Promise<{ merchant: Merchant; people: Person[] }> {
    const merchant = of ?? (await registerMerchant(service));
    const { id: campaignId } = await createActive(service, merchant.id, {}, { payoutTokenAddress: evm.token });
    const wallets = Array.from({ length: count }, newAddress);
    await qualify(service, merchant.id, wallets);
    const people: Person[] = [];
    for (const [index, wallet] of wallets.entries()) {
      const { body } = await submit(merchant, campaignId, submission(`user-${index}`, [wallet], OWED / 2n));
      people.push({ id: body.id, campaignId, wallet });
    }
    return { merchant, people };
  }

  /** Records a payout of everything owed, or of this amount, and that this transaction paid it. Returns its id. */
  async function submitted({ id }: Person, hash: string, amount = OWED, recipientAddress?: string): Promise<string> {
    const payout = await act(
      `/participants/${id}/payouts`,
      { amount: usdc(amount), ...(recipientAddress === undefined ? {} : { recipientAddress }) },
      { "idempotency-key": randomUUID() },
    );
    await act(`/payouts/${payout.id}/status`, { status: "SUBMITTED", transactionHash: hash });
    return payout.id;
  }

  async function payoutOf({ id, campaignId }: Person, payoutId?: string): Promise<PayoutAnswer> {
    const { payouts } = await read(`/campaigns/${campaignId}/participants?id=${id}`);
    return payoutId === undefined ? payouts.at(-1) : payouts.find((payout: PayoutAnswer) => payout.id === payoutId);
  }

  /** Waits until a look has found this about the payout. */
  async function proofBecomes(person: Person, expected: Partial<Proof>, payoutId?: string): Promise<PayoutAnswer> {
    await expect
      .poll(async () => (await payoutOf(person, payoutId)).proof, { interval: 30, timeout: 15_000 })
      .toMatchObject(expected);
    return payoutOf(person, payoutId);
  }

  /** A run of everything that the campaign owes, exported. */
  async function exportedRun(campaignId: string): Promise<string> {
    const { id } = await act("/payout-runs", { campaignId }, { "idempotency-key": randomUUID() });
    await act(`/payout-runs/${id}/approve`, {});
    await act(`/payout-runs/${id}/export`, { format: "csv" });
    return id;
  }

  const runBecomes = (id: string, expected: object, timeout = 30_000) =>
    expect.poll(() => read(`/payout-runs/${id}`), { interval: 50, timeout }).toMatchObject(expected);

  const rowsOf = async (id: string): Promise<PayoutAnswer[]> =>
    (await read(`/payout-runs/${id}/payouts?limit=100`)).items;

  /** Everything that is owed, open and paid adds up, and no event proves two payouts. */
  async function checkBooks(): Promise<void> {
    const { ok, checks } = await read("/invariants");
    expect(ok, JSON.stringify(checks)).toBe(true);
    const [row] = await service.db.query<{ proofs: number; confirmed: number }>(
      `select (select count(*) from payout_proofs) as proofs,
              (select count(*) from payouts where status = 'CONFIRMED' and proof_status = 'PROVEN') as confirmed`,
    );
    expect(row?.proofs).toBe(row?.confirmed);
  }

  return { read, act, owed, submitted, payoutOf, proofBecomes, exportedRun, runBecomes, rowsOf, checkBooks };
}
