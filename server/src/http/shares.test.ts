import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createShares, type Place, type Refusal, type Shares, type SharesOptions } from "./shares.ts";

/** Requests as the test sees them: each is `running`, `waiting`, `refused` or `left`. */
function scene(options: SharesOptions) {
  const shares = createShares(options);
  const started: string[] = [];
  const request = (merchantId: string, inProgressMax = 100) => ask(shares, merchantId, inProgressMax, started);
  return { shares, started, request };
}

interface Request {
  readonly merchantId: string;
  state: "running" | "waiting" | "left" | Refusal | "displaced";
  leave(): void;
}

function ask(shares: Shares, merchantId: string, inProgressMax: number, started: string[]): Request {
  const request: Request = { merchantId, state: "waiting", leave: () => {} };
  const begin = () => {
    request.state = "running";
    started.push(merchantId);
  };
  const hold = (place: Place) => {
    request.leave = () => {
      request.state = "left";
      place.leave();
    };
  };
  const now = shares.enter(merchantId, inProgressMax);
  if (now !== null) {
    begin();
    hold(now);
    return request;
  }
  const place = shares.wait(merchantId, inProgressMax, {
    start: begin,
    refuse: () => {
      request.state = "displaced";
    },
  });
  if (typeof place === "string") request.state = place;
  else hold(place);
  return request;
}

const states = (requests: readonly Request[]) => requests.map(({ state }) => state);
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

describe("a merchant's share", () => {
  test("a merchant runs as many as its share, the next wait, and beyond its limit they are refused", () => {
    const { request } = scene({ runningMax: 4, runningPerMerchantMax: 2, waitingMax: 10 });
    const requests = times(6, () => request("whale", 5));
    expect(states(requests)).toEqual(["running", "running", "waiting", "waiting", "waiting", "merchant"]);
    requests[0]?.leave();
    expect(states(requests)).toEqual(["left", "running", "running", "waiting", "waiting", "merchant"]);
  });

  test("a limit below the share counts, too", () => {
    const { request } = scene({ runningMax: 4, runningPerMerchantMax: 2, waitingMax: 10 });
    expect(states(times(2, () => request("slow", 1)))).toEqual(["running", "merchant"]);
  });

  test("a small merchant starts immediately beside a whale that waits", () => {
    const { request } = scene({ runningMax: 4, runningPerMerchantMax: 2, waitingMax: 1_000 });
    times(500, () => request("whale", 1_000));
    expect(request("small").state).toBe("running");
  });

  test("when everything is taken, a small merchant's request is the next one but for one turn of each other merchant", () => {
    const { request, started } = scene({ runningMax: 2, runningPerMerchantMax: 2, waitingMax: 1_000 });
    const whales = times(100, () => [request("a"), request("b")]).flat();
    const small = request("small");
    started.length = 0;
    for (const whale of whales) {
      if (small.state !== "waiting") break;
      if (whale.state === "running") whale.leave();
    }
    expect(started).toEqual(["a", "b", "small"]);
  });

  test("requests of one merchant start in the order they came", () => {
    const { shares } = scene({ runningMax: 1, runningPerMerchantMax: 1, waitingMax: 10 });
    const order: number[] = [];
    const first = shares.enter("a", 10);
    const places = [1, 2, 3].map((number) =>
      shares.wait("a", 10, { start: () => order.push(number), refuse: () => {} }),
    );
    first?.leave();
    for (const place of places) if (typeof place !== "string") place.leave();
    expect(order).toEqual([1, 2, 3]);
  });

  test("one that stops waiting makes room in its merchant's line and starts no other", () => {
    const { request, started } = scene({ runningMax: 1, runningPerMerchantMax: 1, waitingMax: 10 });
    const [running, impatient, patient] = times(3, () => request("a"));
    impatient?.leave();
    expect(started).toEqual(["a"]);
    running?.leave();
    expect(patient?.state).toBe("running");
  });

  test("a merchant whose requests turn out heavy runs fewer of them, until they are light again", () => {
    const { shares } = scene({ runningMax: 8, runningPerMerchantMax: 4, waitingMax: 100 });
    const running: Place[] = [];
    const enter = () => {
      const now = shares.enter("whale", 100);
      if (now !== null) return running.push(now);
      const place = shares.wait("whale", 100, { start: () => running.push(place as Place), refuse: () => {} });
      return 0;
    };
    times(40, enter);
    expect(running).toHaveLength(4);
    for (let answered = 0; answered < 4; answered++) running.shift()?.leave(10);
    expect(running).toHaveLength(1);
    running.shift()?.leave(2);
    expect(running).toHaveLength(2);
    running.shift()?.leave();
    expect(running).toHaveLength(4);
    expect(shares.enter("small", 100)).not.toBeNull();
  });

  test("leaving twice frees one place", () => {
    const { request, shares } = scene({ runningMax: 2, runningPerMerchantMax: 2, waitingMax: 10 });
    const [first] = times(2, () => request("a"));
    first?.leave();
    first?.leave();
    expect(shares.counts).toMatchObject({ running: 1, waiting: 0 });
  });
});

