import { allOf, sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { RowOf } from "../../db/rows.ts";
import type { Position } from "../../http/pagination.ts";
import type { Campaign } from "../record.ts";
import type { JournalEntry, NamedWallet } from "./record.ts";

interface EvidenceRow {
  readonly wallets: Buffer | null;
  readonly qualifiedOrdinal: number;
  readonly qualifiedDate: Date;
  readonly receiverOrdinal: number | null;
}

type JournalRow = RowOf<Omit<JournalEntry, "evidence">> & EvidenceRow;

const COLUMNS = sql`j.position, j.submission_id as "submissionId", j.participant_id as "participantId", (
    select p.merchant_user_id
    from participants p
    where p.merchant_id = j.merchant_id and p.id = j.participant_id
  ) as "merchantUserId", j.created, j.trade_profit as profit, j.max_match as cap, j.max_amount_total as "maxAmountTotal",
    j.delta, j.match_after as "matchAfter", j.committed_after as "committedAfter", j.clamped_by as "clampedBy", j.date,
    j.wallets, j.qualified_wallet as "qualifiedOrdinal", j.qualified_date as "qualifiedDate",
    j.receiver_wallet as "receiverOrdinal"`;

/** Two bytes each: most submissions name one or two wallets, and an array alone would take twenty bytes more. */
export function writeOrdinals(wallets: readonly Pick<NamedWallet, "ordinal">[]): Buffer {
  const bytes = Buffer.alloc(wallets.length * 2);
  for (const [index, { ordinal }] of wallets.entries()) bytes.writeUInt16BE(ordinal, index * 2);
  return bytes;
}

function readOrdinals(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) => bytes.readUInt16BE(index * 2));
}

type NamedWallets = ReadonlyMap<string, ReadonlyMap<number, NamedWallet>>;

const LIST_WALLETS = sql`select w.participant_id as "participantId", w.ordinal, w.address, w.address_key as "addressKey",
    w.chain_id as "chainId"
  from unnest((select $merchantIds::uuid[]), (select $participantIds::uuid[])) as given (merchant_id, participant_id)
  cross join lateral (
    select w.*
    from participant_wallets w
    where w.merchant_id = given.merchant_id and w.participant_id = given.participant_id
  ) w`;

/** The wallets of the participants that named some in these rows. There is no index by ordinal: a participant has few. */
async function listNamedWallets(
  db: Queryable,
  rows: readonly (JournalRow & { readonly merchantId: string })[],
): Promise<NamedWallets> {
  const owners = new Map(
    rows.filter(({ wallets }) => wallets !== null).map((row) => [row.participantId, row.merchantId]),
  );
  const named = new Map([...owners.keys()].map((id) => [id, new Map<number, NamedWallet>()]));
  if (owners.size === 0) return named;
  const wallets = await db.query<NamedWallet & { participantId: string }>(
    ...statement(LIST_WALLETS, { merchantIds: [...owners.values()], participantIds: [...owners.keys()] }),
  );
  for (const { participantId, ...wallet } of wallets) named.get(participantId)?.set(wallet.ordinal, wallet);
  return named;
}

function toEntry(row: JournalRow, named: NamedWallets): JournalEntry {
  const { wallets, qualifiedOrdinal, qualifiedDate, receiverOrdinal, ...entry } = row;
  const find = (ordinal: number) => named.get(row.participantId)?.get(ordinal) ?? null;
  const evidence = wallets && {
    // A wallet that is not there any more is left out: then the digest does not match.
    wallets: readOrdinals(wallets).flatMap((ordinal) => find(ordinal) ?? []),
    qualifiedOrdinal,
    qualifiedDate,
    receiver: receiverOrdinal === null ? null : find(receiverOrdinal),
  };
  return {
    ...entry,
    profit: BigInt(row.profit),
    cap: BigInt(row.cap),
    maxAmountTotal: BigInt(row.maxAmountTotal),
    delta: BigInt(row.delta),
    matchAfter: BigInt(row.matchAfter),
    committedAfter: BigInt(row.committedAfter),
    evidence,
  };
}

