/**
 * Carries lines over from one indentation to another.
 *
 * @module
 */

/** What an indentation becomes; `undefined` if that cannot be told. */
export type Reindent = (indent: string) => string | undefined;

/** The blanks that a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/**
 * Finds the one way in which all lines of `from` are indented otherwise in `to`: moved by the same blanks, or with
 * another unit (four spaces for a tab, two for four).
 *
 * @param from Lines as they were written.
 * @param to The same lines as they stand in the file.
 * @returns `undefined` if the lines do not agree on one way.
 */
export function indentationMap(from: readonly string[], to: readonly string[]): Reindent | undefined {
  const known = new Map<string, string>();
  for (const [i, line] of from.entries()) {
    if (line.trim() === "") continue;
    const [before, after] = [indentOf(line), indentOf(to[i]!)];
    if ((known.get(before) ?? after) !== after) return undefined;
    known.set(before, after);
  }
  const pairs = [...known];
  const rule = moved(pairs) ?? scaled(pairs);
  return rule && ((indent) => known.get(indent) ?? rule(indent));
}

/** Every line has the same blanks more, or less, at its beginning. */
function moved(pairs: readonly [string, string][]): Reindent | undefined {
  const [[before, after] = ["", ""]] = pairs;
  if (after.endsWith(before)) {
    const added = after.slice(0, after.length - before.length);
    if (pairs.every(([a, b]) => b === added + a)) return (indent) => sameKind(added + indent);
  }
  if (before.endsWith(after)) {
    const removed = before.slice(0, before.length - after.length);
    if (pairs.every(([a, b]) => a === removed + b)) {
      return (indent) => indent.startsWith(removed) ? indent.slice(removed.length) : undefined;
    }
  }
  return undefined;
}

/** The widths of all lines lie on one straight line, each side in blanks of one kind. */
function scaled(pairs: readonly [string, string][]): Reindent | undefined {
  const [fromBlank, toBlank] = [kindOf(pairs.map(([a]) => a)), kindOf(pairs.map(([, b]) => b))];
  const [first, second = ["", ""]] = [...pairs].sort(([a], [b]) => b.length - a.length);
  if (first === undefined || fromBlank === undefined || toBlank === undefined) return undefined;
  if (first[0].length === second[0].length) return undefined;
  const ratio = (first[1].length - second[1].length) / (first[0].length - second[0].length);
  const widthOf = (indent: string) => second[1].length + (indent.length - second[0].length) * ratio;
  if (ratio <= 0 || pairs.some(([a, b]) => widthOf(a) !== b.length)) return undefined;
  return (indent) => {
    const width = widthOf(indent);
    const fits = Number.isInteger(width) && width >= 0 && kindOf([indent, fromBlank]) === fromBlank;
    return fits ? toBlank.repeat(width) : undefined;
  };
}

/** The one character that these indentations are made of. */
function kindOf(indents: readonly string[]): string | undefined {
  const kinds = new Set(indents.join(""));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** Moving spaces behind a tab would make an indentation that no file has. */
function sameKind(indent: string): string | undefined {
  return new Set(indent).size <= 1 ? indent : undefined;
}
