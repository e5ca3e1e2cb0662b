/**
 * Matches paths against the globs of permission rules: `*` and `?` within a segment, `**` for any segments.
 *
 * @module
 */

/**
 * Whether the segments match, in time linear in their product: a hostile name cannot make it slow.
 *
 * @param pattern Segments of the glob.
 * @param below Whether what lies below a match counts too.
 */
export function matchSegments(pattern: readonly string[], segments: readonly string[], below: boolean): boolean {
  return matchSequence(pattern, segments, {
    matchesAny: (part) => part === "**",
    matchesOne: (part, segment) => matchName(part, segment),
    below,
  });
}

function matchName(pattern: string, name: string): boolean {
  return matchSequence([...pattern], [...name], {
    matchesAny: (char) => char === "*",
    matchesOne: (char, other) => char === "?" || char === other,
    below: false,
  });
}

interface Matching {
  matchesAny(part: string): boolean;
  matchesOne(part: string, item: string): boolean;
  below: boolean;
}

/** The usual matching with one place to return to: the last part that stands for any number of items. */
function matchSequence(pattern: readonly string[], items: readonly string[], matching: Matching): boolean {
  let at = 0;
  let back: { part: number; item: number } | undefined;
  for (let item = 0; item < items.length;) {
    const part = pattern[at];
    if (part !== undefined && matching.matchesAny(part)) {
      back = { part: at++, item };
    } else if (part !== undefined && matching.matchesOne(part, items[item]!)) {
      at++;
      item++;
    } else if (part === undefined && matching.below) {
      return true;
    } else if (back !== undefined) {
      at = back.part + 1;
      item = ++back.item;
    } else {
      return false;
    }
  }
  while (pattern[at] !== undefined && matching.matchesAny(pattern[at]!)) at++;
  return at === pattern.length;
}
