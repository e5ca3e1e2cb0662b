/**
 * Foreign text as rows of a terminal.
 *
 * @module
 */

import type { Style } from "./ansi.ts";
import type { Look } from "./look.ts";
import { paint, wrap } from "./wrap.ts";

/** A text of several lines, made harmless, broken at words and dressed in one style. */
export function textRows(text: string, { columns, neutralise }: Look, style?: Style): string[] {
  const lines = neutralise(text).replaceAll("\t", "    ").split("\n");
  return lines.flatMap((line) => wrap([{ text: line, style }], columns).map(paint));
}
