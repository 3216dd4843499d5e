// Lock order, everywhere: the merchant's guard → the campaign's row → its participants and payouts → the head of the audit
// log. Whoever changes a campaign, its participants or its payouts holds the campaign's row, so between its lock and its
// COMMIT nothing of the campaign moves, and no statement needs to lock a participant. The lock is `for no key update`:
// foreign keys only look whether the campaign exists, and need not wait.
import { formatMultiplier, formatUnits, parseMultiplier } from "../amounts.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { MULTIPLIER_FRACTION_DIGITS_MAX } from "../limits.ts";
import type { CampaignStatus } from "./campaign-schemas.ts";
import type { CampaignState } from "./match.ts";

interface CampaignRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly type: string;
  readonly status: CampaignStatus;
  readonly display_name: string;
  readonly start_date: Date;
  readonly end_date: Date;
  readonly match_multiplier: string;
  readonly currency: string;
  readonly decimal_places: number;
  readonly max_amount_per_user: string;
  readonly max_amount_total: string;
  readonly committed: string;
  readonly payout_chain_id: number;
  readonly payout_token_address: string;
  readonly journal_length: number;
  readonly create_date: Date;
  readonly update_date: Date;
}

export type Campaign = ReturnType<typeof toCampaign>;

function toCampaign(row: CampaignRow) {
  const token = (amount: string) => ({ amount, currency: row.currency, decimalPlaces: row.decimal_places });
  return {
    merchantId: row.merchant_id,
    id: row.id,
    type: row.type,
    status: row.status,
    displayName: row.display_name,
    startDate: row.start_date.toISOString(),
    endDate: row.end_date.toISOString(),
    perTradeProfitMatch: {
      matchMultiplier: formatMultiplier(parseMultiplier(row.match_multiplier)),
      maxAmountPerUser: token(row.max_amount_per_user),
      maxAmountTotal: token(row.max_amount_total),
      currentAmountTotal: token(row.committed),
      payoutChainId: row.payout_chain_id,
      payoutTokenAddress: row.payout_token_address,
    },
    journalLength: row.journal_length,
    createDate: row.create_date.toISOString(),
    updateDate: row.update_date.toISOString(),
  };
}

/** The campaign's own token. */
export function tokenOf(campaign: Campaign): { currency: string; decimalPlaces: number } {
  const { currency, decimalPlaces } = campaign.perTradeProfitMatch.maxAmountTotal;
  return { currency, decimalPlaces };
}

export function stateOf({ status, perTradeProfitMatch: terms }: Campaign): CampaignState {
  return {
    status,
    multiplierMillionths: parseMultiplier(terms.matchMultiplier),
    tokenDecimals: terms.maxAmountTotal.decimalPlaces,
    maxAmountPerUser: BigInt(terms.maxAmountPerUser.amount),
    maxAmountTotal: BigInt(terms.maxAmountTotal.amount),
    committed: BigInt(terms.currentAmountTotal.amount),
  };
}

const COLUMNS = `c.merchant_id, c.id, c.type, c.status, c.display_name, c.start_date, c.end_date, c.match_multiplier,
  c.currency, c.decimal_places, c.max_amount_per_user, c.max_amount_total, c.committed, c.payout_chain_id,
  c.payout_token_address, c.journal_length, c.create_date, c.update_date`;

const FIND = `select ${COLUMNS} from campaigns c where c.merchant_id = $1 and c.id = $2`;
const FIND_OF_ANYONE = `select ${COLUMNS} from campaigns c where c.id = $1`;
const LOCK = `${FIND} for no key update`;

const FIND_CREATION = `select ${COLUMNS}, c.request_hash from campaigns c where c.merchant_id = $1 and c.id = $2`;

const INSERT = `insert into campaigns as c
    (merchant_id, id, status, type, display_name, start_date, end_date, match_multiplier, currency, decimal_places,
     max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address, journal_length,
     create_date, update_date, request_hash)
  values ($1, $2, 'DRAFT', $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, $13, $14, 0, $3, $3, $15)
  returning ${COLUMNS}`;

const UPDATE_TERMS = `update campaigns c
  set type = $4, display_name = $5, start_date = $6, end_date = $7, match_multiplier = $8, currency = $9,
      decimal_places = $10, max_amount_per_user = $11, max_amount_total = $12, payout_chain_id = $13,
      payout_token_address = $14, update_date = $3
  where c.merchant_id = $1 and c.id = $2
  returning ${COLUMNS}`;

const UPDATE_STATUS = `update campaigns c set status = $3, update_date = $4
  where c.merchant_id = $1 and c.id = $2
  returning ${COLUMNS}`;

// One statement per filter, each with an index of its own, newest first.
const LIST_ALL = `select ${COLUMNS}
  from campaigns c
  where (c.create_date, c.id) < ($1::timestamptz, $2::uuid)
  order by c.create_date desc, c.id desc
  limit $3`;

