import { allOf, sql, statement } from "../../db/compose.ts";
import { type IdRange, inIdRange, rangeValues } from "../../db/id-range.ts";
import type { Queryable } from "../../db/pool.ts";
import type { RowOf } from "../../db/rows.ts";
import type { Position } from "../../http/pagination.ts";
import { NESTED_WALLETS_MAX } from "../../limits.ts";
import { forWindow, qualifiedDateIn, type WindowSql, windowValues } from "../../qualification/queries.ts";
import type { CampaignWindow } from "../../qualification/record.ts";
import { PAYOUT_JSON, type PayoutJson, toPayout } from "../payouts/queries.ts";
import { type Receiver, toReceiver } from "./receiver.ts";
import type { ListedParticipant, Participant, Wallet } from "./record.ts";
import type { ParticipantStatus } from "./status.ts";

type Scalars = Omit<Participant, "wallets" | "payouts" | "receiver">;

interface ScalarRow extends RowOf<Scalars> {
  readonly receiverAddress: string | null;
  readonly receiverSetBy: Receiver["setBy"] | null;
  readonly payouts: readonly PayoutJson[] | null;
}

type WalletJson = Omit<Wallet, "qualifiedDate"> & { readonly qualifiedDate: string | null };

export interface ParticipantRow extends ScalarRow {
  readonly wallets: readonly WalletJson[] | null;
}

interface ListedRow extends ScalarRow {
  readonly wallets: {
    readonly count: number;
    readonly first: readonly WalletJson[];
    /** The earliest qualifying deposit of all wallets, shown or not. */
    readonly qualifiedDate: string | null;
  };
}

export function toParticipant({ wallets, ...row }: ParticipantRow): Participant {
  return { ...toScalars(row), wallets: (wallets ?? []).map(toWallet) };
}

function toListed({ wallets, ...row }: ListedRow): ListedParticipant {
  const scalars = toScalars(row);
  const firstWallets = wallets.first.map(toWallet);
  const earliestNow = wallets.qualifiedDate === null ? null : new Date(wallets.qualifiedDate);
  const isEarlier = earliestNow !== null && earliestNow < scalars.qualifiedDate;
  const qualifiedDate = isEarlier ? earliestNow : scalars.qualifiedDate;
  return { ...scalars, qualifiedDate, firstWallets, walletCount: wallets.count };
}

function toScalars({ receiverAddress, receiverSetBy, ...row }: ScalarRow): Omit<Participant, "wallets"> {
  return {
    ...row,
    receiver: toReceiver(receiverAddress, receiverSetBy),
    profit: BigInt(row.profit),
    matched: BigInt(row.matched),
    cap: BigInt(row.cap),
    payoutsOpen: BigInt(row.payoutsOpen),
    payoutsConfirmed: BigInt(row.payoutsConfirmed),
    payouts: (row.payouts ?? []).map(toPayout),
  };
}

function toWallet(wallet: WalletJson): Wallet {
  return { ...wallet, qualifiedDate: wallet.qualifiedDate === null ? null : new Date(wallet.qualifiedDate) };
}

// Subqueries instead of joins: a plan made while the tables were small must still be good when they have grown.
const walletsIn = (window: WindowSql) => sql`(
    select json_agg(json_build_object('address', w.address, 'addressKey', w.address_key, 'chainId', w.chain_id,
                                      'qualifiedDate', ${qualifiedDateIn(window)}) order by w.ordinal)
    from participant_wallets w
    where w.merchant_id = ${window.merchantId} and w.participant_id = p.id
  )`;

const payoutsOf = ({ merchantId }: WindowSql) => sql`case when p.payouts_count > 0 then (
    select json_agg(${PAYOUT_JSON} order by o.ordinal)
    from payouts o
    where o.merchant_id = ${merchantId} and o.participant_id = p.id
  ) end`;

// A participant has at most 1,000 wallets, so counting them is bounded. All of them are asked for the earliest date, and only the
// first are answered.
const firstWalletsIn = (window: WindowSql) => sql`(
    select json_build_object(
      'count', count(*),
      'first', json_agg(json_build_object('address', w.address, 'addressKey', w.address_key, 'chainId', w.chain_id,
                                          'qualifiedDate', q.date) order by w.ordinal) filter (where w.ordinal < $walletsMax),
      'qualifiedDate', min(q.date))
    from participant_wallets w
    left join lateral ${qualifiedDateIn(window)} q (date) on true
    where w.merchant_id = $merchantId and w.participant_id = p.id
  )`;

const SCALAR_COLUMNS = sql`p.id, p.merchant_user_id as "merchantUserId", p.status,
  p.qualified_date as "qualifiedDate", p.trade_profit as profit, p.amount_matched as matched, p.max_match as cap,
  p.payouts_open as "payoutsOpen", p.payouts_confirmed as "payoutsConfirmed", p.payouts_count as "payoutsCount",
  p.last_payout_failed as "lastPayoutFailed", p.receiver_address as "receiverAddress",
  p.receiver_set_by as "receiverSetBy", p.held, p.create_date as "createDate", p.update_date as "updateDate"`;

