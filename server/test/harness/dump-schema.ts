import type { Queryable } from "../../src/db/pool.ts";

/** The schema as text, from PostgreSQL's own catalogs and in a fixed order, so that two schemas can be compared. */
export async function dumpSchema(db: Queryable): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname collate "C"`,
  );
  const parts = ["-- Made by `npm run schema` from the migrations; do not edit.\n"];
  for (const { name } of tables) parts.push(await dumpTable(db, name));
  return parts.join("\n");
}

async function dumpTable(db: Queryable, table: string): Promise<string> {
  const columns = await db.query<{ line: string }>(
    `select format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                   case when a.attnotnull then ' not null' else '' end,
                   coalesce(case a.attgenerated when 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                                                else ' default ' || pg_get_expr(d.adbin, d.adrelid) end, '')) as line
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [table],
  );
  // Not-null constraints have rows of their own in newer versions; the columns show them already.
  const constraints = await db.query<{ line: string }>(
    `select format('  constraint %s %s', conname, pg_get_constraintdef(oid)) as line
     from pg_constraint where conrelid = $1::regclass and contype <> 'n'
     order by contype <> 'p', contype, conname collate "C"`,
    [table],
  );
  const indexes = await db.query<{ line: string }>(
    `select pg_get_indexdef(i.indexrelid) || ';' as line
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = i.indexrelid)
     order by c.relname collate "C"`,
    [table],
  );
  const lines = [...columns, ...constraints].map(({ line }) => line);
  return [`create table ${table} (`, lines.join(",\n"), ");", ...indexes.map(({ line }) => line), ""].join("\n");
}
