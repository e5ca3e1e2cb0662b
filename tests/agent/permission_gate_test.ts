import { assertEquals, assertRejects } from "@std/assert";
import { PermissionGate } from "../../src/agent/permission_gate.ts";
import type { Decision, UI } from "../../src/agent/ui.ts";
import { parseRule } from "../../src/permissions/rule_text.ts";
import type { Policy } from "../../src/permissions/rules.ts";
import type { Mode } from "../../src/permissions/grants.ts";
import type { ChildSettings, Tool } from "../../src/tools/tool.ts";
import { ToolError } from "../../src/tools/tool.ts";
import { RecordingUI, textTool } from "../testing/agents.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

const write = textTool("write_file", "write", () => "");
const run = textTool("run_command", "execute", () => "");
const fetchUrl = textTool("fetch_url", "network", () => "");
const read = textTool("read_file", "read", () => "");

interface GateOptions {
  mode?: Mode;
  allow?: string[];
  deny?: string[];
  saved?: string[];
  saveRule?: ((rule: string) => Promise<void>) | undefined;
}

function newGate(cwd: string, ui: UI, options: GateOptions = {}) {
  const { mode = "ask", allow = [], deny = [], saved = [] } = options;
  const saveRule = "saveRule" in options ? options.saveRule : (rule: string) => Promise.resolve(void saved.push(rule));
  const workspace = { cwd, roots: [cwd], unconfined: mode === "full" };
  const rules = [
    ...allow.map((text) => parseRule(text, "allow", "test")),
    ...deny.map((text) => parseRule(text, "deny", "test")),
  ];
  const policy: Policy = { mode, rules, workspace, sandboxed: false };
  const gate = new PermissionGate({
    policy: () => policy,
    ui,
    searchPath: ["/usr/bin", "/bin"],
    ...(saveRule && { saveRule }),
  });
  const context = newToolContext({ cwd, workspace });
  return (tool: Tool, text: string, signal = context.signal) => gate.admit(tool, { text }, { ...context, signal });
}

const once: Decision = { answer: "once" };

Deno.test("PermissionGate denies a question at once where nobody is there to ask", async () => {
  await using dir = await tempDir();
  const admission = await newGate(dir.path, new RecordingUI())(write, "a.txt");
  assertEquals(admission, {
    admitted: false,
    reason: `Denied: write_file "a.txt" needs the user's permission (ask mode), and nobody is there to ask`,
    rule: `write(${dir.join("a.txt")})`,
  });
});

Deno.test("PermissionGate names no rule where none would do", async () => {
  await using dir = await tempDir();
  const admission = await newGate(dir.path, new RecordingUI())(run, "a; b");
  assertEquals("rule" in admission, false);
});

Deno.test("PermissionGate asks with the whole subject, and grants exactly the path that was shown", async () => {
  await using dir = await tempDir();
  const ui = new RecordingUI(once);
  const admission = await newGate(dir.path, ui)(write, "./a.txt");
  assertEquals(ui.questions.map(({ tool, subject, reason }) => ({ tool, subject, reason })), [
    { tool: "write_file", subject: "./a.txt", reason: "ask mode" },
  ]);
  assertEquals(admission.admitted && [...admission.context.granted ?? []], [dir.join("a.txt")]);
});

Deno.test("PermissionGate offers to keep a rule only where it can, and an answer holds even if that fails", async () => {
  await using dir = await tempDir();
  const nowhere = new RecordingUI({ answer: "session" });
  await newGate(dir.path, nowhere, { saveRule: undefined })(run, "make all");
  assertEquals(nowhere.questions.map(({ rule }) => rule), [undefined]);

  const ui = new RecordingUI({ answer: "always" });
  const admit = newGate(dir.path, ui, { saveRule: () => Promise.reject(new Error("No space left (os error 28)")) });
  for (let i = 0; i < 2; i++) assertEquals((await admit(run, "make all")).admitted, true);
  assertEquals(ui.questions.map(({ rule }) => rule), ["run(make all)"]);
  const notices = ui.events.flatMap((event) => event.type === "notice" ? event.text : []);
  assertEquals(notices, ["Cannot keep the rule run(make all), it holds for this session: No space left"]);
});

