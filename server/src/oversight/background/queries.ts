import { type Sql, sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { CheckResult } from "../checks/run-queries.ts";
import type { Finding, Walk } from "./record.ts";

const WALK_COLUMNS = sql`name, merchant_id as "merchantId", id, position, old_digest as "oldDigest",
  begin_date as "beginDate", done_begin_date as "doneBeginDate", next_date as "nextDate"`;

export async function listWalks(db: Queryable): Promise<Walk[]> {
  return db.query<Walk>(...statement(sql`select ${WALK_COLUMNS} from audit_walks`, {}));
}

const FIND_WALK = sql`select ${WALK_COLUMNS} from audit_walks where name = $name`;

export async function findWalk(db: Queryable, name: string): Promise<Walk | null> {
  const [walk] = await db.query<Walk>(...statement(FIND_WALK, { name }));
  return walk ?? null;
}

const WRITE_WALK = sql`insert into audit_walks
    (name, merchant_id, id, position, old_digest, begin_date, done_begin_date, next_date)
  values ($name, $merchantId, $id, $position, $oldDigest, $beginDate, $doneBeginDate, $nextDate)
  on conflict (name) do update
  set merchant_id = excluded.merchant_id, id = excluded.id, position = excluded.position, old_digest = excluded.old_digest,
      begin_date = excluded.begin_date, done_begin_date = excluded.done_begin_date, next_date = excluded.next_date`;

export async function writeWalk(transaction: Queryable, walk: Walk): Promise<void> {
  await transaction.query(...statement(WRITE_WALK, { ...walk }));
}

interface Key {
  readonly merchantId: string;
  readonly id: string;
}

const keysOf = (table: Sql, id: Sql) => sql`select merchant_id as "merchantId", ${id} as id
  from ${table}
  where (merchant_id, ${id}) > ($merchantId::uuid, $id::uuid)
  order by merchant_id, ${id}
  offset $count - 1
  limit 1`;

/** The tables that are read again by key; the journal is read by its chain. */
const KEYS = {
  campaigns: keysOf(sql`campaigns`, sql`id`),
  participants: keysOf(sql`participants`, sql`id`),
  payouts: keysOf(sql`payouts`, sql`id`),
  "payout runs": keysOf(sql`payout_runs`, sql`id`),
  users: keysOf(sql`deposit_users`, sql`user_id`),
} as const;

export type KeyedTable = keyof typeof KEYS;

/** The key that is `count` rows behind this one. Null when there are fewer. */
export async function findKeyBehind(db: Queryable, table: KeyedTable, after: Key, count: number): Promise<Key | null> {
  const [key] = await db.query<Key>(...statement(KEYS[table], { merchantId: after.merchantId, id: after.id, count }));
  return key ?? null;
}

const ADD_CHECKED = sql`insert into audit_figures as f (check_name, checked, update_date)
  select given.name, given.checked, $now
  from unnest($names::text[], $counts::bigint[]) as given (name, checked)
  on conflict (check_name) do update set checked = f.checked + excluded.checked, update_date = excluded.update_date`;

export async function addChecked(transaction: Queryable, results: readonly CheckResult[], now: Date): Promise<void> {
  const sums = new Map<string, number>();
  for (const { name, checked } of results) sums.set(name, (sums.get(name) ?? 0) + checked);
  const names = [...sums.keys()].sort();
  await transaction.query(...statement(ADD_CHECKED, { names, counts: names.map((name) => sums.get(name) ?? 0), now }));
}

const WRITE_FINDING = sql`insert into audit_findings (check_name, subject, scope, detail, create_date, update_date)
  values ($checkName, $subject, $scope::jsonb, $detail, $now, $now)
  on conflict (check_name, subject) do update
  set scope = excluded.scope, detail = excluded.detail, update_date = excluded.update_date`;

export async function writeFinding(transaction: Queryable, finding: Finding, now: Date): Promise<void> {
  const scope = finding.scope === null ? null : JSON.stringify(finding.scope);
  await transaction.query(...statement(WRITE_FINDING, { ...finding, scope, now }));
}

const DELETE_FINDING = sql`delete from audit_findings where check_name = $checkName and subject = $subject`;

export async function deleteFinding(
  transaction: Queryable,
  { checkName, subject }: Pick<Finding, "checkName" | "subject">,
): Promise<void> {
  await transaction.query(...statement(DELETE_FINDING, { checkName, subject }));
}

const LIST_FINDINGS = sql`select check_name as "checkName", subject, scope, detail
  from audit_findings
  order by create_date, check_name, subject
  limit $count`;

/** The oldest first. */
export async function listFindings(db: Queryable, count: number): Promise<Finding[]> {
  return db.query<Finding>(...statement(LIST_FINDINGS, { count }));
}

const LIST_FIGURES = sql`select check_name as name, checked, update_date as date from audit_figures`;

export interface Figure {
  readonly name: string;
  readonly checked: number;
  readonly date: Date;
}

export async function listFigures(db: Queryable): Promise<Figure[]> {
  return db.query<Figure>(...statement(LIST_FIGURES, {}));
}
