import { sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { StoredCredential } from "../../merchants/record.ts";
import { QUALIFIED_DATE, windowValues } from "../../qualification/queries.ts";
import type { CampaignWindow, WalletKey } from "../../qualification/record.ts";
import { PARTICIPANT_COLUMNS, type ParticipantRow, toParticipant } from "../participants/queries.ts";
import type { Participant } from "../participants/record.ts";
import type { Campaign } from "../record.ts";
import type { Decided } from "./decide.ts";

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

// Inside a subquery, an array has no length for the planner, which would otherwise make a new plan for each length; that takes
// longer than the look-up itself.
const READ_BATCH = sql`select ${PARTICIPANT_COLUMNS}, case when given.position = 1 then (
      select json_agg(json_build_object('addressKey', w.address_key, 'chainId', w.chain_id,
                                        'qualifiedDate', q.qualified_date))
      from unnest((select $addressKeys::text[]), (select $chainIds::bigint[])) as w (address_key, chain_id)
      cross join lateral ${QUALIFIED_DATE} q (qualified_date)
    ) end as qualified, case when given.position = 1 then (
      select json_build_object('status', m.status, 'publicKey', m.public_key,
                               'requireBoundSignatures', m.require_bound_signatures)
      from merchants m
      where m.id = $merchantId
    ) end as credential
    from unnest((select $merchantUserIds::text[])) with ordinality as given (merchant_user_id, position)
    left join lateral (
      select p.*
      from participants p
      where p.merchant_id = $merchantId and p.campaign_id = $campaignId
        and p.merchant_user_id = given.merchant_user_id
      limit 1
    ) p on true`;

/**
 * Everything a batch is decided from, in one round trip: a row for every user, empty for one who has no participant yet. The
 * first row also carries which of the submitted wallets qualify, and the merchant's credential as it is now.
 */
export async function readBatch(
  db: Queryable,
  campaign: CampaignWindow,
  merchantUserIds: readonly string[],
  wallets: readonly WalletKey[],
): Promise<BatchState> {
  const addressKeys = wallets.map((wallet) => wallet.addressKey);
  const chainIds = wallets.map((wallet) => wallet.chainId);
  const rows = await db.query<BatchRow>(
    ...statement(READ_BATCH, {
      ...windowValues(campaign),
      campaignId: campaign.id,
      merchantUserIds,
      addressKeys,
      chainIds,
    }),
  );
  const qualified = rows.flatMap((row) => row.qualified ?? []);
  return {
    participants: rows
      .filter(({ id }) => id !== null)
      .map(({ qualified: _, credential: __, ...row }) => toParticipant(row)),
    qualified: qualified.map((wallet) => ({ ...wallet, qualifiedDate: new Date(wallet.qualifiedDate) })),
    credential: rows.find(({ credential }) => credential !== null)?.credential ?? null,
  };
}

const WRITE_BATCH = sql`with written as (
      insert into participants as p
        (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
         payouts_open, payouts_confirmed, payouts_count, last_payout_failed, receiver_address, receiver_set_by, create_date,
         update_date)
      select $merchantId::uuid, given.id, $campaignId::uuid, given.merchant_user_id, given.status,
             given.qualified_date, given.trade_profit, given.amount_matched, given.max_match, 0, 0, 0, false,
             given.receiver_address, given.receiver_set_by, $now::timestamptz, $now::timestamptz
      from json_to_recordset($participants::json) as given
        (id uuid, merchant_user_id text, status text, qualified_date timestamptz, trade_profit numeric,
         amount_matched numeric, max_match numeric, receiver_address text, receiver_set_by text)
      on conflict (merchant_id, campaign_id, merchant_user_id) do update
      set status = excluded.status, qualified_date = excluded.qualified_date, trade_profit = excluded.trade_profit,
          amount_matched = excluded.amount_matched, max_match = excluded.max_match, update_date = excluded.update_date,
          receiver_address = coalesce(p.receiver_address, excluded.receiver_address),
          receiver_set_by = coalesce(p.receiver_set_by, excluded.receiver_set_by)
    ), claimed as (
      insert into participant_wallets
        (merchant_id, participant_id, address_key, chain_id, campaign_id, address, ordinal, claim_position)
      select $merchantId::uuid, given.participant_id, given.address_key, given.chain_id, $campaignId::uuid,
             given.address, given.ordinal, given.claim_position
      from json_to_recordset($wallets::json) as given
        (participant_id uuid, address_key text, chain_id bigint, address text, ordinal integer, claim_position bigint)
    ), journaled as (
      insert into submission_journal
        (merchant_id, campaign_id, position, submission_id, participant_id, created, trade_profit, max_match,
         max_amount_total, delta, match_after, committed_after, clamped_by, date)
      select $merchantId::uuid, $campaignId::uuid, given.position, given.submission_id, given.participant_id,
             given.created, given.trade_profit, given.max_match, $maxAmountTotal::numeric, given.delta,
             given.match_after, given.committed_after, given.clamped_by, $now::timestamptz
      from json_to_recordset($journal::json) as given
        (position bigint, submission_id uuid, participant_id uuid, created boolean, trade_profit numeric,
         max_match numeric, delta numeric, match_after numeric, committed_after numeric, clamped_by text)
    )
    update campaigns
    set committed = $committed, journal_length = $journalLength, update_date = $now
    where merchant_id = $merchantId and id = $campaignId`;

/**
 * Writes a decided batch in one statement: participants, their new wallets, the journal, and the budget. The caller locked
 * the campaign's row before it read the state that the decision is made from.
 */
export async function writeBatch(
  transaction: Queryable,
  { merchantId, id: campaignId, journalLength, maxAmountTotal }: Campaign,
  { participants, wallets, journal, committed }: Decided,
  now: Date,
): Promise<void> {
  const participantRows = participants.map((participant) => ({
    id: participant.id,
    merchant_user_id: participant.merchantUserId,
    status: participant.status,
    qualified_date: participant.qualifiedDate,
    trade_profit: String(participant.profit),
    amount_matched: String(participant.matched),
    max_match: String(participant.cap),
    receiver_address: participant.receiver?.address ?? null,
    receiver_set_by: participant.receiver?.setBy ?? null,
  }));
  const walletRows = wallets.map((wallet) => ({
    participant_id: wallet.participantId,
    address_key: wallet.addressKey,
    chain_id: wallet.chainId,
    address: wallet.address,
    ordinal: wallet.ordinal,
    claim_position: wallet.claimPosition,
  }));
  const journalRows = journal.map((entry) => ({
    position: entry.position,
    submission_id: entry.submissionId,
    participant_id: entry.participantId,
    created: entry.created,
    trade_profit: String(entry.profit),
    max_match: String(entry.cap),
    delta: String(entry.delta),
    match_after: String(entry.matchAfter),
    committed_after: String(entry.committedAfter),
    clamped_by: entry.clampedBy,
  }));
  await transaction.query(
    ...statement(WRITE_BATCH, {
      merchantId,
      campaignId,
      participants: JSON.stringify(participantRows),
      wallets: JSON.stringify(walletRows),
      journal: JSON.stringify(journalRows),
      committed,
      journalLength: journalLength + journal.length,
      maxAmountTotal,
      now,
    }),
  );
}

const LIST_RECORDED = sql`select j.submission_id as id, j.created
  from unnest($submissionIds::uuid[]) as given (submission_id)
  cross join lateral (
    select j.*
    from submission_journal j
    where j.merchant_id = $merchantId and j.campaign_id = $campaignId and j.submission_id = given.submission_id
    limit 1
  ) j`;

/** Of these submissions, those that took effect: whether each created its participant. */
export async function listRecorded(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
  submissionIds: readonly string[],
): Promise<Map<string, { created: boolean }>> {
  const rows = await transaction.query<{ id: string; created: boolean }>(
    ...statement(LIST_RECORDED, { merchantId, campaignId, submissionIds }),
  );
  return new Map(rows.map(({ id, created }) => [id, { created }]));
}
