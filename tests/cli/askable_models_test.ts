import { assert, assertEquals } from "@std/assert";
import { askableModels } from "../../src/cli/askable_models.ts";
import type { Variable } from "../../src/cli/config.ts";
import { MODELS } from "../../src/llm/catalog.ts";

const keys = (...names: string[]) =>
  new Map(names.map((name): [string, Variable] => [name, { value: "x", source: "user" }]));

Deno.test("askableModels() lists the models of providers with a key, configured ones, and the demo model", () => {
  assertEquals(askableModels({ settings: {}, variables: keys() }), ["demo/demo"]);
  const anthropic = MODELS.filter(({ provider }) => provider === "anthropic").map(({ name }) => `anthropic/${name}`);
  assert(anthropic.length > 0);
  const settings = { models: { "lab/one": {}, "two": {} } };
  const found = askableModels({ settings, variables: keys("ANTHROPIC_API_KEY") });
  assertEquals(found, [...anthropic, "lab/one", "demo/demo"]);
});

Deno.test("askableModels() asks for the key of a provider that was configured in the place of a known one", () => {
  const settings = { providers: { deepseek: { kind: "openai" as const, baseUrl: "http://x", apiKeyEnv: "LAB_KEY" } } };
  assertEquals(askableModels({ settings, variables: keys("DEEPSEEK_API_KEY") }), ["demo/demo"]);
  assert(askableModels({ settings, variables: keys("LAB_KEY") }).includes("deepseek/deepseek-flash"));
});
