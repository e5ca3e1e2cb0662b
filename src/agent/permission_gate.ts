/**
 * The gate that follows the permission rules and the mode, and asks a person where they say so.
 *
 * @module
 */

import { quotePath, resolvePath } from "../permissions/paths.ts";
import type { UrlCall } from "../permissions/net_rules.ts";
import type { Call, Policy, Verdict } from "../permissions/rules.ts";
import { type ChildSettings, type Tool, type ToolContext, ToolError } from "../tools/tool.ts";
import type { Admission, Gate } from "./gate.ts";
import type { Decision, Question, UI } from "./ui.ts";

/** What a {@linkcode PermissionGate} is made of. */
export interface PermissionGateOptions {
  /** The mode and the rules as they are now: both may change within a session. */
  policy: () => Policy;
  /** How commands are started now: in the sandbox, where there is one. Throws if none may run. */
  child?: () => Promise<ChildSettings>;
  /** Who is asked. */
  ui: UI;
  /** The folders in which the programs of a command are looked up. */
  searchPath: readonly string[];
  /** Writes an allow rule to the person's own configuration; absent where that cannot be written. */
  saveRule?: (rule: string) => Promise<void>;
}

/** What a person has answered and is being asked. */
interface Answers {
  /** What was allowed for the rest of the session, by the exact words of the call. */
  readonly allowed: Set<string>;
  queue: Promise<unknown>;
}

/** A {@linkcode Gate} over rules, mode and a person. Questions come one after another. */
export class PermissionGate implements Gate {
  readonly #options: PermissionGateOptions;
  readonly #answers: Answers;

  constructor(options: PermissionGateOptions, answers: Answers = { allowed: new Set(), queue: Promise.resolve() }) {
    this.#options = options;
    this.#answers = answers;
  }

