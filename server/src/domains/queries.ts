import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { ADDITIONAL_DOMAINS_MAX } from "../limits.ts";
import { type Domain, type DomainMail, type Hold, type NewDomain, PRIMARY_SLOT } from "./record.ts";

/**
 * Every change of a merchant's domains takes this lock first and reads in later statements, so that it sees the changes
 * before it. False when the merchant is unknown or was never approved: it has no domains.
 */
export async function lockDomains(db: Queryable, merchantId: string): Promise<boolean> {
  const rows = await db.query(
    "select domain from merchant_domains where merchant_id = $1 and slot = $2 for no key update",
    [merchantId, PRIMARY_SLOT],
  );
  return rows.length === 1;
}

/** An existing domain gets the missing origins and keeps its slot. */
export async function insertDomain(db: Queryable, domain: NewDomain, now: Date): Promise<void> {
  await db.query(
    `insert into merchant_domains (merchant_id, domain, slot, create_date) values ($1, $2, $3, $4)
     on conflict (merchant_id, domain) do nothing`,
    [domain.merchantId, domain.domain, domain.slot, now],
  );
  await db.query(
    `insert into merchant_origins (merchant_id, origin, domain, create_date)
     select $1, origin, $2, $4 from unnest($3::text[]) as origin
     on conflict (merchant_id, origin, domain) do nothing`,
    [domain.merchantId, domain.domain, domain.origins, now],
  );
}

/** The domain with its origins, or null. */
export async function findDomain(
  db: Queryable,
  merchantId: string,
  domain: string,
): Promise<{ slot: number; origins: string[] } | null> {
  const [row] = await db.query<{ slot: number; origins: string[] }>(
    `select d.slot, array(
       select o.origin from merchant_origins o
       where o.merchant_id = d.merchant_id and o.domain = d.domain
       order by o.origin
     ) as origins
     from merchant_domains d
     where d.merchant_id = $1 and d.domain = $2`,
    [merchantId, domain],
  );
  return row ?? null;
}

/** Its origins are deleted with it, unless another domain has them too. */
export async function deleteDomain(db: Queryable, merchantId: string, domain: string): Promise<void> {
  await db.query("delete from merchant_domains where merchant_id = $1 and domain = $2", [merchantId, domain]);
}

/** Which of the origins are whitelisted, and by which domain. */
export async function findWhitelisted(
  db: Queryable,
  merchantId: string,
  origins: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ origin: string; domain: string }>(
    "select origin, domain from merchant_origins where merchant_id = $1 and origin = any($2::text[])",
    [merchantId, origins],
  );
  return new Map(rows.map(({ origin, domain }) => [origin, domain]));
}

