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

/** The wallets whose stored qualification is not what the deposits say, over all campaigns. */
async function wrongQualifications(): Promise<unknown[]> {
  return service.db.query(
    `select coalesce(q.address_key, d.wallet_key) as wallet, q.qualified_date, d.create_date
     from qualified_wallets q
     full join (
       select c.id as campaign_id, d.wallet_key, d.chain_id, min(d.create_date) as create_date
       from campaigns c
       join deposits d on d.merchant_id = c.merchant_id and d.status = 'completed'
         and d.create_date between c.start_date and c.end_date
       group by c.id, d.wallet_key, d.chain_id
     ) d on d.campaign_id = q.campaign_id and d.wallet_key = q.address_key and d.chain_id = q.chain_id
     where q.qualified_date is distinct from d.create_date`,
  );
}

describe("qualification equals recomputation", () => {
  test("while campaigns are created and their windows move as deposits arrive from two processes", async () => {
    // Four clients report deposits one call after the other while two operators work, so that no call waits for a connection.
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
    expect(await wrongQualifications()).toEqual([]);
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
    expect(await wrongQualifications()).toEqual([]);
  });
});
