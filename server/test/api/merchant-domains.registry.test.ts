import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { registerMerchant } from "../harness/merchant.ts";
import { answer, type Conduct, hang, hangUp, obey, obeyInSilence, obeyLater } from "../harness/registry.ts";
import { eventually, openRegistryScene, PAIR, PRIMARY, REGISTRY_TOKEN } from "../harness/registry-scene.ts";
import { startService } from "../harness/service.ts";

const scene = openRegistryScene();
const { registry } = scene;

describe("POST /v1/merchant-domains with a domain registry", () => {
  test("the registry gets the merchant and the origins, with the token as a bearer, before the answer", async () => {
    expect((await scene.add("shop.com")).body.added).toEqual(PAIR);
    const call = registry.calls.at(-1);
    expect(call).toMatchObject({
      method: "POST",
      merchantId: scene.merchant.id,
      origins: PAIR,
      authorization: `Bearer ${REGISTRY_TOKEN}`,
    });
    expect(scene.registered()).toEqual([...PRIMARY, ...PAIR].sort());
    await scene.settled();
  });

  test("a domain that is whitelisted already does not trouble the registry", async () => {
    await scene.add("shop.com");
    const before = registry.callsFor(scene.merchant.id).length;
    await scene.add("www.shop.com");
    await scene.add("primary.example");
    await scene.add("localhost:3000");
    expect(registry.callsFor(scene.merchant.id)).toHaveLength(before);
  });

  test("nor does one beyond the limit", async () => {
    for (let index = 0; index < 10; index++) await scene.add(`shop${index}.com`);
    const before = registry.callsFor(scene.merchant.id).length;
    expect((await scene.add("eleventh.com")).status).toBe(422);
    expect(registry.callsFor(scene.merchant.id)).toHaveLength(before);
  });

  const failures: [name: string, conduct: Conduct | "down"][] = [
    ["is down", "down"],
    ["answers 500", answer(500)],
    ["answers 404", answer(404)],
    ["answers 302: a redirect is not followed", answer(302, { location: "http://127.0.0.1:1/elsewhere" })],
    ["answers 304", answer(304)],
    ["hangs up without an answer", hangUp],
    [
      "hangs up in the middle of its answer's head",
      (_call, response) => {
        response.socket?.end("HTTP/1.1 200 O");
      },
    ],
    ["does not answer in time", hang],
    ["obeys but does not answer in time", obeyInSilence],
    [
      "obeys but answers 500",
      (call, response) => {
        call.apply();
        response.writeHead(500).end();
      },
    ],
    [
      "speaks something else than HTTP",
      (_call, response) => {
        response.socket?.end("220 smtp.example ESMTP\r\n");
      },
    ],
  ];

  test.each(failures)(
    "502 when the registry %s: nothing whitelisted, no slot used, and a retry works",
    async (_name, conduct) => {
      if (conduct === "down") await registry.stop();
      else registry.conduct = conduct;
      const refused = await scene.add("shop.com");
      expect([refused.status, refused.body.error.code]).toEqual([502, "DOMAIN_REGISTRY_UNAVAILABLE"]);
      expect(refused.body.error.message).not.toContain("registry-says-no");
      expect(await scene.isAllowed("https://shop.com")).toBe(false);
      expect(await scene.slots()).toBe(0);

      if (conduct === "down") await registry.start();
      registry.conduct = obey;
      const retried = await scene.add("shop.com");
      expect([retried.status, retried.body.added]).toEqual([201, PAIR]);
      await scene.settled();
      expect(scene.registered()).toEqual([...PRIMARY, ...PAIR].sort());
      expect(await scene.slots()).toBe(1);
    },
  );

  test.each(failures.filter(([name]) => /down|500|obeys/.test(name)))(
    "when the registry %s and no one retries, it ends up without the origins",
    async (_name, conduct) => {
      if (conduct === "down") await registry.stop();
      else registry.conduct = conduct;
      expect((await scene.add("shop.com")).status).toBe(502);
      if (conduct === "down") await registry.start();
      registry.conduct = obey;
      scene.moveOn();
      await scene.settled();
      expect(registry.callsFor(scene.merchant.id).at(-1)).toBe(`DELETE ${PAIR.join(" ")}`);
      expect(scene.registered()).toEqual(PRIMARY);
    },
  );

  test("a failing registry uses no slot: the tenth domain still fits after many refusals, and one job remembers them", async () => {
    for (let index = 0; index < 9; index++) expect((await scene.add(`shop${index}.com`)).status).toBe(201);
    registry.conduct = answer(503);
    for (let attempt = 0; attempt < 5; attempt++) expect((await scene.add("tenth.com")).status).toBe(502);
    const jobs = await scene.service.db.query(
      "select id from outbox where kind = 'registry' and payload ->> 'merchantId' = $1",
      [scene.merchant.id],
    );
    expect(jobs).toHaveLength(1);
    registry.conduct = obey;
    expect((await scene.add("other-tenth.com")).status).toBe(201);
    expect((await scene.add("tenth.com")).status).toBe(422);
  });

  test("a registry that dies and comes back between two calls is not noticed", async () => {
    expect((await scene.add("one.com")).status).toBe(201);
    await registry.stop();
    await registry.start();
    expect((await scene.add("two.com")).status).toBe(201);
  });

  test("an endless answer is not read", async () => {
    let ended: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    registry.conduct = (call, response) => {
      call.apply();
      response.writeHead(200);
      const drip = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => {
        clearInterval(drip);
        ended();
      });
    };
    expect((await scene.add("shop.com")).status).toBe(201);
    await closed;
  });

  test("the token goes to no other address, and neither it nor what the registry says is logged or answered", async () => {
    const strangers: (string | undefined)[] = [];
    const stranger: Server = createServer((request, response) => {
      strangers.push(request.headers.authorization);
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => {
      stranger.listen(0, "127.0.0.1", resolve);
    });
    const { port } = stranger.address() as AddressInfo;
    for (const status of [301, 302, 303, 307, 308]) {
      registry.conduct = answer(status, { location: `http://127.0.0.1:${port}/` });
      expect((await scene.add("shop.com")).status).toBe(502);
    }
    expect(strangers).toEqual([]);
    expect(scene.service.logged()).toContain("The domain registry answered 308.");
    expect(scene.service.logged()).not.toContain(REGISTRY_TOKEN);
    expect(scene.service.logged()).not.toContain("registry-says-no");
    await new Promise((resolve) => stranger.close(resolve));
  });

  test("no database lock is held while the registry is called", async () => {
    const slow = obeyLater();
    registry.conduct = slow.conduct;
    const before = registry.callsFor(scene.merchant.id).length;
    const adding = scene.add("shop.com");
    await eventually(() => registry.callsFor(scene.merchant.id).length).toBe(before + 1);
    // Another transaction gets the merchant's rows immediately.
    await scene.service.db.query("select domain from merchant_domains where merchant_id = $1 for update nowait", [
      scene.merchant.id,
    ]);
    await scene.service.db.query("select origin from unsettled_origins where merchant_id = $1 for update nowait", [
      scene.merchant.id,
    ]);
    const [busy] = await scene.service.db.query<{ count: number }>(
      "select count(*) as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    expect(busy?.count).toBe(0);
    slow.goOn();
    expect((await adding).status).toBe(201);
  });

  test("a domain that is being added is not whitelisted yet, and a second call waits for the first", async () => {
    const slow = obeyLater();
    registry.conduct = slow.conduct;
    const before = registry.callsFor(scene.merchant.id).length;
    const first = scene.add("shop.com");
    await eventually(() => registry.callsFor(scene.merchant.id).length).toBe(before + 1);
    let isAnswered = false;
    const second = scene.add("www.shop.com").finally(() => {
      isAnswered = true;
    });
    expect(await scene.isAllowed("https://shop.com")).toBe(false);
    expect(isAnswered).toBe(false);
    slow.goOn();
    expect([(await first).body.added, (await second).body.added]).toEqual([PAIR, []]);
    expect(registry.callsFor(scene.merchant.id)).toHaveLength(before + 1);
  });

  test("a second call shares the first one's failure", async () => {
    registry.conduct = hang;
    const before = registry.callsFor(scene.merchant.id).length;
    const first = scene.add("shop.com");
    await eventually(() => registry.callsFor(scene.merchant.id).length).toBe(before + 1);
    const second = scene.add("shop.com");
    expect([(await first).status, (await second).status]).toEqual([502, 502]);
    expect(registry.callsFor(scene.merchant.id)).toHaveLength(before + 1);
  });
});

test("a stopping service does not wait for a registry that hangs", async () => {
  registry.conduct = hang;
  const impatient = await startService({
    registryTimeoutMs: 60_000,
    variables: { DOMAIN_REGISTRY_URL: registry.url },
  });
  const { id } = await registerMerchant(impatient);
  await eventually(() => registry.callsFor(id)).toHaveLength(1);
  const startMs = performance.now();
  await impatient.close();
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

test("a registry address with user info stops the start with one line that names the variable", async () => {
  await expect(
    startService({
      database: scene.service.database,
      variables: { DOMAIN_REGISTRY_URL: "https://user:secret@registry.example/" },
    }),
  ).rejects.toThrow(/^DOMAIN_REGISTRY_URL must not hold a user name/);
});
