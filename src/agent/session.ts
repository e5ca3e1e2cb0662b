/**
 * One conversation that is kept: what an agent records goes to its file and into its state.
 *
 * @module
 */

import { join } from "../permissions/os_path.ts";
import { FolderKeeper, type Keeper, MemoryKeeper } from "./session_keep.ts";
import type { SessionLog } from "./session_log.ts";
import {
  type FileBefore,
  type Prefix,
  SESSION_VERSION,
  type SessionHeader,
  type SessionRecord,
} from "./session_records.ts";
import { SessionState } from "./session_state.ts";
import type { SessionStore } from "./session_store.ts";
import type { CommandWatch } from "./session_touched.ts";

/** What a {@linkcode Session} is made of. */
export interface SessionOptions {
  id: string;
  /** The folder that it belongs to, canonical. */
  cwd: string;
  /** Where it is kept; absent where nothing is. */
  store?: SessionStore;
  /** The open file of a session that goes on. */
  log?: SessionLog;
  /** Of a session that goes on. */
  header?: SessionHeader;
  state?: SessionState;
  /** Takes secrets out of every text that is written. */
  redact(text: string): string;
}

/** Keeps a conversation. Its file is made with the first thing that the person says. */
export class Session implements AsyncDisposable {
  readonly id: string;
  readonly cwd: string;
  readonly state: SessionState;
  /** Whether something was kept and something that followed was not. */
  failed = false;
  /** Told once when the file cannot be written. */
  onFailure: (message: string) => void = () => {};
  readonly #options: SessionOptions;
  #hasHeader: boolean;
  #told = false;
  #prefix: Prefix | undefined;
  #log: SessionLog | undefined;
  readonly #before: Keeper;
  readonly #outputs: FolderKeeper | undefined;
  #commands: CommandWatch | undefined;
  readonly #intents = new Set<string>();

  constructor(options: SessionOptions) {
    const { id, cwd, store, log, header, state = new SessionState() } = options;
    this.#options = options;
    this.id = id;
    this.cwd = cwd;
    this.state = state;
    this.#log = log;
    this.#prefix = state.prefix;
    this.#hasHeader = header !== undefined;
    this.#before = store ? new FolderKeeper(join(store.folderOf(id), "before")) : new MemoryKeeper();
    this.#outputs = store && new FolderKeeper(join(store.folderOf(id), "outputs"));
  }

  /** Whether there is a file of it. */
  get isKept(): boolean {
    return this.#log !== undefined;
  }

  /** What requests begin with; undefined in a new session. */
  get prefix(): Prefix | undefined {
    return this.#prefix;
  }

