// What waits for any campaign is settled together, in mixed batches. Merchants take turns, and so do the campaigns of each. At
// any time a campaign is in at most one batch of this process, so its submissions keep their order. There is no timer: an idle
// process sends as soon as the requests of this turn of the event loop have been read.
//
// A mixed batch never waits for a campaign. If it finds one locked, the campaign is settled alone, where waiting delays no other
// campaign, until nothing waits for it any more.
import { AppError } from "../../http/errors.ts";

/** Submissions to one campaign, in order of arrival. */
export interface Group<Item> {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly items: readonly Item[];
}

/** One result for each item, at the same index, or: settle this campaign alone. */
export type Outcome<Result> = readonly PromiseSettledResult<Result>[] | "alone";

export interface BatchQueueOptions<Item, Result> {
  /** Settles the groups in one batch. Each outcome belongs to the group at the same index. */
  readonly settle: (groups: readonly Group<Item>[]) => Promise<readonly Outcome<Result>[]>;
  readonly settleAlone: (group: Group<Item>) => Promise<readonly PromiseSettledResult<Result>[]>;
  /** How much work an item is. */
  readonly sizeOf: (item: Item) => number;
  /** The size of a batch. Only a batch whose last item is larger than what is left may exceed it. */
  readonly batchMax: number;
  /** What one merchant takes of a batch while others wait. */
  readonly shareMax: number;
  readonly campaignsMax: number;
  /** How many items of one campaign may wait. */
  readonly queuedMax: number;
  /** How many mixed batches, and how many campaigns alone, are settled at the same time. One merchant has all but one of each. */
  readonly batchesMax: number;
  readonly aloneMax: number;
  /** Batches hold only campaigns of one merchant. */
  readonly oneMerchant: boolean;
}

export interface BatchQueue<Item, Result> {
  add(merchantId: string, campaignId: string, item: Item): Promise<Result>;
  /** How many items wait, for the metrics. */
  readonly waiting: number;
}

interface Waiter<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Lane<Item, Result> {
  readonly merchantId: string;
  readonly campaignId: string;
  waiters: Waiter<Item, Result>[];
  alone: boolean;
}

export function createBatchQueue<Item, Result>(options: BatchQueueOptions<Item, Result>): BatchQueue<Item, Result> {
  type ItemWaiter = Waiter<Item, Result>;
  type CampaignLane = Lane<Item, Result>;
  /** Every campaign that is in a batch or waits for one. */
  const lanes = new Map<string, CampaignLane>();
  const together = new Line<CampaignLane, ItemWaiter>(options.batchesMax);
  const alone = new Line<CampaignLane, ItemWaiter>(options.aloneMax);
  let waiting = 0;
  let woken = false;

  function enter(lane: CampaignLane): void {
    (lane.alone ? alone : together).add(lane);
  }

  function wake(): void {
    if (woken) return;
    woken = true;
    setImmediate(() => {
      woken = false;
      while (startMixed() || startAlone());
    });
  }

  function startMixed(): boolean {
    const { batchMax, campaignsMax, oneMerchant } = options;
    const shareMax = together.merchants > 1 && !oneMerchant ? options.shareMax : batchMax;
    const shares = new Map<string, number>();
    let size = 0;
    const parts = together.next(({ merchantId, waiters }, count) => {
      if (count === campaignsMax || size >= batchMax) return [];
      if (oneMerchant && count > 0 && !shares.has(merchantId)) return [];
      const share = shares.get(merchantId) ?? 0;
      const taken = takeFirst(waiters, Math.min(batchMax - size, shareMax - share), share === 0);
      const added = sizeOf(taken);
      shares.set(merchantId, share + added);
      size += added;
      return taken;
    });
    if (parts.length > 0) void run(together, parts, options.settle(parts.map(toGroup)));
    return parts.length > 0;
  }

  function startAlone(): boolean {
    const parts = alone.next(({ waiters }, count) => (count > 0 ? [] : takeFirst(waiters, options.batchMax, true)));
    const [part] = parts;
    if (part === undefined) return false;
    const settled = options.settleAlone(toGroup(part)).then((results) => [results]);
    void run(alone, parts, settled);
    return true;
  }

  /** Takes the first waiters whose sizes fit together. A single one may be too large for any batch: it is taken if it must be. */
  function takeFirst(waiters: ItemWaiter[], room: number, atLeastOne: boolean): ItemWaiter[] {
    let left = room;
    const end = waiters.findIndex((waiter) => {
      left -= sizeOf([waiter]);
      return left < 0;
    });
    return waiters.splice(0, end === -1 ? waiters.length : Math.max(end, atLeastOne ? 1 : 0));
  }

  function sizeOf(waiters: readonly ItemWaiter[]): number {
    return waiters.reduce((sum, { item }) => sum + options.sizeOf(item), 0);
  }

  async function run(
    line: Line<CampaignLane, ItemWaiter>,
    parts: readonly Part<CampaignLane, ItemWaiter>[],
    settled: Promise<readonly Outcome<Result>[]>,
  ): Promise<void> {
    for (const { taken } of parts) waiting -= taken.length;
    try {
      const outcomes = await settled;
      parts.forEach(({ lane, taken }, index) => {
        const outcome = outcomes[index] ?? [];
        if (outcome === "alone") {
          lane.alone = true;
          lane.waiters.unshift(...taken);
          waiting += taken.length;
        } else answer(taken, outcome);
      });
    } catch (error) {
      for (const { taken } of parts) for (const { reject } of taken) reject(error);
    }
    line.end(parts);
    for (const { lane } of parts) {
      if (lane.waiters.length > 0) enter(lane);
      else lanes.delete(keyOf(lane.merchantId, lane.campaignId));
    }
    wake();
  }

  return {
    add(merchantId, campaignId, item) {
      const key = keyOf(merchantId, campaignId);
      const known = lanes.get(key);
      if (known !== undefined && known.waiters.length >= options.queuedMax) {
        return Promise.reject(new AppError("OVERLOADED"));
      }
      waiting++;
      return new Promise((resolve, reject) => {
        const waiter = { item, resolve, reject };
        if (known !== undefined) {
          known.waiters.push(waiter);
          return;
        }
        const lane = { merchantId, campaignId, waiters: [waiter], alone: false };
        lanes.set(key, lane);
        enter(lane);
        wake();
      });
    },
    get waiting() {
      return waiting;
    },
  };
}