Deno.test("PermissionGate asks again after once, and not after session", async () => {
  await using dir = await tempDir();
  const ui = new RecordingUI(once, { answer: "session" });
  const admit = newGate(dir.path, ui);
  for (let i = 0; i < 3; i++) assertEquals((await admit(run, "make all")).admitted, true);
  assertEquals(ui.questions.length, 2);
  assertEquals((await admit(run, "make all ")).admitted, false); // other words, another question
  assertEquals(ui.questions.length, 3);
});

Deno.test("PermissionGate saves the exact words for always", async () => {
  await using dir = await tempDir();
  const saved: string[] = [];
  const ui = new RecordingUI({ answer: "always" });
  await newGate(dir.path, ui, { saved })(run, "ls -l");
  assertEquals([ui.questions[0]?.rule, saved], ["run(ls -l)", ["run(ls -l)"]]);
});

Deno.test("PermissionGate offers no rule for a command that a rule cannot say", async () => {
  await using dir = await tempDir();
  const saved: string[] = [];
  const ui = new RecordingUI({ answer: "always" });
  await newGate(dir.path, ui, { saved })(run, "ls | tee x");
  assertEquals([ui.questions[0]?.rule, saved], [undefined, []]);
});

Deno.test("PermissionGate hands the reason of a no to the model", async () => {
  await using dir = await tempDir();
  const ui = new RecordingUI({ answer: "no", reason: "use make" });
  const admission = await newGate(dir.path, ui)(run, "sh build.sh");
  assertEquals(admission, { admitted: false, reason: "The user denied this run_command call: use make" });
});

Deno.test("a sub-agent's gate has its own mode, shares the answers for the session, and waits for the parent's question", async () => {
  await using dir = await tempDir();
  const ui = new RecordingUI({ answer: "session" });
  const inner = new RecordingUI(once);
  const workspace = { cwd: dir.path, roots: [dir.path] };
  const policy = (mode: Mode) => (): Policy => ({ mode, rules: [], workspace, sandboxed: false });
  const gate = new PermissionGate({ policy: policy("ask"), ui, searchPath: ["/usr/bin", "/bin"] });
  const sub = gate.forSubAgent({ policy: policy("ask"), ui: inner });
  const plan = gate.forSubAgent({ policy: policy("plan"), ui: inner });
  const context = newToolContext({ cwd: dir.path, workspace });
  const admitted = await Promise.all(
    [gate, sub].map((gate) => gate.admit(run, { text: "make" }, context).then(({ admitted }) => admitted)),
  );
  assertEquals([admitted, ui.questions.length, inner.questions.length], [[true, true], 1, 0]);
  assertEquals((await plan.admit(run, { text: "make" }, context)).admitted, false);
  assertEquals((await sub.admit(run, { text: "make all" }, context)).admitted, true);
  assertEquals([ui.questions.length, inner.questions.map(({ subject }) => subject)], [1, ["make all"]]);
});

Deno.test("PermissionGate puts questions one after another, and one answer can cover the next", async () => {
  await using dir = await tempDir();
  const log: string[] = [];
  const first = Promise.withResolvers<Decision>();
  const ui: UI = {
    show: () => {},
    confirm: (question) => {
      log.push(question.subject);
      return first.promise;
    },
  };
  const admit = newGate(dir.path, ui);
  const both = Promise.all([admit(run, "make"), admit(run, "make")]);
  first.resolve({ answer: "session" });
  assertEquals((await both).map((a) => a.admitted), [true, true]);
  assertEquals(log, ["make"]);
});

Deno.test("PermissionGate asks no further question after an interrupt", async () => {
  await using dir = await tempDir();
  const ui = new RecordingUI(once);
  const admission = await newGate(dir.path, ui)(run, "make", AbortSignal.abort());
  assertEquals([admission.admitted, ui.questions.length], [false, 0]);
});

