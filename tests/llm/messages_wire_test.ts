import { assertEquals, assertNotEquals } from "@std/assert";
import { toWire, type WireModel } from "../../src/llm/messages_wire.ts";
import type { Block, Effort, Message, ModelRequest } from "../../src/llm/types.ts";

const mark = { cache_control: { type: "ephemeral" } };
const opus: WireModel & { id: string } = {
  id: "anthropic/claude-opus-5-5",
  model: "claude-opus-5-5",
  vision: true,
  stream: true,
  thinks: true,
};
const named = (model: string) => ({ ...opus, model, id: `anthropic/${model}` });
const user = (...content: Block[]): Message => ({ role: "user", content });
const assistant = (...content: Block[]): Message => ({ role: "assistant", content });
const text = (text: string): Block => ({ type: "text", text });
const call = (id: string): Block => ({ type: "tool_use", id, name: "read_file", input: { path: "a" } });
const result = (toolUseId: string): Block => ({ type: "tool_result", toolUseId, content: "ok", isError: false });
const request = (parts: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages: [user(text("hi"))],
  tools: [],
  maxTokens: 16_000,
  ...parts,
});

Deno.test("toWire() translates a whole request, and marks tools, system and the last two user messages for the cache", () => {
  const tools = ["list_files", "read_file"].map((name) => ({
    name,
    description: "d",
    inputSchema: { type: "object" },
  }));
  const messages = [
    user(text("u1")),
    assistant(text("a1"), call("c1"), call("c2")),
    user(result("c1"), { type: "tool_result", toolUseId: "c2", content: "no such file", isError: true }),
    assistant(text("a2")),
    user(text("u2")),
  ];
  assertEquals(
    toWire(request({ tools, messages, stop: ["END"] }), { ...named("claude-sonnet-4-6"), maxOutput: 9000 }),
    {
      model: "claude-sonnet-4-6",
      max_tokens: 9000,
      stream: true,
      stop_sequences: ["END"],
      tools: [
        { name: "list_files", description: "d", input_schema: { type: "object" } },
        { name: "read_file", description: "d", input_schema: { type: "object" }, ...mark },
      ],
      system: [{ type: "text", text: "Be brief.", ...mark }],
      messages: [
        { role: "user", content: [{ type: "text", text: "u1" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "a1" },
            { type: "tool_use", id: "c1", name: "read_file", input: { path: "a" } },
            { type: "tool_use", id: "c2", name: "read_file", input: { path: "a" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "ok" },
            { type: "tool_result", tool_use_id: "c2", content: "no such file", is_error: true, ...mark },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "a2" }] },
        { role: "user", content: [{ type: "text", text: "u2", ...mark }] },
      ],
    },
  );
});

Deno.test("toWire() leaves out what is empty", () => {
  assertEquals(Object.keys(toWire(request({ system: "", stop: [] }), { ...named("claude-3"), stream: false })), [
    "model",
    "max_tokens",
    "messages",
  ]);
});

Deno.test("toWire() keeps all bytes of a growing conversation but for the marks, of which there are four at most", () => {
  const messages: Message[] = [user(text("u0"))];
  let before = "";
  for (let step = 0; step < 100; step++) {
    const body = JSON.stringify(
      toWire(request({ messages, tools: [{ name: "t", description: "", inputSchema: {} }] }), opus),
    );
    assertEquals(body.split('"cache_control"').length - 1 <= 4, true);
    const plain = body.replaceAll(',"cache_control":{"type":"ephemeral"}', "");
    assertEquals(plain.startsWith(before), true, `step ${step} moved the prefix`);
    before = plain.slice(0, -2); // without the end of the list and of the body
    messages.push(assistant({ type: "thinking", text: "t", signature: "s", model: opus.id }, call(`c${step}`)));
    messages.push(user(result(`c${step}`)));
  }
});

Deno.test("toWire() sends thinking back exactly as it came, in its place, and only to the model that wrote it", () => {
  const { id } = opus;
  const content: Block[] = [
    { type: "thinking", text: " hm\n", signature: "sig==", model: id },
    { type: "thinking", text: "", signature: "hidden", model: id },
    { type: "thinking", text: "", redacted: "AAAA", model: id },
    text("a"),
    { type: "thinking", text: "unsigned", model: id },
    { type: "thinking", text: "of another", signature: "s", model: "anthropic/claude-opus-4-6" },
    { type: "thinking", text: "of an older version", signature: "s" },
    call("c1"),
  ];
  const { messages } = toWire(
    request({ messages: [user(text("hi")), assistant(...content), user(result("c1"))] }),
    opus,
  );
  assertEquals((messages as { content: unknown }[])[1]?.content, [
    { type: "thinking", thinking: " hm\n", signature: "sig==" },
    { type: "thinking", thinking: "", signature: "hidden" },
    { type: "redacted_thinking", data: "AAAA" },
    { type: "text", text: "a" },
    { type: "tool_use", id: "c1", name: "read_file", input: { path: "a" } },
  ]);
});