function keyOf(merchantId: string, campaignId: string): string {
  return `${merchantId}/${campaignId}`;
}

function toGroup<Item, Result>({ lane, taken }: Part<Lane<Item, Result>, Waiter<Item, Result>>): Group<Item> {
  return { merchantId: lane.merchantId, campaignId: lane.campaignId, items: taken.map(({ item }) => item) };
}

function answer<Item, Result>(
  waiters: readonly Waiter<Item, Result>[],
  results: readonly PromiseSettledResult<Result>[],
): void {
  waiters.forEach(({ resolve, reject }, index) => {
    const result = results[index];
    if (result?.status === "fulfilled") resolve(result.value);
    else reject(result?.reason ?? new Error("A batch gave no result for one of its items."));
  });
}

/** What a batch takes of one lane. */
interface Part<Waiting, Taken> {
  readonly lane: Waiting;
  readonly taken: readonly Taken[];
}

/** Lanes that wait for their turn, and how many batches of them are in flight. */
class Line<Waiting extends { readonly merchantId: string }, Taken> {
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  readonly #batchesMax: number;
  #batches = 0;

  constructor(batchesMax: number) {
    this.#batchesMax = batchesMax;
  }

  /** How many merchants wait. */
  get merchants(): number {
    return this.#lanes.size;
  }

  add(lane: Waiting): void {
    const waiting = this.#lanes.get(lane.merchantId);
    if (waiting === undefined) this.#lanes.set(lane.merchantId, [lane]);
    else waiting.push(lane);
  }

  /** The next batch, of what `take` takes of the lanes in turn. Empty if as many batches as allowed are in flight. */
  next(take: (lane: Waiting, count: number) => readonly Taken[]): Part<Waiting, Taken>[] {
    const parts: Part<Waiting, Taken>[] = [];
    if (this.#batches >= this.#batchesMax) return parts;
    // A merchant that gave something goes to the end, where this loop meets it again.
    for (const [merchantId, waiting] of this.#lanes) {
      const [lane] = waiting;
      if (lane === undefined || this.#isBusy(merchantId)) continue;
      const taken = take(lane, parts.length);
      if (taken.length === 0) continue;
      parts.push({ lane, taken });
      waiting.shift();
      this.#lanes.delete(merchantId);
      if (waiting.length > 0) this.#lanes.set(merchantId, waiting);
    }
    if (parts.length > 0) this.#count(parts, 1);
    return parts;
  }

  end(parts: readonly Part<Waiting, unknown>[]): void {
    this.#count(parts, -1);
  }

  /** A merchant leaves one batch to others. */
  #isBusy(merchantId: string): boolean {
    return (this.#running.get(merchantId) ?? 0) >= Math.max(1, this.#batchesMax - 1);
  }

  #count(parts: readonly Part<Waiting, unknown>[], change: 1 | -1): void {
    this.#batches += change;
    for (const merchantId of new Set(parts.map(({ lane }) => lane.merchantId))) {
      const running = (this.#running.get(merchantId) ?? 0) + change;
      if (running === 0) this.#running.delete(merchantId);
      else this.#running.set(merchantId, running);
    }
  }
}
