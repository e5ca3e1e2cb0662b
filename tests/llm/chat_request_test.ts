import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { toWire, type WireModel } from "../../src/llm/chat_request.ts";
import { DIALECTS } from "../../src/llm/dialect.ts";
import type { Block, Message, ModelRequest } from "../../src/llm/types.ts";

const target = (options: Partial<WireModel> = {}): WireModel => ({
  id: "deepseek/deepseek-flash",
  model: "deepseek-flash",
  dialect: DIALECTS.deepseek,
  vision: true,
  stream: true,
  ...options,
});
const plain = target({ id: "openai/m", model: "m", dialect: DIALECTS.plain });
const strict = target({ id: "openai/m", model: "m", dialect: DIALECTS.llamacpp });

const request = (messages: Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages,
  tools: [],
  maxTokens: 16_000,
  ...more,
});
const user = (...content: (Block | string)[]): Message => ({
  role: "user",
  content: content.map((block) => typeof block === "string" ? { type: "text", text: block } : block),
});
const assistant = (...content: (Block | string)[]): Message => ({ ...user(...content), role: "assistant" });
const call = (id: string, input: unknown = {}): Block => ({ type: "tool_use", id, name: "list_files", input });
const result = (toolUseId: string, content: string, isError = false): Block => ({
  type: "tool_result",
  toolUseId,
  content,
  isError,
});
const thinking = (text: string, model = "deepseek/deepseek-flash"): Block => ({ type: "thinking", text, model });
const image: Block = { type: "image", mediaType: "image/png", data: "iVBO" };
const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } };

/** The messages as they are sent, without the system prompt. */
// deno-lint-ignore no-explicit-any -- tests look into it freely
const sent = (messages: Message[], model = target(), more: Partial<ModelRequest> = {}): any[] =>
  (toWire(model, request(messages, more)).messages as unknown[]).slice(1);

Deno.test("toWire() writes a request in the words of the protocol", () => {
  const tools = [{ name: "list_files", description: "Lists.", inputSchema: { type: "object", properties: {} } }];
  const body = toWire(target(), request([user("hi")], { tools, effort: "high", stop: ["Observation:"] }));
  assertEquals(body, {
    model: "deepseek-flash",
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 16_000,
    thinking: { type: "enabled" },
    reasoning_effort: "high",
    stop: ["Observation:"],
    tools: [{
      type: "function",
      function: { name: "list_files", description: "Lists.", parameters: { type: "object", properties: {} } },
    }],
    messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "hi" }],
  });
});

Deno.test("toWire() leaves out what is not asked for", () => {
  const body = toWire(target({ stream: false }), request([user("hi")], { system: "", stop: [] }));
  assertEquals(body, {
    model: "deepseek-flash",
    stream: false,
    max_tokens: 16_000,
    messages: [{ role: "user", content: "hi" }],
  });
});

Deno.test("toWire() never uses another role than system, user, assistant and tool [B092]", () => {
  const history = [user("a"), assistant("b", call("c1")), user(result("c1", "r"), "c")];
  for (const dialect of Object.values(DIALECTS)) {
    const body = toWire(target({ dialect }), request(history));
    for (const { role } of body.messages as { role: string }[]) {
      assert(["system", "user", "assistant", "tool"].includes(role), role);
    }
  }
});

Deno.test("toWire() writes each effort in the words of the service", () => {
  const fields = (dialect: keyof typeof DIALECTS, effort?: ModelRequest["effort"]) => {
    const body = toWire(target({ dialect: DIALECTS[dialect] }), request([], effort && { effort }));
    const { thinking, reasoning_effort, reasoning, chat_template_kwargs } = body;
    return JSON.parse(JSON.stringify({ thinking, reasoning_effort, reasoning, chat_template_kwargs }));
  };
  assertEquals(fields("deepseek"), {});
  assertEquals(fields("deepseek", "off"), { thinking: { type: "disabled" } });
  assertEquals(fields("deepseek", "low"), { thinking: { type: "enabled" }, reasoning_effort: "low" });
  assertEquals(fields("deepseek", "max"), { thinking: { type: "enabled" }, reasoning_effort: "max" });
  assertEquals(fields("openai", "off"), { reasoning_effort: "none" });
  assertEquals(fields("openai", "max"), { reasoning_effort: "xhigh" });
  assertEquals(fields("openrouter", "low"), { reasoning: { effort: "low" } });
  assertEquals(fields("vllm", "off"), { chat_template_kwargs: { enable_thinking: false } });
  assertEquals(fields("plain", "off"), {});
  assertEquals(fields("plain", "high"), { reasoning_effort: "high" });
  assertEquals(fields("mistral", "high"), {});
});

