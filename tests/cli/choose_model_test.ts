import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { chooseModel, isLoopback, type ModelWish, type ProviderChoice } from "../../src/cli/choose_model.ts";
import type { Variable } from "../../src/cli/config.ts";
import { ConfigError } from "../../src/llm/errors.ts";

const providers: ProviderChoice[] = [
  {
    name: "deepseek",
    keyVariable: "DEEPSEEK_API_KEY",
    baseUrlVariable: "DEEPSEEK_BASE_URL",
    baseUrl: "https://deepseek.example",
    defaultModel: "deepseek-flash",
    models: ["deepseek-flash", "deepseek-v4-pro"],
  },
  {
    name: "openai",
    keyVariable: "OPENAI_API_KEY",
    baseUrlVariable: "OPENAI_BASE_URL",
    baseUrl: "https://openai.example",
    defaultModel: "gpt",
    models: ["gpt"],
    keylessOnLoopback: true,
  },
  { name: "demo", baseUrl: "", defaultModel: "demo", models: ["demo"] },
];

function choose(variables: Record<string, string | Variable>, wish: Partial<ModelWish> = {}) {
  const entries = Object.entries(variables).map(([name, v]) =>
    [name, typeof v === "string" ? { value: v, source: "environment" } : v] as [string, Variable]
  );
  const { provider, model, baseUrl, apiKey } = chooseModel({ providers, variables: new Map(entries), ...wish });
  return [provider, model, baseUrl, apiKey];
}
const project = (value: string): Variable => ({ value, source: "project" });

Deno.test("chooseModel() takes the first provider whose key is set", () => {
  assertEquals(choose({}), ["demo", "demo", "", undefined]);
  assertEquals(choose({ OPENAI_API_KEY: "k" }), ["openai", "gpt", "https://openai.example", "k"]);
  assertEquals(choose({ OPENAI_API_KEY: "k", DEEPSEEK_API_KEY: "d" }), [
    "deepseek",
    "deepseek-flash",
    "https://deepseek.example",
    "d",
  ]);
});

Deno.test("chooseModel() gives a bare name to the provider that knows it, else to the first", () => {
  const keys = { OPENAI_API_KEY: "k", DEEPSEEK_API_KEY: "d" };
  assertEquals(choose(keys, { flag: "gpt" }).slice(0, 2), ["openai", "gpt"]);
  assertEquals(choose(keys, { flag: "new-model" }).slice(0, 2), ["deepseek", "new-model"]);
  assertEquals(choose(keys, { flag: "meta/llama" }).slice(0, 2), ["deepseek", "meta/llama"]);
  assertEquals(choose(keys, { flag: "openai/meta/llama" }).slice(0, 2), ["openai", "meta/llama"]);
  assertEquals(choose(keys, { flag: "openai" }).slice(0, 2), ["openai", "gpt"]);
  assertEquals(choose(keys, { flag: "demo" }).slice(0, 2), ["demo", "demo"]);
});

Deno.test("chooseModel() refuses a misspelt provider and leaves other slashes to the name", () => {
  const keys = { OPENAI_API_KEY: "k", DEEPSEEK_API_KEY: "d" };
  const refusal = (name: string) => assertThrows(() => choose(keys, { flag: name }), ConfigError).message;
  assertEquals(refusal("deepsek/foo"), `Unknown provider "deepsek": did you mean deepseek/foo?`);
  assertEquals(refusal("DeepSeek/foo/bar"), `Unknown provider "DeepSeek": did you mean deepseek/foo/bar?`);
  assertEquals(refusal("DEEPSEEK/foo"), `Unknown provider "DEEPSEEK": did you mean deepseek/foo?`);
  assertThrows(() => choose({ ...keys, AGENT_MODEL: "opanai/gpt" }), ConfigError, "did you mean openai/gpt?");
  for (const name of ["meta-llama/x", "qwen/x", "a/x", "/x"]) {
    assertEquals(choose(keys, { flag: name }).slice(0, 2), ["deepseek", name]);
  }
});

Deno.test("chooseModel() ranks the flag before AGENT_MODEL before the configuration", () => {
  const keys = { DEEPSEEK_API_KEY: "d", AGENT_MODEL: "from-variable" };
  assertEquals(choose(keys, { flag: "from-flag", configured: "from-file" })[1], "from-flag");
  assertEquals(choose(keys, { configured: "from-file" })[1], "from-variable");
  assertEquals(choose({ DEEPSEEK_API_KEY: "d" }, { configured: " from-file\n" })[1], "from-file");
});

