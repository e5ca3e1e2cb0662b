/**
 * The running conversation: the agent, its money, and what a person may change in it.
 *
 * @module
 */

import { Agent } from "../agent/agent.ts";
import { Ledger } from "../agent/ledger.ts";
import { readMemory } from "../agent/memory.ts";
import { PrefixWatch } from "../agent/prefix_watch.ts";
import { buildPrompt, type MemoryFile, type PromptParts } from "../agent/prompt.ts";
import type { Session } from "../agent/session.ts";
import { keepPrefix, withDefinitions } from "../agent/session_prefix.ts";
import type { Prefix } from "../agent/session_records.ts";
import type { UI } from "../agent/ui.ts";
import { ConfigError } from "../llm/errors.ts";
import { type Effort, type JsonSchema } from "../llm/types.ts";
import type { JobSummary } from "../tools/jobs.ts";
import type { ChildSettings } from "../tools/tool.ts";
import { agentOptions, type Host, requirePrice } from "./agent_options.ts";
import { askableModels } from "./askable_models.ts";
import { EFFORTS, type Mode, MODES } from "./args.ts";
import { type ConnectedModel, connectModel } from "./connect_model.ts";
import type { HookMaker } from "./open_hooks.ts";
import { observed } from "./observed_ui.ts";
import { UnexpectedModels } from "./unexpected_models.ts";
import { hasHooks } from "./settings.ts";
import type { SessionControls, ToolStatus } from "./session_controls.ts";
import type { Parent } from "./sub_agents.ts";
import { type Setup, type Supply, supply, workspaceOf } from "./setup.ts";

const ONLY_JSON = "Your final answer must be only JSON that fits this JSON schema:";

/** A conversation that can begin. Answers what the slash commands ask. */
export class Conversation implements SessionControls {
  readonly agent: Agent;
  readonly ledger: Ledger;
  readonly #setup: Setup;
  readonly #memory: readonly MemoryFile[];
  readonly #append: string;
  readonly #startedAt = new Date();
  readonly #unexpected = new UnexpectedModels();
  #connected: ConnectedModel;
  #mode: Mode;
  #supply: Supply;
  #watch = new PrefixWatch();
  /** Whether the session has gone on from an earlier run. */
  #resumed = false;
  readonly #notify: (text: string) => void;

  /** Makes the conversation that a setup describes. */
  static async start(setup: Setup, ui: UI, schema?: JsonSchema): Promise<Conversation> {
    const memory = readMemory(setup.config.folders.config, workspaceOf(setup, setup.mode));
    const supply = await supplyFor(setup, setup.mode);
    const makeHooks = hasHooks(setup.hooks) && await (await import("./open_hooks.ts")).openHooks(setup, supply);
    const beginning = { memory, supply, ...(makeHooks && { makeHooks }), ...(schema && { schema }) };
    const conversation = new Conversation(setup, ui, beginning);
    await conversation.#goOn(setup.session);
    return conversation;
  }

