import { afterEach, describe, expect, test } from "vitest";
import { asMerchant } from "../harness/merchant.ts";
import { answer, type Conduct, hang, obey, obeyInSilence, obeyLater } from "../harness/registry.ts";
import { eventually, openRegistryScene, PAIR, PRIMARY } from "../harness/registry-scene.ts";
import type { Answer, Service } from "../harness/service.ts";

// So patient that it is not heard of again.
const CRASHED_TIMEOUT_MS = 20_000;

const scene = openRegistryScene();
const { registry } = scene;

describe("a crash in the middle of POST /v1/merchant-domains", () => {
  let crashed: Service;
  let crashing: Promise<Answer>;
  afterEach(async () => {
    // The call in progress ends with its connection.
    await registry.stop();
    await crashing;
    await crashed.close();
  });

  /** Adds with a service that is stopped in its tracks once it has called the registry, and never comes to store anything. */
  async function crashWhileAdding(conduct: Conduct, domain: string): Promise<void> {
    crashed = await scene.startAnother(CRASHED_TIMEOUT_MS);
    registry.conduct = conduct;
    const before = registry.callsFor(scene.merchant.id).length;
    crashing = scene.add(domain, asMerchant(crashed, scene.merchant.id, scene.merchant.keys));
    await eventually(() => registry.callsFor(scene.merchant.id).length).toBe(before + 1);
    registry.conduct = obey;
  }

  test.each<[string, Conduct]>([
    ["before the registry did anything", hang],
    ["after the registry had the origins", obeyInSilence],
  ])("%s: a retry works as soon as the lease has ended", async (_when, conduct) => {
    await crashWhileAdding(conduct, "shop.com");
    expect(await scene.isAllowed("https://shop.com")).toBe(false);
    // It waits for the holder of the origins until that process must be dead.
    const retrying = scene.add("shop.com");
    scene.moveOn();
    const retried = await retrying;
    expect([retried.status, retried.body.added]).toEqual([201, PAIR]);
    await scene.settled();
    expect(scene.registered()).toEqual([...PRIMARY, ...PAIR].sort());
    expect(await scene.slots()).toBe(1);
  });

  test.each<[string, Conduct]>([
    ["before the registry did anything", hang],
    ["after the registry had the origins", obeyInSilence],
  ])("%s: without a retry the registry ends up without the origins, and the slot is free", async (_when, conduct) => {
    await crashWhileAdding(conduct, "shop.com");
    scene.moveOn();
    await scene.settled();
    expect(scene.registered()).toEqual(PRIMARY);
    expect(await scene.isAllowed("https://shop.com")).toBe(false);
    for (let index = 0; index < 10; index++) expect((await scene.add(`shop${index}.com`)).status).toBe(201);
  });

  test("a process that only slept and goes on after its lease whitelists nothing, and leaves nothing behind", async () => {
    const slow = obeyLater();
    await crashWhileAdding(slow.conduct, "shop.com");
    scene.moveOn();
    await scene.settled();
    expect(registry.callsFor(scene.merchant.id).at(-1)).toBe(`DELETE ${PAIR.join(" ")}`);
    slow.goOn();
    expect((await crashing).status).toBe(502);
    await scene.settled();
    expect(scene.registered()).toEqual(PRIMARY);
    expect(await scene.isAllowed("https://shop.com")).toBe(false);
  });

  test("a process that only slept and goes on after its lease cannot have an eleventh slot", async () => {
    for (let index = 0; index < 9; index++) await scene.add(`shop${index}.com`);
    const slow = obeyLater();
    await crashWhileAdding(slow.conduct, "shop.com");
    // The registry is down, so that no process settles what the sleeper holds.
    registry.conduct = (call, response) =>
      (call.origins.includes(PAIR[0] as string) ? answer(500) : obey)(call, response);
    scene.moveOn();
    expect((await scene.add("other-tenth.com")).status).toBe(201);
    slow.goOn();
    expect([422, 502]).toContain((await crashing).status);
    expect(await scene.slots()).toBe(10);
    registry.conduct = obey;
    scene.moveOn();
    await scene.settled();
    expect(scene.registered()).not.toContain(PAIR[0]);
  });

  test("its slot counts until the lease has ended, and no longer", async () => {
    for (let index = 0; index < 9; index++) await scene.add(`shop${index}.com`);
    await crashWhileAdding(hang, "tenth.com");
    expect((await scene.add("other-tenth.com")).status).toBe(422);
    scene.moveOn();
    expect((await scene.add("other-tenth.com")).status).toBe(201);
  });
});
