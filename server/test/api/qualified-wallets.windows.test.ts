// The list of qualified wallets is read from the deposits. It goes from wallet to wallet, or through the deposits in the window,
// or ends a page early. The limits are constants, so the tables here are filled beyond them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WALLETS_VISITED_MAX, WINDOW_DEPOSITS_MAX } from "../../src/limits.ts";
import { createDraft } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const WALLETS = 2 * WALLETS_VISITED_MAX;

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  // Each wallet has a deposit in January. Every thousandth has one in February, the last of these on another chain. One wallet
  // has more deposits in March than are read for a page, and one of the last wallets has one there, too.
  await deposit(`select n, '2026-01-10Z'::timestamptz, 8453 from generate_series(1, ${WALLETS}) n`);
  await deposit(
    `select n, '2026-02-10Z'::timestamptz, case n when ${WALLETS} then 1 else 8453 end
     from generate_series(1000, ${WALLETS}, 1000) n`,
  );
  await deposit(
    `select 1, '2026-03-01Z'::timestamptz + n * interval '1 second', 8453
     from generate_series(1, ${WINDOW_DEPOSITS_MAX + 1}) n`,
  );
  await deposit(`select ${WALLETS - 1}, '2026-03-31Z'::timestamptz, 8453`);
}, 120_000);
afterAll(() => service.close());

// The address of the wallet n is n in hexadecimal, so that wallets sort by their number.
async function deposit(rows: string): Promise<void> {
  await service.db.transaction(
    (transaction) =>
      transaction.query(
        `insert into deposits (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address,
                               wallet_address, wallet_key, create_date, update_date)
         select $1, gen_random_uuid(), gen_random_uuid(), 'completed', 1, given.chain_id, 'USDC', '0x1',
                '0x' || lpad(to_hex(given.n), 40, '0'), '0x' || lpad(to_hex(given.n), 40, '0'), given.date, given.date
         from (${rows}) as given (n, date, chain_id)`,
        [merchant.id],
      ),
    { statementTimeoutMs: 60_000 },
  );
}

const month = (number: number) => ({
  startDate: `2026-0${number}-01T00:00:00.000Z`,
  endDate: `2026-0${number}-28T23:59:59.999Z`,
});

interface Page {
  readonly wallets: number[];
  readonly nextCursor: string | null;
}

async function readPages(window: object, query: string): Promise<Page[]> {
  const { id } = await createDraft(service, merchant.id, window);
  const pages: Page[] = [];
  let cursor = "";
  do {
    const { status, body } = await service.operator(`/campaigns/${id}/qualifiedWallets?${query}${cursor}`);
    expect(status).toBe(200);
    const wallets = body.items.map((item: { address: string }) => Number(item.address));
    pages.push({ wallets, nextCursor: body.nextCursor });
    cursor = `&cursor=${body.nextCursor}`;
  } while (pages.at(-1)?.nextCursor !== null);
  return pages;
}

describe("the pages of qualified wallets", () => {
  test("are full where every wallet qualifies", async () => {
    const pages = await readPages(month(1), "limit=100");
    expect(pages.map(({ wallets }) => wallets.length)).toEqual(Array(WALLETS / 100).fill(100));
    expect(pages.flatMap(({ wallets }) => wallets)).toEqual(Array.from({ length: WALLETS }, (_, n) => n + 1));
  });

  test("are full where few wallets qualify", async () => {
    const expected = Array.from({ length: WALLETS / 1_000 }, (_, n) => (n + 1) * 1_000);
    expect((await readPages(month(2), "limit=4")).map(({ wallets }) => wallets)).toEqual([
      expected.slice(0, 4),
      expected.slice(4, 8),
      expected.slice(8),
    ]);
    expect((await readPages(month(2), "limit=4&chainId=1")).map(({ wallets }) => wallets)).toEqual([[WALLETS]]);
  });

  test("end early, and go on with the next cursor, where few wallets qualify by very many deposits", async () => {
    const window = { ...month(3), endDate: "2026-03-31T23:59:59.999Z" };
    const pages = await readPages(window, "limit=25");
    expect(pages.map(({ wallets }) => wallets)).toEqual([[1], [WALLETS - 1], []]);
    expect(pages.map(({ nextCursor }) => nextCursor === null)).toEqual([false, false, true]);
  });
});