const LIST_OF_MERCHANT = `select ${COLUMNS}
  from campaigns c
  where c.merchant_id = $4 and (c.create_date, c.id) < ($1::timestamptz, $2::uuid)
  order by c.create_date desc, c.id desc
  limit $3`;

const LIST_BY_STATUS = `select ${COLUMNS}
  from campaigns c
  where c.status = $4 and (c.create_date, c.id) < ($1::timestamptz, $2::uuid)
  order by c.create_date desc, c.id desc
  limit $3`;

const LIST_OF_MERCHANT_BY_STATUS = `select ${COLUMNS}
  from campaigns c
  where c.merchant_id = $4 and c.status = $5 and (c.create_date, c.id) < ($1::timestamptz, $2::uuid)
  order by c.create_date desc, c.id desc
  limit $3`;

export async function findCampaign(db: Queryable, merchantId: string, id: string): Promise<Campaign | null> {
  const [row] = await db.query<CampaignRow>(FIND, [merchantId, id]);
  return row === undefined ? null : toCampaign(row);
}

/** For operators, who name a campaign by its id alone. What they change is locked with the merchant found here. */
export async function findCampaignOfAnyone(db: Queryable, id: string): Promise<Campaign | null> {
  const [row] = await db.query<CampaignRow>(FIND_OF_ANYONE, [id]);
  return row === undefined ? null : toCampaign(row);
}

export async function lockCampaign(transaction: Queryable, merchantId: string, id: string): Promise<Campaign | null> {
  const [row] = await transaction.query<CampaignRow>(LOCK, [merchantId, id]);
  return row === undefined ? null : toCampaign(row);
}

/** What a campaign is known by when the request that made it is repeated. */
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
  const [row] = await db.query<CampaignRow & { request_hash: Buffer | null }>(FIND_CREATION, [merchantId, id]);
  return row === undefined ? null : { campaign: toCampaign(row), requestHash: row.request_hash };
}

/** What an operator decides about a campaign. */
export interface CampaignTerms {
  readonly type: string;
  readonly displayName: string;
  readonly startDate: Date;
  readonly endDate: Date;
  readonly multiplierMillionths: bigint;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly maxAmountPerUser: bigint;
  readonly maxAmountTotal: bigint;
  readonly payoutChainId: number;
  readonly payoutTokenAddress: string;
}

const termsValues = (terms: CampaignTerms) => [
  terms.type,
  terms.displayName,
  terms.startDate,
  terms.endDate,
  formatUnits(terms.multiplierMillionths, MULTIPLIER_FRACTION_DIGITS_MAX),
  terms.currency,
  terms.decimalPlaces,
  terms.maxAmountPerUser,
  terms.maxAmountTotal,
  terms.payoutChainId,
  terms.payoutTokenAddress,
];

export async function insertCampaign(
  transaction: Queryable,
  merchantId: string,
  { id, requestHash }: Creation,
  terms: CampaignTerms,
  now: Date,
): Promise<Campaign> {
  const values = [merchantId, id, now, ...termsValues(terms), requestHash];
  const [row] = await transaction.query<CampaignRow>(INSERT, values);
  return toCampaign(row as CampaignRow);
}

export async function updateTerms(
  transaction: Queryable,
  merchantId: string,
  id: string,
  terms: CampaignTerms,
  now: Date,
): Promise<Campaign> {
  const [row] = await transaction.query<CampaignRow>(UPDATE_TERMS, [merchantId, id, now, ...termsValues(terms)]);
  return toCampaign(row as CampaignRow);
}

export async function updateStatus(
  transaction: Queryable,
  merchantId: string,
  id: string,
  status: CampaignStatus,
  now: Date,
): Promise<Campaign> {
  const [row] = await transaction.query<CampaignRow>(UPDATE_STATUS, [merchantId, id, status, now]);
  return toCampaign(row as CampaignRow);
}

// Before the first page stands a position that sorts before every row, so that one plan serves every page.
const NEWEST: Position = ["infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

export async function listCampaigns(
  db: Queryable,
  merchantId: string,
  after: Position | null,
  count: number,
): Promise<Campaign[]> {
  const rows = await db.query<CampaignRow>(LIST_OF_MERCHANT, [...(after ?? NEWEST), count, merchantId]);
  return rows.map(toCampaign);
}

/** Of one merchant or of all. */
export async function listCampaignsForOperator(
  db: Queryable,
  { merchantId, status }: { merchantId: string | null; status: CampaignStatus | null },
  after: Position | null,
  count: number,
): Promise<Campaign[]> {
  if (merchantId !== null && status === null) return listCampaigns(db, merchantId, after, count);
  const page = [...(after ?? NEWEST), count];
  if (status === null) return (await db.query<CampaignRow>(LIST_ALL, page)).map(toCampaign);
  const rows =
    merchantId === null
      ? await db.query<CampaignRow>(LIST_BY_STATUS, [...page, status])
      : await db.query<CampaignRow>(LIST_OF_MERCHANT_BY_STATUS, [...page, merchantId, status]);
  return rows.map(toCampaign);
}
