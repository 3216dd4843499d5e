import { describe, expect, onTestFinished, test } from "vitest";
import { asMerchant, registerMerchant } from "../harness/merchant.ts";
import { answer, obey, obeyLater, type RegistryCall } from "../harness/registry.ts";
import { eventually, openRegistryScene, PAIR, PRIMARY } from "../harness/registry-scene.ts";

const scene = openRegistryScene();
const { registry } = scene;

describe("approval with a domain registry", () => {
  test("whitelists the primary domain through the registry", () => {
    expect(registry.callsFor(scene.merchant.id)).toEqual([`POST ${PRIMARY.join(" ")}`]);
    expect(scene.registered()).toEqual(PRIMARY);
  });

  test("is not lost when the registry is down: operators see it, and the call is retried until it succeeds", async () => {
    await registry.stop();
    scene.merchant = await registerMerchant(scene.service, { domain: "unlucky.example" });
    await eventually(async () => (await scene.list())[0]).toMatchObject({
      domain: "unlucky.example",
      isPrimary: true,
      registryStatus: "PENDING",
      registryError: "The domain registry could not be reached (ECONNREFUSED).",
    });
    // Our own tables are what the hosted flow's check reads.
    expect(await scene.isAllowed("https://unlucky.example")).toBe(true);
    expect((await scene.add("unlucky.example")).body.added).toEqual([]);

    await registry.start();
    scene.moveOn();
    await eventually(async () => (await scene.list())[0]).toMatchObject({
      registryStatus: "REGISTERED",
      registryError: null,
    });
    expect(scene.registered()).toEqual(["https://unlucky.example", "https://www.unlucky.example"]);
  });

  test("is retried as often as needed", async () => {
    registry.conduct = answer(500);
    scene.merchant = await registerMerchant(scene.service, { domain: "patient.example" });
    await eventually(() => registry.callsFor(scene.merchant.id)).not.toEqual([]);
    const isPostponed = async () =>
      (
        await scene.service.db.query(
          "select id from outbox where payload ->> 'merchantId' = $1 and next_attempt_date > $2 and last_error is not null",
          [scene.merchant.id, scene.clock()],
        )
      ).length;
    await eventually(isPostponed).toBe(1);
    await scene.service.db.query(
      "update outbox set attempts = 1000, last_error = null where payload ->> 'merchantId' = $1",
      [scene.merchant.id],
    );
    scene.moveOn();
    await eventually(isPostponed).toBe(1);
    registry.conduct = obey;
    scene.moveOn(2 * 60 * 60_000);
    await eventually(async () => (await scene.list())[0]).toMatchObject({ registryStatus: "REGISTERED" });
  });
});

describe("DELETE /operator/v1/merchants/{merchantId}/domains/{domain} with a domain registry", () => {
  test("the registry is called after the answer", async () => {
    await scene.add("shop.com");
    expect((await scene.remove("shop.com")).status).toBe(204);
    await scene.settled();
    expect(registry.callsFor(scene.merchant.id).at(-1)).toBe(`DELETE ${PAIR.join(" ")}`);
    expect(scene.registered()).toEqual(PRIMARY);
  });

  test("204 also while the registry is down: the slot is free immediately, and the registry is called until it succeeds", async () => {
    for (let index = 0; index < 10; index++) await scene.add(`shop${index}.com`);
    await registry.stop();
    expect((await scene.remove("shop0.com")).status).toBe(204);
    expect(await scene.isAllowed("https://shop0.com")).toBe(false);
    expect(await scene.slots()).toBe(9);
    await eventually(
      async () => (await scene.service.db.query("select id from outbox where last_error like '%ECONNREFUSED%'")).length,
    ).toBeGreaterThan(0);
    await registry.start();
    scene.moveOn();
    expect((await scene.add("shop10.com")).status).toBe(201);
    await scene.settled();
    expect(scene.registered()).not.toContain("https://shop0.com");
    expect(scene.registered()).toContain("https://shop10.com");
  });

  test("an origin that another domain stands for too stays in the registry", async () => {
    await scene.add("shop.com");
    // As when the Public Suffix List did not yet know that the two go together.
    await scene.service.db.query("delete from merchant_origins where merchant_id = $1 and origin = $2", [
      scene.merchant.id,
      "https://www.shop.com",
    ]);
    await scene.add("www.shop.com");
    await scene.remove("shop.com");
    await scene.settled();
    expect(scene.registered()).toEqual([...PRIMARY, ...PAIR].sort());
    await scene.remove("www.shop.com");
    await scene.settled();
    expect(scene.registered()).toEqual(PRIMARY);
  });

  test("a domain that is added again before the registry was called stays", async () => {
    await scene.add("shop.com");
    await registry.stop();
    await scene.remove("shop.com");
    await registry.start();
    expect((await scene.add("shop.com")).body.added).toEqual(PAIR);
    scene.moveOn();
    await scene.settled();
    expect(scene.registered()).toEqual([...PRIMARY, ...PAIR].sort());
    expect(await scene.isAllowed("https://shop.com")).toBe(true);
  });

  test("a domain that is added again while the registry is being called waits for that, and stays", async () => {
    await scene.add("shop.com");
    const slow = obeyLater();
    registry.conduct = slow.conduct;
    await scene.remove("shop.com");
    await eventually(() => registry.callsFor(scene.merchant.id).at(-1)).toBe(`DELETE ${PAIR.join(" ")}`);
    const adding = scene.add("shop.com");
    slow.goOn();
    expect((await adding).body.added).toEqual(PAIR);
    await scene.settled();
    expect(scene.registered()).toEqual([...PRIMARY, ...PAIR].sort());
  });

  test("a removal that the registry carries out late, after the domain was added again, is put right", async () => {
    await scene.add("shop.com");
    let carryOut = () => {};
    registry.conduct = (call, response) => {
      if (call.method === "DELETE") carryOut = () => call.apply();
      else obey(call, response);
    };
    await scene.remove("shop.com");
    await eventually(() => registry.callsFor(scene.merchant.id).at(-1)).toBe(`DELETE ${PAIR.join(" ")}`);
    // The removal was given up on our side; its outcome is unknown.
    expect((await scene.add("shop.com")).body.added).toEqual(PAIR);
    carryOut();
    await scene.settled();
    expect(scene.registered()).toEqual([...PRIMARY, ...PAIR].sort());
  });

  test("a domain that is removed while the registry is being called for it is removed", async () => {
    registry.conduct = answer(500);
    await scene.add("shop.com");
    const slow = obeyLater();
    let calls = 0;
    registry.conduct = (call, response) => (++calls === 1 ? obey : slow.conduct)(call, response);
    expect((await scene.add("shop.com")).status).toBe(201);
    // After the failure the registry is called once more, to be sure.
    await eventually(() => calls).toBe(2);
    const openCalls = () =>
      scene.service.db.query<{ under_way: boolean }>(
        "select id, attempts, under_way, next_attempt_date from outbox where payload ->> 'merchantId' = $1",
        [scene.merchant.id],
      );
    const [telling] = await openCalls();
    expect(telling?.under_way).toBe(true);
    expect((await scene.remove("shop.com")).status).toBe(204);
    expect(await openCalls(), "no other process may take the call for its own before this one is over").toEqual([
      telling,
    ]);
    slow.goOn();
    const postponed = () =>
      scene.service.db.query("select id from outbox where last_error = 'The domain was changed during the call.'");
    await eventually(postponed).toHaveLength(1);
    scene.moveOn();
    await scene.settled();
    expect(scene.registered()).toEqual(PRIMARY);
  });
});

