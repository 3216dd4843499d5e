// What was typed into a long form, kept in this tab until it is sent or given up, so that a reload loses nothing.

type Texts = Record<string, string>;

/** The kept values; fields that were not kept have those of `otherwise`. */
export function readDraft<Values extends Texts>(name: string, otherwise: Values): Values {
  const kept = parse(sessionStorage.getItem(keyOf(name)));
  const values: Texts = { ...otherwise };
  for (const field of Object.keys(otherwise)) {
    const value = kept[field];
    if (typeof value === "string") values[field] = value;
  }
  return values as Values;
}

export function keepDraft(name: string, values: Texts): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(values));
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}

function keyOf(name: string): string {
  return `matchbook-draft-${name}`;
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
