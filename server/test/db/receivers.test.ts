// What migration 0019 makes of participants that were matched before there were receivers.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createActive, depositBody, ingest, newAddress, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

test("existing participants get the receiver that owed.csv named, and those without a usable wallet none", async () => {
  const campaign = await createActive(service, merchant.id);
  const [late, early, elsewhere] = [newAddress(), newAddress(), newAddress()];
  const old = { createDate: "2026-01-02T00:00:00.000Z" };
  await ingest(
    service,
    depositBody(merchant.id, late),
    depositBody(merchant.id, early, old),
    depositBody(merchant.id, elsewhere, { chainId: 1, createDate: "2026-01-01T00:00:00.000Z" }),
    depositBody(merchant.id, TOKEN, old),
    depositBody(merchant.id, "not-an-address", old),
  );
  const people: Record<string, [wallets: string[], profit: number, receiver: string | null]> = {
    both: [[late, TOKEN, "not-an-address", early], 500, early],
    "one wallet": [[late], 500, late],
    "never matched": [[late], 0, null],
    unusable: [["not-an-address", TOKEN], 500, null],
  };
  for (const [user, [wallets, profit]] of Object.entries(people)) {
    expect((await submit(merchant, campaign.id, submission(user, wallets, profit))).status).toBe(201);
  }
  await submit(merchant, campaign.id, {
    ...submission("elsewhere", [], 500),
    wallets: [{ address: elsewhere, chain: { id: 1 } }],
  });

  const columns = ["receiver_address", "receiver_set_by", "held"];
  for (const column of columns) await service.db.query(`alter table participants drop column ${column} cascade`);
  const migration = readFileSync(new URL("../../migrations/0019_payout_runs.sql", import.meta.url), "utf8");
  const [receivers = ""] = migration.split("-- One payment to many participants");
  for (const text of receivers.split(/;\n/).filter((part) => part.trim() !== "")) await service.db.query(text);

  const { items } = (await service.operator(`/campaigns/${campaign.id}/participants`)).body;
  const found = items.map((item: { merchantUserId: string; receiver: { address: string; setBy: string } | null }) => [
    item.merchantUserId,
    item.receiver && [item.receiver.address, item.receiver.setBy],
  ]);
  expect(Object.fromEntries(found)).toEqual({
    ...Object.fromEntries(
      Object.entries(people).map(([user, [, , receiver]]) => [user, receiver && [receiver, "SUBMISSION"]]),
    ),
    elsewhere: null,
  });
});
