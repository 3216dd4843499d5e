// Lock order, everywhere: the campaign's row → its participants and payouts → the head of the audit log. A transaction waits
// for one campaign at most, before it holds another lock; one that locks several campaigns skips those that are locked, or, if it
// must have all of them, takes them in the order of (merchant_id, id). Every change to a campaign, its participants or its payouts
// holds the campaign's row, so nothing of the campaign changes between that lock and the
// COMMIT, and no statement needs to lock a participant. The lock is `for no key update`: foreign keys only check that the campaign
// exists, and do not wait for it.
import { formatUnits, parseMultiplier } from "../amounts.ts";
import { allOf, type Sql, sql, statement } from "../db/compose.ts";
import { type IdRange, inIdRange, rangeValues } from "../db/id-range.ts";
import type { Queryable, Value } from "../db/pool.ts";
import type { RowOf } from "../db/rows.ts";
import { NEWEST, type Position } from "../http/pagination.ts";
import { MULTIPLIER_FRACTION_DIGITS_MAX } from "../limits.ts";
import type { JournalHead } from "./journal/record.ts";
import type { Campaign, CampaignStatus, CampaignTerms } from "./record.ts";

type CampaignRow = Omit<RowOf<Campaign>, "multiplierMillionths" | "minimumDepositMicros"> & {
  readonly matchMultiplier: string;
  readonly minimumDepositMicros: string | null;
};

// Field by field: to leave one of them out with `...rest` took longer than all the others.
function toCampaign(row: CampaignRow): Campaign {
  return {
    merchantId: row.merchantId,
    id: row.id,
    type: row.type,
    status: row.status,
    displayName: row.displayName,
    startDate: row.startDate,
    endDate: row.endDate,
    multiplierMillionths: parseMultiplier(row.matchMultiplier),
    currency: row.currency,
    decimalPlaces: row.decimalPlaces,
    maxAmountPerUser: BigInt(row.maxAmountPerUser),
    maxAmountTotal: BigInt(row.maxAmountTotal),
    committed: BigInt(row.committed),
    payoutChainId: row.payoutChainId,
    payoutTokenAddress: row.payoutTokenAddress,
    participantsPerWalletMax: row.participantsPerWalletMax,
    minimumDepositMicros: row.minimumDepositMicros === null ? null : BigInt(row.minimumDepositMicros),
    journalLength: row.journalLength,
    createDate: row.createDate,
    updateDate: row.updateDate,
  };
}

const COLUMNS = sql`c.merchant_id as "merchantId", c.id, c.type, c.status, c.display_name as "displayName",
  c.start_date as "startDate", c.end_date as "endDate", c.match_multiplier as "matchMultiplier", c.currency,
  c.decimal_places as "decimalPlaces", c.max_amount_per_user as "maxAmountPerUser", c.max_amount_total as "maxAmountTotal",
  c.committed, c.payout_chain_id as "payoutChainId", c.payout_token_address as "payoutTokenAddress",
  c.participants_per_wallet_max as "participantsPerWalletMax", c.minimum_deposit_micros as "minimumDepositMicros",
  c.journal_length as "journalLength", c.create_date as "createDate", c.update_date as "updateDate"`;

const FIND = sql`select ${COLUMNS} from campaigns c where c.merchant_id = $merchantId and c.id = $id`;
const FIND_OF_ANYONE = sql`select ${COLUMNS} from campaigns c where c.id = $id`;

/** A campaign whose row the transaction holds, with the end of its journal's chain. */
export interface LockedCampaign extends Campaign {
  readonly journalHead: JournalHead;
}

interface LockedRow extends CampaignRow {
  readonly journalKeyVersion: number;
  readonly journalDigest: Buffer;
}

function toLocked(row: LockedRow): LockedCampaign {
  return { ...toCampaign(row), journalHead: { keyVersion: row.journalKeyVersion, digest: row.journalDigest } };
}

