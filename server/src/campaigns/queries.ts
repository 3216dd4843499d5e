// Lock order, everywhere: the merchant's guard → the campaign's row → its participants and payouts → the head of the audit
// log. Every change to a campaign, its participants or its payouts holds the campaign's row, so nothing of the campaign
// changes between that lock and the COMMIT, and no statement needs to lock a participant. The lock is `for no key update`:
// foreign keys only check that the campaign exists, and do not wait for it.
import { formatUnits, parseMultiplier } from "../amounts.ts";
import { type RowOf, run, sql, when } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { MULTIPLIER_FRACTION_DIGITS_MAX } from "../limits.ts";
import type { Campaign, CampaignStatus, CampaignTerms } from "./record.ts";

type CampaignRow = Omit<RowOf<Campaign>, "multiplierMillionths"> & { readonly matchMultiplier: string };

function toCampaign({ matchMultiplier, ...row }: CampaignRow): Campaign {
  return {
    ...row,
    multiplierMillionths: parseMultiplier(matchMultiplier),
    maxAmountPerUser: BigInt(row.maxAmountPerUser),
    maxAmountTotal: BigInt(row.maxAmountTotal),
    committed: BigInt(row.committed),
  };
}

const toCampaignOrNull = ([row]: readonly CampaignRow[]) => (row === undefined ? null : toCampaign(row));

const COLUMNS = sql`c.merchant_id as "merchantId", c.id, c.type, c.status, c.display_name as "displayName",
  c.start_date as "startDate", c.end_date as "endDate", c.match_multiplier as "matchMultiplier", c.currency,
  c.decimal_places as "decimalPlaces", c.max_amount_per_user as "maxAmountPerUser", c.max_amount_total as "maxAmountTotal",
  c.committed, c.payout_chain_id as "payoutChainId", c.payout_token_address as "payoutTokenAddress",
  c.journal_length as "journalLength", c.create_date as "createDate", c.update_date as "updateDate"`;

export async function findCampaign(db: Queryable, merchantId: string, id: string): Promise<Campaign | null> {
  return toCampaignOrNull(
    await run(db, sql`select ${COLUMNS} from campaigns c where c.merchant_id = ${merchantId} and c.id = ${id}`),
  );
}

/** For operators, who name a campaign by its id alone. Changes lock the campaign with the merchant found here. */
export async function findCampaignOfAnyone(db: Queryable, id: string): Promise<Campaign | null> {
  return toCampaignOrNull(await run(db, sql`select ${COLUMNS} from campaigns c where c.id = ${id}`));
}

export async function lockCampaign(transaction: Queryable, merchantId: string, id: string): Promise<Campaign | null> {
  return toCampaignOrNull(
    await run(
      transaction,
      sql`select ${COLUMNS} from campaigns c where c.merchant_id = ${merchantId} and c.id = ${id} for no key update`,
    ),
  );
}

/** Identifies a campaign when the request that created it is repeated. */
export interface Creation {
  readonly id: string;
  /** Null where requests for one id may differ. */
  readonly requestHash: Buffer | null;
}

export async function findCreation(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<{ campaign: Campaign; requestHash: Buffer | null } | null> {
  const [row] = await run<CampaignRow & { requestHash: Buffer | null }>(
    db,
    sql`select ${COLUMNS}, c.request_hash as "requestHash"
    from campaigns c
    where c.merchant_id = ${merchantId} and c.id = ${id}`,
  );
  if (row === undefined) return null;
  const { requestHash, ...campaign } = row;
  return { campaign: toCampaign(campaign), requestHash };
}

const multiplierOf = (terms: CampaignTerms) => formatUnits(terms.multiplierMillionths, MULTIPLIER_FRACTION_DIGITS_MAX);

export async function insertCampaign(
  transaction: Queryable,
  merchantId: string,
  { id, requestHash }: Creation,
  terms: CampaignTerms,
  now: Date,
): Promise<Campaign> {
  const [row] = await run<CampaignRow>(
    transaction,
    sql`insert into campaigns as c
      (merchant_id, id, status, type, display_name, start_date, end_date, match_multiplier, currency, decimal_places,
       max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address, journal_length,
       create_date, update_date, request_hash)
    values (${merchantId}, ${id}, 'DRAFT', ${terms.type}, ${terms.displayName}, ${terms.startDate}, ${terms.endDate},
            ${multiplierOf(terms)}, ${terms.currency}, ${terms.decimalPlaces}, ${terms.maxAmountPerUser},
            ${terms.maxAmountTotal}, 0, ${terms.payoutChainId}, ${terms.payoutTokenAddress}, 0, ${now}, ${now},
            ${requestHash})
    returning ${COLUMNS}`,
  );
  return toCampaign(row as CampaignRow);
}

export async function updateTerms(
  transaction: Queryable,
  merchantId: string,
  id: string,
  terms: CampaignTerms,
  now: Date,
): Promise<Campaign> {
  const [row] = await run<CampaignRow>(
    transaction,
    sql`update campaigns c
    set type = ${terms.type}, display_name = ${terms.displayName}, start_date = ${terms.startDate},
        end_date = ${terms.endDate}, match_multiplier = ${multiplierOf(terms)}, currency = ${terms.currency},
        decimal_places = ${terms.decimalPlaces}, max_amount_per_user = ${terms.maxAmountPerUser},
        max_amount_total = ${terms.maxAmountTotal}, payout_chain_id = ${terms.payoutChainId},
        payout_token_address = ${terms.payoutTokenAddress}, update_date = ${now}
    where c.merchant_id = ${merchantId} and c.id = ${id}
    returning ${COLUMNS}`,
  );
  return toCampaign(row as CampaignRow);
}

export async function updateStatus(
  transaction: Queryable,
  merchantId: string,
  id: string,
  status: CampaignStatus,
  now: Date,
): Promise<Campaign> {
  const [row] = await run<CampaignRow>(
    transaction,
    sql`update campaigns c set status = ${status}, update_date = ${now}
    where c.merchant_id = ${merchantId} and c.id = ${id}
    returning ${COLUMNS}`,
  );
  return toCampaign(row as CampaignRow);
}

// The first page starts after a position that sorts before every row, so that one plan serves every page.
const NEWEST: Position = ["infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

/** Newest first. Each combination of filters is a statement with an index of its own. */
export async function listCampaigns(
  db: Queryable,
  { merchantId, status }: { merchantId: string | null; status: CampaignStatus | null },
  after: Position | null,
  count: number,
): Promise<Campaign[]> {
  const [date = "", id = ""] = after ?? NEWEST;
  const rows = await run<CampaignRow>(
    db,
    sql`select ${COLUMNS}
    from campaigns c
    where (c.create_date, c.id) < (${date}::timestamptz, ${id}::uuid)
      ${when(merchantId !== null, sql`and c.merchant_id = ${merchantId}`)}
      ${when(status !== null, sql`and c.status = ${status}`)}
    order by c.create_date desc, c.id desc
    limit ${count}`,
  );
  return rows.map(toCampaign);
}
