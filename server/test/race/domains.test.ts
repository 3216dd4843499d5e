import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asMerchant, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { obey, obeyLater, TestRegistry } from "../harness/registry.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

const registry = new TestRegistry();
let one: Service;
let two: Service;

beforeAll(async () => {
  await registry.start();
  const variables = { DOMAIN_REGISTRY_URL: registry.url };
  one = await startService({ variables });
  two = await startService({ variables, database: one.database });
});
beforeEach(() => {
  registry.conduct = obey;
});
afterAll(async () => {
  await two.close();
  await one.close();
  await registry.stop();
});

/** Calls both services at the same time, in turn. */
function race(merchant: Merchant, domains: readonly string[]): Promise<Answer[]> {
  const clients = [one, two].map((service) => asMerchant(service, merchant.id, merchant.keys));
  return Promise.all(
    domains.map((domain, index) => (clients[index % 2] as Merchant).call("/v1/merchant-domains", { body: { domain } })),
  );
}

async function additionalDomains(merchant: Merchant): Promise<{ domain: string; origins: string[] }[]> {
  const { body } = await one.operator(`/merchants/${merchant.id}/domains?limit=100`);
  return body.items.filter((item: { isPrimary: boolean }) => !item.isPrimary);
}

async function settled(merchant: Merchant): Promise<void> {
  await expect
    .poll(() => one.db.query("select origin from unsettled_origins where merchant_id = $1", [merchant.id]))
    .toEqual([]);
}

const thirty = Array.from({ length: 30 }, (_, index) => `shop${index}.com`);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

describe("calls that race", () => {
  test("thirty domains on two services: exactly ten are stored, the others get 422, and the registry has the same ten", async () => {
    const merchant = await registerMerchant(one, { domain: "primary.example" });
    const answers = await race(merchant, thirty);
    expect(statuses(answers)).toEqual([...Array(10).fill(201), ...Array(20).fill(422)]);
    const stored = await additionalDomains(merchant);
    expect(stored).toHaveLength(10);
    const added = answers.flatMap(({ body }) => body.added ?? []);
    expect(stored.flatMap(({ origins }) => origins).sort()).toEqual(added.sort());
    await settled(merchant);
    expect(registry.originsOf(merchant.id)).toEqual(
      [...added, "https://primary.example", "https://www.primary.example"].sort(),
    );
  });

  test("thirty domains and a slow registry: ten calls run concurrently, and the rest is refused without waiting", async () => {
    const merchant = await registerMerchant(one);
    await settled(merchant);
    const slow = obeyLater();
    registry.conduct = slow.conduct;
    const refused: Answer[] = [];
    const calls = thirty.map(async (domain) => {
      const [answer] = (await race(merchant, [domain])) as [Answer];
      if (answer.status === 422) refused.push(answer);
      return answer;
    });
    await expect.poll(() => refused.length).toBe(20);
    expect(registry.callsFor(merchant.id).filter((call) => / https:..shop\d/.test(call))).toHaveLength(10);
    slow.goOn();
    expect(statuses(await Promise.all(calls))).toEqual([...Array(10).fill(201), ...Array(20).fill(422)]);
    expect(await additionalDomains(merchant)).toHaveLength(10);
  });

  test("one domain thirty times: one call adds it, all answer 201, one slot is used, and the registry is called once", async () => {
    const merchant = await registerMerchant(one);
    await settled(merchant);
    const spellings = ["same.com", "WWW.same.com", "https://same.com", "same.com:443", "http://www.same.com"];
    const answers = await race(
      merchant,
      thirty.map((_, index) => spellings[index % spellings.length] as string),
    );
    expect(statuses(answers)).toEqual(Array(30).fill(201));
    const added = answers.map(({ body }) => body.added).filter((origins: string[]) => origins.length > 0);
    expect(added).toHaveLength(1);
    expect([...added[0]].sort()).toEqual(["https://same.com", "https://www.same.com"]);
    expect(await additionalDomains(merchant)).toHaveLength(1);
    expect(registry.callsFor(merchant.id).filter((call) => call.includes("same.com"))).toHaveLength(1);
  });

  test("the last slot, wanted by many for the same few domains, goes to one of them", async () => {
    const merchant = await registerMerchant(one);
    await race(merchant, thirty.slice(0, 9));
    const answers = await race(
      merchant,
      thirty.map((_, index) => `last${index % 3}.com`),
    );
    expect(answers.filter(({ body }) => body.added?.length > 0)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.domain)).size).toBe(1);
    expect(await additionalDomains(merchant)).toHaveLength(10);
  });

  test("two merchants do not wait for each other", async () => {
    const [first, second] = [await registerMerchant(one), await registerMerchant(one)];
    await settled(first);
    await settled(second);
    const slow = obeyLater();
    registry.conduct = (call, response) => (call.merchantId === first.id ? slow.conduct : obey)(call, response);
    const waiting = race(first, ["both.com"]);
    expect(statuses(await race(second, ["both.com"]))).toEqual([201]);
    slow.goOn();
    expect(statuses(await waiting)).toEqual([201]);
  });

  test("additions and removals of one domain, in any order: the registry ends up with what we have", async () => {
    const merchant = await registerMerchant(one, { domain: "primary.example" });
    const origins = ["https://primary.example", "https://www.primary.example"];
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        race(merchant, ["fickle.com", "www.fickle.com", "steady.com"]),
        ...[one, two].flatMap((service) =>
          ["fickle.com", "www.fickle.com"].map((domain) =>
            service.operator(`/merchants/${merchant.id}/domains/${domain}`, { method: "DELETE" }),
          ),
        ),
      ]);
    }
    await expect
      .poll(() => one.db.query("select origin from unsettled_origins where merchant_id = $1", [merchant.id]), {
        timeout: 20_000,
      })
      .toEqual([]);
    const stored = await additionalDomains(merchant);
    expect(registry.originsOf(merchant.id)).toEqual([...origins, ...stored.flatMap((item) => item.origins)].sort());
  });

  test("an eleventh additional domain is impossible, no matter what the program does", async () => {
    const merchant = await registerMerchant(one);
    await race(merchant, thirty.slice(0, 10));
    for (const slot of [0, 1, 10, 11]) {
      await expect(
        one.db.query(
          "insert into merchant_domains (merchant_id, domain, slot, create_date) values ($1, 'x.com', $2, $3)",
          [merchant.id, slot, new Date()],
        ),
      ).rejects.toThrow(/merchant_domains_slot/);
    }
  });
});