const LOCKED_COLUMNS = sql`${COLUMNS}, c.journal_key_version as "journalKeyVersion", c.journal_digest as "journalDigest"`;
const LOCK = sql`select ${LOCKED_COLUMNS}
  from campaigns c
  where c.merchant_id = $merchantId and c.id = $id
  for no key update`;

async function findOne(db: Queryable, text: Sql, values: Record<string, Value>): Promise<Campaign | null> {
  const [row] = await db.query<CampaignRow>(...statement(text, values));
  return row === undefined ? null : toCampaign(row);
}

export function findCampaign(db: Queryable, merchantId: string, id: string): Promise<Campaign | null> {
  return findOne(db, FIND, { merchantId, id });
}

/** For operators, who name a campaign by its id alone. Changes lock the campaign with the merchant found here. */
export function findCampaignOfAnyone(db: Queryable, id: string): Promise<Campaign | null> {
  return findOne(db, FIND_OF_ANYONE, { id });
}

export async function lockCampaign(
  transaction: Queryable,
  merchantId: string,
  id: string,
): Promise<LockedCampaign | null> {
  const [row] = await transaction.query<LockedRow>(...statement(LOCK, { merchantId, id }));
  return row === undefined ? null : toLocked(row);
}

/** Ids alone do not name a campaign: a merchant may send the id of another's. */
export interface CampaignKey {
  readonly merchantId: string;
  readonly id: string;
}

const lockFree = (merchantId: Sql) => sql`select given.position, ${LOCKED_COLUMNS}
  from unnest((select $merchantIds::uuid[]), (select $ids::uuid[])) with ordinality as given (merchant_id, id, position)
  cross join lateral (
    select c.*
    from campaigns c
    where c.merchant_id = ${merchantId} and c.id = given.id
    for no key update skip locked
  ) c`;

const LOCK_FREE = lockFree(sql`given.merchant_id`);
const LOCK_FREE_OF_MERCHANT = lockFree(sql`$merchantId`);

/**
 * Locks those of the campaigns that exist and are not locked elsewhere. Null for the others. It waits for no lock, so a
 * transaction may hold many campaigns and never be part of a deadlock.
 */
export async function lockFreeCampaigns(
  transaction: Queryable,
  keys: readonly CampaignKey[],
): Promise<(LockedCampaign | null)[]> {
  const [merchantId, ...others] = new Set(keys.map((key) => key.merchantId));
  const rows = await transaction.query<LockedRow & { position: number }>(
    ...statement(others.length === 0 ? LOCK_FREE_OF_MERCHANT : LOCK_FREE, {
      merchantId: merchantId ?? null,
      merchantIds: keys.map((key) => key.merchantId),
      ids: keys.map(({ id }) => id),
    }),
  );
  const locked = new Map(rows.map(({ position, ...row }) => [position, toLocked(row)]));
  return keys.map((_, index) => locked.get(index + 1) ?? null);
}

/** Identifies a campaign when the request that created it is repeated. */
export interface Creation {
  readonly id: string;
  /** Null where requests for one id may differ. */
  readonly requestHash: Buffer | null;
}

const FIND_CREATION = sql`select ${COLUMNS}, c.request_hash as "requestHash"
  from campaigns c
  where c.merchant_id = $merchantId and c.id = $id`;

