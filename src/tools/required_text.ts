/**
 * Which texts a pattern cannot match without: looking for them first is much faster than matching.
 *
 * @module
 */

import type { PatternNode } from "./search_pattern.ts";

/** One of these texts is in every match. */
export interface RequiredTexts {
  readonly texts: readonly string[];
  /** Whether they are all that there is to a match. */
  readonly isWhole: boolean;
}

const MAX_TEXTS = 20;
/** A shorter part of a pattern is in too many lines. */
const MIN_LENGTH = 3;

/** Finds the texts of a pattern, if it has any that are worth looking for. */
export function requiredTexts(root: PatternNode): RequiredTexts | undefined {
  const found = textsOf(root);
  if (!found || found.texts.length > MAX_TEXTS) return undefined;
  return shortest(found) >= (found.isWhole ? 1 : MIN_LENGTH) ? found : undefined;
}

function textsOf(node: PatternNode): RequiredTexts | undefined {
  switch (node.type) {
    case "char":
      return node.literal === undefined ? undefined : { texts: [node.literal], isWhole: true };
    case "assertion":
      return undefined;
    case "sequence":
      return textsOfSequence(node.parts);
    case "choice": {
      const options = node.options.map(textsOf);
      if (!options.every((option) => option !== undefined)) return undefined;
      const texts = options.flatMap((option) => option.texts);
      return { texts, isWhole: options.every((option) => option.isWhole) };
    }
    case "repeat": {
      const body = node.min > 0 ? textsOf(node.body) : undefined;
      return body && { texts: body.texts, isWhole: false };
    }
    default:
      return node satisfies never;
  }
}

/** The best of its parts, where characters in a row are one. */
function textsOfSequence(parts: readonly PatternNode[]): RequiredTexts | undefined {
  const candidates: RequiredTexts[] = [];
  let row = "";
  for (const part of parts) {
    const literal = part.type === "char" ? part.literal : undefined;
    if (literal !== undefined) {
      row += literal;
      continue;
    }
    candidates.push({ texts: [row], isWhole: false }, ...textsOf(part) ? [{ ...textsOf(part)!, isWhole: false }] : []);
    row = "";
  }
  candidates.push({ texts: [row], isWhole: candidates.length === 0 });
  return candidates.reduce((best, candidate) => shortest(candidate) > shortest(best) ? candidate : best);
}

function shortest({ texts }: RequiredTexts): number {
  return Math.min(...texts.map((text) => text.length));
}
