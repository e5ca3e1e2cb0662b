/**
 * Random choices that a seed repeats.
 *
 * @module
 */

/** A stream of random numbers. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** Makes the stream of a seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => { // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return { below, pick: (choices) => choices[below(choices.length)]! };
}

/** Cuts bytes at random places, empty pieces included. */
export function randomPieces(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer>[] {
  const cuts = Array.from({ length: random.below(8) }, () => random.below(bytes.length + 1)).sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, i) => bytes.subarray(cuts[i - 1] ?? 0, end));
}