export async function findCreation(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<{ campaign: Campaign; requestHash: Buffer | null } | null> {
  const [row] = await db.query<CampaignRow & { requestHash: Buffer | null }>(
    ...statement(FIND_CREATION, { merchantId, id }),
  );
  if (row === undefined) return null;
  const { requestHash, ...campaign } = row;
  return { campaign: toCampaign(campaign), requestHash };
}

const INSERT = sql`insert into campaigns as c
    (merchant_id, id, status, type, display_name, start_date, end_date, match_multiplier, currency, decimal_places,
     max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address, participants_per_wallet_max,
     minimum_deposit_micros, journal_length, create_date, update_date, request_hash)
  values ($merchantId, $id, 'DRAFT', $type, $displayName, $startDate, $endDate, $matchMultiplier, $currency, $decimalPlaces,
          $maxAmountPerUser, $maxAmountTotal, 0, $payoutChainId, $payoutTokenAddress, $participantsPerWalletMax,
          $minimumDepositMicros, 0, $now, $now, $requestHash)
  on conflict (merchant_id, id) do nothing
  returning ${COLUMNS}`;

const UPDATE_TERMS = sql`update campaigns c
  set type = $type, display_name = $displayName, start_date = $startDate, end_date = $endDate,
      match_multiplier = $matchMultiplier, currency = $currency, decimal_places = $decimalPlaces,
      max_amount_per_user = $maxAmountPerUser, max_amount_total = $maxAmountTotal, payout_chain_id = $payoutChainId,
      payout_token_address = $payoutTokenAddress, participants_per_wallet_max = $participantsPerWalletMax,
      minimum_deposit_micros = $minimumDepositMicros, update_date = $now
  where c.merchant_id = $merchantId and c.id = $id
  returning ${COLUMNS}`;

const UPDATE_STATUS = sql`update campaigns c
  set status = $status, update_date = $now
  where c.merchant_id = $merchantId and c.id = $id
  returning ${COLUMNS}`;

async function update(transaction: Queryable, text: Sql, values: Record<string, Value>): Promise<Campaign> {
  return (await findOne(transaction, text, values)) as Campaign;
}

const termsValues = ({ multiplierMillionths, ...terms }: CampaignTerms) => ({
  ...terms,
  matchMultiplier: formatUnits(multiplierMillionths, MULTIPLIER_FRACTION_DIGITS_MAX),
});

/** Null when the campaign exists already. */
export async function insertCampaign(
  transaction: Queryable,
  merchantId: string,
  { id, requestHash }: Creation,
  terms: CampaignTerms,
  now: Date,
): Promise<Campaign | null> {
  return findOne(transaction, INSERT, { ...termsValues(terms), merchantId, id, requestHash, now });
}

export async function updateTerms(
  transaction: Queryable,
  merchantId: string,
  id: string,
  terms: CampaignTerms,
  now: Date,
): Promise<Campaign> {
  return update(transaction, UPDATE_TERMS, { ...termsValues(terms), merchantId, id, now });
}

export async function updateStatus(
  transaction: Queryable,
  merchantId: string,
  id: string,
  status: CampaignStatus,
  now: Date,
): Promise<Campaign> {
  return update(transaction, UPDATE_STATUS, { merchantId, id, status, now });
}

export interface CampaignFilters {
  readonly merchantId: string | null;
  readonly status: CampaignStatus | null;
  /** A regular expression that finds a part of the name. It reads one campaign after the other until a page is full. */
  readonly pattern?: string | null;
  readonly ids?: IdRange | null;
}

/** Newest first. Each combination of filters is a statement with an index of its own. */
export async function listCampaigns(
  db: Queryable,
  { merchantId, status, pattern = null, ids = null }: CampaignFilters,
  after: Position | null,
  count: number,
): Promise<Campaign[]> {
  const [date = "", id = ""] = after ?? NEWEST;
  const conditions = allOf(
    sql`(c.create_date, c.id) < ($date::timestamptz, $id::uuid)`,
    merchantId === null ? null : sql`c.merchant_id = $merchantId`,
    status === null ? null : sql`c.status = $status`,
    pattern === null ? null : sql`c.display_name ~ $pattern`,
  );
  // `offset 0` keeps the planner from looking for a few ids among all campaigns by date.
  const campaigns =
    ids === null ? sql`campaigns c` : sql`(select c.* from campaigns c where ${inIdRange(sql`c.id`)} offset 0) c`;
  const list = sql`select ${COLUMNS}
    from ${campaigns}
    where ${conditions}
    order by c.create_date desc, c.id desc
    limit $count`;
  const rows = await db.query<CampaignRow>(
    ...statement(list, { date, id, merchantId, status, pattern, ...rangeValues(ids), count }),
  );
  return rows.map(toCampaign);
}
