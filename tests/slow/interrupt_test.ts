import { assert, assertRejects } from "@std/assert";
import { ChatCompletionsModel } from "../../src/llm/chat_completions.ts";
import { withRetry } from "../../src/llm/retry.ts";
import { create } from "../../src/llm/types.ts";
import { chatChunk, FakeService } from "../testing/fake_service.ts";

Deno.test("A request is closed within 50 ms of the interrupt, in the wait for an answer and in the middle of one", async () => {
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    await using service = new FakeService(
      round % 2 === 0 ? { end: "silent" } : { pieces: [chatChunk({ content: "half" })], end: "stall" },
    );
    const url = `${service.url}/v1/chat/completions`;
    const model = withRetry(new ChatCompletionsModel({ id: "openai/m", model: "m", url, contextWindow: 1000 }));
    const controller = new AbortController();
    const request = { system: "", messages: [], tools: [], maxTokens: 10 };
    const outcome = assertRejects(() => create(model, request, controller.signal), Error, "interrupted");
    const { aborted } = await service.request(0);
    const start = performance.now();
    controller.abort(new Error("interrupted"));
    await Promise.all([outcome, aborted]);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  assert(times[10]! < 50, `ms: ${times.map(Math.round)}`);
});
