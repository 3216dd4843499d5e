import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type Merchant, registerMerchant, signHeader } from "./merchant.ts";
import { obey, TestRegistry } from "./registry.ts";
import { type Answer, type Service, startService } from "./service.ts";

export const REGISTRY_TOKEN = "registry-token-0123456789";
// Far shorter than the five seconds of a real service, so that running into it costs a test nothing.
const TIMEOUT_MS = 250;
// Past any lease.
const LATER_MS = 60_000;

export interface ListedDomain {
  readonly domain: string;
  readonly isPrimary: boolean;
  readonly origins: string[];
  readonly registryStatus: string;
  readonly registryError: string | null;
}

export const PRIMARY = ["https://primary.example", "https://www.primary.example"];
export const PAIR = ["https://shop.com", "https://www.shop.com"];

/** Waits for a condition, with the patience that a busy machine needs. */
export function eventually<Value>(read: () => Value) {
  return expect.poll(read, { interval: 10, timeout: 10_000 });
}

/** A service with an upstream registry, a clock that can be moved on, and a new merchant for every test. */
export class RegistryScene {
  readonly registry = new TestRegistry();
  service!: Service;
  merchant!: Merchant;
  #aheadMs = 0;

  readonly clock = () => new Date(Date.now() + this.#aheadMs);

  /** Lets every lease end and every postponed job be due. */
  moveOn(durationMs: number = LATER_MS): void {
    this.#aheadMs += durationMs;
  }

  /** One more service on the same database, as another process would be. */
  startAnother(registryTimeoutMs: number): Promise<Service> {
    return this.#start(registryTimeoutMs, { database: this.service.database });
  }

  #start(registryTimeoutMs: number, options: Parameters<typeof startService>[0] = {}): Promise<Service> {
    const variables = { DOMAIN_REGISTRY_URL: this.registry.url, DOMAIN_REGISTRY_TOKEN: REGISTRY_TOKEN };
    return startService({ clock: this.clock, registryTimeoutMs, variables, ...options });
  }

  async open(): Promise<void> {
    await this.registry.start();
    this.service = await this.#start(TIMEOUT_MS);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.registry.stop();
  }

  async reset(): Promise<void> {
    this.registry.conduct = obey;
    await this.registry.stop();
    await this.registry.start();
    this.merchant = await registerMerchant(this.service, { domain: "primary.example" });
    await this.settled();
  }

  add(domain: string, as: Merchant = this.merchant): Promise<Answer> {
    return as.call("/v1/merchant-domains", {
      body: { domain },
      headers: { "x-merchant-authorization": signHeader(as.id, as.keys.privateKey, this.clock()) },
    });
  }

  remove(domain: string): Promise<Answer> {
    return this.service.operator(`/merchants/${this.merchant.id}/domains/${domain}`, { method: "DELETE" });
  }

  async isAllowed(origin: string): Promise<boolean> {
    return (await this.service.operator(`/merchants/${this.merchant.id}/origins/check?origin=${origin}`)).body.allowed;
  }

  async list(): Promise<ListedDomain[]> {
    return (await this.service.operator(`/merchants/${this.merchant.id}/domains`)).body.items;
  }

  async slots(): Promise<number> {
    return (await this.list()).filter(({ isPrimary }) => !isPrimary).length;
  }

  /** The registry's origins of the merchant, sorted. */
  registered(): string[] {
    return this.registry.originsOf(this.merchant.id);
  }

  jobs(): Promise<{ last_error: string | null; next_attempt_date: Date }[]> {
    return this.service.db.query(
      "select last_error, next_attempt_date from outbox where kind = 'registry' and payload ->> 'merchantId' = $1",
      [this.merchant.id],
    );
  }

  /** Nothing is left to do, so the registry has what we have. */
  async settled(): Promise<void> {
    const unsettled = () =>
      this.service.db.query("select origin from unsettled_origins where merchant_id = $1", [this.merchant.id]);
    await eventually(unsettled).toEqual([]);
    await eventually(() => this.jobs()).toEqual([]);
  }
}

/** Opens a scene for the tests of a file. */
export function openRegistryScene(): RegistryScene {
  const scene = new RegistryScene();
  beforeAll(() => scene.open());
  beforeEach(() => scene.reset());
  afterEach(() => {
    scene.registry.conduct = obey;
  });
  afterAll(() => scene.close());
  return scene;
}
