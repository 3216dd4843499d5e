import { describe, expect, test } from "vitest";
import { createBatchQueue } from "./queue.ts";

/** A queue whose batches end when the test says so. */
function setup(options: { batchMax?: number; queuedMax?: number; batchesPerMerchantMax?: number } = {}) {
  const batches: {
    merchantId: string;
    campaignId: string;
    items: readonly string[];
    finish: (error?: Error) => void;
  }[] = [];
  const queue = createBatchQueue<string, string>({
    batchMax: 3,
    queuedMax: 5,
    batchesPerMerchantMax: 2,
    ...options,
    run: (merchantId, campaignId, items) =>
      new Promise((resolve, reject) => {
        const finish = (error?: Error) =>
          error === undefined
            ? resolve(
                items.map((item) =>
                  item.startsWith("bad")
                    ? { status: "rejected", reason: new Error(item) }
                    : { status: "fulfilled", value: `${item} done` },
                ),
              )
            : reject(error);
        batches.push({ merchantId, campaignId, items, finish });
      }),
  });
  return { queue, batches };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the batch queue", () => {
  test("an idle campaign sends at once, without a timer: what arrived in this turn is one batch", async () => {
    const { queue, batches } = setup();
    const answers = ["a", "b"].map((item) => queue.add("m", "c", item));
    expect(queue.waiting).toBe(2);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([["a", "b"]]);
    expect(queue.waiting).toBe(0);
    batches[0]?.finish();
    expect(await Promise.all(answers)).toEqual(["a done", "b done"]);
  });

  test("one batch per campaign is in flight; arrivals form the next ones, in order, of a bounded size", async () => {
    const { queue, batches } = setup();
    const answers = [queue.add("m", "c", "1")];
    await turn();
    answers.push(...["2", "3", "4", "5"].map((item) => queue.add("m", "c", item)));
    await turn();
    expect(batches).toHaveLength(1);
    batches[0]?.finish();
    await answers[0];
    await turn();
    batches[1]?.finish();
    await answers[1];
    await turn();
    batches[2]?.finish();
    await Promise.all(answers);
    expect(batches.map(({ items }) => items)).toEqual([["1"], ["2", "3", "4"], ["5"]]);
  });

  test("a bad member fails alone; a batch that fails as a whole fails its members, and the next one runs", async () => {
    const { queue, batches } = setup();
    const answers = ["a", "bad", "c", "d"].map((item) => queue.add("m", "c", item));
    const settled = Promise.allSettled(answers);
    await turn();
    batches[0]?.finish();
    await Promise.allSettled(answers.slice(0, 3));
    await turn();
    batches[1]?.finish(new Error("the database is gone"));
    expect(
      (await settled).map((result) => (result.status === "fulfilled" ? result.value : result.reason.message)),
    ).toEqual(["a done", "bad", "c done", "the database is gone"]);
    const after = queue.add("m", "c", "e");
    await turn();
    batches[2]?.finish();
    expect(await after).toBe("e done");
  });

  test("beyond the bound: 503 OVERLOADED with Retry-After, for that campaign alone", async () => {
    const { queue, batches } = setup();
    const first = queue.add("m", "c", "0");
    await turn();
    const queued = ["1", "2", "3", "4", "5"].map((item) => queue.add("m", "c", item));
    await expect(queue.add("m", "c", "6")).rejects.toMatchObject({
      code: "OVERLOADED",
      headers: { "retry-after": "1" },
    });
    const other = queue.add("m", "other", "7");
    await turn();
    for (let index = 0; index < 4; index++) {
      batches[index]?.finish();
      await turn();
      await turn();
    }
    expect(await Promise.all([first, ...queued, other])).toHaveLength(7);
  });

  test("campaigns of one merchant take turns in its share of the connections; another merchant does not wait", async () => {
    const { queue, batches } = setup({ batchesPerMerchantMax: 1 });
    const answers = [queue.add("m", "busy", "1"), queue.add("m", "quiet", "2"), queue.add("other", "c", "3")];
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([["1"], ["3"]]);
    answers.push(queue.add("m", "busy", "4"));
    batches[0]?.finish();
    await answers[0];
    await turn();
    expect(batches.map(({ campaignId }) => campaignId)).toEqual(["busy", "c", "quiet"]);
    batches[1]?.finish();
    batches[2]?.finish();
    await answers[1];
    await turn();
    expect(batches.at(-1)?.items).toEqual(["4"]);
    batches[3]?.finish();
    expect(await Promise.all(answers)).toHaveLength(4);
  });
});
