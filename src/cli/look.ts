/**
 * What every view needs to know about the output that it draws for.
 *
 * @module
 */

import type { Styles } from "./ansi.ts";

/** The looks of an output. */
export interface Look {
  readonly styles: Styles;
  /** Columns that a row may take, at least 1. */
  readonly columns: number;
  /** Makes control and invisible characters of foreign text harmless; line ends and tabs stay. */
  neutralise(text: string): string;
}