/** The slots of other domains, including those reserved by calls in progress. */
export async function countOtherSlots(db: Queryable, merchantId: string, domain: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from (
       select d.domain from merchant_domains d
       where d.merchant_id = $1 and d.slot <> $4 and d.domain <> $2
       union
       select u.reserved_domain from unsettled_origins u
       where u.merchant_id = $1 and u.reserved_domain <> $2 and u.lease_end_date > $3
     ) as taken`,
    [merchantId, domain, now, PRIMARY_SLOT],
  );
  return row?.count ?? 0;
}

/** The domain's slot, or the first free one, or null. */
export async function findSlot(db: Queryable, merchantId: string, domain: string): Promise<number | null> {
  const [row] = await db.query<{ slot: number | null }>(
    `select coalesce(
       (select d.slot from merchant_domains d where d.merchant_id = $1 and d.domain = $2),
       (select min(free.slot) from generate_series(1, $3::integer) as free (slot)
        where not exists (select from merchant_domains d where d.merchant_id = $1 and d.slot = free.slot))
     ) as slot`,
    [merchantId, domain, ADDITIONAL_DOMAINS_MAX],
  );
  return row?.slot ?? null;
}

/** The call that holds one of the origins right now, or null. */
export async function findHold(
  db: Queryable,
  merchantId: string,
  origins: readonly string[],
  now: Date,
): Promise<Hold | null> {
  const [hold] = await db.query<Hold>(
    `select holder, lease_end_date as "leaseEnd", reserved_domain as "reservedDomain" from unsettled_origins
     where merchant_id = $1 and origin = any($2::text[]) and lease_end_date > $3
     limit 1`,
    [merchantId, origins, now],
  );
  return hold ?? null;
}

/** The origins that this call holds. */
export async function listHeld(db: Queryable, merchantId: string, holder: string): Promise<string[]> {
  const rows = await db.query<{ origin: string }>(
    "select origin from unsettled_origins where merchant_id = $1 and holder = $2 order by origin",
    [merchantId, holder],
  );
  return rows.map(({ origin }) => origin);
}

export async function listUnsettled(db: Queryable, merchantId: string, jobId: string): Promise<string[]> {
  const rows = await db.query<{ origin: string }>(
    "select origin from unsettled_origins where merchant_id = $1 and job_id = $2 order by origin",
    [merchantId, jobId],
  );
  return rows.map(({ origin }) => origin);
}

/** Adds those origins that are not among the unsettled ones, and returns them. */
export async function insertUnsettled(
  db: Queryable,
  merchantId: string,
  origins: readonly string[],
  jobId: string,
): Promise<string[]> {
  const rows = await db.query<{ origin: string }>(
    `insert into unsettled_origins (merchant_id, origin, job_id)
     select $1, origin, $3 from unnest($2::text[]) as origin
     on conflict (merchant_id, origin) do nothing
     returning origin`,
    [merchantId, origins, jobId],
  );
  return rows.map(({ origin }) => origin);
}

/** The jobs that will settle the origins. */
export async function listSettlingJobs(
  db: Queryable,
  merchantId: string,
  origins: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ job_id: string }>(
    "select distinct job_id from unsettled_origins where merchant_id = $1 and origin = any($2::text[])",
    [merchantId, origins],
  );
  return rows.map(({ job_id }) => job_id);
}

export async function holdUnsettled(
  db: Queryable,
  merchantId: string,
  origins: readonly string[],
  { holder, leaseEnd, reservedDomain }: Hold,
): Promise<void> {
  await db.query(
    `update unsettled_origins set holder = $3, lease_end_date = $4, reserved_domain = $5
     where merchant_id = $1 and origin = any($2::text[])`,
    [merchantId, origins, holder, leaseEnd, reservedDomain],
  );
}

/**
 * Takes the next versions for calls to the registry, and returns the last of them. Take them in the transaction that holds the
 * origins and reads what is whitelisted: then a higher version never carries an older state of an origin.
 */
export async function takeVersions(db: Queryable, merchantId: string, count: number): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `insert into registry_versions as v (merchant_id, version) values ($1, $2)
     on conflict (merchant_id) do update set version = v.version + excluded.version
     returning v.version`,
    [merchantId, count],
  );
  return row?.version ?? 0;
}

/** Releases the origins, which stay unsettled. Does nothing if another call holds them by now. */
export async function releaseUnsettled(db: Queryable, merchantId: string, holder: string): Promise<void> {
  await db.query(
    `update unsettled_origins set holder = null, lease_end_date = null, reserved_domain = null
     where merchant_id = $1 and holder = $2`,
    [merchantId, holder],
  );
}

/** The registry is up to date about these origins. */
export async function deleteUnsettled(db: Queryable, merchantId: string, holder: string): Promise<void> {
  await db.query("delete from unsettled_origins where merchant_id = $1 and holder = $2", [merchantId, holder]);
}

export async function findDomainMail(db: Queryable, merchantId: string): Promise<DomainMail | null> {
  const [mail] = await db.query<DomainMail>(
    'select job_id as "jobId", due_date as "dueDate", domains from domain_mails where merchant_id = $1',
    [merchantId],
  );
  return mail ?? null;
}

export async function upsertDomainMail(db: Queryable, merchantId: string, mail: DomainMail): Promise<void> {
  await db.query(
    `insert into domain_mails (merchant_id, job_id, due_date, domains) values ($1, $2, $3, $4::text[])
     on conflict (merchant_id) do update
     set job_id = excluded.job_id, due_date = excluded.due_date, domains = excluded.domains`,
    [merchantId, mail.jobId, mail.dueDate, mail.domains],
  );
}

// No domain is empty, so this sorts before the first.
const OLDEST: Position = ["-infinity", ""];

/** The primary domain first, then the others in the order in which they were added. */
export async function listDomains(
  db: Queryable,
  merchantId: string,
  after: Position | null,
  count: number,
): Promise<Domain[]> {
  return db.query<Domain>(
    `select d.domain, d.slot, d.create_date as "createDate",
            array_agg(o.origin order by o.origin) as origins,
            bool_or(u.origin is not null) as "isUnsettled",
            max(j.last_error) as "registryError"
     from merchant_domains d
     join merchant_origins o on o.merchant_id = d.merchant_id and o.domain = d.domain
     left join unsettled_origins u on u.merchant_id = o.merchant_id and u.origin = o.origin
     left join outbox j on j.id = u.job_id
     where d.merchant_id = $1 and (d.create_date, d.domain) > ($2::timestamptz, $3::text)
     group by d.merchant_id, d.domain
     order by d.create_date, d.domain
     limit $4`,
    [merchantId, ...(after ?? OLDEST), count],
  );
}

/**
 * Everything the origin check needs: the merchant's status, and its origins with their domains. One statement on at most
 * 22 adjacent rows. Null when there is no such merchant.
 */
export async function findWhitelist(db: Queryable, merchantId: string) {
  const rows = await db.query<{ status: string; origin: string | null; domain: string | null }>(
    `select m.status, o.origin, o.domain
     from merchants m
     left join merchant_origins o on o.merchant_id = m.id
     where m.id = $1`,
    [merchantId],
  );
  const [first] = rows;
  if (first === undefined) return null;
  const domainOf = new Map<string, string>();
  for (const { origin, domain } of rows) if (origin !== null && domain !== null) domainOf.set(origin, domain);
  return { status: first.status, domainOf };
}
