import { assert, assertEquals, assertRejects } from "@std/assert";
import { replyTokens } from "../../src/agent/context_size.ts";
import { ApiError } from "../../src/llm/errors.ts";
import { type Model, NO_USAGE } from "../../src/llm/types.ts";
import { newAgent, textTool } from "../testing/agents.ts";
import { calls, FakeModel, type Reply, says } from "../testing/fake_model.ts";

const never = new AbortController().signal;
const overflow = (detail: string) => new ApiError("too long", { kind: "overflow", retryable: false, detail });

/** The fake model with another window. */
function windowed(contextWindow: number, ...script: Reply[]): { model: Model; fake: FakeModel } {
  const fake = new FakeModel(...script);
  return { fake, model: { id: fake.id, contextWindow, stream: (request, signal) => fake.stream(request, signal) } };
}

Deno.test("replyTokens() leaves room for the request, more where its size is only estimated", () => {
  const room = { window: 100_000, context: 50_000, isMeasured: true };
  assertEquals(replyTokens(16_000, room), 16_000);
  assertEquals(replyTokens(60_000, room), 50_000);
  assertEquals(replyTokens(60_000, { ...room, isMeasured: false }), 40_000);
  assertEquals(replyTokens(60_000, { ...room, context: 120_000 }), 1024);
  assertEquals(replyTokens(300, { ...room, context: 120_000 }), 300);
});

Deno.test("Agent.send() allows no longer reply than fits into a small window beside the request", async () => {
  const usage = { ...NO_USAGE, inputTokens: 3000, outputTokens: 96 };
  const { model, fake } = windowed(8192, { ...says("One"), usage }, says("Two"));
  const agent = newAgent(model, { maxTokens: 16_000 });
  await agent.send("First", never);
  await agent.send("Second", never);
  const [first, second] = fake.requests.map(({ maxTokens }) => maxTokens);
  assert(first! > 7000 && first! < 8192, `${first}`);
  assert(second! > 5000 && second! <= 8192 - 3096, `${second}`);
});

Deno.test("Agent.send() learns the window from a refusal, and asks for a shorter reply where nothing can be left out", async () => {
  const words = "'max_tokens' is too large: 16000. This model's maximum context length is 8192 tokens";
  const { model, fake } = windowed(128_000, overflow(words), says("One"), says("Two"));
  const agent = newAgent(model, { maxTokens: 16_000 });
  assertEquals((await agent.send("First", never)).text, "One");
  assertEquals(agent.contextWindow, 8192);
  await agent.send("Second", never);
  const asked = fake.requests.map(({ maxTokens }) => maxTokens);
  assert(asked[0] === 16_000 && asked[1]! < 8192 && asked[2]! < 8192, `${asked}`);
  const tooLarge = newAgent(windowed(128_000, overflow(words), overflow(words)).model, { maxTokens: 16_000 });
  await assertRejects(() => tooLarge.send("First", never), ApiError, "/reset");
});

Deno.test("Agent.send() makes the history shorter in time although the service counts no tokens", async () => {
  const look = textTool("look", "read", () => "words ".repeat(3000));
  const { model, fake } = windowed(
    10_000,
    { ...calls("look", { text: "a" }, "1"), usage: NO_USAGE },
    { ...calls("look", { text: "b" }, "2"), usage: NO_USAGE },
    { ...says("MARK"), usage: NO_USAGE },
    { ...says("Ok"), usage: NO_USAGE },
  );
  assertEquals((await newAgent(model, { tools: [look] }).send("Go", never)).text, "Ok");
  assert(JSON.stringify(fake.requests[3]?.messages).includes("MARK"));
});
