/**
 * How large a context window is, by the words with which a service refuses what does not fit into it.
 *
 * @module
 */

const NUMBER = String.raw`\(?(\d[\d,]*)`;
const FORMS = [
  String.raw`(?:context|prompt|input)[ _-]?(?:length|size|window)(?: is| of)?(?: only| at most)?:? ?${NUMBER}`,
  String.raw`context limit: [\d,]+ \+ [\d,]+ > ${NUMBER}`,
  String.raw`> ${NUMBER} maximum\b`,
  String.raw`with ${NUMBER} maximum context`,
  String.raw`(?:maximum number of tokens(?: allowed)?|token limit):? ?${NUMBER}`,
].map((form) => new RegExp(form, "i"));
/** What is smaller is another number. */
const MIN_TOKENS = 1024;

/**
 * Reads the size of the window out of a refusal.
 *
 * @returns Tokens of request and reply together, or `undefined` if the words do not tell.
 * @example
 * ```ts
 * console.assert(contextWindowIn("prompt is too long: 202952 tokens > 200000 maximum") === 200_000);
 * ```
 */
export function contextWindowIn(refusal: string): number | undefined {
  const told = FORMS.flatMap((form) => form.exec(refusal)?.[1] ?? []).map((digits) =>
    Number(digits.replaceAll(",", ""))
  );
  return told.find((tokens) => tokens >= MIN_TOKENS);
}
