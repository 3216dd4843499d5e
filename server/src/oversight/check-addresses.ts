// Rows that were stored before there were rules about addresses may break them. They are listed and left as they are: which
// address is meant, a person has to say.
import { problemWithAddress, problemWithTransactionHash } from "@matchbook/addresses";
import { problemWithReceiver } from "../campaigns/participants/receiver.ts";
import type { Queryable } from "../db/pool.ts";
import { ADDRESSES_CHECKED_AT_ONCE } from "../limits.ts";
import { listStored, STORED_KINDS, type StoredKind, type StoredText } from "./address-queries.ts";

export interface AddressProblem {
  readonly kind: StoredKind;
  readonly merchantId: string;
  readonly id: string;
  readonly field: "payoutTokenAddress" | "receiver" | "recipientAddress" | "tokenAddress" | "transactionHash";
  readonly value: string;
  /** The end of a sentence that starts with the field's name. */
  readonly problem: string;
}

const FIRST = "00000000-0000-0000-0000-000000000000";

export async function* findAddressProblems(db: Queryable): AsyncGenerator<AddressProblem> {
  for (const kind of STORED_KINDS) {
    let after = { merchantId: FIRST, id: FIRST };
    for (;;) {
      const rows = await listStored(db, kind, after, ADDRESSES_CHECKED_AT_ONCE);
      for (const row of rows) yield* problemsOf(kind, row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ADDRESSES_CHECKED_AT_ONCE) break;
      after = last;
    }
  }
}

function* problemsOf(kind: StoredKind, stored: StoredText): Generator<AddressProblem> {
  const { merchantId, id, chainId, tokenAddress, recipientAddress, transactionHash } = stored;
  const found = (field: AddressProblem["field"], value: string | null, problem: string | null): AddressProblem[] =>
    value === null || problem === null ? [] : [{ kind, merchantId, id, field, value, problem }];
  // A participant's token is its campaign's, which is listed there.
  if (kind !== "participant") {
    const field = kind === "campaign" ? "payoutTokenAddress" : "tokenAddress";
    yield* found(field, tokenAddress, problemWithAddress(tokenAddress, chainId));
  }
  if (recipientAddress !== null) {
    const token = { payoutChainId: chainId, payoutTokenAddress: tokenAddress };
    const field = kind === "participant" ? "receiver" : "recipientAddress";
    yield* found(field, recipientAddress, problemWithReceiver(recipientAddress, token));
  }
  if (transactionHash !== null) {
    yield* found("transactionHash", transactionHash, problemWithTransactionHash(transactionHash, chainId));
  }
}
