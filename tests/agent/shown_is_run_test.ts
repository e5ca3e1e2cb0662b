/** What a person said yes to is what runs, and what cannot be judged does not run. */

import { assertEquals } from "@std/assert";
import type { Gate } from "../../src/agent/gate.ts";
import { PermissionGate, type PermissionGateOptions } from "../../src/agent/permission_gate.ts";
import type { UI } from "../../src/agent/ui.ts";
import type { ToolUseBlock } from "../../src/llm/types.ts";
import { parseRule } from "../../src/permissions/rule_text.ts";
import type { Policy } from "../../src/permissions/rules.ts";
import { fetchUrlTool } from "../../src/tools/fetch_url.ts";
import { Jobs } from "../../src/tools/jobs.ts";
import { runCommandTool } from "../../src/tools/run_command.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { newAgent, RecordingUI, textTool } from "../testing/agents.ts";
import { calls, FakeModel, says } from "../testing/fake_model.ts";

const POLICY: Policy = { mode: "ask", rules: [], workspace: { cwd: "/", roots: ["/"] }, sandboxed: false };

function newGate(options: Partial<PermissionGateOptions> = {}): Gate {
  return new PermissionGate({ policy: () => POLICY, ui: new RecordingUI(), searchPath: ["/usr/bin"], ...options });
}

const never = new AbortController().signal;

/** An agent that makes one call through a gate, and what the call was answered. */
async function callOnce(gate: Gate, tool: Tool, input: unknown): Promise<{ content: string; isError: boolean }> {
  const model = new FakeModel(calls(tool.name, input, "c1"), says("Done"));
  const agent = newAgent(model, { tools: [tool], gate });
  await agent.send("Go", never);
  const block = agent.messages.at(2)?.content[0];
  if (block?.type !== "tool_result") throw new Error("There is no result");
  return { content: block.content, isError: block.isError };
}

Deno.test("a call that is changed while its question stands runs as it was shown", async () => {
  const ran: string[] = [];
  const run = textTool("run_command", "execute", (text) => {
    ran.push(text);
    return "ran";
  });
  const call: ToolUseBlock = { type: "tool_use", id: "c1", name: "run_command", input: { text: "ls -l" } };
  const shown: string[] = [];
  const ui: UI = {
    show: (event) => {
      if (event.type === "tool_call") (event.input as { text: string }).text = "rm -r a";
    },
    confirm: ({ subject }) => {
      shown.push(subject);
      (call.input as { text: string }).text = "rm -r b";
      return Promise.resolve({ answer: "once" });
    },
  };
  const model = new FakeModel({ content: [call], stopReason: "tool_use" }, says("Done"));
  await newAgent(model, { tools: [run], gate: newGate({ ui }), ui }).send("Go", never);
  assertEquals([shown, ran], [["ls -l"], ["ls -l"]]);
});

const command = (text: string) => ({ command: text });
const fail = () => {
  throw new Error("injected");
};

const FAULTS: [name: string, gate: Gate, tool: Tool, input: unknown][] = (() => {
  const run = runCommandTool(new Jobs());
  const allowed: Policy = { ...POLICY, mode: "full", rules: [parseRule("run(rm *)", "deny", "test")] };
  const policy = () => allowed;
  const yes = { ui: new RecordingUI({ answer: "once" }) };
  const broken = { command: ["sh", "-c", "echo 'bwrap: No space left on device' >&2; exit 1"], env: {} };
  const fetch = (resolve: () => Promise<string[]>) => fetchUrlTool({ resolve });
  const url = { url: "http://name.example:1/" };
  return [
    ["a command that no parser understands", newGate({ policy }), run, command("echo 'open")],
    ["a command that is too long to be parsed", newGate({ policy }), run, command("x".repeat(1 << 20))],
    ["rules that cannot be had", newGate({ policy: fail }), run, command("true")],
    ["a sandbox that cannot be opened", newGate({ ...yes, child: fail }), run, command("touch /made")],
    [
      "a sandbox that does not start",
      newGate({ policy, child: () => Promise.resolve({ env: {}, sandbox: () => broken }) }),
      run,
      command("true"),
    ],
    [
      "a sandbox that cannot be laid out",
      newGate({ policy, child: () => Promise.resolve({ env: {}, sandbox: fail }) }),
      run,
      command("true"),
    ],
    ["a question that cannot be shown", newGate({ ui: { show: () => {}, confirm: fail } }), run, command("true")],
    ["a resolver that fails", newGate(yes), fetch(fail), url],
    ["a resolver that knows no address", newGate(yes), fetch(() => Promise.resolve([])), url],
    ["a resolver that gives no addresses but words", newGate(yes), fetch(() => Promise.resolve(["none"])), url],
    ["a path that cannot be resolved", newGate({ policy }), textTool("write_file", "write", () => "wrote"), {
      text: "a\0b",
    }],
    ["a preview that fails", newGate(yes), { ...run, preview: fail }, command("true")],
  ];
})();

for (const [name, gate, tool, input] of FAULTS) {
  Deno.test(`${name} refuses the call and lets nothing through`, async () => {
    let ran = false;
    const guarded: Tool = {
      ...tool,
      execute: (given, context) => {
        // a sandbox or a resolver is used only when a call runs
        if (tool.access !== "network" && !context.child.sandbox) ran = true;
        return tool.execute(given, context);
      },
    };
    const { content, isError } = await callOnce(gate, guarded, input);
    assertEquals([isError, ran], [true, false], content);
  });
}