  /** Folders that the model may read on in. */
  get readable(): string[] {
    const { store, header } = this.#options;
    const forkedFrom = header?.forkedFrom;
    if (!store || !this.#outputs) return [];
    return [this.#outputs.folder, ...(forkedFrom ? [join(store.folderOf(forkedFrom), "outputs")] : [])];
  }

  /** Sets what requests begin with from here on. */
  async setPrefix(prefix: Prefix): Promise<void> {
    this.#prefix = prefix;
    if (this.#log) await this.add({ type: "prefix", prefix }); // a new file begins with it
  }

  /**
   * Keeps a record. Resolves when it is where it will be found again: on the disk for what must not be lost.
   *
   * @throws {Error} If the file of the session does not take the note of a call that is about to change things. Any other
   * failure is only told, once.
   */
  readonly record = async (record: SessionRecord): Promise<void> => {
    const isIntent = record.type === "intent";
    if (isIntent) {
      this.#intents.add(record.id);
      await this.#watch(record);
    }
    await this.add(record);
    if (record.type !== "result") return;
    const touched = await this.#commands?.after(record.block.toolUseId);
    if (touched) await this.add(touched);
  };

  /** What commands change, nobody names. */
  async #watch(intent: Extract<SessionRecord, { type: "intent" }>): Promise<void> {
    if (intent.name !== "run_command") return;
    const { CommandWatch } = await import("./session_touched.ts");
    this.#commands ??= new CommandWatch(this.cwd);
    await this.#commands.before(intent);
  }

  /** Adds a record as it is. */
  async add(record: SessionRecord): Promise<void> {
    const at = new Date().toISOString();
    this.state.apply(record, at);
    if (!this.#options.store) return;
    try {
      const line = this.#lineOf(record, at);
      const head = record.type === "user" ? this.#open() : undefined;
      // in one write: a session without anything said is never the newest one of its folder
      await this.#log?.append(head ? `${head}\n${line}` : line, { sync: this.#mustSync(record) });
    } catch (error) {
      this.#tell(error);
      if (record.type === "intent" || record.type === "change") {
        throw new Error("Cannot note the call before it runs, so it was not run: the session cannot be saved");
      }
    }
  }

  /** Keeps a whole output; gives its path, if it could be kept. */
  readonly keepOutput = async (text: string): Promise<string | undefined> => {
    if (!this.#outputs) return undefined;
    try {
      const bytes = new TextEncoder().encode(this.#options.redact(text));
      return this.#outputs.pathOf(await this.#outputs.put(bytes));
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  };

  /** Keeps a file as it is before one of our tools changes it. */
  readonly beforeChange = async (path: string): Promise<void> => {
    await this.add({ type: "change", path, before: await this.#keepFile(path) });
  };

  /** The content that a file had before a change. */
  contentBefore(before: FileBefore): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return before ? this.#before.get(before.hash) : Promise.resolve(undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#log?.close();
    this.#log = undefined;
  }

  /** Makes the file, if there is none yet. Returns the lines that it begins with. */
  #open(): string | undefined {
    const { id, cwd } = this;
    const { store } = this.#options;
    const prefix = this.#prefix;
    if (this.#hasHeader || !store || !prefix) return undefined;
    const { model, mode } = prefix;
    const createdAt = new Date().toISOString();
    const header: SessionHeader = { type: "session", version: SESSION_VERSION, id, cwd, createdAt, model, mode };
    this.#log ??= store.create(id);
    this.#hasHeader = true;
    return `${JSON.stringify(header)}\n${this.#lineOf({ type: "prefix", prefix }, createdAt)}`;
  }

  #lineOf(record: SessionRecord, at: string): string {
    return JSON.stringify({ at, ...record }, redactor(this.#options.redact));
  }

  async #keepFile(path: string): Promise<FileBefore> {
    try {
      const { mode } = await Deno.stat(path);
      return { hash: await this.#before.put(await Deno.readFile(path)), mode };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  }

  #mustSync(record: SessionRecord): boolean {
    switch (record.type) {
      case "user":
      case "intent":
      case "change":
      case "compaction":
      case "written":
        return true;
      case "result":
        return this.#intents.has(record.block.toolUseId);
      default:
        return false;
    }
  }

  #tell(error: unknown): void {
    this.failed ||= this.#log !== undefined;
    if (this.#told) return;
    this.#told = true;
    const reason = error instanceof Error ? error.message.replace(/ \(os error \d+\).*$/s, "") : String(error);
    const after = this.#log ? "what is missing is written as soon as it can be" : "nothing of it is kept";
    this.onFailure(`Cannot save the session: ${reason}; ${after}`);
  }
}

/** Redacts each text by itself: in the JSON line a pattern could reach over its end. Pictures and proofs are no text. */
function redactor(redact: (text: string) => string) {
  return function (this: { type?: unknown }, key: string, value: unknown): unknown {
    if (typeof value !== "string") return key === "input" ? withoutSecretNames(value, redact) : value;
    const isOpaque = (this.type === "image" && key === "data") || (this.type === "thinking" && key !== "text");
    return isOpaque ? value : redact(value);
  };
}

/** In the arguments of a call the names are the model's words too. */
function withoutSecretNames(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSecretNames(item, redact));
  const entries = Object.entries(value).map(([name, inner]) => [redact(name), withoutSecretNames(inner, redact)]);
  return Object.fromEntries(entries);
}