describe("when the lines of all merchants are full", () => {
  test("a merchant with a short line takes the last place of the longest one", () => {
    const { request } = scene({ runningMax: 1, runningPerMerchantMax: 1, waitingMax: 4 });
    const whale = times(5, () => request("whale"));
    expect(states(whale)).toEqual(["running", "waiting", "waiting", "waiting", "waiting"]);
    const small = request("small");
    expect(small.state).toBe("waiting");
    expect(states(whale)).toEqual(["running", "waiting", "waiting", "waiting", "displaced"]);
    expect(request("whale").state).toBe("full");
  });

  test("no request is displaced for an equal", () => {
    const { request } = scene({ runningMax: 1, runningPerMerchantMax: 1, waitingMax: 3 });
    request("first");
    const waiting = ["a", "b", "c"].map((merchantId) => request(merchantId));
    expect(request("d").state).toBe("full");
    expect(states(waiting)).toEqual(["waiting", "waiting", "waiting"]);
  });
});

describe("any sequence of requests", () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ merchant: fc.nat(4), limit: fc.integer({ min: 1, max: 8 }) }) },
    { weight: 2, arbitrary: fc.record({ leave: fc.nat(1_000) }) },
  );
  const sizes = fc.record({
    runningMax: fc.integer({ min: 1, max: 6 }),
    runningPerMerchantMax: fc.integer({ min: 1, max: 6 }),
    waitingMax: fc.integer({ min: 0, max: 12 }),
  });

  test("no bound is exceeded, no place is lost, and no request waits while there is room for it", () => {
    fc.assert(
      fc.property(sizes, fc.array(step, { maxLength: 120 }), (options, steps) => {
        const { shares, request } = scene(options);
        const all: Request[] = [];
        const inState = (state: Request["state"], merchantId?: string) =>
          all.filter((one) => one.state === state && (merchantId ?? one.merchantId) === one.merchantId);
        for (const one of steps) {
          if ("leave" in one) {
            const present = [...inState("running"), ...inState("waiting")];
            present[one.leave % Math.max(1, present.length)]?.leave();
          } else all.push(request(`m${one.merchant}`, one.limit));
          const running = inState("running").length;
          const waiting = inState("waiting");
          expect(shares.counts).toMatchObject({ running, waiting: waiting.length });
          expect(running).toBeLessThanOrEqual(options.runningMax);
          expect(waiting.length).toBeLessThanOrEqual(options.waitingMax);
          for (const { merchantId } of all) {
            const ofMerchant = inState("running", merchantId).length;
            expect(ofMerchant).toBeLessThanOrEqual(options.runningPerMerchantMax);
            const isHeld = ofMerchant === options.runningPerMerchantMax || running === options.runningMax;
            if (inState("waiting", merchantId).length > 0) expect(isHeld).toBe(true);
          }
        }
        for (const one of all) if (one.state === "running" || one.state === "waiting") one.leave();
        for (const one of inState("running")) one.leave();
        expect(shares.counts).toEqual({ running: 0, waiting: 0, merchants: 0, atLimit: 0 });
      }),
    );
  });
});
