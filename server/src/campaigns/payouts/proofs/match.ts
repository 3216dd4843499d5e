// Decides which Transfer event proves which payout. Each event proves one payout at most, so that a transaction never proves
// more than it moved.
import { addressKey } from "@matchbook/addresses/chains";
import type { Claim, FoundTransfer, Transfer } from "./record.ts";

export interface Match {
  readonly claim: Claim;
  readonly isProven: boolean;
  /** Not proven: the transfer that comes closest, if one does. */
  readonly found: FoundTransfer | null;
}

type Payment = Pick<Transfer, "tokenAddress" | "recipientAddress" | "amount">;

const exact = (one: Payment) => [keyOf(one.tokenAddress), keyOf(one.recipientAddress), one.amount].join();

// What comes closest first: another amount for the receiver, another receiver of the amount, another token for the receiver.
const NEAR: readonly ((one: Payment) => string)[] = [
  (one) => [keyOf(one.tokenAddress), keyOf(one.recipientAddress)].join(),
  (one) => [keyOf(one.tokenAddress), one.amount].join(),
  (one) => keyOf(one.recipientAddress),
];

/**
 * The token contract, the receiver and the amount must be the same. `used` are the events that already prove a payout. Payouts
 * that a person confirmed take their events first, then those that name the transaction, then rows that name none, and last those
 * that a person failed.
 */
export function matchTransfers(
  claims: readonly Claim[],
  transfers: readonly Transfer[],
  used: ReadonlySet<number>,
): Match[] {
  const free = groupBy(
    transfers.filter(({ logIndex }) => !used.has(logIndex)),
    exact,
  );
  const taken = new Set(used);
  const transferOf = new Map<Claim, Transfer>();
  for (const claim of [...claims].sort((one, other) => rankOf(one) - rankOf(other))) {
    const transfer = free.get(exact(claim))?.shift();
    if (transfer === undefined) continue;
    transferOf.set(claim, transfer);
    taken.add(transfer.logIndex);
  }
  const nearest = findNearest(transfers, taken);
  return claims.map((claim) => {
    const transfer = transferOf.get(claim);
    return transfer === undefined
      ? { claim, isProven: false, found: nearest(claim) }
      : { claim, isProven: true, found: show(transfer, false) };
  });
}

function rankOf({ status, transactionHash }: Claim): number {
  if (status === "CONFIRMED") return 0;
  if (status === "FAILED") return 3;
  return transactionHash === null ? 2 : 1;
}

/** Looks among the transfers that prove nothing. If there is none, one that is right but proves another payout is shown. */
function findNearest(transfers: readonly Transfer[], taken: ReadonlySet<number>) {
  const left = transfers.filter(({ logIndex }) => !taken.has(logIndex));
  const near = NEAR.map((key) => ({ key, groups: groupBy(left, key) }));
  const all = groupBy(transfers, exact);
  return (claim: Claim): FoundTransfer | null => {
    for (const { key, groups } of near) {
      const [transfer] = groups.get(key(claim)) ?? [];
      if (transfer !== undefined) return show(transfer, false);
    }
    const [transfer] = all.get(exact(claim)) ?? [];
    return transfer === undefined ? null : show(transfer, true);
  };
}

function show({ amount, ...transfer }: Transfer, isUsed: boolean): FoundTransfer {
  return { ...transfer, amount: String(amount), isUsed };
}

function groupBy(transfers: readonly Transfer[], key: (transfer: Transfer) => string): Map<string, Transfer[]> {
  const groups = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    const group = groups.get(key(transfer));
    if (group === undefined) groups.set(key(transfer), [transfer]);
    else group.push(transfer);
  }
  return groups;
}

const keyOf = addressKey;
