import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { SUBMISSION_CURRENCY, SUBMISSION_DECIMAL_PLACES } from "../limits.ts";
import type { Decided } from "./decide.ts";
import { type Campaign, tokenOf } from "./queries.ts";

/**
 * Writes a decided batch in one statement: participants, their new wallets, the journal, and the budget. The caller holds the
 * campaign's row since before it read what the decision was made from.
 */
export async function writeBatch(
  transaction: Queryable,
  campaign: Campaign,
  decided: Decided,
  now: Date,
): Promise<void> {
  const { participants, wallets, journal } = decided;
  await transaction.query(
    `with written as (
       insert into participants
         (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
          payouts_open, payouts_confirmed, payouts_count, last_payout_failed, create_date, update_date)
       select $1, given.id, $2, given.merchant_user_id, given.status, given.qualified_date, given.trade_profit,
              given.amount_matched, given.max_match, 0, 0, 0, false, $3, $3
       from (
         select unnest($7::uuid[]) as id, unnest($8::text[]) as merchant_user_id, unnest($9::text[]) as status,
                unnest($10::timestamptz[]) as qualified_date, unnest($11::numeric[]) as trade_profit,
                unnest($12::numeric[]) as amount_matched, unnest($13::numeric[]) as max_match
       ) given
       on conflict (merchant_id, campaign_id, merchant_user_id) do update
       set status = excluded.status, qualified_date = excluded.qualified_date, trade_profit = excluded.trade_profit,
           amount_matched = excluded.amount_matched, max_match = excluded.max_match, update_date = excluded.update_date
     ), claimed as (
       insert into participant_wallets
         (merchant_id, participant_id, address_key, chain_id, campaign_id, address, ordinal, claim_position)
       select $1, given.participant_id, given.address_key, given.chain_id, $2, given.address, given.ordinal,
              given.claim_position
       from (
         select unnest($14::uuid[]) as participant_id, unnest($15::text[]) as address_key, unnest($16::bigint[]) as chain_id,
                unnest($17::text[]) as address, unnest($18::integer[]) as ordinal, unnest($19::bigint[]) as claim_position
       ) given
     ), journaled as (
       insert into submission_journal
         (merchant_id, campaign_id, position, submission_id, participant_id, created, trade_profit, max_match,
          max_amount_total, delta, match_after, committed_after, date)
       select $1, $2, given.position, given.submission_id, given.participant_id, given.created, given.trade_profit,
              given.max_match, $6, given.delta, given.match_after, given.committed_after, $3
       from (
         select unnest($20::bigint[]) as position, unnest($21::uuid[]) as submission_id, unnest($22::uuid[]) as participant_id,
                unnest($23::boolean[]) as created, unnest($24::numeric[]) as trade_profit, unnest($25::numeric[]) as max_match,
                unnest($26::numeric[]) as delta, unnest($27::numeric[]) as match_after,
                unnest($28::numeric[]) as committed_after
       ) given
     )
     update campaigns set committed = $4, journal_length = $5, update_date = $3 where merchant_id = $1 and id = $2`,
    [
      campaign.merchantId,
      campaign.id,
      now,
      decided.committed,
      campaign.journalLength + journal.length,
      campaign.perTradeProfitMatch.maxAmountTotal.amount,
      participants.map((participant) => participant.id),
      participants.map((participant) => participant.merchantUserId),
      participants.map((participant) => participant.status),
      participants.map((participant) => participant.qualifiedDate.toISOString()),
      participants.map((participant) => participant.profit),
      participants.map((participant) => participant.matched),
      participants.map((participant) => participant.cap),
      wallets.map((wallet) => wallet.participantId),
      wallets.map((wallet) => wallet.addressKey),
      wallets.map((wallet) => wallet.chainId),
      wallets.map((wallet) => wallet.address),
      wallets.map((wallet) => wallet.ordinal),
      wallets.map((wallet) => wallet.claimPosition),
      journal.map((row) => row.position),
      journal.map((row) => row.submissionId),
      journal.map((row) => row.participantId),
      journal.map((row) => row.created),
      journal.map((row) => row.profit),
      journal.map((row) => row.cap),
      journal.map((row) => row.delta),
      journal.map((row) => row.matchAfter),
      journal.map((row) => row.committedAfter),
    ],
  );
}

