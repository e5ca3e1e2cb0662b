/**
 * How long a reply a service allows, by the words with which it refuses a longer one.
 *
 * @module
 */

/** The field, in all its names, or what it is about. */
const FIELD = /max[_ -]?(completion[_ -]?|output[_ -]?|new[_ -]?)?tokens|(completion|output) tokens/i;
/** A model that allows less is told something else. */
const MIN_TOKENS = 256;

/**
 * Reads the limit out of a refusal: the largest number in it that is smaller than what was asked for.
 *
 * @param asked Tokens of a reply that the refused request allowed.
 * @returns Tokens, or `undefined` if the words are about something else.
 * @example
 * ```ts
 * console.assert(outputLimitIn("max_tokens: 16000 > 8192, which is the maximum allowed", 16_000) === 8192);
 * ```
 */
export function outputLimitIn(refusal: string, asked: number): number | undefined {
  if (!FIELD.test(refusal)) return undefined;
  const numbers = [...refusal.matchAll(/(?<![\w.-])\d[\d,]{0,11}(?![\w-]|\.\d)/g)];
  const limits = numbers.map(([digits]) => Number(digits.replaceAll(",", ""))).filter((n) => n < asked);
  const limit = Math.max(0, ...limits);
  return limit >= MIN_TOKENS ? limit : undefined;
}