describe("the version of a registry call", () => {
  test("rises with every call about a merchant, and each merchant has its own", async () => {
    await scene.add("shop.com");
    await scene.remove("shop.com");
    await scene.settled();
    await scene.add("shop.com");
    const versions = registry.calls.filter((call) => call.merchantId === scene.merchant.id).map((call) => call.version);
    expect(versions).toHaveLength(4);
    expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
    const other = await registerMerchant(scene.service);
    await eventually(() => registry.calls.find((call) => call.merchantId === other.id)?.version).toBeLessThanOrEqual(2);
  });

  test("lets a registry ignore what reaches it late: in any order of effects, it ends up with what we have", async () => {
    registry.goesByVersion = true;
    onTestFinished(() => {
      registry.goesByVersion = false;
    });
    const another = await scene.startAnother(250);
    onTestFinished(() => another.close());
    // Of every three calls one is refused and carried out much later, and one is carried out and then refused.
    const late: RegistryCall[] = [];
    let calls = 0;
    registry.conduct = (call, response) => {
      calls++;
      if (calls % 3 === 0) late.push(call);
      else call.apply();
      response.writeHead(calls % 3 === 2 ? 204 : 503).end();
    };
    const other = asMerchant(another, scene.merchant.id, scene.merchant.keys);
    for (let round = 0; round < 4; round++) {
      await Promise.all([
        scene.add("shop.com"),
        scene.add("www.shop.com", other),
        scene.add("steady.com", other),
        scene.remove("shop.com"),
        scene.remove("www.shop.com"),
      ]);
      scene.moveOn();
    }
    await eventually(() => late.length).toBeGreaterThan(0);
    registry.conduct = obey;
    // A job that was running when the registry became well again is postponed once more.
    const unsettled = () => {
      scene.moveOn(2 * 60 * 60_000);
      return scene.service.db.query("select origin from unsettled_origins where merchant_id = $1", [scene.merchant.id]);
    };
    await expect.poll(unsettled, { interval: 1_000, timeout: 20_000 }).toEqual([]);
    for (const call of late.reverse()) call.apply();

    const ours = (await scene.list()).flatMap(({ origins }) => origins).sort();
    expect(scene.registered()).toEqual(ours);
    // For every origin the versions rise from call to call, and the call with the highest one says what we have.
    const mine = registry.calls.filter((call) => call.merchantId === scene.merchant.id);
    expect(new Set(mine.map(({ version }) => version)).size).toBe(mine.length);
    for (const origin of [...PAIR, "https://steady.com"]) {
      const about = mine.filter(({ origins }) => origins.includes(origin));
      const versions = about.map(({ version }) => version);
      expect(versions).toEqual([...versions].sort((one, other) => one - other));
      expect(about.at(-1)?.method, origin).toBe(ours.includes(origin) ? "POST" : "DELETE");
    }
  });
});