/** Of these submissions, those that took effect: whether each created its participant. */
export async function listRecorded(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
  submissionIds: readonly string[],
): Promise<Map<string, { created: boolean }>> {
  const rows = await transaction.query<{ submission_id: string; created: boolean }>(
    `select j.submission_id, j.created
     from unnest($3::uuid[]) as given (submission_id)
     cross join lateral (
       select j.*
       from submission_journal j
       where j.merchant_id = $1 and j.campaign_id = $2 and j.submission_id = given.submission_id
       limit 1
     ) j`,
    [merchantId, campaignId, submissionIds],
  );
  return new Map(rows.map((row) => [row.submission_id, { created: row.created }]));
}

interface JournalQueryRow {
  readonly position: number;
  readonly submission_id: string;
  readonly participant_id: string;
  readonly merchant_user_id: string;
  readonly created: boolean;
  readonly trade_profit: string;
  readonly max_match: string;
  readonly max_amount_total: string;
  readonly delta: string;
  readonly match_after: string;
  readonly committed_after: string;
  readonly date: Date;
}

const SELECT_JOURNAL = `select j.position, j.submission_id, j.participant_id, (
    select p.merchant_user_id
    from participants p
    where p.merchant_id = j.merchant_id and p.id = j.participant_id
  ) as merchant_user_id, j.created, j.trade_profit, j.max_match, j.max_amount_total, j.delta, j.match_after,
  j.committed_after, j.date
  from submission_journal j`;

const LIST_JOURNAL = `${SELECT_JOURNAL}
  where j.merchant_id = $1 and j.campaign_id = $2 and j.position < $3::bigint
  order by j.position desc
  limit $4`;

// The last condition is that of the index, which serves no other statement.
const LIST_JOURNAL_OF_PARTICIPANT = `${SELECT_JOURNAL}
  where j.merchant_id = $1 and j.campaign_id = $2 and j.participant_id = $5 and j.position < $3::bigint
    and j.position > 0
  order by j.position desc
  limit $4`;

/** Newest first; of one participant, or all. */
export async function listJournal(
  db: Queryable,
  campaign: Campaign,
  participantId: string | null,
  after: Position | null,
  count: number,
) {
  const page = [campaign.merchantId, campaign.id, after?.[0] ?? String(Number.MAX_SAFE_INTEGER), count];
  const rows =
    participantId === null
      ? await db.query<JournalQueryRow>(LIST_JOURNAL, page)
      : await db.query<JournalQueryRow>(LIST_JOURNAL_OF_PARTICIPANT, [...page, participantId]);
  const token = tokenOf(campaign);
  return rows.map((row) => ({
    position: row.position,
    submissionId: row.submission_id,
    participantId: row.participant_id,
    merchantUserId: row.merchant_user_id,
    created: row.created,
    tradeProfit: {
      amount: row.trade_profit,
      currency: SUBMISSION_CURRENCY,
      decimalPlaces: SUBMISSION_DECIMAL_PLACES,
    },
    maxMatchPerUser: { amount: row.max_match, ...token },
    maxAmountTotal: { amount: row.max_amount_total, ...token },
    delta: { amount: row.delta, ...token },
    amountMatched: { amount: row.match_after, ...token },
    currentAmountTotal: { amount: row.committed_after, ...token },
    date: row.date.toISOString(),
  }));
}

/**
 * What was committed after the submissions at these positions, in their order. Each is one look-up by the primary key: no
 * other index gives the order that is asked for here, so none is taken, even before there are statistics.
 */
export async function listCommitted(db: Queryable, campaign: Campaign, positions: readonly number[]) {
  const rows = await db.query<{ date: Date; committed_after: string }>(
    `select j.date, j.committed_after
     from unnest((select $3::bigint[])) with ordinality as given (position, place)
     cross join lateral (
       select j.date, j.committed_after
       from submission_journal j
       where j.merchant_id = $1 and j.campaign_id = $2 and j.position >= given.position
       order by j.position
       limit 1
     ) j
     order by given.place`,
    [campaign.merchantId, campaign.id, positions],
  );
  const token = tokenOf(campaign);
  return rows.map((row) => ({
    date: row.date.toISOString(),
    committed: { amount: row.committed_after, ...token },
  }));
}
