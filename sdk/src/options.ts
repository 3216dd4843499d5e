// A misspelled option that is ignored looks as if it works: `timeout: 1000` would wait 10 seconds. So every option that does not
// exist is refused by name.

/** `where` names the function. */
export function refuseUnknownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new TypeError(`${where} needs its options as an object.`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const nearest = findNearest(name, known);
    const hint = nearest === null ? `It takes ${known.join(", ")}.` : `Did you mean ${nearest}?`;
    throw new TypeError(`${where} has no option ${JSON.stringify(name)}. ${hint}`);
  }
}

/** Refuses an option of another type than the named ones, by its name. One that was left out passes. */
export function refuseWrongTypes(
  options: object,
  types: Readonly<Record<string, "boolean" | "function" | "number">>,
): void {
  for (const [name, type] of Object.entries(types)) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined || typeof value === type) continue;
    throw new TypeError(
      `${name} must be a ${type}, not ${value === null ? "null" : `a value of the type ${typeof value}`}.`,
    );
  }
}

/** The known name that is the most like the given one. At most a third of the letters may differ. */
function findNearest(given: string, known: readonly string[]): string | null {
  const text = given.toLowerCase();
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const edits = countEdits(text, name.toLowerCase());
    if (edits * 3 > Math.max(text.length, name.length) || edits >= fewest) continue;
    nearest = name;
    fewest = edits;
  }
  return nearest;
}

/** How many letters must be changed, added or removed (Levenshtein). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const changed = (row[at] ?? 0) + (other[at] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
