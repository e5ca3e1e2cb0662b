/**
 * What an interactive run says when it starts.
 *
 * @module
 */

import { neutralise } from "../permissions/neutralise.ts";
import type { Look } from "./look.ts";
import { paint, type Span, wrap } from "./wrap.ts";

/** What a person should know before the first message. */
export interface BannerFacts {
  version: string;
  model: string;
  mode: string;
  folder: string;
  /** How many tools the model is offered. */
  tools: number;
  /** How many of them are of MCP servers. */
  serverTools?: number;
  /** How commands are confined, `none` if they are not; absent where none can run. */
  sandbox?: string;
  /** What cannot be done and why, one line each. */
  missing: readonly string[];
}

/** The banner, broken at blanks. */
export function bannerRows(facts: BannerFacts, { styles, columns }: Look): string[] {
  const { version, model, mode, folder, tools, serverTools = 0, sandbox, missing } = facts;
  const theirs = serverTools === 0 ? "" : ` (${serverTools} of MCP servers)`;
  const confined = sandbox === undefined ? "" : ` · sandbox: ${sandbox}`;
  const broken = (...lines: Span[][]) => lines.flatMap((line) => wrap(line, columns)).map(paint);
  const head = broken(
    [{ text: "mini-agent", style: styles.bold }, { text: ` ${version} · ${model}` }],
    [{ text: `mode ${mode} · ${tools} ${tools === 1 ? "tool" : "tools"}${theirs}${confined}` }],
  );
  const rest = broken(
    ...missing.flatMap((text) => neutralise(text).split("\n")).map((text) => [{ text, style: styles.yellow }]),
    [{ text: "/help tells what can be typed", style: styles.grey }],
  );
  // left to the terminal to break: a path is to be copied
  return [...head, neutralise(folder).replaceAll("\n", " "), ...rest];
}