Deno.test("toWire() names the limit of the reply and asks for usage as the service knows it", () => {
  assertEquals(toWire(target({ dialect: DIALECTS.openai }), request([])).max_completion_tokens, 16_000);
  const mistral = toWire(target({ dialect: DIALECTS.mistral }), request([]));
  assertEquals([mistral.max_tokens, "stream_options" in mistral], [16_000, false]);
});

Deno.test("toWire() answers each call in a message of its own, and says in words what failed", () => {
  const messages = [
    user("go"),
    assistant(call("c1", { path: "." }), call("c2")),
    user(result("c1", "a.txt"), result("c2", "no such folder", true)),
  ];
  assertEquals(sent(messages), [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "list_files", arguments: '{"path":"."}' } },
        { id: "c2", type: "function", function: { name: "list_files", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "a.txt" },
    { role: "tool", tool_call_id: "c2", content: "Error: no such folder" },
  ]);
  assertEquals(sent([user(result("c1", "Error: x", true))])[0].content, "Error: x");
});

Deno.test("toWire() gives calls ids of nine letters and digits where the service wants them, and always the same ones", () => {
  const messages = [
    user("go"),
    assistant(call("call_9f2"), call("abcDEF123"), call("abcDEF1234")),
    user(result("call_9f2", "1"), result("abcDEF123", "2"), result("abcDEF1234", "3")),
  ];
  const mistral = target({ id: "openai/m", model: "m", dialect: DIALECTS.mistral });
  const [, reply, ...results] = sent(messages, mistral);
  const ids = reply.tool_calls.map(({ id }: { id: string }) => id);
  assert(ids.every((id: string) => /^[A-Za-z0-9]{9}$/.test(id)) && new Set(ids).size === 3, `${ids}`);
  assertEquals([ids[1], results.map((message) => message.tool_call_id)], ["abcDEF123", ids]);
  assertEquals(sent(messages, mistral), sent(structuredClone(messages), mistral));
});

Deno.test("toWire() sends what the person says behind results as a message, or with them where roles are strict", () => {
  const messages = [user("go"), assistant(call("c1")), user(result("c1", "r"), "and now", "this")];
  assertEquals(sent(messages, plain).slice(2), [
    { role: "tool", tool_call_id: "c1", content: "r" },
    { role: "user", content: "and now\n\nthis" },
  ]);
  assertEquals(sent(messages, strict).slice(2), [
    { role: "tool", tool_call_id: "c1", content: "r\n\nThe user adds:\nand now\n\nthis" },
  ]);
  assertEquals(sent([user("a", "b")], strict), [{ role: "user", content: "a\n\nb" }]);
});

Deno.test("toWire() gives DeepSeek its reasoning back exactly, on every turn that had some [B090]", () => {
  const odd = "  I should\n\nlist “first” 🙂 \n";
  const messages = [
    user("go"),
    assistant(thinking(odd), call("c1")),
    user(result("c1", "r")),
    assistant(thinking("So."), "Done"),
    user("more"),
    assistant("No thought"),
    user("more"),
  ];
  const [, first, , second, , third] = sent(messages);
  assertEquals([first.reasoning_content, first.content], [odd, ""]);
  assertEquals([second.reasoning_content, second.content], ["So.", "Done"]);
  assertEquals("reasoning_content" in third, false);
  for (const effort of ["off", "low"] as const) assertEquals(sent(messages, target(), { effort })[1], first);
  assertEquals(sent(messages, target({ id: "deepseek/deepseek-v4-pro" }))[1], first);
});

