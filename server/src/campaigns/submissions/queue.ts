import { AppError } from "../../http/errors.ts";

export interface BatchQueueOptions<Item, Result> {
  /** Runs one batch. Each result belongs to the item at the same index. The batch may also fail as a whole. */
  readonly run: (
    merchantId: string,
    campaignId: string,
    items: readonly Item[],
  ) => Promise<PromiseSettledResult<Result>[]>;
  readonly batchMax: number;
  /** How many items of one campaign may wait behind its batch. */
  readonly queuedMax: number;
  /** How many batches of one merchant may run at once, so that its campaigns cannot take all connections. */
  readonly batchesPerMerchantMax: number;
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
  readonly campaignId: string;
  readonly merchant: MerchantLanes<Item, Result>;
  waiters: Waiter<Item, Result>[];
  /** A batch of the lane is in flight, or the lane waits in its merchant's line. */
  busy: boolean;
}

interface MerchantLanes<Item, Result> {
  readonly merchantId: string;
  readonly lanes: Map<string, Lane<Item, Result>>;
  readonly line: Lane<Item, Result>[];
  running: number;
}

/**
 * One batch per campaign is in flight; items that arrive meanwhile form the next batch. There is no timer: an idle campaign
 * sends as soon as the requests of this turn of the event loop have been read. Order of arrival is kept.
 */
export function createBatchQueue<Item, Result>(options: BatchQueueOptions<Item, Result>): BatchQueue<Item, Result> {
  const merchants = new Map<string, MerchantLanes<Item, Result>>();
  let waiting = 0;

  function laneOf(merchantId: string, campaignId: string): Lane<Item, Result> {
    let merchant = merchants.get(merchantId);
    if (merchant === undefined) {
      merchant = { merchantId, lanes: new Map(), line: [], running: 0 };
      merchants.set(merchantId, merchant);
    }
    let lane = merchant.lanes.get(campaignId);
    if (lane === undefined) {
      lane = { campaignId, merchant, waiters: [], busy: false };
      merchant.lanes.set(campaignId, lane);
    }
    return lane;
  }

  /** Lanes of one merchant take turns, so that a busy campaign does not delay another one. */
  function enter(lane: Lane<Item, Result>): void {
    lane.busy = true;
    const { merchant } = lane;
    if (merchant.running < options.batchesPerMerchantMax) {
      merchant.running++;
      setImmediate(() => void runBatch(lane));
    } else {
      merchant.line.push(lane);
    }
  }

  function leave(lane: Lane<Item, Result>): void {
    const { merchant } = lane;
    merchant.running--;
    if (lane.waiters.length > 0) {
      merchant.line.push(lane);
    } else {
      lane.busy = false;
      merchant.lanes.delete(lane.campaignId);
    }
    const next = merchant.line.shift();
    if (next !== undefined) enter(next);
    else if (merchant.lanes.size === 0) merchants.delete(merchant.merchantId);
  }

  async function runBatch(lane: Lane<Item, Result>): Promise<void> {
    const batch = lane.waiters.splice(0, options.batchMax);
    waiting -= batch.length;
    try {
      const results = await options.run(
        lane.merchant.merchantId,
        lane.campaignId,
        batch.map(({ item }) => item),
      );
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result?.status === "fulfilled") resolve(result.value);
        else reject(result?.reason ?? new Error("A batch gave no result for one of its items."));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      leave(lane);
    }
  }

  return {
    add(merchantId, campaignId, item) {
      const lane = laneOf(merchantId, campaignId);
      if (lane.waiters.length >= options.queuedMax) return Promise.reject(new AppError("OVERLOADED"));
      waiting++;
      return new Promise((resolve, reject) => {
        lane.waiters.push({ item, resolve, reject });
        if (!lane.busy) enter(lane);
      });
    },
    get waiting() {
      return waiting;
    },
  };
}
