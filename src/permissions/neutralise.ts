/**
 * Makes text from outside safe to show: nothing in it moves the cursor, hides, or writes in another direction than it
 * reads.
 *
 * What belongs to ordinary writing stays: joiners inside an emoji or between letters of a script that needs them, one
 * variation selector behind a character that has variants, the three flags that are spelt with tags, combining marks.
 *
 * @module
 */

/** A whole escape sequence, seven-bit or eight-bit: colours, cursor, titles, links, device strings. */
const ESCAPE_SEQUENCES = new RegExp(
  [
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]", // control sequence
    // no string goes on behind another beginning: a text of nothing but beginnings would be read as often as it is long
    "(?:\\x1b\\]|\\x9d)[^\\x07\\x1b\\x9c\\x9d]*(?:\\x07|\\x1b\\\\|\\x9c)", // operating system command
    "(?:\\x1b[PX^_]|[\\x90\\x98\\x9e\\x9f])[^\\x1b\\x90\\x98\\x9c\\x9e\\x9f]*(?:\\x1b\\\\|\\x9c)", // strings for devices
    "\\x1b[ -/]+[0-~]",
    "\\x1b[0-OQ-WYZ\\\\`-~]",
  ].join("|"),
  "g",
);

/** Invisible though Unicode does not class them as control or format. */
const FILLERS = "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";
/** Format characters that are drawn: signs that stand before numbers. */
const DRAWN = "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}";
const INVISIBLE = `(?![\\t\\n${DRAWN}])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}${FILLERS}]`;

/** Scripts whose letters are joined, or kept apart, by an invisible character between them. */
const JOINING = [
  "Arab",
  "Syrc",
  "Mong",
  "Deva",
  "Beng",
  "Guru",
  "Gujr",
  "Orya",
  "Taml",
  "Telu",
  "Knda",
  "Mlym",
  "Sinh",
  "Khmr",
]
  .map((script) => `\\p{Script=${script}}`).join("");

/** Invisible characters in their place. */
const LEGITIMATE = [
  // a person and a thing, a family: joined pictures
  `(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=[\\p{Extended_Pictographic}])`,
  `(?<=[${JOINING}]\\p{M}?)[\\u200c\\u200d](?=[${JOINING}])`,
  `(?<=\\p{Emoji}|\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]`,
  `(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]`,
  `(?<=\\p{Script=Mong})[\\u180b-\\u180d\\u180f]`,
  // the flags of England, Scotland and Wales
  ...["656e67", "736374", "776c73"].map((code) =>
    `(?<=\\u{1f3f4})${["67", "62", ...code.match(/../g)!, "7f"].map((byte) => `\\u{e00${byte}}`).join("")}`
  ),
].join("|");

/** Made when they are needed: to work out Unicode's classes takes milliseconds, and most text is plain. */
const patterns: { keptOrInvisible?: RegExp; invisibleOrBlank?: RegExp } = {};

/**
 * Text for the terminal and for the model: escape sequences are gone, other invisible characters stand as
 * `⟨U+202E⟩`, a carriage return is a new line. A secret for a terminal's clipboard or a hidden order comes to light.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(neutralise("\x1b[31mred\x1b[0m a\u202eb"), "red a⟨U+202E⟩b");
 * ```
 */
export function neutralise(text: string): string {
  if (/^[\n\t\x20-\x7e]*$/.test(text)) return text;
  return text
    .replace(ESCAPE_SEQUENCES, "")
    // deno-lint-ignore no-control-regex
    .replace(/_\x08(?=[^\x08\n])|([^\x08\n])\x08(?=\1)/g, "") // letters struck twice: bold and underlined in manuals
    .replace(/\r\n?/g, "\n")
    .replace(keptOrInvisible(), (char, kept: string | undefined) => kept ?? name(char));
}

/**
 * Text for a question, exactly: nothing is left out, and every character that cannot be seen, or looks like a space
 * and is none, stands as `⟨U+00A0⟩`. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(invisibleOrBlank(), name);
}

function keptOrInvisible(): RegExp {
  // the cheap look comes first
  return patterns.keptOrInvisible ??= new RegExp(`(?=${INVISIBLE})(?:(${LEGITIMATE})|[^])`, "gu");
}

/** Blanks too that look like a space and are none. */
function invisibleOrBlank(): RegExp {
  return patterns.invisibleOrBlank ??= new RegExp(`${INVISIBLE}|(?! )\\p{Zs}`, "gu");
}

function name(char: string): string {
  return `⟨U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
