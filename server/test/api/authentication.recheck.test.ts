import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { committedOf, createActive, qualify, submission, submit } from "../harness/campaigns.ts";
import { untilBlocked } from "../harness/locks.ts";
import { asMerchant, generateKeys, type Merchant, registerMerchant, signHeader } from "../harness/merchant.ts";
import { obeyLater } from "../harness/registry.ts";
import { openRegistryScene } from "../harness/registry-scene.ts";
import { type Service, startService } from "../harness/service.ts";

/** A request whose headers are with the server and whose body is not. */
class SlowRequest {
  readonly #socket: Socket;
  readonly #body: string;
  readonly #answer: Promise<{ status: number; code: string | undefined }>;

  private constructor(socket: Socket, body: string) {
    this.#socket = socket;
    this.#body = body;
    this.#answer = new Promise((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.on("close", () =>
        resolve({
          status: Number(/^HTTP\/1\.1 (?!1)([0-9]{3})/m.exec(text)?.[1]),
          code: /"code":"([A-Z_]+)"/.exec(text)?.[1],
        }),
      );
    });
  }

  /** Resolves when the server has read the headers: it says 100 Continue after that, and before the body. */
  static async start(url: string, path: string, header: string, body: string): Promise<SlowRequest> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    const request = new SlowRequest(socket, body);
    const goOn = new Promise<void>((resolve) => socket.once("data", () => resolve()));
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\nexpect: 100-continue\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `x-merchant-authorization: ${header}\r\n\r\n`,
    );
    await goOn;
    return request;
  }

  finish(): Promise<{ status: number; code: string | undefined }> {
    this.#socket.write(this.#body);
    return this.#answer;
  }
}

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  merchant = await registerMerchant(service);
  // The key is in the cache from here on, so that the headers of a slow request are judged as soon as they are read.
  expect((await merchant.call("/v1/merchant-deposits")).status).toBe(200);
});
afterAll(() => service.close());

const header = () => signHeader(merchant.id, merchant.keys.privateKey);
const suspend = () => service.operator(`/merchants/${merchant.id}/suspend`, { method: "POST" });
const swap = (publicKey = generateKeys().publicKeyPem) =>
  service.operator(`/merchants/${merchant.id}/public-key`, { method: "PUT", body: { publicKey } });
const requireBound = () =>
  service.operator(`/merchants/${merchant.id}`, { method: "PATCH", body: { requireBoundSignatures: true } });

const ENDINGS = [
  ["suspended", suspend, { status: 403, code: "MERCHANT_NOT_ACTIVE" }],
  ["given another key", () => swap(), { status: 422, code: "MERCHANT_SIGNATURE_INVALID" }],
  ["required to bind its signatures", requireBound, { status: 422, code: "MERCHANT_SIGNATURE_INVALID" }],
] as const;

describe("a request whose body comes after its merchant was", () => {
  test.each(ENDINGS)("%s submits nothing", async (_name, end, refusal) => {
    const wallet = await qualify(service, merchant.id);
    const { id } = await createActive(service, merchant.id);
    const path = `/v1/marketings/campaigns/${id}/participants`;
    const slow = await SlowRequest.start(
      service.publicUrl,
      path,
      header(),
      JSON.stringify(submission("user-1", [wallet], 100)),
    );
    expect((await end()).status).toBe(200);
    expect(await slow.finish()).toEqual(refusal);
    expect(await committedOf(service, id)).toBe(0n);
  });

  test.each(ENDINGS)("%s whitelists nothing", async (_name, end, refusal) => {
    const slow = await SlowRequest.start(
      service.publicUrl,
      "/v1/merchant-domains",
      header(),
      '{"domain":"late.example"}',
    );
    expect((await end()).status).toBe(200);
    expect(await slow.finish()).toEqual(refusal);
    const { items } = (await service.operator(`/merchants/${merchant.id}/domains`)).body;
    expect(items).toHaveLength(1);
  });

  test("left alone goes on as before", async () => {
    const slow = await SlowRequest.start(
      service.publicUrl,
      "/v1/merchant-domains",
      header(),
      '{"domain":"late.example"}',
    );
    expect(await slow.finish()).toEqual({ status: 201, code: undefined });
  });
});

