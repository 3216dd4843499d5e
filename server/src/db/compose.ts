import assert from "node:assert";
import type { Value } from "./pool.ts";

// Builds statements from constant texts. A text is a template in the source code, and only another such text can be put into
// it, never a value. Values are named in the text (`$status`) and numbered by `statement`. So each combination of filters is
// one constant text, which PostgreSQL prepares and plans on its own.

const NAME = /\$([a-z]\w*)/gi;

class ConstantSql {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Sql = ConstantSql;

export function sql(parts: TemplateStringsArray, ...inner: readonly Sql[]): Sql {
  return new ConstantSql(
    parts.reduce((text, part, index) => {
      const fragment = inner[index - 1];
      assert(
        fragment instanceof ConstantSql,
        "only constant SQL goes into a statement; name a value and pass it along",
      );
      return text + fragment.text + part;
    }),
  );
}

/** The conditions joined by `and`. Those that are null are left out. */
export function allOf(...conditions: readonly (Sql | null)[]): Sql {
  const texts = conditions.filter((condition) => condition !== null).map(({ text }) => `(${text})`);
  return new ConstantSql(texts.join(" and ") || "true");
}

/** What `query` takes: the text with numbered parameters, and the values it uses in this order. */
export function statement(
  { text }: Sql,
  values: Readonly<Record<string, Value>>,
): [text: string, values: readonly Value[]] {
  const { numbered, names } = numberedOf(text);
  const used = names.map((name) => {
    const value = values[name];
    assert(value !== undefined, `the statement uses $${name}, which has no value`);
    return value;
  });
  return [numbered, used];
}

interface Numbered {
  readonly numbered: string;
  readonly names: readonly string[];
}

// Constant texts are few, so each is numbered once.
const known = new Map<string, Numbered>();

function numberedOf(text: string): Numbered {
  let found = known.get(text);
  if (found === undefined) {
    const names = [...new Set(Array.from(text.matchAll(NAME), ([, name = ""]) => name))];
    found = { names, numbered: text.replace(NAME, (_, name: string) => `$${names.indexOf(name) + 1}`) };
    known.set(text, found);
  }
  return found;
}

/** A batch of rows as one array for each of their fields, for `unnest($merchantId::uuid[], …)`. */
export function arraysOf<Row extends object>(rows: readonly Row[]): Record<keyof Row, Value> {
  const [first] = rows;
  assert(first !== undefined, "a batch has at least one row");
  const names = Object.keys(first) as (keyof Row)[];
  const arrays = names.map((name) => [name, rows.map((row) => toParameter(row[name] as Value))]);
  return Object.fromEntries(arrays) as Record<keyof Row, Value>;
}

// The driver writes dates in the local time zone, whose offset in years long past has seconds that it drops.
function toParameter(value: Value): Value {
  return value instanceof Date ? value.toISOString() : value;
}