Deno.test("chooseModel() needs no key on a loopback address", () => {
  const url = "http://127.0.0.1:8080/v1";
  assertEquals(choose({ OPENAI_BASE_URL: url }, { flag: "llama" }), ["openai", "llama", url, undefined]);
  assertEquals(choose({ OPENAI_BASE_URL: "http://lan:8080" })[0], "demo");
});

Deno.test("chooseModel() goes to a loopback --base-url without a key", () => {
  const baseUrl = "http://127.0.0.1:8080/v1";
  assertEquals(choose({}, { baseUrl }), ["openai", "gpt", baseUrl, undefined]);
  assertEquals(choose({}, { baseUrl, flag: "q" }), ["openai", "q", baseUrl, undefined]);
  assertEquals(choose({ DEEPSEEK_API_KEY: "d" }, { baseUrl }), ["deepseek", "deepseek-flash", baseUrl, "d"]);
});

Deno.test("chooseModel() refuses another --base-url without a key and names the variables", () => {
  const error = assertThrows(() => choose({}, { baseUrl: "http://lan:8080" }), ConfigError);
  const keys = "set one of DEEPSEEK_API_KEY, OPENAI_API_KEY";
  assertEquals(error.message, `Cannot use "http://lan:8080": no provider's key is set, ${keys}`);
  assertThrows(() => choose({}, { baseUrl: "http://lan:8080", flag: "q" }), ConfigError, keys);
  assertEquals(choose({}, { baseUrl: "http://lan:8080", flag: "demo" })[0], "demo");
});

Deno.test("chooseModel() says that a key may be there which the process may not see", () => {
  const isHidden = (name: string) => name === "OPENAI_API_KEY";
  const refusal = (flag: string) => assertThrows(() => choose({}, { flag, isHidden }), ConfigError).message;
  const hint = "(or --allow-env=OPENAI_API_KEY, if it is set)";
  assertEquals(refusal("openai/q"), `Cannot use "openai/q": no key, set OPENAI_API_KEY ${hint}`);
  assertEquals(refusal("deepseek/q"), `Cannot use "deepseek/q": no key, set DEEPSEEK_API_KEY`);
  assertStringIncludes(refusal("q"), `set one of DEEPSEEK_API_KEY, OPENAI_API_KEY ${hint}`);
});

Deno.test("chooseModel() uses a project's provider only when nothing else gives one", () => {
  const own = { OPENAI_API_KEY: project("p"), OPENAI_BASE_URL: project("http://project.example") };
  assertEquals(choose(own), ["openai", "gpt", "http://project.example", "p"]);
  const mine = { ...own, DEEPSEEK_API_KEY: "d" };
  assertEquals(choose(mine)[0], "deepseek");
  assertEquals(choose({ ...mine, AGENT_MODEL: project("openai/gpt") }).slice(0, 2), ["deepseek", "deepseek-flash"]);
  assertEquals(choose({ ...mine, AGENT_MODEL: project("gpt") }).slice(0, 2), ["deepseek", "deepseek-flash"]);
  assertEquals(choose(mine, { flag: "openai/gpt" })[0], "openai");
});

Deno.test("chooseModel() refuses a model without a key and says what to set", () => {
  const error = assertThrows(() => choose({}, { flag: "deepseek/x" }), ConfigError);
  assertEquals(error.message, `Cannot use "deepseek/x": no key, set DEEPSEEK_API_KEY`);
  assertThrows(() => choose({}, { flag: "x" }), ConfigError, "set one of DEEPSEEK_API_KEY, OPENAI_API_KEY");
});

Deno.test("chooseModel() falls back to the demo model and says so when only a name is set", () => {
  const variables = new Map<string, Variable>([["AGENT_MODEL", { value: "x", source: "environment" }]]);
  const { provider, notices } = chooseModel({ providers, variables });
  assertEquals([provider, notices], ["demo", [`The model "x" is not used: no provider's key is set`]]);
});

Deno.test("chooseModel() says how to have a key when the demo model is what is left, not when it was chosen", () => {
  const noKeyOf = (flag?: string) => chooseModel({ providers, variables: new Map(), ...(flag && { flag }) }).noKey;
  assertStringIncludes(noKeyOf() ?? "", "demo model: no key, set one of DEEPSEEK_API_KEY, ");
  assertEquals(noKeyOf("demo"), undefined);
});

Deno.test("isLoopback() knows this machine's own addresses", () => {
  const yes = ["http://localhost:1", "http://127.0.0.1", " http://127.9.9.9/v1 ", "http://[::1]:80"];
  const no = ["http://127.0.0.1.evil.example", "http://localhost.evil.example", "http://10.0.0.1", "nonsense", ""];
  assertEquals([...yes, ...no].map(isLoopback), [...yes.map(() => true), ...no.map(() => false)]);
});
