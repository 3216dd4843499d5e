import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASE, createDraft, depositBody, ingest, newAddress } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let services: Service[];
let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  services = [service, await startService({ database: service.database })];
  merchant = await registerMerchant(service);
});
afterAll(async () => {
  await services[1]?.close();
  await service.close();
});

interface Shown {
  readonly address: string;
  readonly chainId: number;
  readonly qualifiedDate: string;
}

/** Compares the list of every campaign, and a check of every address, with a recomputation from the deposits. */
async function expectRecomputation(): Promise<void> {
  const campaigns = await service.db.query<{ id: string; startDate: Date; endDate: Date }>(
    `select id, start_date as "startDate", end_date as "endDate" from campaigns where merchant_id = $1`,
    [merchant.id],
  );
  for (const { id, startDate, endDate } of campaigns) {
    const expected = await service.db.query<{ key: string; date: Date }>(
      `select wallet_key as key, min(create_date) as date
       from deposits
       where merchant_id = $1 and status = 'completed' and create_date between $2 and $3
       group by wallet_key order by wallet_key`,
      [merchant.id, startDate, endDate],
    );
    const wanted = expected.map(({ key, date }) => `${key} ${date.toISOString()}`);
    expect(await listAll(`/campaigns/${id}/qualifiedWallets?limit=100`)).toEqual(wanted);
    const addresses = expected.slice(0, 50).map(({ key }) => `address=${key}`);
    if (addresses.length === 0) continue;
    expect(await listAll(`/campaigns/${id}/qualifiedWallets?${addresses.join("&")}`)).toEqual(wanted.slice(0, 50));
  }
}

async function listAll(path: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await service.operator(`${path}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    found.push(...body.items.map((item: Shown) => `${item.address.toLowerCase()} ${item.qualifiedDate}`));
    cursor = body.nextCursor;
  }
  return found;
}

describe("qualification equals recomputation", () => {
  test("while campaigns are created and their windows move as deposits arrive from two processes", async () => {
    // Four clients report deposits one call after the other while two operators work.
    const deposits = Array.from({ length: 4 }, async (_, client) => {
      for (let call = 0; call < 10; call++) {
        const day = String(1 + ((client * 10 + call) % 28)).padStart(2, "0");
        const addresses = Array.from({ length: 5 }, newAddress);
        await ingest(
          services[client % 2] as Service,
          ...addresses.map((address) =>
            depositBody(merchant.id, address, { createDate: `2026-01-${day}T00:00:00.000Z` }),
          ),
        );
      }
    });
    const campaigns = services.map(async (host) => {
      for (let index = 0; index < 4; index++) {
        const { id } = await createDraft(host, merchant.id, { endDate: "2026-01-10T00:00:00.000Z" });
        const longer = { method: "PATCH", body: { endDate: "2026-01-20T00:00:00.000Z" } };
        expect((await host.operator(`/campaigns/${id}`, longer)).status).toBe(200);
        const shorter = { method: "PATCH", body: { startDate: "2026-01-05T00:00:00.000Z" } };
        expect((await host.operator(`/campaigns/${id}`, shorter)).status).toBe(200);
      }
    });
    await Promise.all([...deposits, ...campaigns]);
    await expectRecomputation();
  });

  test("when deposits of one wallet complete and fail at the same time, in both orders, many times", async () => {
    const { id } = await createDraft(service, merchant.id);
    for (let round = 0; round < 8; round++) {
      const address = newAddress();
      const events = Array.from({ length: 6 }, (_, index) =>
        depositBody(merchant.id, address, { createDate: `2026-01-0${index + 1}T00:00:00.000Z` }),
      );
      await ingest(service, ...events.slice(0, 3));
      await Promise.all(
        events.map((event, index) => {
          const state = index < 3 ? "FAILED" : "COMPLETED";
          return ingest(services[index % 2] as Service, { ...event, state, updateDate: "2026-01-30T00:00:00.000Z" });
        }),
      );
      const { body } = await service.operator(`/campaigns/${id}/qualifiedWallets?address=${address}&chainId=${BASE}`);
      expect(body.items[0]?.qualifiedDate).toBe("2026-01-04T00:00:00.000Z");
      // And away again, one deposit per call.
      await Promise.all(
        events.slice(3).map((event, index) =>
          ingest(services[index % 2] as Service, {
            ...event,
            state: "FAILED",
            updateDate: "2026-01-31T00:00:00.000Z",
          }),
        ),
      );
      expect((await service.operator(`/campaigns/${id}/qualifiedWallets?address=${address}`)).body.items).toEqual([]);
    }
    await expectRecomputation();
  });
});