  private constructor(setup: Setup, front: UI, { memory, supply, makeHooks, schema }: Beginning) {
    this.#setup = setup;
    const ui = observed(front, setup.redactor, (event) => {
      const notice = event.type === "reply" && this.#unexpected.notice(this.#connected.name, event.response.model);
      if (notice) this.#notify(notice);
      if (event.type === "compaction") this.watchFromHere();
    });
    this.#notify = (text) => ui.show({ type: "notice", text });
    setup.running?.tell(this.#notify);
    this.#connected = setup.connected;
    this.#mode = setup.mode;
    this.#supply = supply;
    this.#memory = memory;
    this.#append = [
      setup.options.appendSystemPrompt ?? "",
      schema ? `${ONLY_JSON}\n${JSON.stringify(schema)}` : "",
    ].filter((text) => text !== "").join("\n\n");
    this.ledger = new Ledger((usage, model, at) => this.#connected.price(usage, model, at));
    const parts = { ui, system: this.#prompt(), tools: supply.tools, makeHooks, schema };
    this.agent = new Agent(agentOptions(this.#host(), parts));
  }

  /** Tools that are missing and why, in words for the banner. */
  get missing(): string[] {
    return this.#supply.missing.map(({ text }) => text);
  }

  model(): string {
    return this.agent.model.id;
  }

  models(): string[] {
    return askableModels(this.#setup.config);
  }

  async setModel(name: string): Promise<void> {
    const { options, config } = this.#setup;
    const connected = connectModel(options, config, name);
    if ((options.maxCost ?? config.settings.maxCost) !== undefined) requirePrice(connected);
    this.#connected = connected;
    this.agent.model = connected.model;
    await this.#setup.session.setPrefix(this.#prefix());
  }

  mode(): Mode {
    return this.#mode;
  }

  async setMode(wanted: string): Promise<void> {
    const mode = MODES.find((known) => known === wanted);
    if (!mode) throw new ConfigError(`There is no mode "${wanted}": it is one of ${MODES.join(", ")}`);
    this.#supply = await supplyFor(this.#setup, mode);
    this.#mode = mode;
    this.#setup.running?.setMode(mode);
    this.agent.tools = this.#supply.tools;
    this.agent.workspace = workspaceOf(this.#setup, mode);
    this.agent.system = this.#prompt();
    await this.#setup.session.setPrefix(this.#prefix());
  }

  effort(): Effort | undefined {
    return this.agent.effort;
  }

  setEffort(wanted: string): void {
    const effort = EFFORTS.find((known) => known === wanted);
    if (!effort) throw new ConfigError(`There is no effort "${wanted}": it is one of ${EFFORTS.join(", ")}`);
    this.agent.effort = effort;
  }

  async permissions(): Promise<string[]> {
    const { permissionLines } = await import("./permissions_command.ts");
    return permissionLines(this.#setup, this.#mode);
  }

  async servers(): Promise<string[]> {
    const { serverRows, serverStatuses } = await import("./mcp_status.ts");
    return serverRows(serverStatuses(this.#setup));
  }

  jobs(): JobSummary[] {
    return this.#setup.jobs.list();
  }

  tools(): ToolStatus[] {
    return this.#setup.allTools.map(({ name, description }) => {
      const missing = this.#supply.missing.find(({ tools }) => tools.includes(name))?.text;
      return { name, summary: description.split(/(?<=\.)\s/)[0] ?? "", ...(missing && { missing }) };
    });
  }

  messages() {
    return this.agent.messages;
  }

  usage() {
    return this.agent.usage;
  }

  cost() {
    return this.ledger.entries;
  }

  contextTokens(): number {
    return this.agent.contextTokens;
  }

  contextWindow(): number {
    return this.agent.contextWindow;
  }

  async reset(): Promise<void> {
    await this.agent.reset();
    this.watchFromHere();
  }

  /** The history was changed in a way that is told: what is no longer in the cache needs no words of its own. */
  watchFromHere(): void {
    this.#watch = new PrefixWatch(this.agent);
  }

  /** Goes on with another session and lets go of this one. */
  async switchTo(session: Session): Promise<void> {
    await this.#setup.session[Symbol.asyncDispose]();
    await this.#goOn(session);
  }

  /** Goes on as a session began, if it is one that goes on. */
  async #goOn(session: Session): Promise<void> {
    const { agent, ledger } = this;
    this.#setup.session = session;
    session.onFailure = this.#notify;
    const past = session.state.past();
    this.#resumed = past.messages.length > 0;
    agent.resume(past);
    agent.workspace = workspaceOf(this.#setup, this.#mode);
    ledger.clear();
    for (const { usage, charge } of session.state.charges) ledger.enter(usage, charge);
    const earlier = session.prefix;
    this.#watch = new PrefixWatch(earlier && { ...earlier, messages: past.messages });
    agent.system = this.#prompt();
    agent.tools = this.#supply.tools;
    // an answer in JSON was the wish of one run
    const saysNot = this.#append.includes(ONLY_JSON) ? [] : [ONLY_JSON];
    const prefix = keepPrefix(earlier, this.#prefix(), { says: [this.#append], saysNot });
    agent.system = prefix.system;
    agent.tools = withDefinitions(agent.tools, prefix);
    if (JSON.stringify(prefix) !== JSON.stringify(earlier)) await session.setPrefix(prefix);
  }

  /** What requests begin with as things stand now. */
  #prefix(): Prefix {
    const { model, system, tools } = this.agent;
    const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const { id, contextWindow } = model;
    return { model: id, contextWindow, mode: this.#mode, roots: this.#setup.roots, system, tools: definitions };
  }

  /** What the agent's surroundings ask about as things stand when they ask. */
  #host(): Host {
    return {
      setup: this.#setup,
      ledger: this.ledger,
      mode: () => this.#mode,
      connected: () => this.#connected,
      isResumed: () => this.#resumed,
      child: () => this.#child(),
      parent: () => this.#parent(),
      watch: (request) => this.#watch.check(request),
      notify: this.#notify,
    };
  }

  /** What a sub-agent takes over from this conversation as it is now. */
  #parent(): Omit<Parent, "options" | "gate" | "checkBudget"> {
    return {
      agent: this.agent,
      setup: this.#setup,
      mode: this.#mode,
      supplyFor: (mode) => supplyFor(this.#setup, mode),
      childFor: (mode) => this.#child(mode),
      promptFor: (base, mode, supply) =>
        this.#prompt({ base, append: this.#setup.options.appendSystemPrompt ?? "" }, mode, supply),
    };
  }

  /** How commands are started in a mode. */
  async #child(mode = this.#mode): Promise<ChildSettings> {
    const { childFor } = await import("./child_settings.ts");
    return await childFor(this.#setup, mode);
  }

  #prompt(
    beginning: Pick<PromptParts, "base" | "append"> = { append: this.#append },
    mode = this.#mode,
    { missing } = this.#supply,
  ): string {
    const { cwd, roots } = this.#setup;
    return buildPrompt({
      ...beginning,
      memory: this.#memory,
      environment: {
        cwd,
        os: Deno.build.os,
        addedFolders: roots.slice(1),
        limits: [`permission mode ${mode}`, ...missing.map(({ text }) => text)],
        date: this.#startedAt,
      },
    });
  }
}

/** What was found out before a conversation begins. */
interface Beginning {
  memory: readonly MemoryFile[];
  supply: Supply;
  makeHooks?: HookMaker;
  schema?: JsonSchema;
}

/** Only in plan mode the tools depend on the sandbox: elsewhere it is not tried before a command needs it. */
async function supplyFor(setup: Setup, mode: Mode): Promise<Supply> {
  return supply(setup, mode, mode === "plan" && (await setup.sandbox.open()).wrap !== undefined);
}
