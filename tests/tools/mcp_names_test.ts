import { assert, assertEquals, assertMatch } from "@std/assert";
import { offeredNames } from "../../src/tools/mcp_names.ts";
import { inputProblem, readTools } from "../../src/tools/mcp_schema.ts";

const asIs = (text: string) => text;
const schemaOf = (inputSchema: unknown) => readTools([{ name: "x", inputSchema }], asIs)[0]!.inputSchema;

Deno.test("offeredNames() gives names that every service takes, distinct from each other", () => {
  const taken = new Set<string>();
  const tools = ["calendar.getEvent", "calendar_getEvent", "New Tool", "ünï", "x".repeat(80), "x".repeat(81), "ok"];
  const names = offeredNames("odd server", tools, taken);
  assertEquals(names.slice(0, 4), [
    "mcp__odd_server__calendar_getEvent",
    "mcp__odd_server__calendar_getEvent_2",
    "mcp__odd_server__New_Tool",
    "mcp__odd_server___n_",
  ]);
  assertEquals(names[4], `mcp__odd_server__${"x".repeat(47)}`);
  assertEquals(names[5], `mcp__odd_server__${"x".repeat(45)}_2`);
  const others = offeredNames("odd_server", ["ok"], taken);
  assertEquals(others, ["mcp__odd_server__ok_2"]);
  for (const name of [...names, ...others]) assertMatch(name, /^[A-Za-z0-9_-]{1,64}$/);
  assert(offeredNames("s".repeat(64), ["read_file"], taken)[0]!.endsWith("__read_file"));
});

Deno.test("readTools() leaves out what is no tool, and sorts the rest", () => {
  const list = [{ name: "b" }, 7, null, {}, { name: "" }, { name: "a" }, { name: "b", description: "again" }];
  assertEquals(readTools(list, asIs), [
    { name: "a", description: "", inputSchema: { type: "object", properties: {} } },
    { name: "b", description: "", inputSchema: { type: "object", properties: {} } },
  ]);
});

Deno.test("readTools() cleans and cuts what a model reads as prose, and nothing else", () => {
  const inputSchema = {
    type: "object",
    properties: {
      description: { type: "string", description: "bad", title: "bad", enum: ["bad"] },
      title: { type: "string", default: "bad" },
    },
  };
  const [tool] = readTools(
    [{ name: "x", description: `bad ${"y".repeat(3000)}`, inputSchema }],
    (text) => text.replaceAll("bad", "good"),
  );
  assertEquals(tool!.description, `good ${"y".repeat(1994)}…`);
  assertEquals(tool!.inputSchema, {
    type: "object",
    properties: {
      description: { type: "string", description: "good", title: "good", enum: ["bad"] },
      title: { type: "string", default: "bad" },
    },
  });
});

Deno.test("a schema that no service would take does not spoil the requests", () => {
  const empty = { type: "object", properties: {} };
  for (const schema of [undefined, null, [], "x", { type: "string" }, { type: "object", x: "y".repeat(40_000) }]) {
    assertEquals(schemaOf(schema), empty);
  }
  let deep: unknown = {};
  for (let i = 0; i < 100_000; i++) deep = { a: deep };
  assertEquals(schemaOf({ type: "object", properties: { deep } }), empty);
  assertEquals(schemaOf({}), empty);
  assertEquals(schemaOf({ type: "object", properties: 7, anyOf: [{}], required: ["a"], $defs: {} }), {
    type: "object",
    properties: {},
    required: ["a"],
    $defs: {},
  });
});

Deno.test("inputProblem() says what is missing", () => {
  const schema = { type: "object", required: ["a", "b"] };
  assertEquals(inputProblem(schema, { a: null, b: 0 }), undefined);
  assertEquals(inputProblem(schema, { b: 0 }), '"a" is missing');
  for (const input of ["x", null, undefined, [1]]) {
    assertEquals(inputProblem(schema, input), "the arguments must be a JSON object");
  }
  assertEquals(inputProblem({ required: "x" }, {}), undefined);
});
