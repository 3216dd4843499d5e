/** A merchant's requests in one share: those that run, and those that wait for their turn in the order they came. */
interface Merchant {
  readonly id: string;
  running: number;
  /** How many ordinary requests its last one counted as. */
  weight: number;
  readonly waiting: OwnPlace[];
}

/** One request. It runs, or waits until `start` or `refuse` is called. */
export interface Place {
  /**
   * Frees the place, and starts the next request whose turn it is. Calling it again changes nothing. `weight` says as how many
   * ordinary requests it turned out to count: a merchant with heavy ones runs fewer of them.
   */
  leave(weight?: number): void;
}

interface OwnPlace extends Place {
  readonly merchant: Merchant;
  readonly turn: Turn | null;
  state: "running" | "waiting" | "left";
}

export interface Turn {
  start(): void;
  /** Others need the room more: this merchant has the longest line. */
  refuse(): void;
}

/**
 * Why a request gets no place. `merchant`: it has as many requests in progress as it may have. `full`: all merchants together
 * have, and no other merchant has a longer line.
 */
export type Refusal = "merchant" | "full";

export interface SharesOptions {
  /** Requests that run at the same time. */
  readonly runningMax: number;
  /** Of these, requests of one merchant. */
  readonly runningPerMerchantMax: number;
  /** Requests that wait, of all merchants together. */
  readonly waitingMax: number;
}

export type Shares = ReturnType<typeof createShares>;

/**
 * Shares the work of one process fairly among merchants. A merchant runs a bounded number of requests; the others wait in the
 * merchant's own line. When there is room, merchants take turns, one request each. So a merchant with one request waits for
 * at most one turn of each other merchant, however long the lines of the others are.
 *
 * It has no clock: callers end a wait that takes too long by leaving.
 */
export function createShares({ runningMax, runningPerMerchantMax, waitingMax }: SharesOptions) {
  // Only merchants with a request in progress are here.
  const merchants = new Map<string, Merchant>();
  /** Those with a waiting request that may run, in the order of their turns. */
  const turns = new Set<Merchant>();
  let running = 0;
  let waiting = 0;

  function merchantOf(id: string): Merchant {
    let merchant = merchants.get(id);
    if (merchant === undefined) {
      merchant = { id, running: 0, weight: 1, waiting: [] };
      merchants.set(id, merchant);
    }
    return merchant;
  }

  function hasRoom({ running, weight }: Merchant): boolean {
    return running < Math.max(1, Math.floor(runningPerMerchantMax / weight));
  }

  /** Puts the merchant in or takes it out of the turns, as its requests say. One that is in keeps its turn. */
  function update(merchant: Merchant): void {
    if (merchant.waiting.length === 0) {
      turns.delete(merchant);
      if (merchant.running === 0) merchants.delete(merchant.id);
    } else if (hasRoom(merchant)) turns.add(merchant);
    else turns.delete(merchant);
  }

  function startNext(): void {
    while (running < runningMax) {
      const [merchant] = turns;
      const place = merchant?.waiting.shift();
      if (merchant === undefined || place === undefined) return;
      // To the end of the turns, if more of it waits.
      turns.delete(merchant);
      waiting--;
      run(place);
      update(merchant);
      place.turn?.start();
    }
  }

  function run(place: OwnPlace): void {
    place.state = "running";
    place.merchant.running++;
    running++;
  }

  function leave(place: OwnPlace, weight: number): void {
    const { merchant, state } = place;
    place.state = "left";
    if (state === "left") return;
    if (state === "waiting") {
      merchant.waiting.splice(merchant.waiting.indexOf(place), 1);
      waiting--;
    } else {
      merchant.running--;
      merchant.weight = weight;
      running--;
    }
    update(merchant);
    if (state === "running") startNext();
  }

  function placeFor(merchant: Merchant, turn: Turn | null, state: OwnPlace["state"]): OwnPlace {
    const place: OwnPlace = { merchant, turn, state, leave: (weight = 1) => leave(place, weight) };
    return place;
  }

  function longestLine(): Merchant | undefined {
    let longest: Merchant | undefined;
    for (const merchant of merchants.values()) {
      if (longest === undefined || merchant.waiting.length > longest.waiting.length) longest = merchant;
    }
    return longest;
  }

  return {
    /** A place that runs now; null when the request has to wait. `inProgressMax` counts running and waiting requests. */
    enter(merchantId: string, inProgressMax: number): Place | null {
      if (running >= runningMax) return null;
      const known = merchants.get(merchantId);
      if (known !== undefined && (!hasRoom(known) || known.waiting.length > 0)) return null;
      if (known !== undefined && known.running >= inProgressMax) return null;
      const place = placeFor(known ?? merchantOf(merchantId), null, "running");
      run(place);
      return place;
    },

    /** A place in the merchant's line. Call it when `enter` gave none. */
    wait(merchantId: string, inProgressMax: number, turn: Turn): Place | Refusal {
      const merchant = merchantOf(merchantId);
      if (merchant.running + merchant.waiting.length >= inProgressMax) {
        update(merchant);
        return "merchant";
      }
      if (waiting >= waitingMax) {
        const longest = longestLine();
        if (longest === undefined || longest.waiting.length <= merchant.waiting.length + 1) {
          update(merchant);
          return "full";
        }
        const last = longest.waiting.at(-1);
        last?.leave();
        last?.turn?.refuse();
      }
      const place = placeFor(merchant, turn, "waiting");
      merchant.waiting.push(place);
      waiting++;
      update(merchant);
      return place;
    },

    /** Whether the merchant runs as many requests as one merchant may. */
    isAtLimit(merchantId: string): boolean {
      const merchant = merchants.get(merchantId);
      return merchant !== undefined && !hasRoom(merchant);
    },

    get counts() {
      let atLimit = 0;
      for (const merchant of merchants.values()) if (!hasRoom(merchant)) atLimit++;
      return { running, waiting, merchants: merchants.size, atLimit };
    },
  };
}
