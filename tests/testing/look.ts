/**
 * Looks for tests of what is drawn.
 *
 * @module
 */

import { makeStyles } from "../../src/cli/ansi.ts";
import type { Look } from "../../src/cli/look.ts";
import { neutralise } from "../../src/permissions/neutralise.ts";

/** The looks of an output without styles, or with them. */
export function newLook(options: { styled?: boolean; columns?: number } = {}): Look {
  return { styles: makeStyles(options.styled ?? false), columns: options.columns ?? 60, neutralise };
}
