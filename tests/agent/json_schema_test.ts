import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { extractJson, validateJson } from "../../src/agent/json_schema.ts";
import { schemaInstance } from "../../src/llm/schema_instance.ts";
import type { JsonSchema } from "../../src/llm/types.ts";

const fits = (schema: JsonSchema, value: unknown) => validateJson(schema, value).length === 0;

Deno.test("validateJson() names the place, what is wanted and what is there", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string" },
      "two words": { type: ["integer", "null"] },
      list: {
        type: "array",
        items: { type: "object", properties: { kind: { enum: ["a", "b"] } }, required: ["kind"] },
      },
    },
    required: ["name", "list"],
    additionalProperties: false,
  };
  assertEquals(validateJson(schema, { "two words": "3", list: [{ kind: "a" }, { kind: 7 }, {}], more: 1 }), [
    "$.name: is missing",
    '$["two words"]: must be an integer or null, not "3"',
    '$.list[1].kind: must be one of "a", "b", not 7',
    "$.list[2].kind: is missing",
    "$.more: must not be there",
  ]);
  assertEquals(validateJson(schema, { name: "x", "two words": null, list: [] }), []);
  assertEquals(validateJson(schema, []), ["$: must be an object, not []"]);
});

/** Schema, values that fit, values that do not. */
const TABLE: [JsonSchema, unknown[], unknown[]][] = [
  [{}, [null, 1, "x", [], {}], []],
  [{ type: "integer" }, [1, 1.0, -0], [1.5, "1", null]],
  [{ type: "number" }, [1, 1.5], ["1"]],
  [{ type: "boolean" }, [true, false], [0, "true"]],
  [{ type: "null" }, [null], [0, "", false]],
  [{ type: "object" }, [{}], [[], null, "x"]],
  [{ type: "array" }, [[]], [{}, "x"]],
  [{ type: [] }, [1], []],
  [{ enum: [{ a: 1, b: [2] }, null] }, [{ b: [2], a: 1 }, null], [{ a: 1 }, 0]],
  [{ const: null }, [null], [0, {}]],
  [{ const: { a: 1 } }, [{ a: 1 }], [{ a: 2 }]],
  [{ minLength: 2, maxLength: 3 }, ["ab", "🙂🙂🙂", 1], ["a", "abcd"]],
  [{ pattern: "^a+$" }, ["aa", 7], ["ab"]],
  [{ pattern: "(" }, ["anything"], []],
  [{ minimum: 1, maximum: 3 }, [1, 3, "x"], [0, 4]],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  [{ multipleOf: 0.01 }, [0.07, 19.99, 3], [0.015]],
  [{ multipleOf: 2 }, [4, 0, -2], [3]],
  [{ items: { type: "integer" } }, [[], [1, 2], "x"], [[1, "2"]]],
  [{ prefixItems: [{ type: "string" }, true], items: false }, [["a", 1], ["a"], []], [[1], ["a", 1, 2]]],
  [{ contains: { const: 1 } }, [[2, 1]], [[], [2]]],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, "1"]], [[], [1, 2, 3], [{ a: 1, b: 2 }, { b: 2, a: 1 }]]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }, []], [{}, { a: 1, b: 2 }]],
  [
    { patternProperties: { "^n_": { type: "number" } }, additionalProperties: { type: "string" } },
    [{ n_a: 1, b: "x" }],
    [
      { n_a: "1" },
      { b: 1 },
    ],
  ],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  [{ dependentRequired: { a: ["b"] } }, [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1 }]],
  [{ anyOf: [{ type: "string" }, { minimum: 3 }] }, ["x", 3, null], [2]],
  [{ oneOf: [{ type: "integer" }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]],
  [{ not: { type: "string" } }, [1], ["x"]],
  [{ if: { required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } }, [{ a: 1, b: 1 }, { c: 1 }], [
    { a: 1 },
    {},
  ]],
  [{ properties: { a: false } }, [{}], [{ a: 1 }]],
  [{ unknown: 1, format: "email", $comment: "x" }, ["x"], []],
  [{ $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": { type: "string" } } }, ["x"], [1]],
  [{ $ref: "#/$defs/nothing" }, [], [1]],
  [{ $ref: "#/$defs/toString", $defs: {} }, [], [1]],
  [{ $ref: "https://example.com/schema" }, [], [1]],
];

Deno.test("validateJson() accepts and refuses what each keyword says", () => {
  for (const [schema, good, bad] of TABLE) {
    for (const value of good) assert(fits(schema, value), `${JSON.stringify(schema)} accepts ${JSON.stringify(value)}`);
    for (const value of bad) assert(!fits(schema, value), `${JSON.stringify(schema)} refuses ${JSON.stringify(value)}`);
  }
});

Deno.test("validateJson() follows schemas that refer to themselves as deep as the value goes", () => {
  const schema = {
    type: "object",
    properties: { value: { type: "integer" }, next: { anyOf: [{ type: "null" }, { $ref: "#" }] } },
    required: ["value"],
  };
  assert(fits(schema, { value: 1, next: { value: 2, next: { value: 3, next: null } } }));
  assertStringIncludes(
    validateJson(schema, { value: 1, next: { value: "2" } })[0] ?? "",
    "$.next.value: must be an integer",
  );
});

Deno.test("validateJson() comes to an end with every schema and value", () => {
  const start = performance.now();
  assert(!fits({ $ref: "#" }, 1));
  assert(!fits({ anyOf: [{ $ref: "#" }, { $ref: "#" }], oneOf: [{ $ref: "#" }, { $ref: "#" }] }, 1));
  const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000));
  assert(!fits({ items: { $ref: "#" } }, deep));
  assert(fits({ type: "array", uniqueItems: true }, Array.from({ length: 20_000 }, (_, i) => i)));
  assertEquals(validateJson({ items: { type: "string" } }, Array(1000).fill(1)).length, 20);
  assert(performance.now() - start < 5000);
});

Deno.test("validateJson() says of several alternatives what is wrong with the closest", () => {
  const schema = {
    anyOf: [
      { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a", "b"] },
      { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
    ],
  };
  assertEquals(validateJson(schema, { a: null }), [
    "$: fits none of 2 alternatives, the closest says: $.a: must be an integer, not null",
  ]);
});

Deno.test("validateJson() accepts what the demo model makes of a schema", () => {
  for (
    const [schema, good] of TABLE.filter(([schema]) => !("not" in schema || "if" in schema || "contains" in schema))
  ) {
    if (good.length > 0 && schema.pattern === undefined) assertEquals(validateJson(schema, schemaInstance(schema)), []);
  }
});

Deno.test("extractJson() takes the whole answer, or its only code block of JSON", () => {
  assertEquals(extractJson(' {"a": 1}\n'), { a: 1 });
  assertEquals(extractJson("null"), null);
  assertEquals(extractJson('Here it is:\n\n```json\n{"a": "```"}\n```\nThat is all.'), { a: "```" });
  assertEquals(extractJson("```\n[1,\n2]\n```"), [1, 2]);
  assertEquals(extractJson("~~~~json\n7\n~~~~"), 7);
  assertEquals(extractJson("```ts\nlet a;\n```\n```json\n1\n```"), 1);
});

Deno.test("extractJson() refuses answers without JSON, or with several", () => {
  for (const text of ["", "I cannot.", '{"a": 1} and more', "```json\n{'a': 1}\n```", "```json\n{}"]) {
    assertThrows(() => extractJson(text), SyntaxError, "it is not JSON");
  }
  assertThrows(() => extractJson("```\n1\n```\n```\n2\n```"), SyntaxError, "2 code blocks of JSON");
});
