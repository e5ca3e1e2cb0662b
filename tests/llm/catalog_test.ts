import { assert, assertEquals } from "@std/assert";
import { AS_OF, findModel, findProvider, MODELS, PROVIDERS, RETIRED } from "../../src/llm/catalog.ts";

Deno.test("The catalogue says when it was true", () => {
  assertEquals(new Date(AS_OF).toISOString().slice(0, 10), AS_OF);
});

Deno.test("The catalogue has the providers in the order in which they are taken", () => {
  assertEquals(PROVIDERS.map(({ name }) => name), ["deepseek", "openai", "anthropic", "demo"]);
  assertEquals(findProvider("deepseek")?.keyVariable, "DEEPSEEK_API_KEY");
  assertEquals(findProvider("deepseek")?.baseUrlVariable, "DEEPSEEK_BASE_URL");
  assertEquals(findProvider("nobody"), undefined);
});

Deno.test("The catalogue knows the default model of each provider, and DeepSeek's is deepseek-flash", () => {
  for (const { name, defaultModel } of PROVIDERS) assertEquals(findModel(defaultModel)?.provider, name);
  assertEquals(findProvider("deepseek")?.defaultModel, "deepseek-flash");
});

Deno.test("The catalogue holds each name once, and sane numbers", () => {
  const names = MODELS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  assertEquals(new Set(names).size, names.length);
  for (const { name, provider, contextWindow, maxOutput, price } of MODELS) {
    assert(findProvider(provider), name);
    assert(maxOutput > 0 && maxOutput <= contextWindow, name);
    assert(price.cacheRead <= price.input && price.input <= price.output, name);
  }
});

Deno.test("The catalogue names a successor for each name that is retired", () => {
  for (const [old, successor] of Object.entries(RETIRED)) {
    assertEquals(findModel(old), undefined);
    assert(findModel(successor), old);
  }
});
