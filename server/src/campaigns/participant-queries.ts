import { chainOf } from "../chains.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { SUBMISSION_CURRENCY, SUBMISSION_DECIMAL_PLACES } from "../limits.ts";
import type { StoredCredential } from "../merchants/queries.ts";
import { earliest, type Participant, type PayoutRecord, type Wallet, type WalletKey } from "./participant.ts";
import type { Participant as ParticipantAnswer } from "./participant-schemas.ts";
import type { Payout } from "./payout-schemas.ts";
import { type Campaign, tokenOf } from "./queries.ts";
import type { ParticipantStatus } from "./status.ts";

interface ParticipantRow {
  readonly id: string;
  readonly merchant_user_id: string;
  readonly status: ParticipantStatus;
  readonly qualified_date: Date;
  readonly trade_profit: string;
  readonly amount_matched: string;
  readonly max_match: string;
  readonly payouts_open: string;
  readonly payouts_confirmed: string;
  readonly payouts_count: number;
  readonly last_payout_failed: boolean;
  readonly create_date: Date;
  readonly update_date: Date;
  readonly wallets:
    | readonly { address: string; addressKey: string; chainId: number; qualifiedDate: string | null }[]
    | null;
  readonly payouts: readonly PayoutRecord[] | null;
}

function toParticipant(row: ParticipantRow): Participant {
  return {
    id: row.id,
    merchantUserId: row.merchant_user_id,
    status: row.status,
    qualifiedDate: row.qualified_date,
    profit: BigInt(row.trade_profit),
    matched: BigInt(row.amount_matched),
    cap: BigInt(row.max_match),
    payoutsOpen: BigInt(row.payouts_open),
    payoutsConfirmed: BigInt(row.payouts_confirmed),
    payoutsCount: row.payouts_count,
    lastPayoutFailed: row.last_payout_failed,
    createDate: row.create_date,
    updateDate: row.update_date,
    wallets: (row.wallets ?? []).map((wallet) => ({
      ...wallet,
      qualifiedDate: wallet.qualifiedDate === null ? null : new Date(wallet.qualifiedDate),
    })),
    payouts: row.payouts ?? [],
  };
}

/** The participant as the API shows it. */
export function presentParticipant(campaign: Campaign, participant: Participant): ParticipantAnswer {
  const token = tokenOf(campaign);
  return {
    id: participant.id,
    campaignId: campaign.id,
    merchantUserId: participant.merchantUserId,
    status: participant.status,
    qualifiedDate: earliest(participant.qualifiedDate, participant.wallets).toISOString(),
    tradeProfit: {
      amount: participant.profit.toString(),
      currency: SUBMISSION_CURRENCY,
      decimalPlaces: SUBMISSION_DECIMAL_PLACES,
    },
    amountMatched: { amount: participant.matched.toString(), ...token },
    maxMatchPerUser: { amount: participant.cap.toString(), ...token },
    associatedWallets: participant.wallets.map(presentWallet),
    payouts: participant.payouts.map((payout) => presentPayout(campaign, payout)),
    createDate: participant.createDate.toISOString(),
    updateDate: participant.updateDate.toISOString(),
  };
}

export function presentPayout(campaign: Campaign, payout: PayoutRecord): Payout {
  return {
    ...payout,
    amount: { amount: payout.amount, ...tokenOf(campaign) },
    createDate: isoDate(payout.createDate),
    updateDate: isoDate(payout.updateDate),
    statusHistory: payout.statusHistory.map((event) => ({ ...event, date: isoDate(event.date) })),
  };
}

function presentWallet({ address, chainId, qualifiedDate }: Wallet) {
  const chain = chainOf(chainId);
  return {
    address,
    chainId: chain.isEvm ? chainId : null,
    chainName: chain.name,
    qualifiedDate: qualifiedDate?.toISOString() ?? null,
  };
}

// PostgreSQL's JSON spells times with an offset; the API's have three fraction digits and a Z.
function isoDate(text: string): string {
  return new Date(text).toISOString();
}

// One statement, so one snapshot: a participant is never shown with the payouts of another moment. What belongs to a row is
// looked up by a subquery of its own: a plan made while the tables were small must still be right when they have grown.
const SELECT = `select p.id, p.merchant_user_id, p.status, p.qualified_date, p.trade_profit, p.amount_matched, p.max_match,
  p.payouts_open, p.payouts_confirmed, p.payouts_count, p.last_payout_failed, p.create_date, p.update_date, (
    select json_agg(json_build_object('address', w.address, 'addressKey', w.address_key, 'chainId', w.chain_id,
                                      'qualifiedDate', (
             select q.qualified_date
             from qualified_wallets q
             where q.merchant_id = w.merchant_id and q.campaign_id = w.campaign_id and q.address_key = w.address_key
               and q.chain_id = w.chain_id)) order by w.ordinal)
    from participant_wallets w
    where w.merchant_id = p.merchant_id and w.participant_id = p.id
  ) as wallets, case when p.payouts_count > 0 then (
    select json_agg(json_build_object('id', o.id, 'status', o.status, 'amount', o.amount::text, 'chainId', o.chain_id,
                                      'tokenAddress', o.token_address, 'recipientAddress', o.recipient_address,
                                      'transactionHash', o.transaction_hash, 'failureReason', o.failure_reason,
                                      'createDate', o.create_date, 'updateDate', o.update_date, 'statusHistory', (
             select json_agg(json_build_object('status', e.status, 'date', e.date, 'reason', e.reason) order by e.ordinal)
             from payout_events e
             where e.merchant_id = o.merchant_id and e.payout_id = o.id)) order by o.ordinal)
    from payouts o
    where o.merchant_id = p.merchant_id and o.participant_id = p.id
  ) end as payouts`;

