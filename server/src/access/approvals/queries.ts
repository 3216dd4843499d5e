import { allOf, type Sql, sql, statement } from "../../db/compose.ts";
import type { Queryable, Value } from "../../db/pool.ts";
import { NEWEST, type Position } from "../../http/pagination.ts";
import { APPROVALS_EXPIRED_AT_ONCE_MAX } from "../../limits.ts";
import type { Approval, ApprovalStatus, Operator } from "./record.ts";

interface ApprovalRow extends Omit<Approval, "requestedBy" | "decidedBy"> {
  readonly requestedByName: string;
  readonly requestedById: string | null;
  readonly decidedByName: string | null;
  readonly decidedById: string | null;
}

const COLUMNS = sql`a.id, a.action, a.status, a.subject, a.merchant_id as "merchantId", a.change, a.input,
  a.requested_by as "requestedByName", a.requested_by_token_id as "requestedById", a.decided_by as "decidedByName",
  a.decided_by_token_id as "decidedById", a.reason, a.create_date as "createDate", a.expire_date as "expireDate",
  a.decide_date as "decideDate"`;

function toApproval({ requestedByName, requestedById, decidedByName, decidedById, ...row }: ApprovalRow): Approval {
  return {
    ...row,
    requestedBy: { id: requestedById, name: requestedByName },
    decidedBy: decidedByName === null ? null : { id: decidedById, name: decidedByName },
  };
}

async function listAll(db: Queryable, text: Sql, values: Record<string, Value>): Promise<Approval[]> {
  return (await db.query<ApprovalRow>(...statement(text, values))).map(toApproval);
}

async function findOne(db: Queryable, text: Sql, values: Record<string, Value>): Promise<Approval | null> {
  return (await listAll(db, text, values))[0] ?? null;
}

const FIND = sql`select ${COLUMNS} from approvals a where a.id = $id`;
const LOCK = sql`${FIND} for update`;

export async function findApproval(db: Queryable, id: string): Promise<Approval | null> {
  return findOne(db, FIND, { id });
}

export async function lockApproval(transaction: Queryable, id: string): Promise<Approval | null> {
  return findOne(transaction, LOCK, { id });
}

const FIND_ASKED = sql`select ${COLUMNS}
  from approvals a
  where a.request_hash = $requestHash
  order by a.create_date desc
  limit 1`;

/** The last time that this was asked. */
export async function findAsked(db: Queryable, requestHash: Buffer): Promise<Approval | null> {
  return findOne(db, FIND_ASKED, { requestHash });
}

export interface NewApproval
  extends Omit<Approval, "status" | "input" | "decidedBy" | "reason" | "decideDate" | "change"> {
  readonly change: string;
  readonly input: string;
  readonly requestHash: Buffer;
}

const INSERT = sql`insert into approvals as a
    (id, action, status, subject, merchant_id, change, input, request_hash, requested_by, requested_by_token_id,
     create_date, expire_date)
  values ($id, $action, 'PENDING', $subject, $merchantId, $change, $input, $requestHash, $requestedByName, $requestedById,
          $createDate, $expireDate)
  on conflict (request_hash) where status = 'PENDING' do nothing
  returning ${COLUMNS}`;

/** Null when the same request waits already. */
export async function insertApproval(
  transaction: Queryable,
  { requestedBy, ...approval }: NewApproval,
): Promise<Approval | null> {
  const { id: requestedById, name: requestedByName } = requestedBy;
  return findOne(transaction, INSERT, { ...approval, requestedById, requestedByName });
}

const DECIDE = sql`update approvals a
  set status = $status, decided_by = $decidedByName, decided_by_token_id = $decidedById, reason = $reason, decide_date = $now
  where a.id = $id
  returning ${COLUMNS}`;

export async function updateDecided(
  transaction: Queryable,
  id: string,
  { status, decidedBy, reason }: { status: ApprovalStatus; decidedBy: Operator; reason: string | null },
  now: Date,
): Promise<Approval> {
  const { id: decidedById, name: decidedByName } = decidedBy;
  return (await findOne(transaction, DECIDE, { id, status, decidedById, decidedByName, reason, now })) as Approval;
}

export async function hasOverdue(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query("select from approvals where status = 'PENDING' and expire_date <= $1 limit 1", [now]);
  return rows.length > 0;
}

const EXPIRE = sql`with overdue as (
    select id from approvals
    where status = 'PENDING' and expire_date <= $now
    order by expire_date
    limit $count
    for update skip locked
  )
  update approvals a
  set status = 'EXPIRED', decide_date = $now
  from overdue
  where a.id = overdue.id
  returning ${COLUMNS}`;

/** Ends those whose time is over, except those that another process is deciding about. */
export async function expireApprovals(transaction: Queryable, now: Date): Promise<Approval[]> {
  return listAll(transaction, EXPIRE, { now, count: APPROVALS_EXPIRED_AT_ONCE_MAX });
}

/** Newest first. */
export async function listApprovals(
  db: Queryable,
  status: ApprovalStatus | null,
  after: Position | null,
  count: number,
): Promise<Approval[]> {
  const [date = "", id = ""] = after ?? NEWEST;
  const conditions = allOf(
    sql`(a.create_date, a.id) < ($date::timestamptz, $id::uuid)`,
    status === null ? null : sql`a.status = $status`,
  );
  const list = sql`select ${COLUMNS}
    from approvals a
    where ${conditions}
    order by a.create_date desc, a.id desc
    limit $count`;
  return listAll(db, list, { date, id, status, count });
}
