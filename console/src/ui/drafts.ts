// Keeps what was typed into long forms in this tab until it is sent, discarded or its author signs out, so that a reload loses
// nothing.

const PREFIX = "matchbook-draft-";

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

/** The next person to sign in here must not find them. */
export function dropAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

function keyOf(name: string): string {
  return PREFIX + name;
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