Deno.test("toWire() leaves out what another provider's model thought", () => {
  const foreign: Block[] = [
    thinking("hm", "anthropic/claude-opus-5-5"),
    { type: "thinking", text: "hm", signature: "c2ln", model: "deepseek/deepseek-flash" },
    { type: "thinking", text: "", redacted: "x" },
  ];
  const [, message] = sent([user("go"), assistant(...foreign, call("c1")), user(result("c1", "r"))]);
  assertEquals("reasoning_content" in message, false);
  const always = target({ dialect: { ...DIALECTS.deepseek, reasoningAlways: true } });
  const [, wanted] = sent([user("go"), assistant(...foreign, call("c1")), user(result("c1", "r"))], always);
  assertEquals(wanted.reasoning_content, "");
});

Deno.test("toWire() gives reasoning back in the field of the service, and to none that does not know one", () => {
  const messages = [user("go"), assistant(thinking("hm", "openai/m"), "ok"), user("more")];
  const field = (dialect: keyof typeof DIALECTS) => {
    const { reasoning, reasoning_content } = sent(messages, target({ id: "openai/m", dialect: DIALECTS[dialect] }))[1];
    return [reasoning, reasoning_content];
  };
  assertEquals(field("ollama"), ["hm", undefined]);
  assertEquals(field("llamacpp"), [undefined, "hm"]);
  assertEquals(field("openai"), [undefined, undefined]);
});

Deno.test("toWire() shows pictures to a model that sees, those of results behind the results", () => {
  assertEquals(sent([user(image, "what is this?")]), [
    { role: "user", content: [picture, { type: "text", text: "what is this?" }] },
  ]);
  const shot: Block = { ...result("c1", "read") as Block & { type: "tool_result" }, images: [image] };
  assertEquals(sent([user("go"), assistant(call("c1")), user(shot, "well?")]).slice(2), [
    { role: "tool", tool_call_id: "c1", content: "read\n\n(its picture follows)" },
    { role: "user", content: [picture, { type: "text", text: "well?" }] },
  ]);
});

Deno.test("toWire() tells a model that does not see that there was a picture", () => {
  const shot: Block = { ...result("c1", "read") as Block & { type: "tool_result" }, images: [image] };
  const history = [user(image, "what is this?"), assistant(call("c1")), user(shot)];
  for (const model of [target({ vision: false }), target({ dialect: { ...DIALECTS.plain, images: false } })]) {
    const [asked, , answered] = sent(history, model);
    assertStringIncludes(asked.content, "cannot see");
    assertStringIncludes(asked.content, "what is this?");
    assertStringIncludes(answered.content, "cannot see");
    assert(!JSON.stringify(sent(history, model)).includes("iVBO"));
  }
});

Deno.test("toWire() holds the reply to a schema as the service can", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const body = (dialect: keyof typeof DIALECTS) =>
    toWire(target({ dialect: DIALECTS[dialect] }), request([], { schema }));
  assertEquals(body("openai").response_format, { type: "json_schema", json_schema: { name: "reply", schema } });
  assertEquals(body("openai").messages, [{ role: "system", content: "Be brief." }]);
  assertEquals(body("deepseek").response_format, { type: "json_object" });
  const tools = [{ name: "list", description: "", inputSchema: { type: "object" } }];
  assertEquals("response_format" in toWire(target(), request([], { schema, tools })), false);
  const [system] = body("deepseek").messages as { content: string }[];
  assertStringIncludes(system?.content ?? "", `JSON that fits this schema:\n${JSON.stringify(schema)}`);
});

Deno.test("toWire() gives the same bytes for the same messages, and never changes earlier ones over 100 steps", () => {
  for (const model of [target(), plain, strict]) {
    const history: Message[] = [user("go", image)];
    let before = "";
    for (let step = 0; step < 100; step++) {
      const body = JSON.stringify(toWire(model, request(history, { effort: "high" })));
      assertEquals(JSON.stringify(toWire(model, request(structuredClone(history), { effort: "high" }))), body);
      assert(body.startsWith(before), `step ${step} changes what was sent before`);
      before = body.slice(0, -"]}".length);
      history.push(assistant(thinking(`thought ${step}`, model.id), `text ${step}`, call(`c${step}`, { step })));
      history.push(
        user(result(`c${step}`, `result ${step}`, step % 7 === 0), ...(step % 5 === 0 ? ["by the way"] : [])),
      );
    }
  }
});
