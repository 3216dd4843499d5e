// Merchants choose names and ids. Some characters turn the text around them or cannot be seen: "Acme U+202E (dednepsus)" would
// read "Acme (suspended)". They are written out, so an operator sees what is really there.

// Joiners between emoji are written out, too, except U+FE0E and U+FE0F: those only choose the style of an emoji.
const HIDDEN = /(?![\t\n\r]|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const SEEN = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The text with every hidden character as ⟨U+202E⟩. A text that shows nothing at all is written out completely. */
export function visibleText(text: string): string {
  return SEEN.test(text) ? text.replaceAll(HIDDEN, written) : [...text].map(written).join("");
}

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
