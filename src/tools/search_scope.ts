/**
 * Which files a search looks at.
 *
 * @module
 */

import { isSecret, secretsBelow } from "../permissions/sensitive_paths.ts";
import type { Glob } from "./glob.ts";
import { rulesAbove } from "./ignore_files.ts";
import type { StartPoint } from "./start_point.ts";
import type { ToolContext } from "./tool.ts";
import { prefixOf, toSlashes } from "./tree_access.ts";
import { walk } from "./walk.ts";

/** The files of one search. A file that is named itself is searched whatever the rules say about it. */
export class SearchScope {
  /** Secret files and folders that were passed by. */
  readonly secrets: string[] = [];
  /** Folders and files that could not be read. */
  readonly unreadable: string[] = [];
  /** The files that were given so far. */
  count = 0;
  readonly #start: StartPoint;
  readonly #include: Glob | undefined;
  readonly #workspace: ToolContext["workspace"];

  /** @param include Decides by the path from the start. Without it all files are looked at. */
  constructor(start: StartPoint, include: Glob | undefined, { workspace }: ToolContext) {
    this.#start = start;
    this.#include = include;
    this.#workspace = workspace;
  }

  /** Regular files in the order of their paths, absolute and with `/` between the names. */
  *files(): Generator<string, void> {
    const start = toSlashes(this.#start.path);
    if (this.#start.type === "file") {
      this.count++;
      return yield start;
    }
    const { length } = prefixOf(start);
    // a secret folder that is searched by its own path was allowed
    const isAllowed = isSecret(this.#start.path, this.#workspace);
    const isPassed = isAllowed ? () => false : secretsBelow(this.#start.path, this.#workspace);
    const entries = walk(start, {
      rules: rulesAbove(this.#start.path, this.#workspace.roots),
      enter: ({ path }) => this.#include?.mayMatchIn(path.slice(length)) !== false && !this.#passBy(path, isPassed),
      onUnreadable: (path) => this.unreadable.push(`${path}/`),
    });
    for (const { path, type } of entries) {
      if (type !== "file" || this.#include?.matches(path.slice(length)) === false) continue;
      if (this.#passBy(path, isPassed)) continue;
      this.count++;
      yield path;
    }
  }

  #passBy(path: string, isPassed: (path: string) => boolean): boolean {
    if (!isPassed(path)) return false;
    this.secrets.push(path);
    return true;
  }
}
