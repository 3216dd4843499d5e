import { statement } from "../../db/compose.ts";
import type { Queryable, Value } from "../../db/pool.ts";
import type { CheckGroup } from "./check-queries.ts";

export interface CheckResult {
  readonly name: string;
  readonly checked: number;
  readonly wrong: number;
  readonly example: string | null;
}

/** Runs the checks of a group on the rows that the values name. */
export async function runGroup(
  db: Queryable,
  { names, sql }: CheckGroup,
  values: Readonly<Record<string, Value>>,
): Promise<CheckResult[]> {
  const [row] = await db.query<{ checked: number; wrong: number[]; examples: (string | null)[] }>(
    ...statement(sql, values),
  );
  return names.map((name, index) => ({
    name,
    checked: row?.checked ?? 0,
    wrong: Number(row?.wrong[index] ?? 0),
    example: row?.examples[index] ?? null,
  }));
}
