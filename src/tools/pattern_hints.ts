/**
 * What a pattern that matches nothing may have meant: other programs read some of it otherwise.
 *
 * @module
 */

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/\\\|/, '"\\|" is the character | itself: one of several is written a|b'],
  [/\\[<>]/, '"\\<" is the character < itself: the edge of a word is written \\b'],
  [
    /\[(?:\\s\\S|\\S\\s|\\d\\D|\\w\\W)\]|^\(\?[imu]*s/,
    "each line is searched by itself: no match goes beyond its line",
  ],
  [/^\/.+\/[a-z]*$/, "the slashes around it are looked for too"],
];

/** The hints for a pattern, each as a line. */
export function patternHints(pattern: string): string[] {
  return HINTS.filter(([sign]) => sign.test(pattern)).map(([, hint]) => `[${hint}]`);
}
