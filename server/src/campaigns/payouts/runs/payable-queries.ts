import { allOf, sql, statement } from "../../../db/compose.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { RowOf } from "../../../db/rows.ts";
import { LEFT_OUT_STORED_MAX, PAYOUTS_PER_RUN_MAX } from "../../../limits.ts";
import type { Receiver } from "../../participants/receiver.ts";
import { IS_SHARED } from "../../participants/receiver-queries.ts";
import type { LeftOut } from "./record.ts";

// What a new run can reserve: who is owed something, and can be paid.

/** A campaign as far as paying is concerned. */
export interface PayableCampaign {
  readonly id: string;
  readonly payoutChainId: number;
  readonly payoutTokenAddress: string;
  readonly currency: string;
  readonly decimalPlaces: number;
}

const CAMPAIGN_COLUMNS = sql`c.id, c.payout_chain_id as "payoutChainId", c.payout_token_address as "payoutTokenAddress",
  c.currency, c.decimal_places as "decimalPlaces"`;

// Those with a participant who is not paid in full: MATCHED or FAILED. One look-up per campaign and status.
const LIST_PAYABLE = sql`select ${CAMPAIGN_COLUMNS}
  from campaigns c
  where c.merchant_id = $merchantId and c.committed > 0 and (exists (
      select from participants p
      where p.merchant_id = $merchantId and p.campaign_id = c.id and p.status = 'MATCHED' and p.create_date > '-infinity'
    ) or exists (
      select from participants p
      where p.merchant_id = $merchantId and p.campaign_id = c.id and p.status = 'FAILED' and p.create_date > '-infinity'
    ))
  order by c.id`;

/** The merchant's campaigns that owe something. */
export async function listPayableCampaigns(db: Queryable, merchantId: string): Promise<PayableCampaign[]> {
  return db.query<PayableCampaign>(...statement(LIST_PAYABLE, { merchantId }));
}

const LIST_OF_PARTICIPANTS = sql`select ${CAMPAIGN_COLUMNS}
  from campaigns c
  where c.merchant_id = $merchantId and c.id = any(array(
    select p.campaign_id
    from participants p
    where p.merchant_id = $merchantId and p.id = any($participantIds::uuid[])
  ))
  order by c.id`;

/** The campaigns that these participants are in. */
export async function listCampaignsOfParticipants(
  db: Queryable,
  merchantId: string,
  participantIds: readonly string[],
): Promise<PayableCampaign[]> {
  return db.query<PayableCampaign>(...statement(LIST_OF_PARTICIPANTS, { merchantId, participantIds }));
}

const LOCK_CAMPAIGNS = sql`select c.id
  from campaigns c
  where c.merchant_id = $merchantId and c.id = any($campaignIds::uuid[])
  order by c.id
  for no key update`;

/** In the order of their ids, so that two runs never wait for each other. */
export async function lockCampaigns(
  transaction: Queryable,
  merchantId: string,
  campaignIds: readonly string[],
): Promise<void> {
  await transaction.query(...statement(LOCK_CAMPAIGNS, { merchantId, campaignIds }));
}

/** What is to be paid: of these campaigns, and of these participants alone if they are named. */
export interface Selection {
  readonly merchantId: string;
  readonly campaignIds: readonly string[];
  readonly payoutChainId: number;
  readonly participantIds: readonly string[] | null;
  readonly minimum: bigint;
}

const OWED = sql`p.amount_matched - p.payouts_open - p.payouts_confirmed`;

// PAID participants are owed nothing, and QUALIFIED ones neither.
const owedOf = ({ participantIds }: Selection) =>
  allOf(
    sql`p.merchant_id = $merchantId and p.campaign_id = any($campaignIds::uuid[])`,
    sql`p.status in ('MATCHED', 'FAILED') and p.create_date > '-infinity' and ${OWED} > 0`,
    participantIds === null ? null : sql`p.id = any($participantIds::uuid[])`,
  );

const PAYABLE = sql`not p.held and p.receiver_address is not null and ${OWED} >= $minimum::numeric`;

export interface Candidate {
  readonly campaignId: string;
  readonly participantId: string;
  readonly merchantUserId: string;
  readonly payoutsCount: number;
  readonly owed: bigint;
  readonly receiverAddress: string;
  readonly receiverSetBy: Receiver["setBy"];
  readonly isShared: boolean;
}

/** Whom a run may pay, those who joined first coming first, as many as fit in one. */
export async function listCandidates(transaction: Queryable, selection: Selection): Promise<Candidate[]> {
  const list = sql`select p.campaign_id as "campaignId", p.id as "participantId", p.merchant_user_id as "merchantUserId",
      p.payouts_count as "payoutsCount", p.owed, p.receiver_address as "receiverAddress",
      p.receiver_set_by as "receiverSetBy", ${IS_SHARED} as "isShared"
    from (
      select p.*, ${OWED} as owed
      from participants p
      where ${owedOf(selection)} and ${PAYABLE}
      order by p.create_date, p.id
      limit $count
    ) p
    order by p.create_date, p.id`;
  const rows = await transaction.query<RowOf<Candidate>>(
    ...statement(list, { ...selection, count: PAYOUTS_PER_RUN_MAX }),
  );
  return rows.map((row) => ({ ...row, owed: BigInt(row.owed) }));
}

/** Those who are owed something and cannot be paid now: how many, and the first of them. */
export async function listLeftOut(
  transaction: Queryable,
  selection: Selection,
): Promise<{ count: number; first: LeftOut[] }> {
  const list = sql`select p.campaign_id as "campaignId", p.id as "participantId", p.merchant_user_id as "merchantUserId", ${OWED} as owed,
      case when p.held then 'HELD' when p.receiver_address is null then 'NO_RECEIVER' else 'BELOW_MINIMUM' end as reason,
      (count(*) over ())::integer as total
    from participants p
    where ${owedOf(selection)} and not (${PAYABLE})
    order by p.create_date, p.id
    limit $count`;
  const rows = await transaction.query<RowOf<LeftOut> & { total: number }>(
    ...statement(list, { ...selection, count: LEFT_OUT_STORED_MAX }),
  );
  return {
    count: rows[0]?.total ?? 0,
    first: rows.map(({ total: _, ...row }) => ({ ...row, owed: BigInt(row.owed) })),
  };
}

const FIND_UNKNOWN = sql`select given.id
  from unnest((select $participantIds::uuid[])) as given (id)
  where not exists (
    select from participants p
    where p.merchant_id = $merchantId and p.id = given.id
      and (p.campaign_id = $campaignId or $isOfMerchant::boolean)
  )
  limit 1`;

/** One of these ids that is no participant of the campaign, or of the merchant if no campaign is named. */
export async function findUnknownParticipant(
  db: Queryable,
  merchantId: string,
  campaignId: string | null,
  participantIds: readonly string[],
): Promise<string | null> {
  const isOfMerchant = campaignId === null;
  const [row] = await db.query<{ id: string }>(
    ...statement(FIND_UNKNOWN, { merchantId, campaignId, isOfMerchant, participantIds }),
  );
  return row?.id ?? null;
}
