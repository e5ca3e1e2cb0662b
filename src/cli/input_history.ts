/**
 * Earlier inputs of a person, kept across sessions as one JSON string per line.
 *
 * @module
 */

/** Where the lines are kept. Both may throw: then nothing is kept, and all else works. */
export interface HistoryStore {
  /** The whole of what was kept; empty if there is nothing. */
  load(): Promise<string>;
  append(line: string): Promise<void>;
}

/** Entries, oldest first; lines that cannot be read are left out. */
export async function loadHistory(store: HistoryStore | undefined): Promise<string[]> {
  const text = await store?.load().catch(() => "") ?? "";
  return text.split("\n").slice(-MAX_ENTRIES - 1).flatMap(readEntry);
}

/** Keeps one more entry, unless it is too long to be looked for again. */
export async function keepInHistory(store: HistoryStore | undefined, entry: string): Promise<void> {
  if (entry.trim() === "" || entry.length > MAX_ENTRY) return;
  await store?.append(JSON.stringify(entry) + "\n").catch(() => {});
}

function readEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}

const MAX_ENTRIES = 1000;
/** Characters. */
const MAX_ENTRY = 10_000;