describe("a submission that waits in the queue", () => {
  /** Holds the campaign's row, as a batch of another process would, until it is released. */
  async function holdCampaign(id: string) {
    let letGo = () => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let held: Promise<void> = Promise.resolve();
    await new Promise<void>((locked) => {
      held = service.db.transaction(async (transaction) => {
        await transaction.query("select from campaigns where id = $1 for update", [id]);
        locked();
        await released;
      });
    });
    return {
      release: async () => {
        letGo();
        await held;
      },
    };
  }
  const batchWaits = () => untilBlocked(service.db, { text: "campaigns" });

  test("while its merchant is suspended is refused with 403, and matches nothing", async () => {
    const wallet = await qualify(service, merchant.id);
    const { id } = await createActive(service, merchant.id);
    const { release } = await holdCampaign(id);
    const submitted = submit(merchant, id, submission("user-1", [wallet], 100));
    await batchWaits();
    expect((await suspend()).status).toBe(200);
    await release();
    expect(await submitted).toMatchObject({ status: 403, body: { error: { code: "MERCHANT_NOT_ACTIVE" } } });
    expect(await committedOf(service, id)).toBe(0n);
  });

  test("while its merchant's key is swapped is refused, and one signed with the new key beside it goes on", async () => {
    const wallet = await qualify(service, merchant.id);
    const { id } = await createActive(service, merchant.id);
    const { release } = await holdCampaign(id);
    const first = submit(merchant, id, submission("user-1", [wallet], 100));
    await batchWaits();
    const queued = submit(merchant, id, submission("user-2", [wallet], 100));
    const keys = generateKeys();
    expect((await swap(keys.publicKeyPem)).status).toBe(200);
    const renewed = submit(asMerchant(service, merchant.id, keys), id, submission("user-3", [wallet], 100));
    await release();
    const refusal = { status: 422, body: { error: { code: "MERCHANT_SIGNATURE_INVALID" } } };
    expect(await first).toMatchObject(refusal);
    expect(await queued).toMatchObject(refusal);
    expect(await renewed).toMatchObject({ status: 201 });
    expect(await committedOf(service, id)).toBe(200n);
  });
});

describe("a submission that is being written", () => {
  /** Holds up what a batch writes after it has read the merchant's credential, as a large batch does by itself. */
  async function whileWriting(work: () => Promise<void>): Promise<void> {
    await service.db.transaction(async (transaction) => {
      await transaction.query("lock table submission_journal in share mode");
      await work();
    });
  }
  const batchWrites = () => untilBlocked(service.db, { text: "insert into participants" });

  test.each(ENDINGS)("when its merchant is %s does not commit after that was answered", async (_name, end, refusal) => {
    const wallet = await qualify(service, merchant.id);
    const { id } = await createActive(service, merchant.id);
    let submitted: ReturnType<typeof submit> | undefined;
    await whileWriting(async () => {
      submitted = submit(merchant, id, submission("user-1", [wallet], 100));
      await batchWrites();
      expect((await end()).status).toBe(200);
    });
    expect(await submitted).toMatchObject({ status: refusal.status, body: { error: { code: refusal.code } } });
    expect(await committedOf(service, id)).toBe(0n);
  });

  test("goes on when nothing ended", async () => {
    const wallet = await qualify(service, merchant.id);
    const { id } = await createActive(service, merchant.id);
    let submitted: ReturnType<typeof submit> | undefined;
    await whileWriting(async () => {
      submitted = submit(merchant, id, submission("user-1", [wallet], 100));
      await batchWrites();
    });
    expect(await submitted).toMatchObject({ status: 201 });
    expect(await committedOf(service, id)).toBe(200n);
  });
});

describe("a domain whose registry call is in progress", () => {
  const scene = openRegistryScene();

  test.each([
    ["is suspended", { status: 403, body: { error: { code: "MERCHANT_NOT_ACTIVE" } } }],
    ["gets another key", { status: 422, body: { error: { code: "MERCHANT_SIGNATURE_INVALID" } } }],
  ])("is not whitelisted when its merchant %s meanwhile, and is taken back", async (name, refusal) => {
    const slow = obeyLater();
    scene.registry.conduct = slow.conduct;
    const patient = await scene.startAnother(5_000);
    try {
      const added = asMerchant(patient, scene.merchant.id, scene.merchant.keys).call("/v1/merchant-domains", {
        body: { domain: "shop.com" },
        headers: {
          "x-merchant-authorization": signHeader(scene.merchant.id, scene.merchant.keys.privateKey, scene.clock()),
        },
      });
      await expect
        .poll(() =>
          scene.registry.calls.some(
            ({ merchantId, origins }) => merchantId === scene.merchant.id && origins.includes("https://shop.com"),
          ),
        )
        .toBe(true);
      const path = `/merchants/${scene.merchant.id}`;
      const ended = name.includes("key")
        ? await scene.service.operator(`${path}/public-key`, {
            method: "PUT",
            body: { publicKey: generateKeys().publicKeyPem },
          })
        : await scene.service.operator(`${path}/suspend`, { method: "POST" });
      expect(ended.status).toBe(200);
      slow.goOn();
      expect(await added).toMatchObject(refusal);
      expect(await scene.slots()).toBe(0);
      scene.moveOn();
      await scene.settled();
      expect(scene.registered()).not.toContain("https://shop.com");
    } finally {
      await patient.close();
    }
  });
});
