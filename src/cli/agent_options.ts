/**
 * What the agent of a conversation is made of: its gate, its surroundings, its limits.
 *
 * @module
 */

import type { AgentOptions } from "../agent/agent_options.ts";
import { budgetCheck } from "../agent/budget.ts";
import type { Ledger, Pricing } from "../agent/ledger.ts";
import { PermissionGate } from "../agent/permission_gate.ts";
import type { UI } from "../agent/ui.ts";
import { ConfigError } from "../llm/errors.ts";
import { type JsonSchema, type ModelRequest, NO_USAGE } from "../llm/types.ts";
import { isHeld } from "../permissions/held.ts";
import { neutralise } from "../permissions/neutralise.ts";
import type { ChildSettings, Tool } from "../tools/tool.ts";
import type { Mode } from "./args.ts";
import type { ConnectedModel } from "./connect_model.ts";
import type { HookMaker } from "./open_hooks.ts";
import { saveRule } from "./saved_rules.ts";
import { policyOf, type Setup, workspaceOf } from "./setup.ts";
import type { Parent } from "./sub_agents.ts";

/** The conversation, as its agent's surroundings see it: most of it may change while the agent lives. */
export interface Host {
  readonly setup: Setup;
  readonly ledger: Ledger;
  mode(): Mode;
  connected(): ConnectedModel;
  /** Whether the session has gone on from an earlier run. */
  isResumed(): boolean;
  /** How commands are started now. */
  child(): Promise<ChildSettings>;
  /** What a sub-agent takes over. */
  parent(): Omit<Parent, "options" | "gate" | "checkBudget">;
  /** Says what moved in the prefix of a request, if something did. */
  watch(request: ModelRequest): string | undefined;
  notify(text: string): void;
}

/** What an agent begins with. */
export interface AgentParts {
  ui: UI;
  system: string;
  tools: readonly Tool[];
  makeHooks: HookMaker | undefined;
  schema: JsonSchema | undefined;
}

/** Joins the parts. */
export function agentOptions(host: Host, { ui, system, tools, makeHooks, schema }: AgentParts): AgentOptions {
  const { setup, ledger } = host;
  const { options, redactor, config: { settings } } = setup;
  const gate = makeGate(host, ui);
  const check = makeBudget(host);
  const effort = options.effort ?? settings.effort;
  const clean = (text: string) => redactor.redact(neutralise(text));
  const made: AgentOptions = {
    model: setup.connected.model,
    system,
    tools,
    ui,
    surroundings: {
      ...surroundingsOf(host),
      agents: {
        mayChange: ({ mode = host.mode() }) => mode !== "plan",
        run: async (task, context) => {
          const { runAgent } = await import("./sub_agents.ts");
          return await runAgent(task, context, { ...host.parent(), options: made, gate, checkBudget: check });
        },
      },
    },
    gate,
    record: (record) => setup.session.record(record),
    clean,
    ledger,
    maxSteps: options.maxSteps ?? settings.maxSteps ?? 50,
    maxTokens: options.maxTokens ?? settings.maxTokens ?? 16_000,
    ...(makeHooks && {
      hooks: makeHooks({
        cwd: setup.cwd,
        session: () => ({ id: setup.session.id, resumed: host.isResumed() }),
        mode: host.mode,
        child: host.child,
        clean,
        notify: host.notify,
      }),
    }),
    ...(effort && { effort }),
    ...(schema && { schema }),
    beforeRequest: (request, purpose) => {
      const held = check?.(request);
      if (purpose === "summary") return held; // it leaves out what is not answered yet, and only that
      const moved = host.watch(request);
      if (moved) host.notify(moved);
      return held;
    },
  };
  return made;
}

function makeGate({ setup, mode, child }: Host, ui: UI): PermissionGate {
  const { env, config: { folders: { config } } } = setup;
  return new PermissionGate({
    policy: () => policyOf(setup, mode()),
    child,
    ui,
    searchPath: (env.PATH ?? "").split(Deno.build.os === "windows" ? ";" : ":"),
    ...(config && isHeld({ name: "write", path: config }) && { saveRule: (rule: string) => saveRule(config, rule) }),
  });
}

function surroundingsOf({ setup, child }: Host): AgentOptions["surroundings"] {
  return {
    cwd: setup.cwd,
    workspace: workspaceOf(setup, setup.mode),
    child: { env: setup.env },
    confinedChild: child,
    keepOutput: (text) => setup.session.keepOutput(text),
    beforeChange: async (path) => {
      await setup.session.beforeChange(path);
      await setup.sandbox.expectChange(path);
    },
  };
}

/** Keeps to the cost limit, if there is one. */
function makeBudget({ setup, ledger, connected }: Host): ((request: ModelRequest) => Disposable) | undefined {
  const limit = setup.options.maxCost ?? setup.config.settings.maxCost;
  if (limit === undefined) return undefined;
  requirePrice(setup.connected);
  const price: Pricing = (usage, model, at) => connected().price(usage, model, at);
  return (request) => budgetCheck(limit, { ledger, price, model: connected().name })(request);
}

/**
 * Refuses a limit that cannot be kept before money is spent.
 *
 * @throws {ConfigError} If nobody knows what the model costs.
 */
export function requirePrice({ price, name }: ConnectedModel): void {
  if (price({ ...NO_USAGE, inputTokens: 1 }, name, new Date())) return;
  throw new ConfigError(`Cannot keep to a cost limit: no price is known for "${name}", set models.${name}.price`);
}
