import { assertEquals, assertStringIncludes } from "@std/assert";
import { PermissionGate } from "../../src/agent/permission_gate.ts";
import { parseRule } from "../../src/permissions/rule_text.ts";
import type { Rule } from "../../src/permissions/rule_text.ts";
import type { McpConnection } from "../../src/tools/mcp_connection.ts";
import { mcpTool } from "../../src/tools/mcp_tool.ts";
import { RecordingUI } from "../testing/agents.ts";
import { newToolContext } from "../testing/tool_context.ts";

const workspace = { cwd: "/w", roots: ["/w"] };
const context = newToolContext({ cwd: "/w", workspace });
const connection = {
  callTool: () => Promise.resolve({ content: [{ type: "text", text: "ok" }] }),
} as unknown as McpConnection;

function newTool(own: string, { readOnly = false, name = `mcp__s__${own}` } = {}) {
  const info = { name: own, description: "", inputSchema: { type: "object", required: ["id"] } };
  return mcpTool({ name, server: "s", info, readOnly, connection });
}

function newGate(ui: RecordingUI, saved: string[], rules: Rule[] = []) {
  return new PermissionGate({
    policy: () => ({ mode: "ask", rules, workspace, sandboxed: false }),
    ui,
    searchPath: [],
    saveRule: (rule) => Promise.resolve(void saved.push(rule)),
  });
}

Deno.test("a call of a server's tool asks with its arguments, and always stores the rule of that tool", async () => {
  const ui = new RecordingUI({ answer: "always" });
  const saved: string[] = [];
  const gate = newGate(ui, saved);
  const odd = newTool("find/issue", { name: "mcp__s__find_issue" });
  assertEquals((await gate.admit(odd, { id: 1 }, context)).admitted, true);
  assertEquals(ui.questions, [{
    tool: "mcp__s__find_issue",
    subject: '"find/issue" {"id":1}',
    reason: "ask mode",
    rule: "mcp(s/find/issue)",
  }]);
  assertEquals(saved, ["mcp(s/find/issue)"]);
  assertEquals((await gate.admit(odd, { id: 2 }, context)).admitted, true);
  assertEquals(ui.questions.length, 1);
});

Deno.test("a tool that is called like a rule's star offers no rule", async () => {
  const ui = new RecordingUI({ answer: "once" });
  await newGate(ui, []).admit(newTool("*", { name: "mcp__s___" }), {}, context);
  assertEquals(ui.questions.map(({ rule }) => rule), [undefined]);
});

Deno.test("a denied tool of a server is named with its rule, a read-only one too", async () => {
  const rules = [parseRule("mcp(s/*)", "deny", "a test")];
  const admission = await newGate(new RecordingUI(), [], rules).admit(newTool("a", { readOnly: true }), {}, context);
  assertEquals(admission.admitted, false);
  if (!admission.admitted) assertStringIncludes(admission.reason, "the deny rule mcp(s/*)");
});

Deno.test("what a server says of itself does not make its tool harmless; the person's configuration does", () => {
  assertEquals(newTool("a").mayChange?.({}, context), true);
  assertEquals(newTool("a", { readOnly: true }).mayChange?.({}, context), false);
  assertEquals(newTool("a").problem({}), 'Cannot call mcp__s__a: "id" is missing');
  assertEquals(newTool("a").problem({ id: 0 }), undefined);
});