/** Newest first; of one participant, or all. */
export async function listJournal(
  db: Queryable,
  campaign: Campaign,
  participantId: string | null,
  after: Position | null,
  count: number,
): Promise<JournalEntry[]> {
  const { merchantId, id: campaignId } = campaign;
  const before = after?.[0] ?? String(Number.MAX_SAFE_INTEGER);
  const conditions = allOf(
    sql`j.merchant_id = $merchantId and j.campaign_id = $campaignId and j.position < $before::bigint`,
    // `position > 0` is the condition of the index by participant, which serves no other statement.
    participantId === null ? null : sql`j.participant_id = $participantId and j.position > 0`,
  );
  const list = sql`select ${COLUMNS}
    from submission_journal j
    where ${conditions}
    order by j.position desc
    limit $count`;
  const rows = await db.query<JournalRow>(...statement(list, { merchantId, campaignId, before, participantId, count }));
  const named = await listNamedWallets(
    db,
    rows.map((row) => ({ ...row, merchantId })),
  );
  return rows.map((row) => toEntry(row, named));
}

/** A row as the chain is verified. A row from before the chain has neither a version nor a digest. */
export interface LinkedEntry {
  readonly campaign: { readonly merchantId: string; readonly id: string; readonly chainedAfter: number };
  readonly entry: JournalEntry;
  readonly keyVersion: number | null;
  readonly digest: Buffer | null;
}

/** A place among the journals of all campaigns. */
export interface JournalPlace {
  readonly merchantId: string;
  readonly id: string;
  readonly position: number;
}

interface LinkedRow extends JournalRow, Pick<LinkedEntry, "keyVersion" | "digest"> {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly chainedAfter: number;
}

const LIST_LINKS = sql`select ${COLUMNS}, j.merchant_id as "merchantId", j.campaign_id as "campaignId",
    j.key_version as "keyVersion", j.digest, c.chained_after as "chainedAfter"
  from submission_journal j
  join campaigns c on c.merchant_id = j.merchant_id and c.id = j.campaign_id
  where (j.merchant_id, j.campaign_id, j.position) > ($afterMerchant::uuid, $afterId::uuid, $afterPosition::bigint)
    and (j.merchant_id, j.campaign_id, j.position) <= ($lastMerchant::uuid, $lastId::uuid, $lastPosition::bigint)
  order by j.merchant_id, j.campaign_id, j.position
  limit $count`;

/** The rows behind one place, up to another, in the order of the campaigns' keys, each journal from its start. */
export async function listLinks(
  db: Queryable,
  after: JournalPlace,
  last: JournalPlace,
  count: number,
): Promise<LinkedEntry[]> {
  const rows = await db.query<LinkedRow>(
    ...statement(LIST_LINKS, {
      afterMerchant: after.merchantId,
      afterId: after.id,
      afterPosition: after.position,
      lastMerchant: last.merchantId,
      lastId: last.id,
      lastPosition: last.position,
      count,
    }),
  );
  const named = await listNamedWallets(db, rows);
  return rows.map(({ merchantId, campaignId, chainedAfter, keyVersion, digest, ...row }) => ({
    campaign: { merchantId, id: campaignId, chainedAfter },
    entry: toEntry(row, named),
    keyVersion,
    digest,
  }));
}

const FIND_LINK = sql`select j.key_version as "keyVersion", j.digest
  from submission_journal j
  where j.merchant_id = $merchantId and j.campaign_id = $id and j.position = $position::bigint`;

export async function findLink(
  db: Queryable,
  { merchantId, id, position }: JournalPlace,
): Promise<Pick<LinkedEntry, "keyVersion" | "digest"> | null> {
  const [row] = await db.query<Pick<LinkedEntry, "keyVersion" | "digest">>(
    ...statement(FIND_LINK, { merchantId, id, position }),
  );
  return row ?? null;
}

export interface BurndownPoint {
  readonly date: Date;
  readonly committed: bigint;
}

// Each position is one look-up by the primary key: no other index has this order, so the planner takes none, even before
// there are statistics.
const LIST_COMMITTED = sql`select j.date, j.committed_after as committed
  from unnest((select $positions::bigint[])) with ordinality as given (position, place)
  cross join lateral (
    select j.date, j.committed_after
    from submission_journal j
    where j.merchant_id = $merchantId and j.campaign_id = $campaignId and j.position >= given.position
    order by j.position
    limit 1
  ) j
  order by given.place`;

/** What was committed after the submissions at these positions, in their order. */
export async function listCommitted(
  db: Queryable,
  { merchantId, id: campaignId }: Campaign,
  positions: readonly number[],
): Promise<BurndownPoint[]> {
  const rows = await db.query<RowOf<BurndownPoint>>(
    ...statement(LIST_COMMITTED, { merchantId, campaignId, positions }),
  );
  return rows.map(({ date, committed }) => ({ date, committed: BigInt(committed) }));
}