Deno.test("PermissionGate lets deny win in every mode", async () => {
  await using dir = await tempDir();
  for (const mode of ["ask", "edit", "full"] as const) {
    const admit = newGate(dir.path, new RecordingUI(once), { mode, allow: ["run(rm x)"], deny: ["run(rm *)"] });
    for (const command of ["rm x", "ls && rm x", "(ls; rm x)"]) {
      assertEquals((await admit(run, command)).admitted, false, `${mode}: ${command}`);
    }
  }
});

Deno.test("PermissionGate lets a write through a link outside never pass without a question", async () => {
  await using dir = await tempDir({ "work/a.txt": "", "out/s.txt": "secret" });
  await Deno.symlink(dir.join("out/s.txt"), dir.join("work/link"));
  const admit = newGate(dir.join("work"), new RecordingUI(), { mode: "edit" });
  assertEquals((await admit(write, "a.txt")).admitted, true);
  assertEquals((await admit(write, "link")).admitted, false);
  assertEquals((await admit(read, "link")).admitted, false);
});

Deno.test("PermissionGate asks about each host, and refuses private ones unless a rule names them", async () => {
  await using dir = await tempDir();
  const ui = new RecordingUI({ answer: "session" }, once);
  const admit = newGate(dir.path, ui, { allow: ["net(127.0.0.1:8080)"] });
  assertEquals((await admit(fetchUrl, "https://example.com/a")).admitted, true);
  assertEquals((await admit(fetchUrl, "https://example.com/b")).admitted, true);
  assertEquals(ui.questions.length, 1);
  assertEquals((await admit(fetchUrl, "http://127.0.0.1:8080/x")).admitted, true);
  assertEquals((await admit(fetchUrl, "http://127.0.0.1:9090/x")).admitted, false);
  await assertRejects(
    () => admit(fetchUrl, "not a url"),
    ToolError,
    "it is no address, write it whole: https://host/path",
  );
});

Deno.test("PermissionGate hands a fetch the way to ask about a redirect", async () => {
  await using dir = await tempDir();
  const ui = new RecordingUI(once, { answer: "no" });
  const admission = await newGate(dir.path, ui)(fetchUrl, "https://example.com/");
  const confirm = admission.admitted && admission.context.confirmUrl;
  if (!confirm) throw new Error("There is no confirmUrl");
  await assertRejects(() => confirm(new URL("https://other.example/")), ToolError, "The user denied");
  assertEquals(ui.questions.map((q) => q.subject), ["https://example.com/", "https://other.example/"]);
});

Deno.test("PermissionGate shows a diff and lets only that change through", async () => {
  await using dir = await tempDir();
  const display = { type: "diff", path: "a.txt", before: "", after: "x" } as const;
  const tool: Tool = { ...write, preview: () => Promise.resolve(display) };
  const ui = new RecordingUI(once);
  const admission = await newGate(dir.path, ui)(tool, "a.txt");
  assertEquals(ui.questions[0]?.display, display);
  assertEquals(admission.admitted && admission.context.approved, display);
});

Deno.test("PermissionGate lets sandboxed commands run in edit mode, and asks where there is no sandbox", async () => {
  await using dir = await tempDir();
  const sandbox = (command: readonly string[]) => ({ command: ["confined", ...command], env: {} });
  const policy: Policy = {
    mode: "edit",
    rules: [],
    workspace: { cwd: dir.path, roots: [dir.path] },
    sandboxed: false,
  };
  const context = newToolContext({ cwd: dir.path });
  const admit = (child?: () => Promise<ChildSettings>) =>
    new PermissionGate({ policy: () => policy, ui: new RecordingUI(), searchPath: [], ...(child && { child }) })
      .admit(run, { text: "make" }, context);
  const confined = await admit(() => Promise.resolve({ env: {}, sandbox }));
  assertEquals(confined.admitted && confined.context.child?.sandbox, sandbox);
  assertEquals((await admit(() => Promise.resolve({ env: {} }))).admitted, false);
  assertEquals((await admit()).admitted, false);
  await assertRejects(() => admit(() => Promise.reject(new ToolError("The sandbox is broken"))), ToolError, "broken");
});
