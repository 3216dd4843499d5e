import { type Sql, sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { StoredCredential } from "../../merchants/record.ts";
import { qualifiedDateIn } from "../../qualification/queries.ts";
import type { CampaignWindow, WalletKey } from "../../qualification/record.ts";
import { writeOrdinals } from "../journal/queries.ts";
import type { JournalHead } from "../journal/record.ts";
import { type ParticipantRow, participantColumns, toParticipant } from "../participants/queries.ts";
import type { Participant } from "../participants/record.ts";
import type { Campaign } from "../record.ts";
import type { Decided } from "./decide.ts";

/** What is read for the submissions to one campaign. */
export interface BatchRequest {
  readonly campaign: CampaignWindow & Pick<Campaign, "participantsPerWalletMax">;
  readonly merchantUserIds: readonly string[];
  readonly wallets: readonly WalletKey[];
}

export interface BatchState {
  /** Those of the users who have a participant. */
  readonly participants: readonly Participant[];
  /** Those of the wallets that qualify now. */
  readonly qualified: readonly (WalletKey & { readonly qualifiedDate: Date })[];
  /** Of a campaign with a limit: how many participants claimed each wallet, counted no further than the limit. */
  readonly claims: readonly (WalletKey & { readonly count: number })[];
  /** What the merchant's signatures are checked against now. */
  readonly credential: StoredCredential | null;
}

interface BatchRow extends ParticipantRow {
  readonly campaign: number;
  readonly qualified: (WalletKey & { campaign: number; qualifiedDate: string })[] | null;
  readonly claims: (WalletKey & { campaign: number; count: number })[] | null;
  readonly credentials: (StoredCredential & { merchantId: string })[] | null;
}

// The campaigns of a batch are passed as one array for each of their fields. Everything else names its campaign by its number
// in these arrays. If all campaigns are of one merchant, the statement names the merchant by value, so that a database that is
// sharded by merchant needs one shard only.
type MerchantOf = (row: Sql) => Sql;

const ANY_MERCHANT: MerchantOf = (row) => sql`($merchantIds::uuid[])[${row}.campaign]`;
const ONE_MERCHANT: MerchantOf = () => sql`$merchantId::uuid`;

function merchantsOf(campaigns: readonly { readonly merchantId: string }[]) {
  const merchantIds = campaigns.map(({ merchantId }) => merchantId);
  const [merchantId = null, ...others] = new Set(merchantIds);
  return { isOne: others.length === 0, values: { merchantId, merchantIds } };
}

// A participant claims a wallet once, so claims are participants. The index has them in this order.
const claimsOf = (merchantOf: MerchantOf) => sql`(
      select json_agg(json_build_object('campaign', w.campaign, 'addressKey', w.address_key, 'chainId', w.chain_id,
                                        'count', claims.count))
      from unnest((select $walletCampaigns::integer[]), (select $addressKeys::text[]), (select $chainIds::bigint[]))
        as w (campaign, address_key, chain_id)
      cross join lateral (
        select count(*)::integer as count
        from (
          select
          from participant_wallets claim
          where claim.merchant_id = ${merchantOf(sql`w`)} and claim.campaign_id = ($campaignIds::uuid[])[w.campaign]
            and claim.address_key = w.address_key and claim.chain_id = w.chain_id and claim.claim_position > 0
          limit ($claimsMax::integer[])[w.campaign]
        ) claim
      ) claims
      where claims.count > 0
    )`;

// Inside a subquery, an array has no length for the planner, which would otherwise make a new plan for each length; that takes
// longer than the look-up itself. `isPlain`: no campaign of the batch has a minimum deposit or a limit of claims, so a batch
// without such rules costs what it would without the code for them.
function readStatement(merchantOf: MerchantOf, isPlain: boolean): Sql {
  const windowOf = (row: Sql) => ({
    merchantId: merchantOf(row),
    startDate: sql`($startDates::timestamptz[])[${row}.campaign]`,
    endDate: sql`($endDates::timestamptz[])[${row}.campaign]`,
    minimumDepositMicros: isPlain ? null : sql`($minimumDeposits::numeric[])[${row}.campaign]`,
  });
  return sql`select given.campaign, ${participantColumns(windowOf(sql`given`))}, case when given.position = 1 then (
      select json_agg(json_build_object('campaign', w.campaign, 'addressKey', w.address_key, 'chainId', w.chain_id,
                                        'qualifiedDate', q.qualified_date))
      from unnest((select $walletCampaigns::integer[]), (select $addressKeys::text[]), (select $chainIds::bigint[]))
        as w (campaign, address_key, chain_id)
      cross join lateral ${qualifiedDateIn(windowOf(sql`w`))} q (qualified_date)
    ) end as qualified, case when given.position = 1 then ${isPlain ? sql`null::json` : claimsOf(merchantOf)} end as claims, case when given.position = 1 then (
      select json_agg(json_build_object('merchantId', m.id, 'status', m.status, 'publicKey', m.public_key,
                                        'requireBoundSignatures', m.require_bound_signatures))
      from unnest((select $signerIds::uuid[])) as signer (id)
      cross join lateral (select m.* from merchants m where m.id = signer.id limit 1) m
    ) end as credentials
    from unnest((select $userCampaigns::integer[]), (select $merchantUserIds::text[]))
      with ordinality as given (campaign, merchant_user_id, position)
    left join lateral (
      select p.*
      from participants p
      where p.merchant_id = ${merchantOf(sql`given`)} and p.campaign_id = ($campaignIds::uuid[])[given.campaign]
        and p.merchant_user_id = given.merchant_user_id
      limit 1
    ) p on true`;
}

const READ = { plain: readStatement(ANY_MERCHANT, true), ruled: readStatement(ANY_MERCHANT, false) };
const READ_OF_MERCHANT = { plain: readStatement(ONE_MERCHANT, true), ruled: readStatement(ONE_MERCHANT, false) };

/**
 * Everything a batch is decided from, in one round trip: a row for every user, empty for one who has no participant yet. The
 * first row also carries which of the submitted wallets qualify, and the merchants' credentials as they are now.
 */
export async function readBatch(db: Queryable, requests: readonly BatchRequest[]): Promise<BatchState[]> {
  const { isOne, values } = merchantsOf(requests.map(({ campaign }) => campaign));
  const users = numbered(requests, ({ merchantUserIds }) => merchantUserIds);
  const wallets = numbered(requests, (request) => request.wallets);
  const isPlain = requests.every(
    ({ campaign }) => campaign.minimumDepositMicros === null && campaign.participantsPerWalletMax === null,
  );
  const rows = await db.query<BatchRow>(
    ...statement((isOne ? READ_OF_MERCHANT : READ)[isPlain ? "plain" : "ruled"], {
      ...values,
      signerIds: [...new Set(values.merchantIds)],
      campaignIds: requests.map(({ campaign }) => campaign.id),
      startDates: requests.map(({ campaign }) => campaign.startDate.toISOString()),
      endDates: requests.map(({ campaign }) => campaign.endDate.toISOString()),
      // No deposit is below 0, and without a limit no claim is counted.
      minimumDeposits: requests.map(({ campaign }) => campaign.minimumDepositMicros ?? 0n),
      claimsMax: requests.map(({ campaign }) => campaign.participantsPerWalletMax ?? 0),
      userCampaigns: users.map(({ campaign }) => campaign),
      merchantUserIds: users.map(({ item }) => item),
      walletCampaigns: wallets.map(({ campaign }) => campaign),
      addressKeys: wallets.map(({ item }) => item.addressKey),
      chainIds: wallets.map(({ item }) => item.chainId),
    }),
  );
  const states = requests.map(({ campaign: { merchantId } }) => ({
    participants: [] as Participant[],
    qualified: [] as (WalletKey & { qualifiedDate: Date })[],
    claims: [] as (WalletKey & { count: number })[],
    credential: rows[0]?.credentials?.find((credential) => credential.merchantId === merchantId) ?? null,
  }));
  for (const { campaign, qualified, claims, credentials: _, ...row } of rows) {
    if (row.id !== null) states[campaign - 1]?.participants.push(toParticipant(row));
    for (const { campaign: number, qualifiedDate, ...wallet } of qualified ?? []) {
      states[number - 1]?.qualified.push({ ...wallet, qualifiedDate: new Date(qualifiedDate) });
    }
    for (const { campaign: number, ...claim } of claims ?? []) states[number - 1]?.claims.push(claim);
  }
  return states;
}

/** The items of all parts, each with the number of its part. PostgreSQL counts from 1. */
function numbered<Part, Item>(parts: readonly Part[], itemsOf: (part: Part) => readonly Item[]) {
  return parts.flatMap((part, index) => itemsOf(part).map((item) => ({ campaign: index + 1, item })));
}

// The limit takes all rows. With it the planner expects one, and looks up its campaign by key. Otherwise a plan that is made while
// campaigns are few would read all of them when they are many.
function writeStatement(merchantOf: MerchantOf): Sql {
  const merchantId = merchantOf(sql`given`);
  const campaignId = sql`($campaignIds::uuid[])[given.campaign]`;
  return sql`with written as (
      insert into participants as p
        (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
         payouts_open, payouts_confirmed, payouts_count, last_payout_failed, receiver_address, receiver_set_by, create_date,
         update_date)
      select ${merchantId}, given.id, ${campaignId}, given.merchant_user_id, given.status, given.qualified_date,
             given.trade_profit, given.amount_matched, given.max_match, 0, 0, 0, false,
             given.receiver_address, given.receiver_set_by, $now::timestamptz, $now::timestamptz
      from json_to_recordset($participants::json) as given
        (campaign integer, id uuid, merchant_user_id text, status text, qualified_date timestamptz, trade_profit numeric,
         amount_matched numeric, max_match numeric, receiver_address text, receiver_set_by text)
      on conflict (merchant_id, campaign_id, merchant_user_id) do update
      set status = excluded.status, qualified_date = excluded.qualified_date, trade_profit = excluded.trade_profit,
          amount_matched = excluded.amount_matched, max_match = excluded.max_match, update_date = excluded.update_date,
          receiver_address = coalesce(p.receiver_address, excluded.receiver_address),
          receiver_set_by = coalesce(p.receiver_set_by, excluded.receiver_set_by)
    ), claimed as (
      insert into participant_wallets
        (merchant_id, participant_id, address_key, chain_id, campaign_id, address, ordinal, claim_position)
      select ${merchantId}, given.participant_id, given.address_key, given.chain_id, ${campaignId}, given.address,
             given.ordinal, given.claim_position
      from json_to_recordset($wallets::json) as given
        (campaign integer, participant_id uuid, address_key text, chain_id bigint, address text, ordinal integer,
         claim_position bigint)
    ), journaled as (
      insert into submission_journal
        (merchant_id, campaign_id, position, submission_id, participant_id, created, trade_profit, max_match,
         max_amount_total, delta, match_after, committed_after, clamped_by, date, wallets, qualified_wallet, qualified_date,
         receiver_wallet, key_version, digest)
      select ${merchantId}, ${campaignId}, given.position, given.submission_id, given.participant_id, given.created,
             given.trade_profit, given.max_match, given.max_amount_total, given.delta, given.match_after,
             given.committed_after, given.clamped_by, $now::timestamptz, given.wallets, given.qualified_wallet,
             given.qualified_date, given.receiver_wallet, given.key_version, given.digest
      from json_to_recordset($journal::json) as given
        (campaign integer, position bigint, submission_id uuid, participant_id uuid, created boolean, trade_profit numeric,
         max_match numeric, max_amount_total numeric, delta numeric, match_after numeric, committed_after numeric,
         clamped_by text, wallets bytea, qualified_wallet smallint, qualified_date timestamptz, receiver_wallet smallint,
         key_version smallint, digest bytea)
      returning merchant_id, campaign_id, (date at time zone 'UTC')::date as day, delta
    ), rewarded as (
      insert into reward_days as r (merchant_id, campaign_id, day, currency, decimal_places, amount)
      select c.merchant_id, c.id, j.day, c.currency, c.decimal_places, j.amount
      from (
        select journaled.merchant_id, journaled.campaign_id, journaled.day, sum(journaled.delta) as amount
        from journaled
        where journaled.delta > 0
        group by journaled.merchant_id, journaled.campaign_id, journaled.day
      ) j
      cross join lateral (
        select c.merchant_id, c.id, c.currency, c.decimal_places
        from campaigns c
        where c.merchant_id = j.merchant_id and c.id = j.campaign_id
        limit 1
      ) c
      on conflict (merchant_id, campaign_id, day) do update set amount = r.amount + excluded.amount
    )
    update campaigns c
    set committed = given.committed, journal_length = given.journal_length, journal_key_version = given.key_version,
        journal_digest = given.digest, update_date = $now
    from (
      select ${merchantId} as merchant_id, ${campaignId} as id, given.committed, given.journal_length, given.key_version,
             given.digest
      from unnest((select $committed::numeric[]), (select $journalLengths::bigint[]), (select $keyVersions::smallint[]),
                  (select $digests::bytea[]))
        with ordinality as given (committed, journal_length, key_version, digest, campaign)
      limit $count
    ) given
    where c.merchant_id = given.merchant_id and c.id = given.id`;
}

const WRITE = writeStatement(ANY_MERCHANT);
const WRITE_OF_MERCHANT = writeStatement(ONE_MERCHANT);

export interface DecidedCampaign {
  readonly campaign: Campaign;
  readonly decided: Decided;
  /** One for each row of the journal. */
  readonly links: readonly JournalHead[];
}

/**
 * Writes a decided batch in one statement: participants, their new wallets, the journal, the day's rewards, and the budgets.
 * The caller locked the campaigns' rows before it read the state that the decisions are made from.
 */
export async function writeBatch(transaction: Queryable, batch: readonly DecidedCampaign[], now: Date): Promise<void> {
  const participantRows = numbered(batch, ({ decided }) => decided.participants).map(
    ({ campaign, item: participant }) => ({
      campaign,
      id: participant.id,
      merchant_user_id: participant.merchantUserId,
      status: participant.status,
      qualified_date: participant.qualifiedDate,
      trade_profit: String(participant.profit),
      amount_matched: String(participant.matched),
      max_match: String(participant.cap),
      receiver_address: participant.receiver?.address ?? null,
      receiver_set_by: participant.receiver?.setBy ?? null,
    }),
  );
  const walletRows = numbered(batch, ({ decided }) => decided.wallets).map(({ campaign, item: wallet }) => ({
    campaign,
    participant_id: wallet.participantId,
    address_key: wallet.addressKey,
    chain_id: wallet.chainId,
    address: wallet.address,
    ordinal: wallet.ordinal,
    claim_position: wallet.claimPosition,
  }));
  const links = batch.flatMap((part) => part.links);
  const journalRows = numbered(batch, ({ decided }) => decided.journal).map(({ campaign, item: entry }, index) => ({
    campaign,
    position: entry.position,
    submission_id: entry.submissionId,
    participant_id: entry.participantId,
    created: entry.created,
    trade_profit: String(entry.profit),
    max_match: String(entry.cap),
    max_amount_total: String(entry.maxAmountTotal),
    delta: String(entry.delta),
    match_after: String(entry.matchAfter),
    committed_after: String(entry.committedAfter),
    clamped_by: entry.clampedBy,
    wallets: toBytea(writeOrdinals(entry.evidence?.wallets ?? [])),
    qualified_wallet: entry.evidence?.qualifiedOrdinal,
    qualified_date: entry.evidence?.qualifiedDate,
    receiver_wallet: entry.evidence?.receiver?.ordinal,
    key_version: links[index]?.keyVersion,
    digest: toBytea(links[index]?.digest),
  }));
  const { isOne, values } = merchantsOf(batch.map(({ campaign }) => campaign));
  await transaction.query(
    ...statement(isOne ? WRITE_OF_MERCHANT : WRITE, {
      ...values,
      campaignIds: batch.map(({ campaign }) => campaign.id),
      count: batch.length,
      committed: batch.map(({ decided }) => decided.committed),
      journalLengths: batch.map(({ campaign, decided }) => campaign.journalLength + decided.journal.length),
      keyVersions: batch.map((part) => part.links.at(-1)?.keyVersion ?? 0),
      digests: batch.map((part) => part.links.at(-1)?.digest ?? Buffer.alloc(0)),
      participants: JSON.stringify(participantRows),
      wallets: JSON.stringify(walletRows),
      journal: JSON.stringify(journalRows),
      now,
    }),
  );
}

/** As a text of JSON. */
function toBytea(bytes: Buffer | undefined): string | undefined {
  return bytes && `\\x${bytes.toString("hex")}`;
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
