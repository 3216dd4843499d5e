/**
 * A regular expression of PostgreSQL that finds the text anywhere, in upper or lower case. Each letter is written in
 * both cases, so that it does not depend on the database's locale, which may know only ASCII letters.
 */
export function searchPattern(text: string): string {
  return [...text].map(eitherCase).join("");
}

function eitherCase(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  // ß has two letters in upper case, which a set of single letters cannot express.
  if (lower !== upper && [...lower].length === 1 && [...upper].length === 1) return `[${lower}${upper}]`;
  return character.replace(/[!-/:-@[-`{-~]/, "\\$&");
}
