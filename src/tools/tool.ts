/**
 * What a tool is, what it is given and what it gives back. Inputs and outputs are plain data, so that a tool can run
 * in another process than the loop.
 *
 * @module
 */

import type { ImageBlock, ToolDefinition } from "../llm/types.ts";
import type { Workspace } from "../permissions/paths.ts";
import type { Aftermath } from "../permissions/sandbox_guard.ts";
import type { SubAgents } from "./run_agent.ts";
import { type InputOf, type ObjectSchema, readInput } from "./schema.ts";

/** What a tool does to the world: permission rules and the mode look at this. */
export type Access = "none" | "read" | "write" | "execute" | "network" | "server";

/** Where a tool comes from that is not ours: its access is `server`. */
export interface ServerOrigin {
  /** The MCP server's name in the configuration. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** The person's configuration says that it changes nothing. What the server says does not count. */
  readonly readOnly: boolean;
}

/**
 * A mistake that the model can mend: the message goes back to it as the result of the call and says how to do it
 * right.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** What a person is shown about a call or its result; drawn by its type. */
export type Display =
  | { type: "diff"; path: string; before: string; after: string }
  | { type: "terminal"; output: string }
  | { type: "todos"; items: Todo[] };

/** An entry of the todo list. */
export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "done";
}

/** A file as the model knows it after a call. */
export interface SeenFile {
  /** Canonical path. */
  path: string;
  /** SHA-256 of the bytes, in hex. */
  hash: string;
  /** The lines that were shown, of how many; absent if that was all of them. A line that was cut counts. */
  page?: { first: number; last: number; total: number };
}

/** What a call leaves behind. */
export interface ToolOutput {
  /** For the model. An empty one is sent as `(no output)`. */
  content: string;
  /** For the person; without it the content is shown, folded. */
  display?: Display;
  /** The call did not do what was asked, though it ran. */
  isError?: boolean;
  /** Pictures, for models that see. */
  images?: ImageBlock[];
  /** Files whose content the model now knows: an overwrite is allowed only over what it knows. */
  seen?: SeenFile[];
}

/** How child processes are started; `process.ts` uses it. */
export interface ChildSettings {
  /** The whole environment of a child: an allow-list, without keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Wraps a command line for the OS sandbox; absent where there is none. */
  readonly sandbox?: SandboxWrapper;
}

/**
 * Turns a command line into one that runs confined. `env` is the whole environment that the command inside is to have;
 * what comes back is the command line and environment to start, and what must be called when all of it has ended: it
 * tells what the command did to protected paths.
 */
export type SandboxWrapper = (
  command: readonly string[],
  options: {
    cwd: string;
    network: boolean;
    readOnly: boolean;
    /** It runs as long as the program. */
    standing?: boolean;
    env: Readonly<Record<string, string>>;
  },
) => { command: string[]; env: Record<string, string>; settled?: () => Promise<Aftermath> };

/** What a call is given by the loop. */
export interface ToolContext {
  /** The working folder, canonical. */
  readonly cwd: string;
  /** Aborts when the person interrupts. A tool stops at once and throws the signal's reason. */
  readonly signal: AbortSignal;
  /** What is inside, protected and secret. */
  readonly workspace: Workspace;
  /** Canonical paths outside the workspace, protected or secret that were allowed for this call. */
  readonly granted: ReadonlySet<string>;
  /** Canonical path of each file that the model has seen to what it knows of it, as `rememberSeen` keeps it. */
  readonly seen: ReadonlyMap<string, string>;
  /** The id of the call; absent where the program itself uses a tool. */
  readonly callId?: string;
  /** How to start children. */
  readonly child: ChildSettings;
  /** The same with the sandbox, which is opened when it is first needed: for programs that a tool starts by itself. */
  confinedChild?(): Promise<ChildSettings>;
  /** The command may leave the sandbox, or have network in it: the person said yes to `needs`. */
  readonly needs?: "network" | "outside";
  /** The change that the person said yes to: exactly this is done, or nothing. */
  readonly approved?: Display;
  /** Called with pieces of output while the tool runs, for the screen. Never throws, never waits. */
  onOutput?(text: string): void;
  /** Keeps the whole of an output that is cut for the model. Returns the path to read on from, if it could be kept. */
  keepOutput?(text: string): Promise<string | undefined>;
  /** Called with the canonical path before a file is changed, so that the change can be taken back. */
  beforeChange?(path: string): Promise<void>;
  /** Puts a question of the model to the person; absent where nobody is there. */
  askUser?(question: string, options: readonly string[]): Promise<string>;
  /** Asks the rules and the person about a further address, a redirect say. Throws a {@linkcode ToolError} if denied. */
  confirmUrl?(url: URL): Promise<void>;
  /**
   * Asks the rules, and the person, about what a host's name was resolved to. Throws a {@linkcode ToolError} if denied.
   * Absent where no rule is about addresses.
   */
  confirmAddresses?(url: URL, addresses: readonly string[]): Promise<void>;
  /** Whether this private or loopback address may be fetched: `full` mode, or an allow rule that names `host:port`. */
  privateHostAllowed?(url: URL): boolean;
  /** Runs sub-agents; absent where there are none, in a sub-agent for one. */
  readonly agents?: SubAgents;
}