// `offset 0` keeps the campaign out of the look-up, where it would make the key of another index look as good.
const FIND = `${SELECT}
  from (select p.* from participants p where p.merchant_id = $1 and p.id = $3 offset 0) p
  where p.campaign_id = $2`;

// Seen through a subquery, an array has no length for the planner. Otherwise it would plan anew for each length, which takes
// longer than the look-up itself.
const LIST_OF_USERS = `${SELECT}
  from unnest((select $3::text[])) as given (merchant_user_id)
  cross join lateral (
    select p.*
    from participants p
    where p.merchant_id = $1 and p.campaign_id = $2 and p.merchant_user_id = given.merchant_user_id
    limit 1
  ) p`;

// Everything a batch is decided from, in one round trip: a row for every user, empty for one who has no participant yet. The
// first also carries which of the submitted wallets qualify, and the merchant's credential as it is now.
const READ_BATCH = `${SELECT}, case when given.position = 1 then (
    select json_agg(json_build_object('addressKey', w.address_key, 'chainId', w.chain_id,
                                      'qualifiedDate', q.qualified_date))
    from unnest((select $4::text[]), (select $5::bigint[])) as w (address_key, chain_id)
    cross join lateral (
      select q.qualified_date
      from qualified_wallets q
      where q.merchant_id = $1 and q.campaign_id = $2 and q.address_key = w.address_key and q.chain_id = w.chain_id
      limit 1
    ) q
  ) end as qualified, case when given.position = 1 then (
    select json_build_object('status', m.status, 'publicKey', m.public_key,
                             'requireBoundSignatures', m.require_bound_signatures)
    from merchants m
    where m.id = $1
  ) end as credential
  from unnest((select $3::text[])) with ordinality as given (merchant_user_id, position)
  left join lateral (
    select p.*
    from participants p
    where p.merchant_id = $1 and p.campaign_id = $2 and p.merchant_user_id = given.merchant_user_id
    limit 1
  ) p on true`;

const LIST = `${SELECT}
  from participants p
  where p.merchant_id = $1 and p.campaign_id = $2 and (p.create_date, p.id) > ($3::timestamptz, $4::uuid)
    and p.create_date > '-infinity'
  order by p.create_date, p.id
  limit $5`;

const LIST_BY_STATUS = `${SELECT}
  from participants p
  where p.merchant_id = $1 and p.campaign_id = $2 and p.status = $6
    and (p.create_date, p.id) > ($3::timestamptz, $4::uuid)
    and p.create_date > '-infinity'
  order by p.create_date, p.id
  limit $5`;

export async function findParticipant(
  db: Queryable,
  merchantId: string,
  campaignId: string,
  id: string,
): Promise<Participant | null> {
  const [row] = await db.query<ParticipantRow>(FIND, [merchantId, campaignId, id]);
  return row === undefined ? null : toParticipant(row);
}

/** The participants among these users. */
export async function listParticipantsOfUsers(
  db: Queryable,
  merchantId: string,
  campaignId: string,
  merchantUserIds: readonly string[],
): Promise<Participant[]> {
  const rows = await db.query<ParticipantRow>(LIST_OF_USERS, [merchantId, campaignId, merchantUserIds]);
  return rows.map(toParticipant);
}

export interface BatchState {
  /** Those of the users who have a participant. */
  readonly participants: readonly Participant[];
  /** Those of the wallets that qualify now. */
  readonly qualified: readonly (WalletKey & { readonly qualifiedDate: Date })[];
  /** What the merchant's signatures are checked against now. */
  readonly credential: StoredCredential | null;
}

interface BatchRow extends ParticipantRow {
  readonly qualified: (WalletKey & { qualifiedDate: string })[] | null;
  readonly credential: StoredCredential | null;
}

export async function readBatch(
  db: Queryable,
  merchantId: string,
  campaignId: string,
  merchantUserIds: readonly string[],
  wallets: readonly WalletKey[],
): Promise<BatchState> {
  const rows = await db.query<BatchRow>(READ_BATCH, [
    merchantId,
    campaignId,
    merchantUserIds,
    wallets.map((wallet) => wallet.addressKey),
    wallets.map((wallet) => wallet.chainId),
  ]);
  const qualified = rows.flatMap((row) => row.qualified ?? []);
  return {
    participants: rows.filter(({ id }) => id !== null).map(toParticipant),
    qualified: qualified.map((wallet) => ({ ...wallet, qualifiedDate: new Date(wallet.qualifiedDate) })),
    credential: rows.find(({ credential }) => credential !== null)?.credential ?? null,
  };
}

// Before the first page stands a position that sorts before every row, so that one plan serves every page.
const OLDEST: Position = ["-infinity", "00000000-0000-0000-0000-000000000000"];

/** Oldest first. */
export async function listParticipants(
  db: Queryable,
  merchantId: string,
  campaignId: string,
  status: ParticipantStatus | null,
  after: Position | null,
  count: number,
): Promise<Participant[]> {
  const page = [merchantId, campaignId, ...(after ?? OLDEST), count];
  const rows =
    status === null
      ? await db.query<ParticipantRow>(LIST, page)
      : await db.query<ParticipantRow>(LIST_BY_STATUS, [...page, status]);
  return rows.map(toParticipant);
}
