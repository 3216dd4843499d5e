import { clientOf } from "../http/client-address.ts";

export type Refusal = "address" | "total";

export interface BudgetOptions {
  readonly perAddressMax: number;
  readonly totalMax: number;
  /** Addresses that speak for many clients: only the total counts for them. */
  readonly isExempt: (address: string) => boolean;
}

export interface Admission {
  /** To be called when the connection is closed. Calling it again changes nothing. */
  release(): void;
}

export interface ConnectionBudget {
  admit(address: string): Admission | Refusal;
  readonly open: number;
}

/** Counts the open connections of one listener, in total and by client. */
export function createBudget({ perAddressMax, totalMax, isExempt }: BudgetOptions): ConnectionBudget {
  // Only clients with an open connection have an entry, so it has at most totalMax.
  const openOf = new Map<string, number>();
  let open = 0;

  function release(client: string | null): void {
    open--;
    if (client === null) return;
    const left = (openOf.get(client) ?? 0) - 1;
    if (left > 0) openOf.set(client, left);
    else openOf.delete(client);
  }

  return {
    get open() {
      return open;
    },
    admit(address) {
      if (open >= totalMax) return "total";
      const client = isExempt(address) ? null : clientOf(address);
      if (client !== null) {
        const already = openOf.get(client) ?? 0;
        if (already >= perAddressMax) return "address";
        openOf.set(client, already + 1);
      }
      open++;
      let isOpen = true;
      return {
        release() {
          if (isOpen) release(client);
          isOpen = false;
        },
      };
    },
  };
}
