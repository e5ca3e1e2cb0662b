/**
 * The word that was probably meant.
 *
 * @module
 */

/**
 * The word that takes the fewest changes to get to, if it is near at all. Case does not count.
 *
 * @param maxChanges Letters that may differ at most, whatever the length.
 */
export function nearest(word: string, words: readonly string[], maxChanges = Infinity): string | undefined {
  const ranked = words.map((candidate) => ({
    candidate,
    changes: countChanges(word.toLowerCase(), candidate.toLowerCase()),
  }));
  const best = ranked.sort((a, b) => a.changes - b.changes)[0];
  return best && best.changes <= Math.min(maxChanges, Math.max(1, Math.ceil(word.length / 2)))
    ? best.candidate
    : undefined;
}

/** Letters to insert, remove or replace (Levenshtein). */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length]!;
}
