import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { AgentOptions } from "../../src/agent/agent_options.ts";
import { Agent } from "../../src/agent/agent.ts";
import { runSubAgent, subAgentUI } from "../../src/agent/sub_agent.ts";
import { OPEN_GATE } from "../../src/agent/gate.ts";
import type { AgentRecord } from "../../src/agent/records.ts";
import type { StreamEvent } from "../../src/llm/types.ts";
import { type AgentTask, runAgent } from "../../src/tools/run_agent.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { RecordingUI, textTool } from "../testing/agents.ts";
import { calls, FakeModel, type Reply, says } from "../testing/fake_model.ts";
import { newToolContext } from "../testing/tool_context.ts";

const never = new AbortController().signal;
const task = { description: "look around", prompt: "CHILD: look around" };
const delegate = (id = "p1", more: Partial<AgentTask> = {}) => calls("run_agent", { ...task, ...more }, id);

interface Options {
  /** What the sub-agent has beside what its parent has. */
  child?: Partial<AgentOptions>;
  tools?: Tool[];
  ui?: RecordingUI;
  records?: AgentRecord[];
  keepOutput?: (text: string) => Promise<string | undefined>;
}

/** A parent whose sub-agents have the same model, and tools of their own. */
function newParent(model: FakeModel, { child = {}, tools = [], ui = new RecordingUI(), records, keepOutput }: Options) {
  const { signal: _signal, seen: _seen, granted: _granted, ...around } = newToolContext({
    cwd: "/",
    ...(keepOutput && { keepOutput }),
  });
  const base = { model, system: "Child", tools, gate: OPEN_GATE, surroundings: around };
  return new Agent({
    ...base,
    system: "Parent",
    tools: [...tools, runAgent],
    ui,
    surroundings: {
      ...around,
      agents: {
        mayChange: ({ mode }) => mode !== "plan",
        run: (task, context) =>
          runSubAgent(task, { ...base, ui: subAgentUI(ui, task, context.callId), ...child }, context),
      },
    },
    ...(records && { record: (record) => Promise.resolve(void records.push(structuredClone(record))) }),
  });
}

/** What the parent's model read as the result of its first call. */
function resultOf({ messages }: Agent): { content: string; isError: boolean } {
  const block = messages[2]?.content[0];
  assert(block?.type === "tool_result");
  return block;
}

Deno.test("a long answer of a sub-agent is cut like any output, and all of it is kept", async () => {
  const kept: string[] = [];
  const answer = "line of the answer\n".repeat(3000);
  const agent = newParent(new FakeModel(delegate(), says(answer), says("Fine")), {
    keepOutput: (text) => Promise.resolve(`/kept/${kept.push(text)}`),
  });
  await agent.send("Go", never);
  const { content, isError } = resultOf(agent);
  assert(content.length <= 30_000 && !isError);
  assertStringIncludes(content, "all of it is in /kept/1");
  assertEquals(kept, [answer]);
});

Deno.test("an answer that was cut by the output limit says so", async () => {
  const agent = newParent(new FakeModel(delegate(), says("Half an", "max_tokens"), says("Fine")), {});
  await agent.send("Go", never);
  assertEquals(resultOf(agent).content, "Half an\n\n[cut: this answer of the sub-agent reached the output limit]");
});