  /** A gate for a sub-agent: what the person allows for the session holds for both, and they ask one after another. */
  forSubAgent(options: Pick<PermissionGateOptions, "policy" | "child" | "ui">): PermissionGate {
    return new PermissionGate({ ...this.#options, ...options }, this.#answers);
  }

  async admit(tool: Tool, input: unknown, context: ToolContext): Promise<Admission> {
    const subject = tool.subject(input);
    const call = await this.#describe(tool, input, subject, context);
    const path = call.kind === "read" || call.kind === "write" ? call.path.path : undefined;
    const needs = call.kind === "run" ? call.needs : undefined;
    const child = call.kind === "run" ? await this.#options.child?.() : undefined;
    const grants: Extract<Admission, { admitted: true }>["context"] = {
      ...(path !== undefined && { granted: new Set([path]) }),
      ...(needs && { needs }),
      ...(child && { child }),
      ...(call.kind === "net" && await this.#network(tool, context)),
    };
    return await this.#judge(tool, call, subject, context, async (question) => {
      const display = await tool.preview?.(input, { ...context, ...grants });
      return { ...question, ...(display && { display }) };
    }, grants);
  }

  /** Decides about a call, asking where it must. `complete` adds to a question what only a person needs. */
  async #judge(
    tool: Tool,
    call: Call,
    subject: string,
    context: ToolContext,
    complete: (question: Question) => Promise<Question>,
    grants: Extract<Admission, { admitted: true }>["context"] = {},
  ): Promise<Admission> {
    const policy = { ...this.#options.policy(), sandboxed: grants.child?.sandbox !== undefined };
    const { decide } = await import("../permissions/rules.ts"); // these know shells and nets: much, for a run without a call
    const verdict = decide(call, policy);
    if (verdict.action === "allow") return { admitted: true, context: grants };
    if (verdict.action === "deny") return { admitted: false, reason: denied(tool, subject, verdict) };
    const key = keyOf(call);
    if (this.#answers.allowed.has(key)) return { admitted: true, context: grants };
    const { ruleForCall } = await import("../permissions/rule_for_call.ts");
    const rule = ruleForCall(call, policy);
    if (!this.#options.ui.confirm) {
      return { admitted: false, reason: nobody(tool, subject, verdict), ...(rule && { rule }) };
    }
    const offered = this.#options.saveRule && rule; // what cannot be kept is not offered
    const base: Question = { tool: tool.name, subject, reason: verdict.reason, ...(offered && { rule: offered }) };
    const question = await complete(base);
    const decision = await this.#ask(key, question, context.signal);
    if (decision.answer === "no") {
      const because = decision.reason ? `: ${decision.reason}` : "";
      return { admitted: false, reason: `The user denied this ${tool.name} call${because}` };
    }
    if (decision.answer !== "once") this.#answers.allowed.add(key);
    if (decision.answer === "always" && offered) await this.#keep(offered);
    const approved = question.display && { approved: question.display };
    return { admitted: true, context: { ...grants, ...approved } };
  }

  /** Writes a rule down. If that fails, the answer has still been given: it holds for the session. */
  async #keep(rule: string): Promise<void> {
    try {
      await this.#options.saveRule?.(rule);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/ \(os error \d+\).*$/s, "") : String(error);
      this.#options.ui.show({
        type: "notice",
        text: `Cannot keep the rule ${rule}, it holds for this session: ${reason}`,
      });
    }
  }

  /** Puts a question when those before it are answered: one of their answers may cover it. */
  #ask(key: string, question: Question, signal: AbortSignal): Promise<Decision> {
    const answer = this.#answers.queue.then((): Decision | Promise<Decision> => {
      if (signal.aborted) return { answer: "no" };
      if (this.#answers.allowed.has(key)) return { answer: "once" };
      return this.#options.ui.confirm!(question, signal);
    });
    this.#answers.queue = answer.catch(() => {});
    return answer;
  }

  /** What a call may ask while it follows redirects. */
  async #network(tool: Tool, context: ToolContext) {
    const { concernsAddresses, hasAddressRules, privateUrlAllowed } = await import("../permissions/net_rules.ts");
    const confirmAddresses = async (url: URL, addresses: readonly string[]) => {
      const call = { kind: "net", url, addresses } as const;
      if (concernsAddresses(call, this.#options.policy())) await this.#confirmUrl(tool, call, context);
    };
    return {
      confirmUrl: (url: URL) => this.#confirmUrl(tool, { kind: "net", url }, context),
      ...(hasAddressRules(this.#options.policy()) && { confirmAddresses }),
      privateHostAllowed: (url: URL) => privateUrlAllowed(url, this.#options.policy()),
    };
  }

  async #confirmUrl(tool: Tool, call: UrlCall, context: ToolContext): Promise<void> {
    const admission = await this.#judge(tool, call, call.url.href, context, (q) => Promise.resolve(q));
    if (!admission.admitted) throw new ToolError(admission.reason);
  }

  /** What a call is to the rules. */
  async #describe(tool: Tool, input: unknown, subject: string, { workspace }: ToolContext): Promise<Call> {
    switch (tool.access) {
      case "none":
        return { kind: "none" };
      case "read":
      case "write":
        return { kind: tool.access, path: await resolvePath(subject, workspace) };
      case "execute": {
        const { needs } = input as { needs?: "network" | "outside" };
        const { findPrograms } = await import("../permissions/find_programs.ts");
        const { searchPath } = this.#options;
        return {
          kind: "run",
          command: subject,
          // looked up only where a rule depends on it
          get knownPrograms() {
            return findPrograms(subject, { searchPath, workspace });
          },
          ...(needs && { needs }),
        };
      }
      case "network": {
        const url = URL.parse(subject);
        if (!url) {
          throw new ToolError(
            `Cannot fetch ${quotePath(subject)}: it is no address, write it whole: https://host/path`,
          );
        }
        return { kind: "net", url };
      }
      case "server": {
        const { server = "", tool: name = "", readOnly = false } = tool.origin ?? {};
        return { kind: "mcp", server, name, readOnly };
      }
      default:
        return tool.access satisfies never;
    }
  }
}

/** What "for this session" means: the same words, the same file, the same host. */
function keyOf(call: Call): string {
  switch (call.kind) {
    case "none":
      return "none";
    case "read":
    case "write":
      return `${call.kind} ${call.path.path}`;
    case "run":
      return `run ${call.needs ?? ""} ${call.command}`;
    case "net":
      return `net ${call.url.host}`;
    case "mcp":
      return `mcp ${call.server}/${call.name}`;
    default:
      return call satisfies never;
  }
}

function denied(tool: Tool, subject: string, { reason }: Verdict): string {
  return `Denied: ${shownCall(tool, subject)} is not permitted, since ${reason}`;
}

function nobody(tool: Tool, subject: string, { reason }: Verdict): string {
  return `Denied: ${shownCall(tool, subject)} needs the user's permission (${reason}), and nobody is there to ask`;
}

/** A server's tool may be about nothing in particular. */
function shownCall({ name }: Tool, subject: string): string {
  return subject === "" ? name : `${name} ${quotePath(subject)}`;
}