/**
 * With all wallets: what submissions are decided from, and what one participant is answered with. One statement reads it all, so
 * it is one snapshot: a participant never appears with the payouts of another moment.
 */
export const participantColumns = (window: WindowSql) =>
  sql`${SCALAR_COLUMNS}, ${walletsIn(window)} as wallets, ${payoutsOf(window)} as payouts`;

/** With the first wallets, for lists. */
const LISTED_COLUMNS = forWindow(
  (window) => sql`${SCALAR_COLUMNS}, ${firstWalletsIn(window)} as wallets, ${payoutsOf(window)} as payouts`,
);

// `offset 0` keeps the campaign out of the look-up by key: with it, another index would look equally good.
const FIND = forWindow(
  (window) => sql`select ${participantColumns(window)}
    from (select p.* from participants p where p.merchant_id = $merchantId and p.id = $id offset 0) p
    where p.campaign_id = $campaignId`,
);

const FIND_OF_USER = forWindow(
  (window) => sql`select ${participantColumns(window)}
    from participants p
    where p.merchant_id = $merchantId and p.campaign_id = $campaignId and p.merchant_user_id = $merchantUserId`,
);

const campaignValues = (campaign: CampaignWindow) => ({ ...windowValues(campaign), campaignId: campaign.id });

export async function findParticipant(
  db: Queryable,
  campaign: CampaignWindow,
  id: string,
): Promise<Participant | null> {
  const [row] = await db.query<ParticipantRow>(...statement(FIND(campaign), { ...campaignValues(campaign), id }));
  return row === undefined ? null : toParticipant(row);
}

export async function findParticipantOfUser(
  db: Queryable,
  campaign: CampaignWindow,
  merchantUserId: string,
): Promise<Participant | null> {
  const [row] = await db.query<ParticipantRow>(
    ...statement(FIND_OF_USER(campaign), { ...campaignValues(campaign), merchantUserId }),
  );
  return row === undefined ? null : toParticipant(row);
}

// The first page starts after a position that sorts before every row, so that one plan serves every page.
const OLDEST: Position = ["-infinity", "00000000-0000-0000-0000-000000000000"];

export interface ParticipantSearch {
  readonly merchantUserId: string;
  /** Ids that may match instead. */
  readonly ids: IdRange | null;
}

const OF_USER = sql`select p.*
  from participants p
  where p.merchant_id = $merchantId and p.campaign_id = $campaignId and p.merchant_user_id = $merchantUserId`;

const OF_USER_OR_ID = sql`${OF_USER}
  union
  select p.* from participants p where p.merchant_id = $merchantId and ${inIdRange(sql`p.id`)}`;

/** Oldest first. The condition on `create_date` is that of the index. */
export async function listParticipants(
  db: Queryable,
  campaign: CampaignWindow,
  status: ParticipantStatus | null,
  after: Position | null,
  count: number,
  search: ParticipantSearch | null = null,
): Promise<ListedParticipant[]> {
  const [date = "", id = ""] = after ?? OLDEST;
  const conditions = allOf(
    sql`p.merchant_id = $merchantId and p.campaign_id = $campaignId`,
    status === null ? null : sql`p.status = $status`,
    sql`(p.create_date, p.id) > ($date::timestamptz, $id::uuid) and p.create_date > '-infinity'`,
  );
  const participants =
    search === null ? sql`participants p` : sql`(${search.ids === null ? OF_USER : OF_USER_OR_ID} offset 0) p`;
  const list = sql`select ${LISTED_COLUMNS(campaign)}
    from ${participants}
    where ${conditions}
    order by p.create_date, p.id
    limit $count`;
  const values = {
    ...campaignValues(campaign),
    status,
    date,
    id,
    count,
    walletsMax: NESTED_WALLETS_MAX,
    merchantUserId: search?.merchantUserId ?? null,
    ...rangeValues(search?.ids ?? null),
  };
  const rows = await db.query<ListedRow>(...statement(list, values));
  return rows.map(toListed);
}

const LIST_WALLETS = forWindow(
  (window) => sql`select w.address, w.address_key as "addressKey", w.chain_id as "chainId", w.ordinal,
      ${qualifiedDateIn(window)} as "qualifiedDate"
    from (
      select w.*
      from participant_wallets w
      where w.merchant_id = $merchantId and w.participant_id = $participantId and w.ordinal > $ordinal::integer
        and w.campaign_id = $campaignId
      order by w.ordinal
      limit $count
    ) w
    order by w.ordinal`,
);

/** All wallets of a participant of this campaign, in the order in which they were claimed. */
export async function listWallets(
  db: Queryable,
  campaign: CampaignWindow,
  participantId: string,
  after: Position | null,
  count: number,
): Promise<(Wallet & { readonly ordinal: number })[]> {
  const [ordinal = ""] = after ?? ["-1"];
  return db.query(...statement(LIST_WALLETS(campaign), { ...campaignValues(campaign), participantId, ordinal, count }));
}