/** One thing that the model can do. Make one with {@linkcode defineTool}. */
export interface Tool extends ToolDefinition {
  readonly access: Access;
  /** Present with the access `server`. */
  readonly origin?: ServerOrigin;
  /** The Deno permissions that it cannot do without. */
  readonly needs: readonly Deno.PermissionName[];
  /** What is wrong with the arguments, as a sentence for the model; undefined when nothing is. Never throws. */
  problem(input: unknown): string | undefined;
  /** The path, command or URL that a call is about: for rules and for the screen. May be called with broken input. */
  subject(input: unknown): string;
  /** Whether this call may change something, where the access does not tell. May be called with broken input. */
  mayChange?(input: unknown, context: ToolContext): boolean;
  /** What the call would do, for the question to the person. Throws as {@linkcode Tool.execute} would. */
  preview?(input: unknown, context: ToolContext): Promise<Display | undefined>;
  /**
   * Runs one call.
   *
   * @throws {ToolError} If the model can mend it. Whatever else is thrown becomes an error result too.
   */
  execute(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

/** A tool as it is written down: its schema types its input. */
export interface ToolSpec<S extends ObjectSchema> {
  name: string;
  description: string;
  access: Exclude<Access, "server">;
  needs: readonly Deno.PermissionName[];
  inputSchema: S;
  subject(input: InputOf<S>): string;
  mayChange?(input: InputOf<S>, context: ToolContext): boolean;
  preview?(input: InputOf<S>, context: ToolContext): Promise<Display | undefined>;
  /** Most tools load what does it, `NAME_call.ts`, at their first call: most runs call few of them. */
  execute(input: InputOf<S>, context: ToolContext): Promise<ToolOutput>;
}

/**
 * Makes a {@linkcode Tool} of a spec: the input is checked against the schema before any code of the tool sees it.
 *
 * @example
 * ```ts ignore
 * export const readClock = defineTool({
 *   name: "read_clock",
 *   description: "Tells the time.",
 *   access: "none",
 *   needs: [],
 *   inputSchema: { type: "object", properties: {}, required: [] },
 *   subject: () => "",
 *   execute: () => Promise.resolve({ content: new Date().toISOString() }),
 * });
 * ```
 */
export function defineTool<const S extends ObjectSchema>(spec: ToolSpec<S>): Tool {
  const { name, inputSchema: schema, preview, mayChange } = spec;
  const sentence = (problems: string[]) => `Cannot call ${name}: ${problems.join("; ")}`;
  const check = (input: unknown): InputOf<S> => {
    const result = readInput(schema, input);
    if (!result.ok) throw new ToolError(sentence(result.problems));
    return result.input;
  };
  return {
    name,
    description: spec.description.trim(),
    inputSchema: schema,
    access: spec.access,
    needs: spec.needs,
    problem(input) {
      const result = readInput(schema, input);
      return result.ok ? undefined : sentence(result.problems);
    },
    subject(input) {
      const result = readInput(schema, input);
      return result.ok ? spec.subject(result.input) : "";
    },
    ...(mayChange && {
      mayChange(input: unknown, context: ToolContext) {
        const result = readInput(schema, input);
        return result.ok && mayChange(result.input, context);
      },
    }),
    ...(preview && { preview: (input: unknown, context: ToolContext) => preview(check(input), context) }),
    execute: async (input, context) => await spec.execute(check(input), context),
  };
}
