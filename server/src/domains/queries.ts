import type { Queryable } from "../db/pool.ts";

export interface NewDomain {
  readonly merchantId: string;
  readonly domain: string;
  readonly isPrimary: boolean;
  readonly origins: readonly string[];
}

export async function insertDomain(db: Queryable, domain: NewDomain, now: Date): Promise<void> {
  await db.query(
    "insert into merchant_domains (merchant_id, domain, is_primary, create_date) values ($1, $2, $3, $4)",
    [domain.merchantId, domain.domain, domain.isPrimary, now],
  );
  await db.query(
    `insert into merchant_origins (merchant_id, origin, domain, create_date)
     select $1, origin, $2, $4 from unnest($3::text[]) as origin`,
    [domain.merchantId, domain.domain, domain.origins, now],
  );
}