Deno.test("an interrupt ends a sub-agent and its parent's turn within 200 ms, wherever it is", async () => {
  const hang = async function* (): AsyncGenerator<StreamEvent> {
    yield { type: "text_delta", text: "Half" };
    reached.resolve();
    await new Promise<never>(() => {});
  };
  let reached = Promise.withResolvers<void>();
  const stubborn = textTool("stubborn", "execute", () => {
    reached.resolve();
    return new Promise<string>(() => {});
  });
  const asks = new RecordingUI();
  const places: [string, Reply, Options][] = [
    ["in a stream", hang, {}],
    ["in a call that does not stop", calls("stubborn", { text: "x" }, "k1"), { tools: [stubborn] }],
    ["at a question", calls("stubborn", { text: "x" }, "k1"), {
      tools: [stubborn],
      child: {
        gate: {
          admit: (_tool, _input, { signal }) => {
            reached.resolve();
            return new Promise((resolve) =>
              signal.addEventListener("abort", () => resolve({ admitted: false, reason: "no" }))
            );
          },
        },
      },
      ui: asks,
    }],
  ];
  for (const [where, reply, options] of places) {
    reached = Promise.withResolvers();
    const controller = new AbortController();
    const model = new FakeModel(delegate(), reply, says("Fine"));
    const agent = newParent(model, options);
    const turn = agent.send("Go", controller.signal);
    await reached.promise;
    const at = performance.now();
    controller.abort();
    assertEquals((await turn).outcome, "interrupted", where);
    assert(performance.now() - at < 200, where);
    assertMatch(resultOf(agent).content, /^Interrupted by the user/);
    assertEquals((await agent.send("And now?", never)).text, "Fine", where);
    assertEquals(model.requests.length, 3, where);
  }
  assertEquals(asks.of("denial"), []);
});

Deno.test("calls of sub-agents that may change something are noted before they run, others not", async () => {
  for (const [mode, types] of [["plan", ["result"]], ["edit", ["intent", "result"]]] as const) {
    const records: AgentRecord[] = [];
    const agent = newParent(new FakeModel(delegate("p1", { mode }), says("Looked"), says("Fine")), { records });
    await agent.send("Go", never);
    assertEquals(records.map(({ type }) => type), ["user", "reply", ...types, "reply"]);
  }
});

Deno.test("a parent that gives the same task again and again is stuck", async () => {
  const script = Array.from({ length: 5 }, (_, i) => [delegate(`p${i}`), says("Same")]).flat();
  const agent = newParent(new FakeModel(...script), {});
  const { outcome, steps } = await agent.send("Go", never);
  assertEquals([outcome, steps], ["stuck", 5]);
});

Deno.test("a sub-agent's questions name it, and it is shown under the id of its call", async () => {
  const ui = new RecordingUI({ answer: "once" });
  const long = "a task\nof   many words ".repeat(20);
  const asked = subAgentUI(ui, { description: long, prompt: "" }, "p1");
  await asked.confirm!({ tool: "edit_file", subject: "a.txt", reason: "ask mode" }, never);
  const [question] = ui.questions;
  assertMatch(question!.reason, /^ask mode; asked by a sub-agent: a task of many words a task [a-z ]*…$/);
  assert(question!.reason.length < 130);
  assertEquals([question!.tool, question!.subject], ["edit_file", "a.txt"]);
  asked.show({ type: "text_delta", text: "piece" });
  asked.show({ type: "notice", text: "note" });
  assertEquals(ui.events, [{ type: "sub_agent", id: "p1", event: { type: "notice", text: "note" } }]);
  assertEquals(subAgentUI({ show: () => {} }, task).confirm, undefined);
});

Deno.test("a record that cannot be kept is an answer to the call, not the end of the turn", async () => {
  const model = new FakeModel(delegate(), says("Looked"), says("Fine"));
  const record = ({ type }: AgentRecord) =>
    type === "reply" ? Promise.reject(new Error("Disk is full")) : Promise.resolve();
  const agent = newParent(model, { child: { record } });
  assertEquals((await agent.send("Go", never)).text, "Fine");
  assertEquals(resultOf(agent), {
    type: "tool_result",
    toolUseId: "p1",
    content:
      "The sub-agent gave no answer: it broke off: Disk is full\n\nWhat it said last, after 1 model call:\nLooked",
    isError: true,
  } as unknown as { content: string; isError: boolean });
});

Deno.test("run_agent without anything to run one with says so", async () => {
  const { signal: _s, seen: _seen, granted: _g, ...surroundings } = newToolContext({ cwd: "/" });
  const model = new FakeModel(delegate(), says("Fine"));
  const agent = new Agent({
    model,
    system: "",
    tools: [runAgent],
    ui: new RecordingUI(),
    surroundings,
    gate: OPEN_GATE,
  });
  await agent.send("Go", never);
  assertMatch(resultOf(agent).content, /^Cannot run a sub-agent: there are none here/);
});
