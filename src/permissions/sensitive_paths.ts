/**
 * Which paths are protected from changes and which hold secrets, by their names alone.
 *
 * Names are compared without regard to case and Unicode form: on some file systems `.GIT` is `.git`.
 *
 * @module
 */

import { matchesAny } from "./path_match.ts";
import { fold, isWithin, segmentsOf } from "./path_names.ts";
import type { Workspace } from "./paths.ts";

/** Paths that a tool never changes without a question: the names of their last segments, at any depth. */
export const PROTECTED: readonly string[] = [
  // what git runs or obeys
  ".git",
  ".gitmodules",
  ".gitattributes",
  ".gitconfig",
  ".config/git",
  ".husky",
  ".githooks",
  ".github/workflows",
  // our own configuration, and the memory files that steer a model
  ".mini-agent",
  ".mcp.json",
  "AGENTS.md",
  "AGENTS.override.md",
  "CLAUDE.md",
  "CLAUDE.local.md",
  "GEMINI.md",
  "QWEN.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".github/copilot-instructions.md",
  // other agents
  ".agents",
  ".claude",
  ".cline",
  ".codex",
  ".continue",
  ".crush",
  ".cursor",
  ".gemini",
  ".kimi",
  ".opencode",
  ".pi",
  ".qwen",
  ".roo",
  ".windsurf",
  // editors that run tasks
  ".vscode",
  ".idea",
  // what a shell or a package manager reads at its start
  ".envrc",
  ".npmrc",
  ".profile",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".logout",
  ".inputrc",
  ".config/fish",
  ".ssh",
];

/** Paths that hold secrets: the names of their last segments, at any depth; they belong in a home folder. */
export const SECRET: readonly string[] = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".kube",
  ".netrc",
  ".git-credentials",
  ".docker/config.json",
  ".config/gcloud",
  ".config/gh",
];

const PROTECTED_NAMES = new Set(PROTECTED.map(fold));
const SECRET_NAMES = new Set(SECRET.map(fold));

/** Whether a tool must ask before it changes this path, which need not exist. `path` is canonical. */
export function isProtected(path: string, workspace: Workspace): boolean {
  return isOwn(path, workspace) || namesIn(path, workspace).some((name) => PROTECTED_NAMES.has(name));
}

/** {@linkcode isProtected} of a folder's entry by its own name and the folder's: for a search, which looks at many. */
export function isProtectedName(name: string, parent: string): boolean {
  const folded = foldQuickly(name);
  if (PROTECTED_NAMES.has(folded)) return true;
  return parent.startsWith(".") && PROTECTED_NAMES.has(`${fold(parent)}/${folded}`); // all pairs begin with a dot
}

/** Whether a tool must ask before it reads this path, and a search passes it by. `path` is canonical. */
export function isSecret(path: string, workspace: Workspace): boolean {
  if (workspace.readable?.some((folder) => isWithin(path, folder))) return false;
  return isOwn(path, workspace) || isHomeSecret(path, workspace) || namesIn(path, workspace).some(isSecretName) ||
    matchesAny(workspace.hidden ?? [], workspace)(path);
}

/**
 * {@linkcode isSecret} for a walk, which enters no secret folder: it looks at two names of a path instead of at all,
 * which is twenty times faster.
 *
 * @param folder Where the walk begins. Canonical.
 * @returns A test of paths below it, with `/` between the names.
 */
export function secretsBelow(folder: string, workspace: Workspace): (path: string) => boolean {
  if (isSecret(folder, workspace)) return () => true;
  if (workspace.readable?.some((readable) => isWithin(folder, readable))) return () => false;
  const holdsOwn = workspace.ownFolders?.some((own) => isWithin(fold(own), fold(folder))) ?? false;
  if (holdsOwn) return (path) => isSecret(path, workspace);
  const isHidden = matchesAny(workspace.hidden ?? [], workspace);
  return (path) => {
    const nameStart = path.lastIndexOf("/") + 1;
    const name = foldQuickly(path.slice(nameStart));
    if (isSecretName(name) || isHidden(path)) return true;
    const parent = path.slice(path.lastIndexOf("/", nameStart - 2) + 1, nameStart - 1);
    return parent.startsWith(".") && SECRET_NAMES.has(`${fold(parent)}/${name}`); // all pairs begin with a dot
  };
}

/** Most names are plain, and their form is then a matter of case. */
function foldQuickly(name: string): string {
  return /^[\w.-]*\w$/.test(name) ? name.toLowerCase() : fold(name);
}

function isOwn(path: string, { ownFolders = [] }: Workspace): boolean {
  return ownFolders.some((folder) => isWithin(fold(path), fold(folder)));
}

function isSecretName(name: string): boolean {
  if (SECRET_NAMES.has(name)) return true;
  if (name.startsWith(".env")) return name !== ".env.example";
  if (name.endsWith(".pem")) return true;
  // a private key has no extension, or a copy's: `id_map.ts` is source
  return /^id_[^.]*$/.test(name) || /^id_(?:rsa|dsa|ecdsa|ed25519)/.test(name);
}

/** Each segment below the outermost root, or of the whole path, and each pair of neighbours, folded. */
function namesIn(path: string, { roots }: Workspace): string[] {
  // what leads to a root is the person's choice and says nothing
  const lengths = roots.filter((root) => isWithin(path, root)).map((root) => segmentsOf(root).length);
  const segments = segmentsOf(path).slice(lengths.length > 0 ? Math.min(...lengths) : 0).map(fold);
  return segments.flatMap((segment, i) => i === 0 ? [segment] : [segment, `${segments[i - 1]}/${segment}`]);
}

/** Whether the path lies in a folder of the home that holds secrets, even where that folder is a root. */
function isHomeSecret(path: string, { home }: Workspace): boolean {
  if (home === undefined || !isWithin(path, home)) return false;
  const [first = "", second = ""] = segmentsOf(path).slice(segmentsOf(home).length).map(fold);
  return SECRET_NAMES.has(first) || SECRET_NAMES.has(`${first}/${second}`);
}
