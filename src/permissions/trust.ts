/**
 * Whether a folder's own configuration may switch something on: only what the person has seen and said yes to, to the
 * byte.
 *
 * @module
 */

/** Something that a project's configuration would run or make available. */
export interface ProjectEntry {
  readonly kind: "hook" | "mcp_server" | "command" | "skill" | "tool";
  /** Tells it from others of its kind. */
  readonly name: string;
  /** All of it that decides what runs, as the person is shown it. */
  readonly content: string;
}

/** What was said yes to. Plain data, as it stands in `trust.json`. */
export interface TrustStore {
  readonly version: 1;
  /** By canonical path: nothing is inherited by a nested repository, a worktree or a moved folder. */
  readonly folders: Readonly<Record<string, TrustedFolder>>;
}

/** What was said yes to in one folder. */
export interface TrustedFolder {
  /** When, in ISO 8601. */
  readonly trustedAt: string;
  /** SHA-256 in hex of each entry, by kind and name. */
  readonly entries: Readonly<Record<string, string>>;
}

/** What holds for a folder now. Only with `trusted` may its entries be used; with `empty` there are none. */
export type TrustState =
  | { readonly state: "empty" | "trusted" }
  /** Nobody has been asked, or the answer was no. */
  | { readonly state: "unknown"; readonly entries: readonly ProjectEntry[] }
  /** These entries are new or other than those that were trusted. */
  | { readonly state: "changed"; readonly entries: readonly ProjectEntry[] };

/** Nothing is trusted. */
export const NO_TRUST: TrustStore = { version: 1, folders: {} };

/**
 * Compares what a folder would switch on with what was said yes to.
 *
 * @param folder Canonical path.
 */
export async function trustState(
  folder: string,
  entries: readonly ProjectEntry[],
  store: TrustStore,
): Promise<TrustState> {
  if (entries.length === 0) return { state: "empty" };
  const trusted = Object.hasOwn(store.folders, folder) ? store.folders[folder] : undefined;
  if (trusted === undefined) return { state: "unknown", entries };
  const hashes = await hashEntries(entries);
  const changed = entries.filter((entry) => trusted.entries[keyOf(entry)] !== hashes[keyOf(entry)]);
  return changed.length === 0 ? { state: "trusted" } : { state: "changed", entries: changed };
}

/** The store with a yes to exactly these entries of a folder, in place of what was trusted there before. */
export async function withTrust(
  store: TrustStore,
  folder: string,
  { entries, now }: { entries: readonly ProjectEntry[]; now: Date },
): Promise<TrustStore> {
  const trusted = { trustedAt: now.toISOString(), entries: await hashEntries(entries) };
  return { version: 1, folders: { ...store.folders, [folder]: trusted } };
}

/** The store without that folder. */
export function withoutTrust(store: TrustStore, folder: string): TrustStore {
  return { version: 1, folders: Object.fromEntries(Object.entries(store.folders).filter(([path]) => path !== folder)) };
}

/**
 * Reads a store's text.
 *
 * @throws {SyntaxError} If it is not one: nothing is trusted then, and it must not be overwritten unseen.
 */
export function parseTrustStore(text: string): TrustStore {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || value["version"] !== 1 || !isRecord(value["folders"])) {
    throw new SyntaxError("Cannot read the trust store: it is not of version 1");
  }
  const folders = Object.entries(value["folders"]);
  if (!folders.every((entry): entry is [string, TrustedFolder] => isTrustedFolder(entry[1]))) {
    throw new SyntaxError("Cannot read the trust store: a folder's entry is damaged");
  }
  return { version: 1, folders: Object.fromEntries(folders) };
}

function isTrustedFolder(value: unknown): value is TrustedFolder {
  return isRecord(value) && typeof value["trustedAt"] === "string" && isRecord(value["entries"]) &&
    Object.values(value["entries"]).every((hash) => typeof hash === "string" && /^[\da-f]{64}$/.test(hash));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Two entries of one name count as one: changing either asks again. */
async function hashEntries(entries: readonly ProjectEntry[]): Promise<Record<string, string>> {
  const contents = new Map<string, string[]>();
  for (const entry of entries) contents.set(keyOf(entry), [...contents.get(keyOf(entry)) ?? [], entry.content]);
  const hashes = Array.from(contents, async ([key, list]) => {
    const bytes = new TextEncoder().encode(JSON.stringify(list));
    return [key, new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

function keyOf({ kind, name }: ProjectEntry): string {
  return `${kind}:${name}`;
}
