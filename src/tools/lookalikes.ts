/**
 * Names the characters by which a text was missed though it looks the same: a no-break space, curly quotes, a letter
 * and its accent apart.
 *
 * @module
 */

const MAX_NAMED = 5;

/** What is read as the same character, beyond what Unicode's own compatibility form makes the same. */
const FOLDED: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201b\u2032\u00b4`]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00ad\u200b-\u200f\u2060\ufeff]/g, ""], // seen by nobody
];

/**
 * Tells in what a place of a file differs from a text that it looks like.
 *
 * @returns The rest of a sentence; `undefined` if it does not look like it, or differs in what can be seen.
 */
export function lookalikes(place: string, wanted: string): string | undefined {
  if (!fold(place).includes(fold(wanted).trim())) return undefined;
  const inFile = unusual(place, wanted);
  if (inFile.length > 0) return `it looks the same, but the file has ${nameAll(inFile)} there: give that as itself`;
  const inWanted = unusual(wanted, place);
  return inWanted.length > 0 ? `it looks the same, but old_string has ${nameAll(inWanted)}` : undefined;
}

function fold(text: string): string {
  return FOLDED.reduce((folded, [characters, plain]) => folded.replace(characters, plain), text.normalize("NFKC"));
}

/** The characters beyond ASCII that only the first of the texts has. */
function unusual(text: string, other: string): string[] {
  const others = new Set(other);
  return [...new Set(text)].filter((char) => char > "\x7f" && !others.has(char));
}

function nameAll(characters: readonly string[]): string {
  const names = characters.slice(0, MAX_NAMED).map((char) =>
    `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`
  );
  const left = characters.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${left} others` : "");
}