Deno.test("toWire() sends pictures, also those of a result, to a model that sees", () => {
  const image: Block = { type: "image", mediaType: "image/png", data: "AAAA" };
  const messages = [
    user(image, text("what is it?")),
    assistant(call("c1")),
    user({ type: "tool_result", toolUseId: "c1", content: "a.png", isError: false, images: [image] }),
  ];
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const sent = (
    vision: boolean,
  ) => (toWire(request({ messages }), { ...opus, vision }).messages as { content: Record<string, unknown>[] }[]);
  assertEquals(sent(true)[0]?.content[0], picture);
  assertEquals(sent(true)[2]?.content[0]?.content, [{ type: "text", text: "a.png" }, picture]);
  assertEquals(JSON.stringify(sent(false)).includes("AAAA"), false);
});

Deno.test("toWire() tells each family of models how much to think in its own way", () => {
  const fields = (model: string, effort: Effort | undefined) => {
    const { thinking, output_config } = toWire(request({ ...(effort && { effort }) }), named(model));
    return { ...(thinking !== undefined && { thinking }), ...(output_config !== undefined && { output_config }) };
  };
  const adaptive = { type: "adaptive", display: "summarized" };
  const bound = { ...adaptive, block_binding: { prefix_mismatch_behavior: "drop_block" } };
  const high = { output_config: { effort: "high" } };
  const table: [string, Effort | undefined, unknown][] = [
    ["claude-opus-5-5", undefined, { thinking: bound }],
    ["claude-opus-5-5", "high", { thinking: bound, ...high }],
    ["claude-opus-5-5", "off", { thinking: bound, output_config: { effort: "low" } }],
    ["claude-sonnet-5-5", "off", { thinking: { type: "between_tools" } }],
    ["claude-opus-5", "off", { thinking: { type: "disabled" } }],
    ["claude-opus-5", "max", { thinking: adaptive, output_config: { effort: "max" } }],
    ["claude-opus-4-6", "high", { thinking: adaptive, ...high }],
    ["claude-opus-4-6", "off", {}],
    ["claude-opus-4-6", undefined, {}],
    ["claude-haiku-4-5", "high", { thinking: { type: "enabled", budget_tokens: 8000 } }],
    ["claude-haiku-4-5", "off", {}],
    ["claude-haiku-4-5", undefined, {}],
    ["deepseek-flash", "high", { thinking: { type: "enabled", budget_tokens: 8000 }, ...high }],
    ["deepseek-flash", "off", { thinking: { type: "disabled" } }],
    ["other", "low", { thinking: { type: "enabled", budget_tokens: 2000 } }],
  ];
  for (const [model, effort, expected] of table) assertEquals(fields(model, effort), expected, `${model}, ${effort}`);
});

Deno.test("toWire() leaves at least half of the reply to the answer, and no budget where it would be refused", () => {
  const thinking = (parts: Partial<ModelRequest>) =>
    toWire(request({ effort: "max", ...parts }), named("claude-haiku-4-5")).thinking;
  assertEquals(thinking({ maxTokens: 10_000 }), { type: "enabled", budget_tokens: 5000 });
  assertEquals(thinking({ maxTokens: 2000 }), undefined);
  const fromAnother = [user(text("hi")), assistant(call("c1")), user(result("c1"))];
  assertEquals(thinking({ messages: fromAnother }), undefined);
  const own: Block = { type: "thinking", text: "t", signature: "s", model: "anthropic/claude-haiku-4-5" };
  assertNotEquals(
    thinking({ messages: [user(text("hi")), assistant(own, call("c1")), user(result("c1"))] }),
    undefined,
  );
});

Deno.test("toWire() asks for a schema where the service can enforce it", () => {
  const format = (schema: Record<string, unknown>, model = "claude-opus-4-6") =>
    (toWire(request({ schema }), named(model)).output_config as { format?: unknown } | undefined)?.format;
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      name: { type: "string", minLength: 2, description: "Its name" },
      when: { type: "string", format: "date" },
      kind: { oneOf: [{ const: "a" }, { type: "null" }] },
      tags: { type: "array", items: { type: "string", format: "color" }, maxItems: 3 },
    },
    required: ["name"],
  };
  assertEquals(format(schema), {
    type: "json_schema",
    schema: {
      type: "object",
      properties: {
        name: { type: "string", description: "Its name" },
        when: { type: "string", format: "date" },
        kind: { anyOf: [{ const: "a" }, { type: "null" }] },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["name"],
      additionalProperties: false,
    },
  });
  assertEquals(format(schema, "another-model"), undefined);
  const open = [
    { type: "object" },
    { type: "object", properties: {}, additionalProperties: { type: "string" } },
    { type: "array", items: { $ref: "#" } },
    { type: "array", items: true },
    { not: { type: "null" } },
    { allOf: [{ type: "object", properties: {} }] },
    { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }] },
  ];
  for (const schema of open) assertEquals(format(schema), undefined, JSON.stringify(schema));
});
