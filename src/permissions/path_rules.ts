/**
 * Decides about reading and changing files.
 *
 * @module
 */

import type { Mode } from "./grants.ts";
import { globSegments, matchesBoth, matchesEither } from "./path_match.ts";
import { isProtected, isSecret, isWithin, type ResolvedPath, type Workspace } from "./paths.ts";
import type { RuleAction } from "./rule_text.ts";
import { byRule, type Policy, type Verdict } from "./policy.ts";

/** A file or folder is read, or written. */
export interface PathCall {
  readonly kind: "read" | "write";
  readonly path: ResolvedPath;
}

/** Decides about one path. */
export function decidePath({ kind, path }: PathCall, { mode, rules, workspace }: Policy): Verdict {
  if (path.type === "other") return { action: "deny", reason: "it is a device, a pipe or a socket" };
  // a change of a file that exists shows what is in it: what may not be read may not be changed either
  const kinds = kind === "write" && path.type !== "absent" ? ["read", "write"] : [kind];
  const restricting = (action: RuleAction) =>
    rules.find((rule) =>
      rule.action === action && "glob" in rule && kinds.includes(rule.tool) && matchesEither(rule.glob, path, workspace)
    );
  const denied = restricting("deny");
  if (denied) return byRule(denied);
  if (kind === "write" && mode === "plan") return { action: "deny", reason: "plan mode changes no files" };
  const asked = restricting("ask");
  if (asked) return byRule(asked);
  const allowed = rules.find((rule) =>
    rule.action === "allow" && rule.tool === kind && matchesBoth(rule.glob, path, workspace) &&
    reaches(rule.glob, kind, path, workspace)
  );
  if (allowed) return byRule(allowed);
  return kind === "read" ? readByMode(path, mode, workspace) : writeByMode(path, mode);
}

/** A wide allow rule does not open what is sensitive; one that names it does. */
function reaches(glob: string, kind: "read" | "write", path: ResolvedPath, workspace: Workspace): boolean {
  if (isHidden(path) && !namesSensitive(glob, "secret", workspace)) return false;
  if (kind === "read") return true;
  if (path.protected && !namesSensitive(glob, "protected", workspace)) return false;
  return !isShared(path) || !/[*?]/.test(glob);
}

/**
 * Whether an allow rule means this sensitive path itself, and not just a folder in which it happens to lie: `./**`
 * does not open `.git/hooks`, `./.github/workflows/*.yml` does what it says.
 */
function namesSensitive(glob: string, kind: "protected" | "secret", workspace: Workspace): boolean {
  const path = `/${globSegments(glob, workspace).join("/")}`;
  return kind === "protected" ? isProtected(path, workspace) : isSecret(path, workspace);
}

function readByMode(path: ResolvedPath, mode: Mode, { readable = [] }: Workspace): Verdict {
  if (mode === "full") return { action: "allow", reason: "full mode" };
  if (readable.some((folder) => isWithin(path.path, folder))) return { action: "allow", reason: "a kept output" };
  if (path.place === "outside") return { action: "ask", reason: "it is outside the workspace" };
  if (isHidden(path)) return { action: "ask", reason: "it may hold secrets" };
  return { action: "allow", reason: "it is in the workspace" };
}

function writeByMode(path: ResolvedPath, mode: Mode): Verdict {
  if (mode === "full") return { action: "allow", reason: "full mode" };
  if (path.place === "outside") return { action: "ask", reason: "it is outside the workspace" };
  if (path.protected) return { action: "ask", reason: "it is protected" };
  if (isHidden(path)) return { action: "ask", reason: "it may hold secrets" };
  if (isShared(path)) {
    return { action: "ask", reason: `the file has ${path.links} names: the others would keep the old content` };
  }
  return mode === "edit" ? { action: "allow", reason: "edit mode" } : { action: "ask", reason: "ask mode" };
}

/** A secret that does not exist yet hides nothing. */
function isHidden({ secret, type }: ResolvedPath): boolean {
  return secret && type !== "absent";
}

function isShared({ links = 1 }: ResolvedPath): boolean {
  return links > 1;
}
