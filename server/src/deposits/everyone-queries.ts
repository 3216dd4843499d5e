import type { Queryable, Value } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { boundsOf, type DepositFilters, type ReportedDeposit, toDeposit } from "./deposit-queries.ts";
import { DEPOSIT_STATUSES } from "./merge.ts";
import { DEPOSIT_COLUMNS, type DepositRow } from "./queries.ts";

const LIST = `select ${DEPOSIT_COLUMNS}
  from (
    (select p.*, p.create_date at time zone 'UTC' as created from deposits p
     where p.status = 'pending' and p.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
       and (p.create_date at time zone 'UTC', p.id, p.merchant_id)
           < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
     order by p.create_date at time zone 'UTC' desc, p.id desc, p.merchant_id desc limit $5)
    union all
    (select c.*, c.create_date at time zone 'UTC' as created from deposits c
     where c.status = 'completed' and c.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
       and (c.create_date at time zone 'UTC', c.id, c.merchant_id)
           < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
     order by c.create_date at time zone 'UTC' desc, c.id desc, c.merchant_id desc limit $5)
    union all
    (select f.*, f.create_date at time zone 'UTC' as created from deposits f
     where f.status = 'failed' and f.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
       and (f.create_date at time zone 'UTC', f.id, f.merchant_id)
           < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
     order by f.create_date at time zone 'UTC' desc, f.id desc, f.merchant_id desc limit $5)
  ) d
  order by d.created desc, d.id desc, d.merchant_id desc
  limit $5`;

const LIST_BY_STATUS = `select ${DEPOSIT_COLUMNS}
  from deposits d
  where d.status = $6 and d.create_date at time zone 'UTC' >= $1::timestamptz at time zone 'UTC'
    and (d.create_date at time zone 'UTC', d.id, d.merchant_id)
           < ($2::timestamptz at time zone 'UTC', $3::text, $4::uuid)
  order by d.create_date at time zone 'UTC' desc, d.id desc, d.merchant_id desc
  limit $5`;

// A chain may be rare, and no index leads to it across merchants. So each merchant's own index gives a page, and the newest
// of these are sorted out: the cost grows with the number of merchants, not of deposits.
const LIST_ON_CHAIN = `select ${DEPOSIT_COLUMNS}
  from merchant_guards g
  cross join unnest($7::text[]) as wanted (status)
  cross join lateral (
    select *
    from deposits m
    where m.merchant_id = g.merchant_id and m.chain_id = $6 and m.status = wanted.status
      and m.create_date >= $1::timestamptz and (m.create_date, m.id) <= ($2::timestamptz, $3::text)
      and (m.create_date, m.id, m.merchant_id) < ($2::timestamptz, $3::text, $4::uuid)
    order by m.create_date desc, m.id desc
    limit $5
  ) d
  order by d.create_date desc, d.id desc, d.merchant_id desc
  limit $5`;

/** The deposits of all merchants, newest first, for operators. */
export async function listDepositsOfEveryone(
  db: Queryable,
  filters: Omit<DepositFilters, "userId">,
  after: Position | null,
  count: number,
): Promise<ReportedDeposit[]> {
  const { status, chainId } = filters;
  const bounds = [...boundsOf(filters, after), count];
  const list = async (text: string, ...more: readonly Value[]) =>
    (await db.query<DepositRow>(text, [...bounds, ...more])).map(toDeposit);
  if (chainId !== null) return list(LIST_ON_CHAIN, chainId, status === null ? DEPOSIT_STATUSES : [status]);
  return status === null ? list(LIST) : list(LIST_BY_STATUS, status);
}
