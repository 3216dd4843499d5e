// A misspelled option that is ignored looks as if it works: `timeout: 1000` would wait 10 seconds. So every option that does not
// exist is refused by name.

/** `where` names the function. */
export function refuseUnknownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`The options of ${where} must be an object.`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const nearest = findNearest(name, known);
    const hint = nearest === null ? `It takes ${known.join(", ")}.` : `Did you mean ${nearest}?`;
    throw new TypeError(`${where} has no option ${JSON.stringify(name)}. ${hint}`);
  }
}

/** The known name that holds the given one or is held by it; else one that differs in at most two letters. */
function findNearest(given: string, known: readonly string[]): string | null {
  const text = given.toLowerCase();
  const holds = known.find((name) => {
    const other = name.toLowerCase();
    return text.length >= 3 && (other.includes(text) || text.includes(other));
  });
  return holds ?? known.find((name) => countEdits(text, name.toLowerCase()) <= 2) ?? null;
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
