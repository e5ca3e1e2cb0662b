/**
 * What an interactive run says when it starts.
 *
 * @module
 */

import { neutralise } from "../permissions/neutralise.ts";
import type { Styles } from "./ansi.ts";

/** What a person should know before the first message. */
export interface BannerFacts {
  version: string;
  model: string;
  mode: string;
  folder: string;
  /** How many tools the model is offered. */
  tools: number;
  /** How commands are confined, `none` if they are not; absent where none can run. */
  sandbox?: string;
  /** What cannot be done and why, one line each. */
  missing: readonly string[];
}

/** The banner, without a line end. */
export function banner(facts: BannerFacts, styles: Styles): string {
  const { version, model, mode, folder, tools, sandbox, missing } = facts;
  const rows = [
    `${styles.bold("mini-agent")} ${version} · ${model}`,
    `mode ${mode} · ${tools} ${tools === 1 ? "tool" : "tools"}${sandbox === undefined ? "" : ` · sandbox: ${sandbox}`}`,
    neutralise(folder).replaceAll("\n", " "),
  ];
  return [...rows, ...missing.map(neutralise).map(styles.yellow), styles.grey("/help tells what can be typed")].join(
    "\n",
  );
}
