// Composes statements from constant texts. In sql`…`, `${}` takes a parameter or another fragment, never text: a value cannot
// become part of a statement. Each combination of fragments is one constant text, so PostgreSQL keeps one plan for it.
import type { Queryable, Value } from "./pool.ts";

export class Fragment {
  readonly texts: readonly string[];
  readonly parts: readonly (Value | Fragment)[];

  constructor(texts: readonly string[], parts: readonly (Value | Fragment)[]) {
    this.texts = texts;
    this.parts = parts;
  }
}

export function sql(texts: TemplateStringsArray, ...parts: readonly (Value | Fragment)[]): Fragment {
  return new Fragment(texts, parts);
}

const EMPTY = sql``;

/** The fragment, or nothing. */
export function when(condition: boolean, fragment: Fragment): Fragment {
  return condition ? fragment : EMPTY;
}

/** The text and values that the driver takes. Parameters are numbered in the order in which they are written. */
export function render(fragment: Fragment): { text: string; values: Value[] } {
  const values: Value[] = [];
  return { text: append(fragment, values), values };
}

function append({ texts, parts }: Fragment, values: Value[]): string {
  let text = texts[0] ?? "";
  for (const [index, part] of parts.entries()) {
    text += part instanceof Fragment ? append(part, values) : `$${values.push(part)}`;
    text += texts[index + 1];
  }
  return text;
}

/** A record as the driver reads it when the columns have its names: `numeric` comes as text. */
export type RowOf<Record> = { readonly [Field in keyof Record]: Record[Field] extends bigint ? string : Record[Field] };

export function run<Row>(db: Queryable, statement: Fragment): Promise<Row[]> {
  const { text, values } = render(statement);
  return db.query<Row>(text, values);
}
