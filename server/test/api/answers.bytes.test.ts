// The largest answers that a merchant can get. However many wallets participants and users have, a page stays below a bound.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const ITEMS = 100;
// An item shows 100 of them. Whether there are a few more or 1,000 does not change the answer's size.
const WALLETS = 110;
const MEGABYTE = 1_024 * 1_024;

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));

describe("a page of 100 items with more wallets each than are shown", () => {
  // A submitted address is any text of 128 characters, and JSON writes a control character with six bytes. Ordinary addresses
  // have 42 characters.
  test.each([
    ["ordinary addresses", "'0x' || repeat(md5(n::text), 2)", "substr(%, 1, 42)", 1.5],
    ["the largest addresses", "repeat(chr(1), 120) || lpad(n::text, 8, '0')", "%", 9],
  ])("of participants is below its bound, with %s", async (_name, text, form, boundMegabytes) => {
    const { id } = await createActive(service, merchant.id);
    const wallet = await qualify(service, merchant.id);
    await submit(merchant, id, submission("first", [wallet]));
    const address = form.replace("%", text);
    // By way of submissions this would take a minute.
    await service.db.query(
      `insert into participants
       select (jsonb_populate_record(p, jsonb_build_object('id', md5(p.id::text || n)::uuid, 'merchant_user_id',
         case when $3 then rpad(n::text, 255, chr(1)) else 'user-' || n end))).*
       from participants p cross join generate_series(1, $2::integer) n
       where p.campaign_id = $1`,
      [id, ITEMS - 1, boundMegabytes > 2],
    );
    await service.db.query(
      `insert into participant_wallets
       select p.merchant_id, p.id, ${address} || '', 9007199254740991, p.campaign_id, ${address}, n, 1
       from participants p cross join generate_series(0, $2::integer - 1) n
       where p.campaign_id = $1 and p.merchant_user_id <> 'first'`,
      [id, WALLETS],
    );
    for (const answer of [
      await merchant.call(`/v1/marketings/campaigns/${id}/participants?limit=100`),
      await service.operator(`/campaigns/${id}/participants?limit=100`),
    ]) {
      expect(answer.body.items).toHaveLength(ITEMS);
      for (const { merchantUserId, walletCount, associatedWallets } of answer.body.items) {
        const expected = merchantUserId === "first" ? [1, 1] : [WALLETS, 100];
        expect([walletCount, associatedWallets.length]).toEqual(expected);
      }
      const size = sizeOf(answer.body);
      expect(size).toBeGreaterThan((boundMegabytes * MEGABYTE) / 2);
      expect(size).toBeLessThan(boundMegabytes * MEGABYTE);
    }
  });

  test("of users is below its bound", async () => {
    // Backslashes are the largest: JSON writes two bytes for each.
    await service.db.query(
      `with made as (
         insert into deposit_wallets (merchant_id, user_id, wallet_key, chain_id, wallet_address, first_deposit_date)
         select $1, md5(u::text)::uuid, lpad(n::text, 128, '\\'), 9007199254740991, lpad(n::text, 128, '\\'), now()
         from generate_series(1, $2::integer) u cross join generate_series(1, $3::integer) n
       )
       insert into deposit_users
       select $1, md5(u::text)::uuid, 1, 1, 1, 1, 1, 1, now(), now(), $3::integer from generate_series(1, $2::integer) u`,
      [merchant.id, ITEMS, WALLETS],
    );
    for (const answer of [
      await merchant.call("/v1/merchant-users?limit=100"),
      await service.operator(`/merchants/${merchant.id}/users?limit=100`),
    ]) {
      expect(answer.body.items).toHaveLength(ITEMS);
      const size = sizeOf(answer.body);
      expect(size).toBeGreaterThan(2 * MEGABYTE);
      expect(size).toBeLessThan(4 * MEGABYTE);
    }
  });
});
